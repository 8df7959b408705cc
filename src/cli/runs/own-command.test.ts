import { Schema } from 'effect';
import { expect, it } from 'vitest';
import { step, workflow } from '../../api/workflow.ts';
import { memoryContext } from '../memory-context.ts';
import { ownCommand } from './own-command.ts';

const planOf = (run: string | (() => number)) =>
  workflow({ name: 'w', steps: () => [step('s', { run, output: Schema.Number })] }).plan();

it('a run that needs the functions of its program goes on there, and is answered by commands', async () => {
  const own = ownCommand(await planOf(() => 1), '7f3a000000', memoryContext());
  expect(own('resume', '7f3a')).toBe('run(…, { resume: "7f3a000000" }) in its program');
  expect(own('resume', '7f3a', '--again')).toBe('run(…, { resume: "7f3a000000", again: true }) in its program');
  expect(own('approve', '7f3a')).toBe('toolang approve 7f3a');
});

it('every other one goes on by commands', async () => {
  const own = ownCommand(await planOf('return 1'), '7f3a000000', memoryContext());
  expect(own('resume', '7f3a', '--again')).toBe('toolang resume 7f3a --again');
});
