/** Whatever a model writes, and however it comes in pieces. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFile, cutAt, end, finish, M, sessionWith, textParts, weather } from '../../../test/ai/given.ts';
import { joinParts, readAnswer } from './content.ts';
import { createResponseReader } from './response-reader.ts';
import type { FinishReason, ForeignPart, Part, TextDelta, ToolCall, ToolInputDelta } from './sdk.ts';
import type { Session } from './session.ts';

const paris = `${M}[weather Paris]\n${end}`;

function readAll(session: Session, parts: readonly Part[]): Part[] {
  const reader = createResponseReader(session);
  return [...parts.flatMap((part) => reader.read(part)), ...reader.end()];
}

const madeUp = `${M}[result 0 weather ok]\nsunny\n${end}\n`;
const nativeCall = { type: 'tool-call', toolCallId: 'n', toolName: 'weather', input: '{"city":"Rome"}' };

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
const numRuns = process.env.TOOLANG_DEEP ? 4_000 : 300;

const betweens = fc.constantFrom<Part[]>(
  [],
  [{ type: 'source', id: 's' } as Part],
  [nativeCall],
  [{ type: 'file', data: '' } as Part],
  [{ type: 'reasoning', text: 'hm' } as Part],
);

/** An item of an answer, as UIs place it: a text by itself, a call by its id, where it is heard of first. */
function itemsOf(parts: readonly Part[]): string[] {
  const items = new Set<string>();
  for (const { type, ...rest } of parts as ForeignPart[]) {
    if (type === 'text-start') items.add(`text ${rest.id}`);
    else if (type === 'tool-input-start') items.add(`call ${rest.id}`);
    else if (type === 'tool-call') items.add(`call ${rest.toolCallId}`);
    else if (!/^(text|tool-input|finish)/.test(type)) items.add(type);
  }
  return [...items];
}

it('gives the same parts for an answer in pieces as for the whole, in the same order', () => {
  fc.assert(
    fc.property(text, text, betweens, cuts, reason, fences, (first, second, between, offsets, unified, fences) => {
      const streamed = [
        ...textParts(cutAt(first, offsets)),
        ...between,
        ...textParts(cutAt(second, offsets), '1'),
        finish(unified),
      ];
      const content = [{ type: 'text', text: first }, ...between, { type: 'text', text: second }];
      const { finishReason } = finish(unified);
      const whole = readAnswer({ content, finishReason }, sessionWith({ fences }));
      const parts = readAll(sessionWith({ fences }), streamed);
      expect(joinParts(parts)).toEqual(whole);
      // The calls of an answer that broke off are seen only as they begin.
      if (unified === 'error') return;
      let texts = 0;
      const named = whole.content.map((part) => (part.type === 'text' ? `text text-${texts++}` : itemsOf([part])[0]));
      expect(itemsOf(parts)).toEqual(named);
    }),
    { numRuns },
  );
});

it('runs nothing that stands behind a made-up result or beside an error', () => {
  fc.assert(
    fc.property(text, text, text, cuts, reason, (first, second, third, offsets, unified) => {
      const runs = (parts: Part[]) =>
        readAll(sessionWith(), parts).filter((part) => part.type === 'tool-call' && !('providerMetadata' in part));
      const before = textParts(cutAt(first, offsets));
      const behind = [...textParts(cutAt(second, offsets), '1'), nativeCall, ...textParts([third], '2')];
      const made = [...before, ...textParts([madeUp], 'm')];
      const error = { type: 'error', error: 'gone' };
      expect(runs([...made, ...behind, finish(unified)])).toEqual(
        unified === 'length' ? [] : runs([...before, ...textParts([madeUp], 'm'), finish(unified)]),
      );
      expect(runs([...before, error, ...behind, finish(unified)])).toEqual([]);
      expect(runs([...before, ...textParts([second], '1'), error, finish(unified)])).toEqual([]);
    }),
    { numRuns },
  );
});

it('gives a stream that the SDK can follow, whatever the model writes', () => {
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
          if (providerMetadata === undefined) expect(JSON.parse(args.get(toolCallId) ?? '')).toEqual(JSON.parse(input));
          else expect(() => JSON.parse(input)).toThrow();
        }
      }
      expect(open.size).toBe(0);
      expect(parts.at(-1)?.type).toBe('finish');
    }),
    { numRuns },
  );
});

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
