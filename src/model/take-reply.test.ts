import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScript, type Reply } from './script.ts';
import { createTaken, type Taken, takeReply } from './take-reply.ts';

function script(...names: string[]) {
  const replies = names.map(
    (name, index): Reply => ({ for: name, at: `s:${index}:1`, answer: { kind: 'text', text: `${index}` }, cut: false }),
  );
  return createScript('flow.script.toon', replies);
}

function textOf(take: ReturnType<typeof takeReply>): string {
  return take.kind === 'reply' && take.reply.answer.kind === 'text' ? take.reply.answer.text : take.kind;
}

test('the most specific name that has a list wins', () => {
  const s = script('writer', 'review', 'polish[2]/review');
  const names = (round: number) => [`polish[${round}]/review`, 'review', 'writer'];
  expect(textOf(takeReply(s, createTaken(), 'a', names(2)))).toBe('2');
  expect(textOf(takeReply(s, createTaken(), 'a', names(1)))).toBe('1');
  expect(textOf(takeReply(s, createTaken(), 'a', ['draft', 'writer']))).toBe('0');
  expect(takeReply(s, createTaken(), 'a', ['draft', 'editor'])).toEqual({ kind: 'unknown' });
});

test('replies of a list are given in document order, one for each call', () => {
  const s = script('draft', 'other', 'draft');
  const taken = createTaken();
  for (const [call, expected] of [
    ['draft#1/model#1', '0'],
    ['draft#2/model#1', '2'],
    ['draft#3/model#1', 'used'],
  ] as const) {
    const take = takeReply(s, taken, call, ['draft']);
    expect(textOf(take)).toBe(expected);
    if (take.kind === 'reply') taken.add(call, take.taken);
    taken.end(call);
  }
});

test('a list that is used up does not give way to a less specific one', () => {
  const s = script('draft', 'writer');
  const taken = createTaken();
  taken.add('a', { list: 'draft', nth: 0 });
  taken.end('a');
  expect(takeReply(s, taken, 'b', ['draft', 'writer'])).toEqual({ kind: 'used', list: 'draft', length: 1 });
});

test('a call that is begun again gets the same reply, also beside later ones', () => {
  const s = script('draft', 'draft');
  const taken = createTaken();
  taken.add('a', { list: 'draft', nth: 0 });
  taken.end('a');
  taken.add('b', { list: 'draft', nth: 1 });
  expect(textOf(takeReply(s, taken, 'a', ['draft']))).toBe('0');
  expect(textOf(takeReply(s, taken, 'b', ['draft']))).toBe('1');
});

test('two open calls do not share a list', () => {
  const s = script('reviewer', 'reviewer', 'style');
  const taken = createTaken();
  taken.add('security#1/model#1', { list: 'reviewer', nth: 0 });
  expect(takeReply(s, taken, 'verdict#1/model#1', ['verdict', 'reviewer'])).toEqual({
    kind: 'shared',
    list: 'reviewer',
    with: 'security#1/model#1',
  });
  expect(textOf(takeReply(s, taken, 'style#1/model#1', ['style', 'reviewer']))).toBe('2');
  taken.end('security#1/model#1');
  expect(textOf(takeReply(s, taken, 'verdict#1/model#1', ['verdict', 'reviewer']))).toBe('1');
});

/**
 * A run of calls, begun in order; each waits for those before it that have its list. A crash forgets what is not in the
 * journal: notes and ends of a call may or may not have been kept. Then all open calls are begun again, in their order.
 */
interface Asked {
  readonly id: string;
  readonly names: readonly string[];
}

const asked = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y')), { minLength: 1, maxLength: 12 })
  .map((calls) => calls.map(([step, agent], index): Asked => ({ id: `${step}#${index}`, names: [step, agent] })));

test('the same call gets the same reply, whatever crashes there are', () => {
  fc.assert(
    fc.property(
      asked,
      fc.array(fc.constantFrom('a', 'b', 'x', 'y'), { maxLength: 30 }),
      fc.infiniteStream(fc.record({ crash: fc.boolean(), noted: fc.boolean(), pick: fc.nat(5) })),
      (calls, names, chance) => {
        const s = script(...names);
        const calm = play(calls, s, () => ({ crash: false, noted: true, pick: 0 }));
        let steps = 0;
        const rough = play(calls, s, () => {
          const next = chance.next().value;
          return { ...next, crash: next.crash && ++steps < 40 };
        });
        expect(rough).toEqual(calm);
      },
    ),
    { numRuns: process.env.TOOLANG_DEEP ? 20_000 : 500 },
  );
});

interface Chance {
  readonly crash: boolean;
  readonly noted: boolean;
  readonly pick: number;
}

function play(calls: readonly Asked[], s: ReturnType<typeof script>, chance: () => Chance): Record<string, string> {
  /** The journal: who asked for which reply, and whose fact is there. */
  const notes = new Map<string, { list: string; nth: number }>();
  const facts = new Map<string, string>();
  const listOf = ({ names }: Asked) => names.find((name) => s.lists.has(name));
  const isReady = (call: Asked, index: number) =>
    calls.slice(0, index).every((other) => facts.has(other.id) || listOf(other) !== listOf(call));
  while (facts.size < calls.length) {
    // A new owner knows what the journal says, and nothing else.
    const taken = createTaken();
    for (const [id, reply] of notes) {
      taken.add(id, reply);
      if (facts.has(id)) taken.end(id);
    }
    const open = new Map<string, string>();
    const begin = () => {
      for (const [index, call] of calls.entries()) {
        if (facts.has(call.id) || open.has(call.id) || !isReady(call, index)) continue;
        const take = takeReply(s, taken as Taken, call.id, call.names);
        if (take.kind === 'reply') {
          taken.add(call.id, take.taken);
          if (chance().noted) notes.set(call.id, take.taken);
        }
        open.set(call.id, textOf(take));
      }
    };
    for (begin(); open.size > 0; begin()) {
      const { crash, pick } = chance();
      if (crash) break;
      const [id = '', text = ''] = [...open][pick % open.size] ?? [];
      open.delete(id);
      facts.set(id, text);
      // A note is durable with the fact at the latest.
      const reply = taken.of(id);
      if (reply) notes.set(id, reply);
      taken.end(id);
    }
  }
  return Object.fromEntries([...facts].sort());
}
