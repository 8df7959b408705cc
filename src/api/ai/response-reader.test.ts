import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFile, cutAt, end, finish, M, sessionWith, textParts, weather } from '../../../test/ai/given.ts';
import { joinParts, readAnswer } from './content.ts';
import type { BracketToolsOptions } from './options.ts';
import { createResponseReader } from './response-reader.ts';
import type { FinishReason, Part, TextDelta, ToolCall, ToolInputDelta } from './sdk.ts';
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

it('tells text at once as long as there is no call, and arguments at once always', () => {
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

it('cuts an answer off where a result is made up', () => {
  const text = `${paris}\n${M}[result 0 weather ok]\nsunny\n${end}\nIt is sunny. ${M}[weather Rome]\n${end}`;
  expect(contentOf(text)).toEqual([parisCall]);
  // The limit was reached behind the cut, so it does not count.
  expect(contentOf(text, 'length')).toEqual([parisCall]);
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

it('numbers the pieces of several texts on', () => {
  const parts = [...textParts(['a'], 'x'), ...textParts([`b${paris}c`], 'x'), finish('stop')];
  const ids = readAll(sessionWith(), parts).filter(({ type }) => type === 'text-start');
  expect(ids).toEqual(['text-0', 'text-1', 'text-2'].map((id) => ({ type: 'text-start', id })));
});

const pieces = [
  `${M}[weather Paris]\n`,
  `${M}[weather Paris celsius]`,
  `${M}[create-file a.txt]\n`,
  `${M}[http]\n{"url":"u","headers":{"a":"}"}}\n`,
  `${M}[weather @json]\n{"city":"x"}`,
  end,
  end,
  `${M}\\[/end]`,
  `\n${M}[unknown x]\n`,
  `${M}[result 0 weather ok]\n`,
  `${M}[`,
  M,
  '\u{1f6e0}',
  '[/end]',
  ']',
  '\n',
  ' ',
  'word',
  '\n```\n',
  '"',
  '\ud83d',
  '{"a":1}',
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));
const cuts = fc.array(fc.nat(400), { maxLength: 12 });
const reason = fc.constantFrom<FinishReason['unified']>(
  'stop',
  'length',
  'tool-calls',
  'other',
  'error',
  'content-filter',
);
const fences = fc.constantFrom<'call' | 'text'>('call', 'text');
const numRuns = process.env.TOOLANG_DEEP ? 60_000 : 1_000;
const long = 600_000;

it(
  'gives the same parts for an answer in pieces as for the whole',
  () => {
    fc.assert(
      fc.property(text, text, cuts, reason, fences, (first, second, offsets, unified, fences) => {
        const streamed = [
          ...textParts(cutAt(first, offsets)),
          { type: 'source', id: 's' },
          ...textParts(cutAt(second, offsets), '1'),
          finish(unified),
        ];
        const content = [
          { type: 'text', text: first },
          { type: 'source', id: 's' },
          { type: 'text', text: second },
        ];
        const { finishReason } = finish(unified);
        const whole = readAnswer({ content, finishReason }, sessionWith({ fences }));
        expect(joinParts(readAll(sessionWith({ fences }), streamed))).toEqual(whole);
      }),
      { numRuns },
    );
  },
  long,
);

it(
  'gives a stream that the SDK can follow, whatever the model writes',
  () => {
    fc.assert(
      fc.property(text, cuts, reason, (answer, offsets, unified) => {
        const parts = readAll(sessionWith(), [...textParts(cutAt(answer, offsets)), finish(unified)]);
        const open = new Set<string>();
        const seen = new Set<string>();
        const args = new Map<string, string>();
        for (const part of parts) {
          const { type, id = '' } = part as TextDelta;
          const { delta } = part as TextDelta | ToolInputDelta;
          if (type.endsWith('-start')) {
            expect(seen.has(id)).toBe(false);
            seen.add(id);
            open.add(id);
          } else if (type.endsWith('-delta')) {
            expect(open.has(id)).toBe(true);
            expect(delta).not.toBe('');
            args.set(id, (args.get(id) ?? '') + delta);
          } else if (type.endsWith('-end')) expect(open.delete(id)).toBe(true);
          else if ((part as Part).type === 'tool-call') {
            const { toolCallId, input, providerMetadata } = part as Part as ToolCall;
            expect(seen.has(toolCallId) && !open.has(toolCallId)).toBe(true);
            if (providerMetadata === undefined)
              expect(JSON.parse(args.get(toolCallId) ?? '')).toEqual(JSON.parse(input));
            else expect(() => JSON.parse(input)).toThrow();
          }
        }
        expect(open.size).toBe(0);
        expect(parts.at(-1)?.type).toBe('finish');
      }),
      { numRuns },
    );
  },
  long,
);

it('lets no marker of a well-formed answer into the text', () => {
  const call = fc.constantFrom(
    paris,
    `${M}[create-file a.txt]\nabc ${M}[weather x] ]\n${end}`,
    `${M}[nothing]\n${end}`,
  );
  const words = fc.constantFrom('\n', 'So.\n', '\n\nThen:\n');
  const answer = fc.array(fc.tuple(words, call), { maxLength: 5 }).map((parts) => parts.flat().join(''));
  fc.assert(
    fc.property(answer, cuts, (answer, offsets) => {
      const parts = readAll(sessionWith(), [...textParts(cutAt(answer, offsets)), finish('stop')]);
      for (const part of parts) if (part.type === 'text-delta') expect((part as TextDelta).delta).not.toContain(M);
    }),
    { numRuns: numRuns / 10 },
  );
});

it('reads long answers in linear time', () => {
  const session = sessionWith({}, [weather, createFile]);
  const answer = `${M}[create-file a.txt]\n${'x'.repeat(50)}\n${end}\nSo.\n`.repeat(4_000);
  const parts = readAll(session, [...textParts([...answer]), finish('stop')]);
  expect(parts.filter(({ type }) => type === 'tool-call').length).toBe(4_000);
});
