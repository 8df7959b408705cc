/** Steps that kill their owners, and owners that are told to stop, again and again. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { describe, expect, it } from 'vitest';
import { until } from './kit.ts';
import { began, begun, deadly, given } from './owned.ts';

describe.runIf(process.platform === 'linux').concurrent('owners', () => {
  it(
    'a step that kills its owner three times is not begun again by itself',
    given(async (w) => {
      const run = w.start('run', 'deadly.toon');
      expect((await run.exit).signal).toBe('SIGKILL');
      const id = await run.id();
      for (let times = 2; times <= 3; times++) {
        expect((await w.finish('resume', id)).signal).toBe('SIGKILL');
        expect(began(w)).toHaveLength(times);
      }
      const refused = await w.finish('resume', id);
      expect(refused.code).toBe(1);
      expect(refused.err).toContain('bad');
      expect(refused.err).toContain(`resume ${id} --again`);
      expect(began(w)).toHaveLength(3);
      expect((await w.finish('resume', id, '--again')).signal).toBe('SIGKILL');
      expect(began(w)).toHaveLength(4);
      const first = '  - id: first\n    run: return 1\n    output: number\n';
      w.write('deadly.toon', deadly.replace('steps[1]:\n', `steps[2]:\n${first}`));
      expect((await w.finish('resume', id, '--yes')).code).toBe(1);
      const { out } = await w.finish('why', id);
      expect(out).toContain('is not begun again by itself');
      expect(out.match(/toolang resume .*/g)).toEqual([`toolang resume ${id} --again`]);
      w.write('calm', '');
      expect((await w.finish('resume', id)).code).toBe(1);
      expect(await w.finish('resume', id, '--again')).toMatchObject({ code: 0, out: 'alive\n' });
    }),
  );

  it(
    'a step that kills its owner can be cancelled, and is not begun for that',
    given(async (w) => {
      const run = w.start('run', 'deadly.toon');
      await run.exit;
      expect(await w.finish('cancel', await run.id())).toMatchObject({ code: 0 });
      expect(began(w)).toHaveLength(1);
      expect((await w.finish('show', await run.id())).out).toContain('cancelled');
    }),
  );

  it(
    'to be told to stop is no death',
    given(async (w) => {
      const run = w.start('run', 'slow.toon');
      await begun(w, 1);
      run.kill('SIGTERM');
      expect((await run.exit).code).toBe(143);
      for (let times = 2; times <= 4; times++) {
        const resumed = w.start('resume', await run.id());
        await begun(w, times);
        resumed.kill('SIGTERM');
        expect((await resumed.exit).code).toBe(143);
      }
      w.write('go', '');
      expect(await w.finish('resume', await run.id())).toMatchObject({ code: 0, out: 'ab\n' });
    }),
  );

  it(
    'a cancel whose owner dies before its steps have ended is carried out by who comes next',
    given(async (w) => {
      const run = w.start('run', 'slow.toon');
      await begun(w, 1);
      await w.freeze(run);
      const cancelling = w.start('cancel', await run.id());
      await until(() => cancelling.err().includes('cancelling'), 'the cancel');
      run.kill('SIGKILL');
      expect((await cancelling.exit).code).toBe(0);
      expect(began(w)).toHaveLength(1);
      expect(w.processes()).toEqual([]);
    }),
  );
});
