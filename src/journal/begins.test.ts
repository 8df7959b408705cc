import { expect, test } from 'vitest';
import { createBegins } from './begins.ts';
import type { EventBody } from './event.ts';

const started: EventBody = { kind: 'node.started', key: '' };

test('what was begun and has no end is counted, until somebody leaves in order', () => {
  const { take, of } = createBegins();
  for (const node of ['a', 'a', 'b', 'b', 'c']) take({ node, body: started });
  take({ node: 'c', body: { kind: 'node.done' } });
  take({ node: 'a', body: { kind: 'node.printed', text: '' } });
  expect(['a', 'b', 'c'].map((node) => of(node))).toEqual([2, 2, 0]);
  // What was held back was not running.
  take({ body: { kind: 'run.stopped', held: ['a'] } });
  expect(['a', 'b', 'c'].map((node) => of(node))).toEqual([2, 0, 0]);
  take({ body: { kind: 'run.stopped' } });
  expect(of('a')).toBe(0);
});

const segment = (why: 'edit' | 'fork'): EventBody => ({
  kind: 'segment.opened',
  why,
  name: 'w',
  plan: '',
  source: '',
  input: {},
  machine: 1,
  models: {},
});

test('they are counted over segments, for a step of the same name and key, whichever attempt it was', () => {
  const { take, of } = createBegins();
  const begin = (node: string, key: string) => take({ node, body: { kind: 'node.started', key } });
  begin('a#2', 'k');
  begin('a#2', 'k');
  begin('b#1', 'k');
  take({ body: segment('edit') });
  expect([of('a#1'), of('a#1', () => 'k'), of('a#1', () => 'other'), of('b#1', () => 'k')]).toEqual([0, 2, 0, 1]);
  // What was not reached in a segment was not running there.
  take({ body: { kind: 'run.stopped' } });
  take({ body: segment('edit') });
  begin('a#1', 'k');
  expect(of('a#1')).toBe(3);
  take({ node: 'b#1', body: { kind: 'node.done' } });
  expect(of('b#1', () => 'k')).toBe(0);
  take({ body: segment('fork') });
  expect(of('a#1', () => 'k')).toBe(0);
});

test('who leaves in order leaves nothing to be counted in later segments', () => {
  const { take, of } = createBegins();
  take({ node: 'a#1', body: started });
  take({ body: segment('edit') });
  take({ node: 'a#1', body: started });
  expect(of('a#1')).toBe(2);
  take({ body: { kind: 'run.stopped' } });
  take({ body: segment('edit') });
  expect(of('a#1', () => '')).toBe(0);
});
