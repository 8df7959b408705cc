/** What the calls of a run have taken is known from its journal, read or told. */
import { expect, test } from 'vitest';
import type { EventDraft } from '../journal/index.ts';
import { askedNote, createTakenReplies, takenIn } from './taken-replies.ts';

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
