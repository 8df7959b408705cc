import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { mergeConfig } from '../config/index.ts';
import type { StepCommand } from '../machine/index.ts';
import { realClock } from '../sys/index.ts';
import type { StepContext } from './execute.ts';
import { openRunTools, type RunToolsOptions } from './run-tools.ts';

const offer: StepCommand = {
  op: 'step',
  id: 'a#1/tools#1',
  spec: { kind: 'tools', names: ['filesystem/read'] },
  args: null,
  key: 'k',
};

const context: StepContext = {
  runId: 'r',
  idempotencyKey: 'r/a',
  attempt: 1,
  signal: new AbortController().signal,
  notes: [],
  note: () => undefined,
  spawned: () => undefined,
  ended: () => undefined,
};

function open(options: Partial<RunToolsOptions>) {
  return openRunTools({
    own: {
      skill: async () => Promise.reject(new Error('none')),
      memory: async () => Promise.reject(new Error('none')),
    },
    config: mergeConfig({}).settings,
    sources: async () => [],
    services: async () => [],
    env: {},
    clock: realClock,
    home: tmpdir(),
    ...options,
  });
}

test('what cannot be opened fails the step with the reason, is tried again by the next, and closes', async () => {
  let times = 0;
  const tools = open({
    services: async () => {
      times++;
      if (times === 1) throw new Error('the configuration has errors.');
      return [];
    },
  });
  expect(await tools.tools(offer, context)).toEqual({
    outcome: {
      err: {
        code: 'tools',
        message: 'the tools of this run cannot be used: the configuration has errors.',
        retryable: false,
      },
    },
  });
  expect(await tools.tools(offer, context)).toMatchObject({
    outcome: { ok: { tools: [{ name: 'filesystem/read' }] } },
  });
  await tools.close();
  const broken = open({ home: '/nowhere/at/all' });
  expect(await broken.tools(offer, context)).toMatchObject({ outcome: { err: { code: 'tools' } } });
  await broken.close();
});

test('a service that is not there says why, and takes no other tool down', async () => {
  const tools = open({ services: async () => [{ name: 'github', reason: 'it was not synced yet: toolang sync' }] });
  const named = { ...offer, spec: { kind: 'tools', names: ['github', 'filesystem/read'] } };
  expect(await tools.tools(named, context)).toMatchObject({
    outcome: { err: { message: 'the service "github" cannot be used: it was not synced yet: toolang sync' } },
  });
  expect(await tools.tools(offer, context)).toMatchObject({ outcome: { ok: {} } });
  await tools.close();
});
