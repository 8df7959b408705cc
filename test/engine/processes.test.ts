/** What steps start, and when it is gone: left by a killed owner, stopped by a timeout, cancelled. */
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlace, idOf, type Place, until } from './kit.ts';

let w: Place;
beforeEach(() => {
  w = createPlace();
  w.write('steps.mjs', steps);
});
afterEach(() => w.leave());

/** Children that stay, in ways that are hard to end. Each says that it is there. */
const steps = `import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
const here = process.cwd();
export function others() {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readlinkSync('/proc/' + pid + '/cwd') === here && !/cli\\.js/.test(readFileSync('/proc/' + pid + '/cmdline', 'utf8'));
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

const up = () => (existsSync(w.at('up')) ? readFileSync(w.at('up'), 'utf8').split('\n').length - 1 : 0);

describe.runIf(process.platform === 'linux')('processes of steps', () => {
  for (const [handler, what] of [
    ['shell', 'a command'],
    ['stays', 'a child that does not listen'],
  ] as const) {
    for (const isFrozen of [false, true]) {
      const host = isFrozen ? ' and a host that is frozen' : '';
      it(`${what}${host}, left by a killed owner, is gone before the resumed run begins anything`, async () => {
        w.write('one.toon', one(handler));
        const run = w.start('run', 'one.toon');
        await until(() => up() === 1, 'the child');
        const store = w.store();
        const [host] = store.processes(store.runIds()[0] ?? '');
        if (isFrozen) process.kill(host?.pid ?? 0, 'SIGSTOP');
        run.kill('SIGKILL');
        await run.exit;
        w.write('second', '');
        const resumed = await w.start('resume', idOf(run)).exit;
        expect(resumed).toMatchObject({ code: 0, out: '0\n' });
        expect(w.processes()).toEqual([]);
      });
    }
  }

  it('a timeout ends an endless loop, a sleeping thread, deaf children, commands, and handlers that hang', async () => {
    w.write('all.toon', parallel('        timeout: 3s\n'));
    const run = w.start('run', 'all.toon');
    const end = await run.exit;
    expect(end.code).toBe(1);
    expect(up()).toBe(5);
    const store = w.store();
    const row = store.run(store.runIds()[0] ?? '');
    const causes = row?.error?.causes ?? [];
    expect(causes.map(({ code }) => code)).toEqual(Array(5).fill('timeout'));
    expect(w.processes()).toEqual([]);
    expect(store.processes(row?.id ?? '')).toEqual([]);
  });

  it('a cancel leaves no process behind, whatever it was doing', async () => {
    w.write('all.toon', parallel(''));
    w.write('.toolang/config.toml', '');
    const run = w.start('run', 'all.toon');
    await until(() => up() >= 4, 'the steps');
    expect(w.run(['cancel', idOf(run)])).toMatchObject({ status: 0 });
    expect((await run.exit).code).toBe(1);
    expect(w.processes()).toEqual([]);
    const store = w.store();
    expect(store.runs({ roots: true })[0]).toMatchObject({ status: 'cancelled' });
  });

  it('two Ctrl-C leave no process behind either, and the run can go on', async () => {
    w.write('one.toon', one('stays'));
    const run = w.start('run', 'one.toon');
    await until(() => up() === 1, 'the child');
    run.kill('SIGINT');
    await until(() => run.err().includes('stopping after'), 'the first Ctrl-C');
    run.kill('SIGINT');
    expect((await run.exit).code).toBe(130);
    expect(w.processes()).toEqual([]);
    w.write('second', '');
    expect(w.run(['resume', idOf(run)])).toMatchObject({ status: 0, stdout: '0\n' });
  });
});
