/** Stores of runs and real processes: many at once, other users, other containers. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cli, env, plainUser, type Workplace, workplace } from './program.ts';

let w: Workplace;
let children: ChildProcess[] = [];
beforeEach(() => {
  w = workplace();
  w.write('ask.toon', ask);
});
afterEach(async () => {
  await Promise.all(children.map((child) => (child.exitCode === null && child.signalCode === null ? ended(child) : 0)));
  children = [];
  w.remove();
});

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.on('exit', () => done());
    child.kill('SIGKILL');
  });
}

const ask = `name: ask
input:
steps[1]:
  - kind: approval
    id: ok
    request:
      title: Go on?
`;
const slow = `name: slow
input:
steps[1]:
  - id: first
    run: "const fs = process.getBuiltinModule('node:fs'); fs.appendFileSync('began', 'x'); while (!fs.existsSync('go')) await new Promise((done) => setTimeout(done, 5)); return 'a'"
    output: string
`;

interface Exit {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function start(file: string, args: readonly string[]): Promise<Exit> {
  const child = spawn(file, args, {
    cwd: w.dir,
    env: { ...env, HOME: w.at('..'), USER: 'ana' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let out = '';
  let err = '';
  child.stdout?.on('data', (part) => (out += part));
  child.stderr?.on('data', (part) => (err += part));
  return new Promise((done) => {
    child.on('close', (code) => done({ code, out, err }));
  });
}

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; !holds(); i++) {
    if (i > 4000) throw new Error('it did not come to that');
    await new Promise((done) => setTimeout(done, 10));
  }
}

const idIn = (text: string) => JSON.parse(text).run as string;

describe('one store', () => {
  it('takes the runs of many processes that begin at once', async () => {
    const many = 10;
    const runs = await Promise.all(
      Array.from({ length: many }, () => start(process.execPath, [cli, 'run', 'ask.toon', '--json'])),
    );
    expect(runs.map(({ code, err }) => (code === 3 ? '' : err)).join('')).toBe('');
    const listed = JSON.parse(w.run(['runs', '--json', '--limit', '100']).stdout).runs as { run: string }[];
    expect(listed.map(({ run }) => run).sort()).toEqual(runs.map(({ out }) => idIn(out)).sort());
  }, 120_000);
});

describe('a user who may not write', () => {
  it('reads a store, and is told that it is read-only where something is to be decided', ({ skip }) => {
    const user = plainUser(w);
    if (user === undefined || process.getuid?.() !== 0) skip('needs another user');
    const id = idIn(w.run(['run', 'ask.toon', '--json']).stdout);
    chmodSync(w.at('.toolang'), 0o755);
    chmodSync(w.at('.toolang/runs.db'), 0o644);
    const other = (...args: string[]) => w.run(args, { ...user, env: { HOME: '/nonexistent' } });
    expect(other('runs')).toMatchObject({ status: 0, stdout: expect.stringContaining('  ask  waiting  '), stderr: '' });
    expect(JSON.parse(other('runs', '--json').stdout).runs).toMatchObject([{ run: id, status: 'waiting' }]);
    expect(other('show', id).stdout).toContain('waiting for you');
    expect(other('logs', id).stdout).toContain('ok');
    expect(other('graph', id).stdout).toContain('⏸ ok');
    for (const verb of ['approve', 'deny', 'cancel', 'resume']) {
      expect(other(verb, id)).toEqual({
        status: 2,
        stdout: '',
        stderr: `toolang: the store "${w.at('.toolang/runs.db')}" cannot be written: it or its folder is read-only for this user\n  The run can be looked at, and only that.\n`,
      });
    }
    expect(w.run(['approve', id]).status).toBe(0);
    expect(other('runs').stdout).toContain('  done  ');
  });

  it('is told to keep the run elsewhere, and can', ({ skip }) => {
    const user = plainUser(w);
    if (user === undefined || process.getuid?.() !== 0) skip('needs another user');
    const own = w.at('../own');
    mkdirSync(own);
    chmodSync(own, 0o777);
    const other = (...args: string[]) => w.run(args, { ...user, env: { HOME: own } });
    expect(other('run', 'ask.toon')).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'toolang: the folder ".toolang" cannot be made: this user may not write there.\n  Keep the run elsewhere: --store FILE, or --home DIR\n',
    });
    expect(other('run', 'ask.toon', '--store', join(own, 'x.db')).status).toBe(3);
  });
});

describe('a process in a container of its own', () => {
  it('that drives a run is not taken for dead', async ({ skip }) => {
    const apart = ['-p', '-f', '--mount-proc', '--kill-child'];
    if (process.platform !== 'linux' || spawnSync('unshare', [...apart, 'true']).status !== 0) skip('needs unshare');
    w.write('slow.toon', slow);
    const run = start('unshare', [...apart, process.execPath, cli, 'run', 'slow.toon']);
    await until(() => existsSync(w.at('began')));
    expect(JSON.parse(w.run(['runs', '--json']).stdout).runs).toMatchObject([{ status: 'running' }]);
    writeFileSync(w.at('go'), '');
    expect(await run).toMatchObject({ code: 0, out: 'a\n' });
  });
});
