/** Which words are said as they come, and how they stand on a terminal. */
import { expect, it } from 'vitest';
import type { WorkflowPlan } from '../../plan/index.ts';
import { memoryContext } from '../memory-context.ts';
import { createSpeech, createVoice } from './voice.ts';

const plan = (kind = 'text', thunk: string | undefined = 'chat') =>
  ({ result: { kind }, ...(thunk !== undefined && { activation: { thunk } }) }) as unknown as WorkflowPlan;

function voice(given = plan(), shown = true) {
  const context = memoryContext({ shown });
  const speech = createSpeech(context.stdout);
  const made = createVoice({ plan: given, root: 'r', stdout: context.stdout, speech, begin: () => {} });
  return {
    made,
    speech,
    out: context.out,
    hear: (id: string, text: string, args = {}) => made?.hear({ id, args }, text, 'r'),
  };
}

it('says the words of the thunk, and what is printed next begins a line', () => {
  const { made, speech, out, hear } = voice();
  hear('chat#1/model#1', 'Hello ');
  hear('chat#1/model#1', 'Ana.');
  expect(out()).toBe('Hello Ana.');
  speech.rest();
  speech.rest();
  expect(out()).toBe('Hello Ana.\n');
  expect(made?.said()).toBe('Hello Ana.');
});

it('says nothing of hands, of other runs, and of calls that may go on with tools', () => {
  const { made, out, hear } = voice();
  hear('chat#1/look[1]#1/model#1', 'hand');
  hear('chat#1/model#1', 'on the way', { tools: [{ name: 'shell/run' }] });
  made?.hear({ id: 'chat#1/model#1', args: {} }, 'other', 'other');
  expect(out()).toBe('');
  expect(made?.said()).toBeUndefined();
});

it('knows what the last call said: an answer that is asked for again stands below the first', () => {
  const { made, out, hear } = voice();
  hear('chat#1/model#1', 'first');
  hear('chat#1/model#2', 'second');
  expect(out()).toBe('first\nsecond');
  expect(made?.said()).toBe('second');
});

it('lets a terminal obey nothing, and keeps characters whole', () => {
  const { out, hear } = voice();
  hear('chat#1/model#1', 'a\x1b[31m\ud83d');
  expect(out()).not.toContain('\x1b');
  expect(out()).not.toContain('\ufffd');
  hear('chat#1/model#1', '\ude00\nb');
  expect(out()).toMatch(/^a.*\[31m😀\nb$/);
});

it('is silent where the answer is no text, the run no thunk, or standard output no terminal', () => {
  expect(voice(plan('json')).made).toBeUndefined();
  expect(voice({ result: { kind: 'text' } } as unknown as WorkflowPlan).made).toBeUndefined();
  expect(voice(plan(), false).made).toBeUndefined();
});
