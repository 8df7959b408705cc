/** Answers that are not whole: with an error, a made-up result, a call that reasoning tore apart. */
import { expect, it } from 'vitest';
import { end, finish, M, sessionWith, textParts } from '../../../test/ai/given.ts';
import { joinParts, readAnswer } from './content.ts';
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

it.each<FinishReason['unified']>(['stop', 'other', 'tool-calls', 'length'])(
  'runs nothing of an answer with an error in it, whatever its end says: %s',
  (unified) => {
    const error = { type: 'error', error: new Error('gone') };
    const said: string[] = [];
    const session = () => sessionWith({ onDiagnostic: ({ code }) => void said.push(code) });
    const native = { type: 'tool-call', toolCallId: 'n', toolName: 'weather', input: '{}' };
    const executed = { ...native, toolCallId: 'e', providerExecuted: true };
    const text = textParts(['a', paris]);
    for (let at = 0; at <= text.length; at++) {
      const parts = [...text.slice(0, at), error, ...text.slice(at), native, executed, finish(unified)];
      const told = readAll(session(), parts);
      expect(told.filter(({ type }) => type === 'tool-call')).toEqual([executed]);
      expect(joinParts(told).content.slice(0, 2)).toContainEqual({ type: 'text', text: 'a' });
      expect(joinParts(told).finishReason).toEqual({ unified, raw: unified });
      expect(said.splice(0).sort()).toEqual(['dropped', 'dropped']);
    }
    const held = readAll(session(), [...text, native, error, finish(unified)]);
    expect(held.filter(({ type }) => type === 'tool-call')).toEqual([]);
    expect(joinParts(held).finishReason.unified).toBe(unified === 'tool-calls' ? 'error' : unified);
  },
);

it('shows no arguments of a call that begins behind an error', () => {
  const native = { type: 'tool-input-start', id: 'n', toolName: 'weather' };
  const parts = [{ type: 'error', error: 'gone' }, ...textParts([`a${paris}`]), native];
  const told = readAll(sessionWith(), [...parts, { type: 'tool-input-end', id: 'n' } as Part, finish('stop')]);
  expect(told.map(({ type }) => type)).toEqual(['error', 'text-start', 'text-delta', 'text-end', 'finish']);
});

const madeUp = `${M}[result 0 weather ok]\nsunny\n${end}\n`;

it('cuts an answer off where a result is made up', () => {
  const text = `${paris}\n${madeUp}It is sunny. ${M}[weather Rome]\n${end}`;
  expect(contentOf(text)).toEqual([parisCall]);
  // The limit was reached behind the cut, so it does not count.
  expect(contentOf(text, 'length')).toEqual([parisCall]);
});

const reasoning = { type: 'reasoning', text: 'hm' };
const nativeCall = { type: 'tool-call', toolCallId: 'n', toolName: 'weather', input: '{"city":"Rome"}' };

it.each([
  ['a result', madeUp],
  ['a header that ends', `${M}[result 0 weather ok]`],
  ['a header that the end of its text cuts off', `${M}[result 0 wea`],
  ['its name', `${M}[result`],
])('lets nothing of an answer count behind %s, whatever part it stands in', (_, cut) => {
  const said: string[] = [];
  const session = sessionWith({ onDiagnostic: ({ code, toolCallId }) => void said.push(`${code} ${toolCallId}`) });
  const content = [
    { type: 'text', text: `a${paris}` },
    { type: 'text', text: cut },
    reasoning,
    nativeCall,
    { type: 'tool-result', toolCallId: 'n' },
    { type: 'text', text: `b${paris}` },
  ];
  const answer = readAnswer({ content, finishReason: finish('stop').finishReason }, session);
  expect(answer).toEqual({
    content: [{ type: 'text', text: 'a' }, parisCall],
    finishReason: { unified: 'tool-calls', raw: 'stop' },
  });
  expect(said).toEqual(['fabricated-result undefined', 'dropped n']);
});

it('says stop when it left out the only call behind a made-up result', () => {
  const content = [{ type: 'text', text: madeUp } as Part, nativeCall];
  const answer = readAnswer({ content, finishReason: finish('tool-calls').finishReason }, sessionWith());
  expect(answer).toEqual({ content: [], finishReason: { unified: 'stop', raw: 'tool-calls' } });
});

it('runs nothing at a length limit that may have been reached somewhere else than behind a made-up result', () => {
  const inputs = (content: Part[]) =>
    readAnswer({ content, finishReason: finish('length').finishReason }, sessionWith())
      .content.filter(({ type }) => type === 'tool-call')
      .map((part) => (part as ToolCall).input.slice(0, 7));
  const text = (text: string) => ({ type: 'text', text });
  expect(inputs([text(paris + madeUp)])).toEqual(['{"city"']);
  expect(inputs([reasoning, text(paris), text(madeUp)])).toEqual(['{"city"']);
  expect(inputs([text(paris + madeUp), reasoning])).toEqual(['length:']);
  expect(inputs([text(paris + madeUp), nativeCall])).toEqual(['length:']);
  expect(inputs([text(paris + madeUp), text(paris)])).toEqual(['length:']);
  expect(inputs([text(`${paris}${M}[result`)])).toEqual(['length:']);
  expect(inputs([text(`a ${madeUp}`), reasoning, text(paris)])).toEqual([]);
});

it('closes behind a made-up result what was open before it', () => {
  const part = (type: string, id: string) => ({ type, id }) as Part;
  const parts = [
    part('reasoning-start', 'r'),
    part('tool-input-start', 'n'),
    ...textParts(['other'], 'b').slice(0, -1),
    { ...nativeCall, toolCallId: 'e', providerExecuted: true },
    ...textParts([madeUp], 'a'),
    ...textParts([' more'], 'b').slice(1),
    part('reasoning-delta', 'r'),
    part('reasoning-end', 'r'),
    part('tool-input-end', 'n'),
    nativeCall,
    { type: 'tool-result', toolCallId: 'e' } as Part,
    part('reasoning-start', 's'),
    part('reasoning-end', 's'),
    part('tool-input-start', 'o'),
    part('tool-input-end', 'o'),
    { type: 'raw' },
    finish('stop'),
  ];
  expect(readAll(sessionWith(), parts).map(({ type }) => type)).toEqual([
    'reasoning-start',
    'tool-input-start',
    'text-start',
    'text-delta',
    'tool-call',
    'text-end',
    'reasoning-delta',
    'reasoning-end',
    'tool-input-end',
    'tool-result',
    'raw',
    'finish',
  ]);
});

it('puts a call together that reasoning tore apart, wherever it did', () => {
  const answer = `So: ${M}[create-file a.txt]\nhello\n${end} Done.`;
  const thought = { type: 'reasoning', text: 'hm' } as Part;
  const whole = contentOf(answer);
  // Not in the middle of a marker: an emoji at the end of a text is told as it is.
  for (let at = answer.indexOf('[') + 1; at < answer.lastIndexOf(']'); at++) {
    const texts = [answer.slice(0, at), answer.slice(at)].map((text) => ({ type: 'text', text }) as Part);
    const [first, second] = texts as [Part, Part];
    const given = (content: Part[]) =>
      readAnswer({ content, finishReason: finish('stop').finishReason }, sessionWith()).content;
    const torn = given([first, thought, second]);
    expect(torn.filter((part) => part !== thought)).toEqual(whole);
    expect(torn).toContain(thought);
    // Something else between is the end of it, and so is nothing.
    for (const others of [[], [{ type: 'source' }]]) {
      const calls = given([first, ...others, second]).filter(({ type }) => type === 'tool-call') as ToolCall[];
      for (const { input } of calls) expect(input).toMatch(/^unterminated: /);
    }
  }
});

it('does not run a call that swallowed the next one behind reasoning', () => {
  const read = (texts: string[]) => {
    const content = texts.flatMap((text) => [{ type: 'text', text } as Part, reasoning]);
    const answer = readAnswer({ content, finishReason: finish('stop').finishReason }, sessionWith());
    const calls = answer.content.filter(({ type }) => type === 'tool-call') as ToolCall[];
    return calls.map(({ input }) => input.split(/[,;]/, 1)[0]);
  };
  const open = `${M}[create-file a]\nhello\n`;
  const refused = 'unterminated: reasoning interrupted a call of this message';
  expect(read([open, `${open}${end}`])).toEqual([refused]);
  expect(read([open, `${madeUp}${paris}`])).toEqual([refused, refused]);
  // Before the interruption it is a part of the body, as always; and the next call is whole.
  expect(read([`${open}${M}[x]`, `${end}${open}${M}[y]${end}`])).toEqual(['{"path":"a"', '{"path":"a"']);
});
