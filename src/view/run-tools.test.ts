import { expect, test } from 'vitest';
import type { EventBody } from '../journal/index.ts';
import { createRunNodes } from './run-nodes.ts';
import { toolText } from './run-tools.ts';

function fold(...events: readonly (readonly [string, EventBody])[]) {
  const nodes = createRunNodes();
  for (const [at, [node, body]] of events.entries()) nodes.add({ at, node, body });
  return nodes.nodes;
}

const asks: EventBody = {
  kind: 'model.answered',
  message: {
    text: '',
    finish: 'calls',
    calls: [
      { id: 'c1', tool: 'filesystem/read', args: { path: 'a.ts' } },
      { id: 'c2', tool: 'shell/run', args: { command: 'git push' } },
    ],
  },
  usage: {},
};

test('a step has the tools that it called, with their arguments and what came of them', () => {
  const nodes = fold(
    ['draft#1', { kind: 'child.started', key: 'k' }],
    ['draft#1/model#1', { kind: 'node.started', key: 'k' }],
    ['draft#1/model#1', { kind: 'model.asked', ref: 'openai/gpt-5', settings: {}, add: [] }],
    ['draft#1/model#1', asks],
    ['draft#1/tool#1', { kind: 'node.started', key: 'k' }],
    ['draft#1/tool#1', { kind: 'tool.asked', tool: 'filesystem/read', call: 'c1' }],
    ['draft#1/tool#1', { kind: 'tool.answered', result: { text: 'x' } }],
    ['draft#1/tool#2', { kind: 'node.started', key: 'k' }],
    ['draft#1/tool#2', { kind: 'tool.asked', tool: 'shell/run', call: 'c2' }],
    ['draft#1/tool#2', { kind: 'tool.answered', result: { ask: { title: 'May it push?' } } }],
    [
      'draft#1/permit#2',
      { kind: 'approval.requested', request: { title: 'May it push?' }, hash: 'h', permission: true },
    ],
  );
  const node = nodes.get('draft');
  expect(node).toMatchObject({
    status: 'waiting',
    model: 'openai/gpt-5',
    request: { kind: 'permission', title: 'May it push?', node: 'draft#1/permit#2' },
    tools: [
      { tool: 'filesystem/read', args: { path: 'a.ts' }, status: 'done' },
      { tool: 'shell/run', args: { command: 'git push' }, status: 'asked' },
    ],
  });
});

test('what was allowed is the same call, and not told twice', () => {
  const nodes = fold(
    ['draft#1/model#1', asks],
    ['draft#1/tool#1', { kind: 'tool.asked', tool: 'shell/run', call: 'c2' }],
    ['draft#1/tool#1', { kind: 'tool.answered', result: { ask: {} } }],
    ['draft#1/tool#2', { kind: 'tool.asked', tool: 'shell/run', call: 'c2' }],
    ['draft#1/tool#2', { kind: 'tool.answered', result: { text: 'failed: no remote', isError: true } }],
  );
  expect(nodes.get('draft')?.tools).toEqual([{ tool: 'shell/run', args: { command: 'git push' }, status: 'failed' }]);
});

test('who allowed a call, or did not, is told with it, and is no decision of the step', () => {
  const decided = { approved: false, by: 'ann', value: { approved: false } };
  const nodes = fold(
    ['draft#1/model#1', asks],
    ['draft#1/tool#1', { kind: 'tool.asked', tool: 'shell/run', call: 'c2' }],
    ['draft#1/tool#1', { kind: 'tool.answered', result: { ask: {} } }],
    ['draft#1/permit#1', { kind: 'approval.requested', request: {}, hash: 'h', permission: true }],
    ['draft#1/permit#1', { kind: 'approval.decided', ...decided }],
  );
  expect(nodes.get('draft')?.tools).toMatchObject([{ tool: 'shell/run', status: 'denied', by: 'ann' }]);
  expect(nodes.get('draft')?.decision).toBeUndefined();
  expect(nodes.get('draft')?.request).toBeUndefined();
});

test('a question that was taken back leaves no call that waits', () => {
  const error = { code: 'cancelled', message: 'it was cancelled', retryable: false };
  const nodes = fold(
    ['draft#1/model#1', asks],
    ['draft#1/tool#1', { kind: 'tool.asked', tool: 'shell/run', call: 'c2' }],
    ['draft#1/tool#1', { kind: 'tool.answered', result: { ask: {} } }],
    ['draft#1/permit#1', { kind: 'node.cancelled', error }],
  );
  expect(nodes.get('draft')?.tools).toMatchObject([{ tool: 'shell/run', status: 'failed' }]);
});

test('models that could not be asked are told with the reason', () => {
  const error = { code: 'model-rate', message: 'too many requests', retryable: true };
  const nodes = fold(
    ['draft#1/model#1', { kind: 'model.skipped', ref: 'anthropic/x', error }],
    ['draft#1/model#1', { kind: 'model.asked', ref: 'openai/y', settings: {}, add: [] }],
  );
  expect(nodes.get('draft')).toMatchObject({
    model: 'openai/y',
    passed: [{ ref: 'anthropic/x', why: 'too many requests' }],
  });
});

test('a call is told by its one text, or by all of its arguments', () => {
  expect(toolText({ tool: 'shell/run', args: { command: 'git status' } })).toBe('shell/run git status');
  expect(toolText({ tool: 'a/b', args: { x: 1 } })).toBe('a/b {"x":1}');
  expect(toolText({ tool: 'a/b', args: {} })).toBe('a/b');
});
