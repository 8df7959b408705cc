import { expect, test } from 'vitest';
import { createBegins } from './begins.ts';
import type { EventBody } from './event.ts';

const started: EventBody = { kind: 'node.started', key: '' };

test('what was begun and has no end is counted, until somebody leaves in order', () => {
  const { take, of } = createBegins();
  for (const node of ['a', 'a', 'b', 'b', 'c']) take({ node, body: started });
  take({ node: 'c', body: { kind: 'node.done' } });
  take({ node: 'a', body: { kind: 'node.printed', text: '' } });
  expect(['a', 'b', 'c'].map(of)).toEqual([2, 2, 0]);
  // What was held back was not running.
  take({ body: { kind: 'run.stopped', held: ['a'] } });
  expect(['a', 'b', 'c'].map(of)).toEqual([2, 0, 0]);
  take({ body: { kind: 'run.stopped' } });
  expect(of('a')).toBe(0);
});
