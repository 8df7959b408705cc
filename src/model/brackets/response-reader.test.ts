import { expect, it } from 'vitest';
import { createFile, end, finish, M, sessionWith, textParts, weather } from '../../../test/ai/given.ts';
import { readAnswer } from './content.ts';
import type { BracketToolsOptions } from './options.ts';
import { createResponseReader } from './response-reader.ts';
import type { FinishReason, Part, ToolCall } from './sdk.ts';
import type { Session } from './session.ts';

const paris = `${M}[weather Paris]\n${end}`;
const parisCall = { type: 'tool-call', toolCallId: 'call-0', toolName: 'weather', input: '{"city":"Paris"}' };

function readAll(session: Session, parts: readonly Part[]): Part[] {
  const reader = createResponseReader(session);
  return [...parts.flatMap((part) => reader.read(part)), ...reader.end()];
}

function contentOf(text: string, reason: FinishReason['unified'] = 'stop', session = sessionWith()): Part[] {
  return readAnswer({ content: [{ type: 'text', text } as Part], finishReason: finish(reason).finishReason }, session)
    .content;
}

it('gives texts and calls in their order', () => {
  expect(contentOf(`Let me look.\n\n${paris}\nThen:\n${M}[create-file a.txt]\nhello\n${end}`)).toEqual([
    { type: 'text', text: 'Let me look.\n\n' },
    parisCall,
    { type: 'text', text: '\nThen:\n' },
    {
      type: 'tool-call',
      toolCallId: 'call-1',
      toolName: 'create-file',
      input: '{"path":"a.txt","content":"hello\\n"}',
    },
  ]);
});

it('leaves out blanks beside calls, and only those', () => {
  expect(contentOf(`\n ${paris}\n\n${paris}\n`)).toEqual([parisCall, { ...parisCall, toolCallId: 'call-1' }]);
  expect(contentOf(' \n')).toEqual([{ type: 'text', text: ' \n' }]);
  expect(contentOf('')).toEqual([]);
});

it('says tool-calls when a call may run, and keeps what the provider said', () => {
  const reasonOf = (text: string, unified: FinishReason['unified']): FinishReason =>
    readAnswer({ content: [{ type: 'text', text } as Part], finishReason: { unified, raw: 'eos' } }, sessionWith())
      .finishReason;
  expect(reasonOf(paris, 'stop')).toEqual({ unified: 'tool-calls', raw: 'eos' });
  expect(reasonOf(paris, 'other')).toEqual({ unified: 'tool-calls', raw: 'eos' });
  expect(reasonOf(paris, 'length')).toEqual({ unified: 'length', raw: 'eos' });
  expect(reasonOf(`${M}[weather]\n${end}`, 'stop')).toEqual({ unified: 'stop', raw: 'eos' });
  expect(reasonOf('hello', 'stop')).toEqual({ unified: 'stop', raw: 'eos' });
});

it('tells text at once as long as there is no call, and the arguments of the first call', () => {
  const reader = createResponseReader(sessionWith());
  const [start, ...rest] = textParts(['Hel', 'lo', `\n${M}`, `[create-file a.txt]`, '\nab', 'c', `\n${end}`]);
  const told = [start, ...rest].map((part) => reader.read(part as Part));
  expect(told).toEqual([
    [],
    [
      { type: 'text-start', id: 'text-0' },
      { type: 'text-delta', id: 'text-0', delta: 'Hel' },
    ],
    [{ type: 'text-delta', id: 'text-0', delta: 'lo' }],
    [{ type: 'text-delta', id: 'text-0', delta: '\n' }],
    [
      { type: 'text-end', id: 'text-0' },
      { type: 'tool-input-start', id: 'call-0', toolName: 'create-file' },
      { type: 'tool-input-delta', id: 'call-0', delta: '{"path":"a.txt","content":"' },
    ],
    [{ type: 'tool-input-delta', id: 'call-0', delta: 'ab' }],
    [{ type: 'tool-input-delta', id: 'call-0', delta: 'c' }],
    [
      { type: 'tool-input-delta', id: 'call-0', delta: '\\n' },
      { type: 'tool-input-delta', id: 'call-0', delta: '"}' },
      { type: 'tool-input-end', id: 'call-0' },
    ],
    [],
  ]);
  expect(reader.read(finish('stop')).map(({ type }) => type)).toEqual(['tool-call', 'finish']);
});

it('tells arguments at once as long as nothing but calls waits, then in their order', () => {
  const reader = createResponseReader(sessionWith());
  const types = (parts: Part[]) => parts.map((part) => `${part.type} ${(part as { id?: string }).id ?? ''}`.trim());
  const reads = (piece: string, id = '0') => textParts([piece], id).flatMap((part) => types(reader.read(part)));
  const live = (id: string) => [`tool-input-start ${id}`, `tool-input-delta ${id}`, `tool-input-delta ${id}`];
  expect(reads(`${paris}\n \n`)).toEqual([...live('call-0'), 'tool-input-end call-0']);
  expect(reads(`\n${paris}`)).toEqual([...live('call-1'), 'tool-input-end call-1']);
  const native = (type: string) => types(reader.read({ type: `tool-input-${type}`, id: 'n' } as Part));
  expect(native('start')).toEqual(['tool-input-start n']);
  expect(reads('So.')).toEqual([]);
  expect([native('delta'), native('end')]).toEqual([['tool-input-delta n'], ['tool-input-end n']]);
  expect(reads(`\n${paris}`)).toEqual([]);
  expect(types(reader.read({ type: 'tool-input-start', id: 'o' } as Part))).toEqual([]);
  expect(types(reader.read(finish('stop')))).toEqual([
    'tool-call',
    'tool-call',
    'text-start text-0',
    'text-delta text-0',
    'text-end text-0',
    ...live('call-2'),
    'tool-input-end call-2',
    'tool-call',
    'tool-input-start o',
    'finish',
  ]);
});

it('keeps what follows a call in its order until the end', () => {
  const reader = createResponseReader(sessionWith());
  const types = (parts: Part[]) => parts.map(({ type }) => type);
  const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' };
  for (const part of textParts([paris, ' and so on'])) reader.read(part);
  expect(types(reader.read(source))).toEqual([]);
  expect(types(reader.read({ type: 'reasoning-start' }))).toEqual([]);
  expect(types(reader.read({ type: 'raw' }))).toEqual(['raw']);
  expect(types(reader.read(finish('stop')))).toEqual([
    'tool-call',
    'text-start',
    'text-delta',
    'text-end',
    'source',
    'reasoning-start',
    'finish',
  ]);
});

it('leaves all else as it is', () => {
  const parts = [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: 'r' },
    { type: 'reasoning-start', id: '0' },
    { type: 'reasoning-delta', id: '0', delta: paris },
    { type: 'reasoning-end', id: '0' },
    { type: 'file', mediaType: 'image/png', data: '' },
    { type: 'tool-input-start', id: 'n', toolName: 'native' },
    { type: 'tool-call', toolCallId: 'n', toolName: 'native', input: '{}' },
    finish('tool-calls'),
  ];
  expect(readAll(sessionWith(), parts)).toEqual(parts);
});

it('runs nothing of an answer that reached its length limit, and says why', () => {
  const calls = contentOf(`${paris}\n${M}[create-file a.txt]\nhel`, 'length') as ToolCall[];
  expect(calls.map(({ toolName }) => toolName)).toEqual(['weather', 'create-file']);
  expect(calls.map(({ input }) => input.split(/[:;]/, 2).join())).toEqual([
    'length, the message reached its length limit, so none of its calls ran',
    'length, the message reached its length limit in the middle of this call, so the call did not run',
  ]);
  for (const { input } of calls) expect(() => JSON.parse(input)).toThrow();
});

it('runs nothing of an answer that a content filter stopped', () => {
  const [call] = contentOf(paris, 'content-filter') as ToolCall[];
  expect(call?.input).toMatch(/^content-filter: /);
});

it('leaves out the calls of an answer that broke off, and says so', () => {
  const said: string[] = [];
  const session = sessionWith({ onDiagnostic: ({ code }) => void said.push(code) });
  expect(contentOf(`Look: ${paris}`, 'error', session)).toEqual([{ type: 'text', text: 'Look: ' }]);
  expect(said).toEqual(['dropped']);
});

it('leaves out the calls of an answer that was to be without any', () => {
  const said: string[] = [];
  const onDiagnostic: BracketToolsOptions['onDiagnostic'] = ({ code, toolName }) =>
    void said.push(`${code} ${toolName}`);
  const session = sessionWith({ onDiagnostic }, [weather], { type: 'none' });
  expect(contentOf(`It is warm.\n${paris}`, 'stop', session)).toEqual([{ type: 'text', text: 'It is warm.\n' }]);
  expect(said).toEqual(['dropped weather']);
  const told = readAll(session, [...textParts([`It is warm.\n${paris}`]), finish('stop')]);
  expect(told.map(({ type }) => type)).toEqual(['text-start', 'text-delta', 'text-end', 'finish']);
});

it('tells who wants to know what is wrong', () => {
  const said: string[] = [];
  const session = sessionWith({
    onDiagnostic: ({ code, message }) => void said.push(`${code}: ${message.split(/[;,]/, 1)}`),
  });
  contentOf(`${M} [weather x]\n${M}[weather]\n${M}[weather y]${end}`, 'stop', session);
  expect(said).toEqual([
    'spaced-marker: A blank stands between the emoji and "["',
    'nested-start: A call starts inside the body of another',
    'refused: body: this tool takes no body',
  ]);
});

it('closes what is open when the stream ends without a finish', () => {
  const [start, ...deltas] = textParts(['Hello ', `${M}[create-file a]\nab`]);
  const told = readAll(sessionWith(), [start as Part, ...deltas.slice(0, -1)]);
  expect(told.map(({ type }) => type)).toEqual([
    'text-start',
    'text-delta',
    'text-end',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-delta',
    'tool-input-end',
  ]);
});

it('lets errors through at once', () => {
  const reader = createResponseReader(sessionWith());
  for (const part of textParts([paris])) reader.read(part);
  const error = { type: 'error', error: new Error('gone') };
  expect(reader.read(error)).toEqual([error]);
});

it('keeps a header that the end of the answer cut off in the text when it names no tool', () => {
  for (const text of [`A call starts with ${M}[`, `Write ${M}[w`, `Use ${M}[res`]) {
    const said: string[] = [];
    const session = sessionWith({ onDiagnostic: ({ code }) => void said.push(code) });
    expect(contentOf(text, 'stop', session)).toEqual([{ type: 'text', text }]);
    expect(said).toEqual(['unterminated']);
  }
});

it('keeps the data of a provider with the first piece', () => {
  const providerMetadata = { p: { a: 1 } };
  const content = [{ type: 'text', text: `a ${paris} b`, providerMetadata } as Part];
  const answer = readAnswer({ content, finishReason: finish('stop').finishReason }, sessionWith());
  expect(answer.content).toEqual([
    { type: 'text', text: 'a ', providerMetadata },
    parisCall,
    { type: 'text', text: ' b' },
  ]);
});

it('keeps the data of a provider with a call when there is no text to keep it with', () => {
  const providerMetadata = { p: { a: 1 } };
  const read = (text: string) =>
    readAnswer(
      { content: [{ type: 'text', text, providerMetadata } as Part], finishReason: finish('stop').finishReason },
      sessionWith(),
    ).content;
  expect(read(paris)).toEqual([{ ...parisCall, providerMetadata }]);
  expect(read(`${paris} b`)).toEqual([parisCall, { type: 'text', text: ' b', providerMetadata }]);
  const [refused] = read(`${M}[weather]\n${end}`) as ToolCall[];
  expect(refused?.providerMetadata).toMatchObject({ ...providerMetadata, toolang: { refused: { rawArgs: '' } } });
});

it('refuses calls of other tools than the one that must be called', () => {
  const session = sessionWith({}, [weather, createFile], { type: 'tool', toolName: 'create-file' });
  const [first, second, third] = contentOf(
    `${paris}\n${M}[create-file a]\nb\n${end}\n${M}[creat-file a]\n${end}`,
    'stop',
    session,
  ) as ToolCall[];
  expect(first?.input).toBe(
    'tool-choice: this message must call "create-file" and no other tool, so the call did not run',
  );
  expect(second?.input).toBe('{"path":"a","content":"b\\n"}');
  expect(third?.input).toMatch(/^unknown-tool: /);
});

it('numbers the pieces of several texts on', () => {
  const parts = [...textParts(['a'], 'x'), ...textParts([`b${paris}c`], 'x'), finish('stop')];
  const ids = readAll(sessionWith(), parts).filter(({ type }) => type === 'text-start');
  expect(ids).toEqual(['text-0', 'text-1', 'text-2'].map((id) => ({ type: 'text-start', id })));
});
