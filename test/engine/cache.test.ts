/** Results that runs share, and old runs that go, with the built program in processes of its own. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inPlace, until } from './kit.ts';

/** A step that is counted and keeps its result, and one that says that it is there and waits until it may end. */
const slow = `name: slow
input:
steps[2]:
  - id: count
    run: "await sh\`echo counted >> counted\`; return 'one'"
    output: string
    cache:
      by: x
  - id: wait
    run: "await sh\`touch begun; while [ ! -e may-end ]; do sleep 0.02; done\`; return count"
    output: string
`;
const fast = slow.replace(/ {2}- id: wait[\s\S]*$/, '').replace('steps[2]', 'steps[1]');

describe.concurrent('processes', () => {
  test(
    'that keep one result at the same time do not disturb each other, and one that comes later takes it',
    inPlace(async (w) => {
      w.write('fast.toon', fast);
      const all = await Promise.all(Array.from({ length: 4 }, () => w.finish('run', 'fast.toon')));
      expect(all.map(({ code, out }) => [code, out])).toEqual(all.map(() => [0, 'one\n']));
      const before = readFileSync(w.at('counted'), 'utf8');
      const later = await w.finish('run', 'fast.toon');
      expect(later).toMatchObject({ code: 0, out: 'one\n' });
      expect(later.err).toContain('from the cache');
      expect(readFileSync(w.at('counted'), 'utf8')).toBe(before);
      const { entries } = JSON.parse((await w.finish('cache', '--json')).out);
      expect(entries).toHaveLength(1);
      const ids = w.store().runIds();
      expect(ids).toContain(entries[0].run);
    }),
  );

  test(
    'that are killed after they took a result go on with it, also when it was cleared meanwhile',
    inPlace(async (w) => {
      w.write('slow.toon', slow);
      w.write('may-end', '');
      expect(await w.finish('run', 'slow.toon')).toMatchObject({ code: 0, out: 'one\n' });
      rmSync(w.at('may-end'));
      rmSync(w.at('begun'));
      const killed = w.start('run', 'slow.toon');
      const id = await killed.id();
      await until(() => existsSync(w.at('begun')), 'the step');
      killed.kill('SIGKILL');
      await killed.exit;
      expect((await w.finish('cache', 'clear', '--all', '--yes')).code).toBe(0);
      w.write('may-end', '');
      expect(await w.finish('resume', id)).toMatchObject({ code: 0, out: 'one\n' });
      expect(readFileSync(w.at('counted'), 'utf8')).toBe('counted\n');
    }),
  );

  test(
    'that remove runs leave alone what another one drives',
    inPlace(async (w) => {
      w.write('fast.toon', fast);
      w.write('slow.toon', slow);
      for (let i = 0; i < 3; i++) await w.finish('run', 'fast.toon');
      const driven = w.start('run', 'slow.toon');
      await until(() => existsSync(w.at('begun')), 'the step');
      const pruned = await w.finish('runs', 'prune', '--keep', '0', '--yes', '--json');
      expect(pruned.code).toBe(0);
      expect(JSON.parse(pruned.out)).toMatchObject({ removed: { length: 3 }, stayed: [] });
      expect(w.store().runIds()).toHaveLength(1);
      w.write('may-end', '');
      expect(await driven.exit).toMatchObject({ code: 0, out: 'one\n' });
      expect(JSON.parse((await w.finish('runs', '--json')).out).runs).toHaveLength(1);
    }),
  );
});
