/** What was edited of a step: whether it runs again whatever it reads. */
import { expect, it } from 'vitest';
import type { JournalEvent } from '../../journal/index.ts';
import { flow, planOf } from '../../plan/plan-test-kit.ts';
import { createPreviewPast } from './preview-past.ts';

const started: JournalEvent = {
  ...{ seq: 1, at: 0, run: 'r' },
  body: { kind: 'run.started', plan: 'p', name: 'flow', source: '', input: {}, machine: 3, models: {} },
};

async function planWith(style: string) {
  const step = `  - id: a\n    agent: w\n    prompt: x\n    with:\n      style: "${style}"\n`;
  return { plan: await planOf(flow(step).replace('type: scripted', 'type: too\n    use: ./r.too')) };
}

async function edited(was: string, is: string) {
  const past = createPreviewPast(await planWith(was), await planWith(is), () => undefined);
  expect([...past.noting([started])]).toHaveLength(1);
  return past.editedSince(1, 'a');
}

it('what a thunk is given counts as its prompt does: surely only outside of holes', async () => {
  expect(await edited('dry', 'dry')).toBeUndefined();
  expect(await edited('dry', 'wet')).toEqual({ parts: ['values'], isSure: true });
  expect(await edited('{input.topic}', '{input.topic.trim()}')).toEqual({ parts: ['values'], isSure: false });
});
