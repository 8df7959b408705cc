import { Schema } from 'effect';
import { expect, it, onTestFinished } from 'vitest';
import { run, step, workflow } from '../../api/workflow.ts';
import { memoryContext } from '../memory-context.ts';
import { scratch } from '../scratch.ts';
import { ownCommand } from './own-command.ts';

const planOf = (run: string | (() => number)) =>
  workflow({ name: 'w', steps: () => [step('s', { run, output: Schema.Number })] }).plan();

it('a run that needs the functions of its program goes on there, and is answered by commands', async () => {
  const own = ownCommand(await planOf(() => 1), '7f3a000000', memoryContext());
  expect(own('resume', '7f3a')).toBe('run(…, { resume: "7f3a000000" }) in its program');
  expect(own('resume', '7f3a', '--again')).toBe('run(…, { resume: "7f3a000000", again: true }) in its program');
  expect(own('retry', '7f3a')).toBe('run(…, { resume: "7f3a000000", retry: true }) in its program');
  expect(own('approve', '7f3a')).toBe('toolang approve 7f3a');
});

it('a run that needs the functions of its program is neither tried again nor forked by commands, and nothing is written', async () => {
  const s = scratch();
  onTestFinished(() => s.remove());
  const fails = () => {
    throw new Error('no luck');
  };
  const failing = workflow({ name: 'w', steps: () => [step('s', { run: fails, output: Schema.Number })] });
  const store = s.at('runs.db');
  const { runId } = await run(failing, {}, { store });
  const logs = () => s.cli(['logs', runId, '--store', store, '--json']);
  const before = await logs();
  expect(before.out).toContain('no luck');
  const way = `To try again: run(…, { resume: "${runId}", retry: true }) in its program`;
  for (const [words, help] of [
    [['retry', runId], way],
    [['fork', runId, '--from', 's'], 'A fork of it would have nobody who goes on with it.'],
  ] as const) {
    const refused = await s.cli([...words, '--store', store]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain(
      'has a step that is a function of a program (builder:w/s), and only that can run it.',
    );
    expect(refused.err).toContain(help);
  }
  expect((await s.cli(['resume', runId, '--store', store])).err).toContain(way);
  expect((await s.cli(['retry', runId, '--store', store, '--dry-run'])).out).toContain('runs again 1');
  expect(await logs()).toEqual(before);
  expect(JSON.parse((await s.cli(['runs', '--store', store, '--json'])).out).runs).toHaveLength(1);
});

it('every other one goes on by commands', async () => {
  const own = ownCommand(await planOf('return 1'), '7f3a000000', memoryContext());
  expect(own('resume', '7f3a', '--again')).toBe('toolang resume 7f3a --again');
});
