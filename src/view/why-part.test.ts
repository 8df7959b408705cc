/** What was changed of a step, as it was and as it is: what a thunk is given. */
import { expect, it } from 'vitest';
import { nodesOf, type PlacedNode } from '../plan/index.ts';
import { flow, planOf } from '../plan/plan-test-kit.ts';
import type { Defined } from './why-lines.ts';
import { changedPart } from './why-part.ts';

const defined: Defined = { modules: {}, findLine: () => undefined, findConfig: () => undefined };

async function stepWith(given: string): Promise<PlacedNode> {
  const text = flow(`  - id: a\n    agent: w\n    prompt: x\n${given}`);
  const [placed] = nodesOf(await planOf(text.replace('type: scripted', 'type: too\n    use: ./r.too')));
  if (placed === undefined) throw new Error('no step');
  return placed;
}

it('tells what a thunk is given as it is written', async () => {
  const [was, is] = [
    await stepWith('    with:\n      style: "{input.topic}"\n'),
    await stepWith('    with:\n      n: 3\n'),
  ];
  expect(changedPart('values', { was, is }, { was: defined, is: defined })).toEqual([
    { part: 'values', old: '{"style":"{input.topic}"}', new: '{"n":3}', at: 'flow.toon:9', wasAt: 'flow.toon:9' },
  ]);
  const none = await stepWith('');
  expect(changedPart('values', { was: none, is }, { was: defined, is: defined })).toMatchObject([
    { old: '', new: '{"n":3}' },
  ]);
});
