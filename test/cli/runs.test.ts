/** Runs in processes of their own: killed, stopped, detached, driven by one and approved by another. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cli, env, type Workplace, workplace } from './program.ts';

let w: Workplace;
let children: ChildProcess[] = [];
beforeEach(() => {
  w = workplace();
  w.write('ask.toon', ask);
  w.write('slow.toon', slow);
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

/** Says when it has begun, and goes on when it may. */
const waitFor = (began: string, go: string) =>
  `const fs = process.getBuiltinModule('node:fs'); fs.appendFileSync('${began}', 'x'); while (!fs.existsSync('${go}')) await new Promise((done) => setTimeout(done, 5));`;
const slow = `name: slow
input:
steps[2]:
  - id: first
    run: "${waitFor('began', 'go')} return 'a'"
    output: string
  - id: second
    run: "return first + 'b'"
    output: string
`;
const ask = `name: ask
input:
steps[2]:
  - kind: approval
    id: ok
    request:
      title: Go on?
  - id: last
    run: "return 'by ' + ok.decidedBy"
    output: string
`;

interface Started {
  readonly child: ChildProcess;
  readonly err: () => string;
  readonly exit: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

function start(...args: string[]): Started {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: w.dir,
    env: { ...env, HOME: w.at('..'), USER: 'ana' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let out = '';
  let err = '';
  child.stdout?.on('data', (part) => (out += part));
  child.stderr?.on('data', (part) => (err += part));
  const exit = new Promise<{ code: number | null; out: string; err: string }>((done) => {
    child.on('close', (code) => done({ code, out, err }));
  });
  return { child, err: () => err, exit };
}

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; !holds(); i++) {
    if (i > 2000) throw new Error('it did not come to that');
    await new Promise((done) => setTimeout(done, 10));
  }
}

const idOf = ({ err }: Started) => / · run (\w+)/.exec(err())?.[1] ?? '';
const began = () => existsSync(w.at('began'));

describe('a run and its processes', () => {
  it('is interrupted when its process is killed, and resume goes on', async () => {
    const run = start('run', 'slow.toon');
    await until(began);
    const id = idOf(run);
    run.child.kill('SIGKILL');
    await run.exit;
    const shown = w.run(['show', id]);
    expect(shown.stdout).toContain(' · interrupted');
    expect(shown.stdout).toContain('first will be begun again');
    w.write('go', '');
    const resumed = w.run(['resume', id]);
    expect(resumed).toMatchObject({ status: 0, stdout: 'ab\n' });
    expect(w.run(['resume', id]).status).toBe(2);
  });

  it('is driven by one process: a second one is told which', async () => {
    const run = start('run', 'slow.toon');
    await until(began);
    const second = w.run(['resume', idOf(run)]);
    expect(second.status).toBe(1);
    expect(second.stderr).toContain(`is driven by the process ${run.child.pid} on `);
    w.write('go', '');
    expect(await run.exit).toMatchObject({ code: 0, out: 'ab\n' });
  });

  it('is shown to the one who approves, whoever drives it', async () => {
    const run = start('run', 'ask.toon', '--wait');
    await until(() => run.err().includes('waiting for you'));
    const approved = await start('approve', idOf(run), '--note', 'fine').exit;
    expect(approved).toMatchObject({ code: 0, out: 'by ana\n' });
    expect(approved.err).toContain(`it is driven by the process ${run.child.pid} on `);
    expect(approved.err).toContain('✓ last');
    expect(await run.exit).toMatchObject({ code: 0, out: 'by ana\n' });
    const late = w.run(['approve', idOf(run)]);
    expect(late.status).toBe(2);
  });

  it('lets the one who approves go when it asks again, though its owner stays', async () => {
    const again = '  - kind: approval\n    id: again\n    request:\n      title: And now?\n';
    w.write('twice.toon', ask.replace('steps[2]:', 'steps[3]:').replace('  - id: last', `${again}  - id: last`));
    const run = start('run', 'twice.toon', '--wait');
    await until(() => run.err().includes('waiting for you'));
    const first = w.run(['approve', idOf(run)]);
    expect(first.status).toBe(3);
    expect(first.stderr).toContain('⏸ again');
    const late = w.run(['approve', idOf(run), 'ok']);
    expect(late.status).toBe(2);
    expect(late.stderr).toContain('does not wait at "ok"');
    expect(w.run(['approve', idOf(run), 'again']).status).toBe(0);
    expect((await run.exit).code).toBe(0);
  });

  it('is taken over by the one who approves when its owner dies before it looks', async () => {
    const run = start('run', 'ask.toon', '--wait');
    await until(() => run.err().includes('waiting for you'));
    run.child.kill('SIGSTOP');
    const approving = start('approve', idOf(run));
    await until(() => approving.err().includes('it is driven by'));
    run.child.kill('SIGKILL');
    expect(await approving.exit).toMatchObject({ code: 0, out: 'by ana\n' });
  });

  it('is cancelled from outside, with what it has running', async () => {
    const run = start('run', 'slow.toon');
    await until(began);
    const cancelled = w.run(['cancel', idOf(run), '--reason', 'enough']);
    expect(cancelled.status).toBe(0);
    expect((await run.exit).code).toBe(1);
    expect(w.run(['show', idOf(run)]).stdout).toContain('cancelled');
  });

  it('goes on by itself with --detach, and can be watched', async () => {
    const started = w.run(['run', 'slow.toon', '--detach']);
    expect(started.status).toBe(0);
    expect(started.stderr).toContain('.log');
    const id = started.stdout.trim();
    await until(began);
    const watching = start('watch', id);
    await until(() => watching.err().includes('run '));
    w.write('go', '');
    expect(await watching.exit).toMatchObject({ code: 0, out: 'ab\n' });
  });

  it('stops after the running steps at the first Ctrl-C', async () => {
    const run = start('run', 'slow.toon');
    await until(began);
    run.child.kill('SIGINT');
    await until(() => run.err().includes('stopping after the running steps'));
    w.write('go', '');
    const end = await run.exit;
    expect(end.code).toBe(130);
    expect(end.err).toContain('✓ first');
    expect(end.err).toContain(`toolang resume ${idOf(run)}`);
    expect(w.run(['resume', idOf(run)])).toMatchObject({ status: 0, stdout: 'ab\n' });
  });
});
