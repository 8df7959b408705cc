/** Edited runs and processes: killed in the middle of a segment, detached, driven by somebody else. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inPlace, type Place, until } from './kit.ts';

/** Leaves a line when it begins; waits for a file where it is told to. */
const step = (id: string, word: string, waits = '') =>
  `  - id: ${id}\n    run: ${JSON.stringify(
    `const fs = await import('node:fs'); fs.appendFileSync('steps.txt', '${id}\\n'); ${
      waits === '' ? '' : `while (!fs.existsSync('${waits}')) await new Promise((done) => setTimeout(done, 5)); `
    }return '${word}'`,
  )}\n    output: string\n`;
const flow = (...steps: readonly string[]) => `name: flow\ninput:\nsteps[${steps.length}]:\n${steps.join('')}`;

const begun = (w: Place) =>
  existsSync(w.at('steps.txt')) ? readFileSync(w.at('steps.txt'), 'utf8').trim().split('\n') : [];

describe('an edited run', () => {
  it(
    'that is killed goes on in its new segment: what was kept or done there is not done again',
    inPlace(async (w) => {
      w.write('flow.toon', flow(step('a', '1'), step('b', '1'), step('c', '1')));
      const first = w.start('run', 'flow.toon');
      expect((await first.exit).code).toBe(0);
      const id = await first.id();
      w.write('flow.toon', flow(step('a', '1'), step('b', '2'), step('c', '2', 'go')));
      const edited = w.start('resume', id, '--yes');
      await until(() => begun(w).filter((each) => each === 'c').length === 2, 'the last step');
      edited.kill('SIGKILL');
      await edited.exit;
      w.write('go', '');
      // The file is as the segment has it: nothing is asked.
      const resumed = await w.finish('resume', id);
      expect(resumed).toMatchObject({ code: 0, out: '2\n' });
      expect(begun(w)).toEqual(['a', 'b', 'c', 'b', 'c', 'c']);
      const shown = await w.finish('show', id);
      expect(shown.out).toMatch(/^ {2}= a .*kept$/m);
      expect(shown.out).toContain('  history edited once\n');
    }),
  );

  it(
    'is left alone while somebody drives it',
    inPlace(async (w) => {
      w.write('flow.toon', flow(step('a', '1', 'go')));
      const driver = w.start('run', 'flow.toon');
      const id = await driver.id();
      await until(() => begun(w).length === 1, 'the step');
      w.write('flow.toon', flow(step('a', '2')));
      for (const command of [
        ['resume', id, '--yes'],
        ['retry', id],
      ]) {
        const refused = await w.finish(...command);
        expect(refused.code).toBeGreaterThan(0);
        expect(refused.err).toMatch(/is driven\s+by the process/);
      }
      w.write('go', '');
      expect(await driver.exit).toMatchObject({ code: 0, out: '1\n' });
    }),
  );

  it(
    'can be forked into the background, whatever its file has become',
    inPlace(async (w) => {
      w.write('flow.toon', flow(step('a', '1'), step('b', '1')));
      const first = w.start('run', 'flow.toon');
      await first.exit;
      const id = await first.id();
      w.write('flow.toon', 'no workflow');
      const forked = await w.finish('fork', id, '--from', 'b', '--detach');
      expect(forked.code).toBe(0);
      const fork = forked.out.trim();
      const store = w.store();
      await until(() => store.run(fork)?.endedAt !== undefined, 'the end of the fork');
      expect(store.run(fork)).toMatchObject({ status: 'done', forkOf: expect.any(String), output: '1' });
      expect(begun(w)).toEqual(['a', 'b', 'b']);
    }),
  );
});
