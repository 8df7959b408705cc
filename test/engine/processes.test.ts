/** What steps start, and when it is gone: left by a killed owner, stopped by a timeout, cancelled. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inPlace, type Place, until } from './kit.ts';

/** Children that stay, in ways that are hard to end. Each says that it is there. */
const steps = `import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
const here = process.cwd();
export function others() {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readlinkSync('/proc/' + pid + '/cwd') === here && !/cli\\.cjs/.test(readFileSync('/proc/' + pid + '/cmdline', 'utf8'));
    } catch {
      return false;
    }
  });
}
const deaf = "process.on('SIGTERM', () => {}); require('node:fs').appendFileSync('up', 'child\\\\n'); setInterval(() => {}, 1000);";
export async function stays({ sh, id = '' }) {
  if (existsSync('second')) return others().length;
  writeFileSync('began', '');
  if (id === 'shell') {
    appendFileSync('up', 'shell\\n');
    await sh\`sleep 1234\`;
  }
  spawn(process.execPath, ['-e', deaf], { stdio: 'ignore' });
  return new Promise(() => setInterval(() => {}, 1000));
}
export const shell = ({ sh }) => stays({ sh, id: 'shell' });
export const endless = () => { appendFileSync('up', 'endless\\n'); for (;;); };
export const asleep = () => { appendFileSync('up', 'asleep\\n'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); };
export const hanging = () => { appendFileSync('up', 'hanging\\n'); return new Promise(() => setInterval(() => {}, 1000)); };
`;

const one = (handler: string) => `name: one
input:
steps[1]:
  - id: work
    handler: ./steps.mjs#${handler}
    output: number
`;

function parallel(timeout: string): string {
  const names = ['stays', 'shell', 'endless', 'asleep', 'hanging'];
  const children = names.map((name) => {
    const code = `const s = await import('./steps.mjs'); return s.${name}({ sh })`;
    const how = name === 'hanging' ? `handler: ./steps.mjs#${name}` : `run: "${code}"`;
    return `      - id: ${name}\n        ${how}\n${timeout}        output: number\n`;
  });
  return `name: all\ninput:\nsteps[1]:\n  - kind: parallel\n    children[5]:\n${children.join('')}`;
}

/** How many of the steps are there. */
const up = (w: Place) => (existsSync(w.at('up')) ? readFileSync(w.at('up'), 'utf8').split('\n').length - 1 : 0);

function given(work: (w: Place) => Promise<void>): ReturnType<typeof inPlace> {
  return inPlace(async (w) => {
    w.write('steps.mjs', steps);
    await work(w);
  });
}

describe.runIf(process.platform === 'linux').concurrent('processes of steps', () => {
  for (const [handler, what] of [
    ['shell', 'a command'],
    ['stays', 'a child that does not listen'],
  ] as const) {
    for (const isFrozen of [false, true]) {
      const host = isFrozen ? ' and a host that is frozen' : '';
      it(
        `${what}${host}, left by a killed owner, is gone before the resumed run begins anything`,
        given(async (w) => {
          w.write('one.toon', one(handler));
          const run = w.start('run', 'one.toon');
          await until(() => up(w) === 1, 'the child');
          const store = w.store();
          const [host] = store.processes(store.runIds()[0] ?? '');
          if (isFrozen) process.kill(host?.pid ?? 0, 'SIGSTOP');
          run.kill('SIGKILL');
          await run.exit;
          w.write('second', '');
          const resumed = await w.finish('resume', await run.id());
          expect(resumed).toMatchObject({ code: 0, out: '0\n' });
          expect(w.processes()).toEqual([]);
        }),
      );
    }
  }

  it(
    'a timeout ends an endless loop, a sleeping thread, deaf children, commands, and handlers that hang',
    given(async (w) => {
      // Long enough that all of them are there: how long that is depends on the machine.
      for (const seconds of [3, 15, 60]) {
        w.write('up', '');
        w.write('all.toon', parallel(`        timeout: ${seconds}s\n`));
        expect((await w.finish('run', 'all.toon')).code).toBe(1);
        if (up(w) === 5) break;
      }
      expect(up(w)).toBe(5);
      const store = w.store();
      const row = store.run(store.runIds()[0] ?? '');
      const causes = row?.error?.causes ?? [];
      expect(causes.map(({ code }) => code)).toEqual(Array(5).fill('timeout'));
      expect(w.processes()).toEqual([]);
      expect(store.processes(row?.id ?? '')).toEqual([]);
    }),
  );

  it(
    'a cancel leaves no process behind, whatever it was doing',
    given(async (w) => {
      w.write('all.toon', parallel(''));
      w.write('.toolang/config.toml', '');
      const run = w.start('run', 'all.toon');
      await until(() => up(w) >= 4, 'the steps');
      expect(await w.finish('cancel', await run.id())).toMatchObject({ code: 0 });
      expect((await run.exit).code).toBe(1);
      expect(w.processes()).toEqual([]);
      const store = w.store();
      expect(store.runs({ roots: true })[0]).toMatchObject({ status: 'cancelled' });
    }),
  );

  it(
    'two Ctrl-C leave no process behind either, and the run can go on',
    given(async (w) => {
      w.write('one.toon', one('stays'));
      const run = w.start('run', 'one.toon');
      await until(() => up(w) === 1, 'the child');
      run.kill('SIGINT');
      await until(() => run.err().includes('stopping after'), 'the first Ctrl-C');
      run.kill('SIGINT');
      expect((await run.exit).code).toBe(130);
      expect(w.processes()).toEqual([]);
      w.write('second', '');
      expect(await w.finish('resume', await run.id())).toMatchObject({ code: 0, out: '0\n' });
    }),
  );
});
