/** Streams that are damaged anywhere: a call always ends in a typed result that holds together. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StreamPart } from '../model.ts';
import { openModel } from '../open-model.ts';
import { asking, env, listening, resolvedFor, wireAnswer, wireFetch, wires } from './wire-test-kit.ts';

const tool = {
  name: 'filesystem/write',
  description: '',
  parameters: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
};
const said = {
  reasoning: 'I think of it for a while.',
  text: 'Some words, and 😀 among them.\n🛠️[filesystem__write path=b.md]\n# B\n🛠️[/end]',
  calls: [
    { id: 'c1', name: 'filesystem__write', args: '{"path":"a.md","content":"# A"}' },
    { id: 'c2', name: 'filesystem__write', args: '{"path":"b.md"}' },
  ],
};

type Damage = { readonly kind: 'cut' | 'drop' | 'twice' | 'put' | 'swap'; readonly at: number; readonly text: string };

const damage = fc.record({
  kind: fc.constantFrom('cut' as const, 'drop' as const, 'twice' as const, 'put' as const, 'swap' as const),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  text: fc.constantFrom(
    'data: {"oops',
    'data: null',
    'data: []',
    'data: {"type":"nothing"}',
    ': comment',
    '\u0000',
    'data: {"error":"no"}',
    'x',
  ),
});

function damaged(body: string, all: readonly Damage[]): string {
  let lines = body.split('\n\n');
  for (const { kind, at, text } of all) {
    const index = Math.floor(at * lines.length);
    const line = lines[index] ?? '';
    if (kind === 'cut') lines = [...lines.slice(0, index), line.slice(0, Math.floor(line.length / 2))];
    else if (kind === 'drop') lines.splice(index, 1);
    else if (kind === 'twice') lines.splice(index, 0, line);
    else if (kind === 'put') lines.splice(index, 0, text);
    else lines.push(...lines.splice(index, 1));
  }
  return lines.join('\n\n');
}

function join(parts: readonly StreamPart[], kind: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.kind === kind ? part.text : '')).join('');
}

test.each(wires.flatMap((wire) => [[wire, 'native'] as const, [wire, 'text'] as const]))(
  '%s, tools %s',
  async (wire, tools) => {
    const body = wireAnswer(wire, said);
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (all) => {
        const { fetch } = wireFetch(damaged(body, all));
        const model = await openModel(resolvedFor(wire, { tools }), { env, fetch });
        const context = listening();
        const result = await model.generate(asking('hi', { tools: [tool] }), context);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        expect(JSON.stringify(result)).not.toContain('secret-');
        if (!result.ok) {
          expect(result.error.message).not.toMatch(/undefined|\[object/);
          if (context.parts.length > 0) expect(result.error.begun ?? result.error.code === 'model-empty').toBe(true);
          return;
        }
        const { text, calls = [], reasoning = [], finish } = result.answer;
        expect(join(context.parts, 'text')).toBe(text);
        expect(join(context.parts, 'reasoning')).toBe(reasoning.map((each) => each.text).join(''));
        expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
        if (finish === 'cut') expect(calls).toEqual([]);
        const begun = context.parts.flatMap((part) => (part.kind === 'call' ? [part.id] : []));
        for (const { id, args, problem } of calls) {
          expect(begun).toContain(id);
          const written = context.parts
            .map((part) => (part.kind === 'args' && part.id === id ? part.text : ''))
            .join('');
          if (problem === undefined) expect(JSON.parse(written)).toEqual(args);
        }
      }),
      { numRuns: process.env.TOOLANG_DEEP ? 400 : 40 },
    );
  },
);
