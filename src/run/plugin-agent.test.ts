/** What agents of plugins are given. */
import { expect, it } from 'vitest';
import type { StepCommand } from '../machine/index.ts';
import type { StepContext } from './execute.ts';
import { createPluginAgents } from './plugin-agent.ts';

it.each([
  ['d#1/model#1', 1],
  ['d#3/model#1', 3],
  ['polish[2]/d#2/model#4', 2],
  ['sub#5/d#2/model#1', 2],
])('the attempt of %s is that of its step', async (id, attempt) => {
  let seen: number | undefined;
  const plugin = { module: './p.ts', name: 'default', config: null };
  const agents = createPluginAgents(async (_, context) => {
    seen = context.attempt;
    return { outcome: { ok: { text: 'hi' } } };
  });
  const command: StepCommand = { op: 'step', id, spec: { kind: 'model' }, args: { messages: [] }, key: 'k' };
  const context = { attempt: 1, runId: 'r' } as StepContext;
  const { outcome } = await agents({ name: 'e', type: 'echo', fields: {} }, plugin)(command, context);
  expect([seen, outcome]).toEqual([attempt, { ok: { text: 'hi', finish: 'stop' } }]);
});
