/** What the calls of a run have taken is known from its journal, read or told. */
import { expect, test } from 'vitest';
import type { EventDraft } from '../journal/index.ts';
import { askedNote, createTakenReplies, takenIn, takenUpTo } from './taken-replies.ts';

function journal() {
  const events: EventDraft[] = [];
  let reads = 0;
  const replies = createTakenReplies((_, after = 0) => {
    reads++;
    return events.slice(after).map((event, i) => ({ ...event, seq: after + i + 1 }));
  });
  /** `isTold`: whoever drives says so. */
  const write = (added: readonly EventDraft[], isTold = true) => {
    events.push(...added);
    if (isTold) replies.committed('r', added, events.length);
  };
  const taken = () => takenIn(replies.of('r'), '', ['w']);
  return { write, taken, reads: () => reads };
}

const asked = (nth: number): EventDraft => ({
  at: 1,
  run: 'r',
  node: `s${nth}/model#1`,
  body: askedNote('', { list: 'w', nth }, []),
});
const answered = (nth: number): EventDraft => ({
  at: 1,
  run: 'r',
  node: `s${nth}/model#1`,
  body: { kind: 'model.answered', message: 'x', usage: {} },
});

test('the journal is read once where the driver tells what it has written', () => {
  const { write, taken, reads } = journal();
  write([asked(0), answered(0)]);
  expect(taken().count('w')).toBe(1);
  for (let nth = 1; nth < 10; nth++) {
    write([asked(nth)]);
    expect(taken().open('w')).toBe(`s${nth}/model#1`);
    write([answered(nth)]);
    expect(taken().open('w')).toBeUndefined();
    expect(taken().count('w')).toBe(nth + 1);
  }
  // Before anything is told after it, a reader cannot know whether there is more.
  expect(reads()).toBeLessThanOrEqual(2);
});

test('what nobody told is read', () => {
  const { write, taken } = journal();
  write([asked(0)]);
  expect(taken().count('w')).toBe(1);
  write([answered(0), asked(1)], false);
  write([answered(1), asked(2)]);
  expect(taken().count('w')).toBe(3);
  expect(taken().open('w')).toBe('s2/model#1');
  write([answered(2)], false);
  write([]);
  expect(taken().open('w')).toBeUndefined();
});

const ended = (node: string, more: object = {}): EventDraft => ({
  at: 1,
  run: 'r',
  node,
  body: { kind: 'child.ended', outcome: { ok: 'x' }, ...more },
});
const call = (child: string, nth: number, at = nth): readonly EventDraft[] => [
  { at: 1, run: 'r', node: `${child}/model#${at + 1}`, body: askedNote('', { list: 'w', nth }, []) },
  { at: 1, run: 'r', node: `${child}/model#${at + 1}`, body: { kind: 'model.answered', message: 'x', usage: {} } },
];
const keptCall = (node: string, of: number): EventDraft => ({
  at: 1,
  run: 'r',
  node,
  body: { kind: 'model.answered', message: 'x', usage: {}, from: 'kept', of },
});
const opened = {
  at: 1,
  run: 'r',
  body: { kind: 'segment.opened', why: 'edit', name: 'w', plan: '', source: '', input: {}, machine: 1, models: {} },
} as const;

test('a call that was kept has taken its reply, also where the prompt around it had not ended', () => {
  const { write, taken } = journal();
  write([...call('a#1', 0), ...call('a#1', 1)]);
  write([opened, keptCall('a#1/model#1', 2)]);
  expect(taken().count('w')).toBe(1);
  write([keptCall('a#1/model#2', 4)]);
  expect(taken().count('w')).toBe(2);
  expect(taken().open('w')).toBeUndefined();
});

test('a prompt that was kept has taken the replies of its calls, also of those that it had kept itself', () => {
  const { write, taken } = journal();
  write(call('a#1', 0));
  write([opened, keptCall('a#1/model#1', 2), ended('a#1')]);
  write([opened]);
  expect(taken().count('w')).toBe(0);
  write([ended('a#1', { from: 'kept', of: 5 })]);
  expect(taken().count('w')).toBe(1);
});

test('what the runs before it in a session have taken is taken, also where a segment begins the lists anew', () => {
  const runs: Record<string, readonly EventDraft[]> = {
    a: [asked(0), answered(0)],
    b: [asked(1)],
    c: [{ at: 1, run: 'c', body: { kind: 'segment.opened', why: 'retry' } as unknown as EventDraft['body'] }],
  };
  const after: Record<string, string> = { c: 'b', b: 'a' };
  const events = (id: string) => (runs[id] ?? []).map((event, i) => ({ ...event, seq: i + 1 }));
  const replies = createTakenReplies(events, (id) => takenUpTo(after[id], events, (each) => after[each]));
  const taken = takenIn(replies.of('c'), '', ['w']);
  expect(taken.count('w')).toBe(2);
  expect(taken.open('w')).toBeUndefined();
  expect(takenIn(replies.of('a'), '', ['w']).count('w')).toBe(1);
});

test('a thunk that was kept has taken the replies of its hands, and of theirs', () => {
  const { write, taken } = journal();
  write([...call('a#1', 0), ...call('a#1/b[1]#1', 1, 0), ...call('a#1/b[1]#1/c[1]#1', 2, 0)]);
  write([ended('a#1/b[1]#1/c[1]#1'), ended('a#1/b[1]#1'), ...call('a#1', 3, 1), ended('a#1')]);
  write([opened]);
  expect(taken().count('w')).toBe(0);
  write([ended('a#1', { from: 'kept', of: 11 })]);
  expect(taken().count('w')).toBe(4);
});
