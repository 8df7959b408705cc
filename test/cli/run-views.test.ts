/** What a person at a terminal sees of runs in processes of their own: questions with their commands, waits, whose turn it is. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../engine/kit.ts';
import { cli, env, type Workplace, workplace } from './program.ts';

let w: Workplace;
let children: ChildProcess[] = [];
beforeEach(() => {
  w = workplace();
});
afterEach(async () => {
  await Promise.all(children.map((child) => (child.exitCode === null && child.signalCode === null ? kill(child) : 0)));
  children = [];
  w.remove();
});

function kill(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.on('exit', () => done());
    child.kill('SIGKILL');
  });
}

interface Started {
  readonly child: ChildProcess;
  readonly err: () => string;
  readonly exit: Promise<number | null>;
}

function start(...args: string[]): Started {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: w.dir,
    env: { ...env, HOME: w.at('..'), USER: 'ana' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let err = '';
  child.stderr?.on('data', (part) => (err += part));
  return { child, err: () => err, exit: new Promise((done) => child.on('close', done)) };
}

async function until(holds: () => boolean, told: () => string): Promise<void> {
  for (let i = 0; !holds(); i++) {
    if (i > 2000) throw new Error(`it did not come to that: ${told()}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}

const idOf = ({ err }: Started) => / · run (\w+)/.exec(err())?.[1] ?? '';
const answers = (id: string) => `      toolang approve ${id}     toolang deny ${id}\n`;

describe('a question', () => {
  it('comes with the commands that answer it, to those who stay and to those who watch', async () => {
    w.write('ask.toon', ask);
    const run = start('run', 'ask.toon', '--wait');
    await until(() => run.err().endsWith(answers(idOf(run))), run.err);
    expect(run.err()).toMatch(/⏸ ok +Go on\? +waiting for you\n {6}toolang approve /);
    const watch = start('watch', idOf(run));
    await until(() => watch.err().endsWith(answers(idOf(run))), watch.err);
    expect(w.run(['approve', idOf(run)]).status).toBe(0);
    expect(await Promise.all([run.exit, watch.exit])).toEqual([0, 0]);
  });

  it('of a tool, in a hand too, is told to those who stay and to those who watch', async () => {
    w.write('.toolang/config.toml', '[permissions]\nask = ["shell"]\n');
    w.write('a.too', 'thunk -> Text:\n  hands = h\n\n## Looks.\nthunk h() -> Text:\n  tools = shell\n  user: Look.\n');
    w.write(
      'a.script.toon',
      'replies[4]:\n  - for: default\n    calls[1]:\n      - tool: h\n        args:\n  - for: h\n    calls[1]:\n      - tool: shell/run\n        args:\n          command: echo hi\n  - for: h\n    text: Looked.\n  - for: default\n    text: Done.\n',
    );
    const run = start('a.too', 'Go.', '--wait');
    const isAsked = (each: Started) => /⏸ default › h +shell\/run: echo hi.*toolang deny /s.test(each.err());
    await until(() => isAsked(run), run.err);
    const watch = start('watch', idOf(run));
    await until(() => isAsked(watch), watch.err);
    expect(w.run(['approve', idOf(run)]).status).toBe(0);
    expect(await Promise.all([run.exit, watch.exit])).toEqual([0, 0]);
  });

  it('is what a run waits for that was stopped, not to be resumed', async () => {
    w.write('ask.toon', ask);
    const run = start('run', 'ask.toon', '--wait');
    await until(() => run.err().endsWith(answers(idOf(run))), run.err);
    run.child.kill('SIGINT');
    expect(await run.exit).toBe(130);
    expect(run.err()).toContain('what is done is kept; the run waits for an answer\n');
    expect(run.err().split(answers(idOf(run)))).toHaveLength(3);
    expect(run.err()).not.toContain('toolang resume');
  });
});

describe('resume', () => {
  it('says until when the next attempt waits', async () => {
    w.write(
      'again.toon',
      'name: again\ninput:\nsteps[1]:\n  - id: a\n    run: "throw new Error(\'no\')"\n    output: number\n    retry:\n      maxAttempts: 2\n      initialDelay: 1h\n',
    );
    const run = start('run', 'again.toon');
    await until(() => run.err().includes('↻ a'), run.err);
    run.child.kill('SIGKILL');
    await run.exit;
    const resumed = start('resume', idOf(run));
    await until(() => resumed.err().includes('↻ a'), resumed.err);
    expect(resumed.err()).toMatch(/↻ a +again in \d+m /);
  });

  it('says of a run that somebody drives how to see it, not that it goes on', async () => {
    const wait = "const fs = process.getBuiltinModule('node:fs'); fs.writeFileSync('began', '');";
    w.write(
      'slow.toon',
      `name: slow\ninput:\nsteps[1]:\n  - id: a\n    run: "${wait} while (!fs.existsSync('go')) await new Promise((done) => setTimeout(done, 5)); return 1"\n    output: number\n`,
    );
    const run = start('run', 'slow.toon');
    await until(() => existsSync(w.at('began')), run.err);
    const id = idOf(run);
    const second = w.run(['resume', id]);
    expect(second.status).toBe(1);
    expect(second.stderr).toContain(`To see how it goes on:\n      toolang watch ${id}\n`);
    expect(second.stderr).not.toContain(`run ${id}  goes on`);
    w.write('go', '');
    expect(await run.exit).toBe(0);
  });
});

it('a run in the background is named by its whole id, for scripts', () => {
  w.write('ask.toon', ask);
  const ran = w.run(['run', 'ask.toon', '--detach']);
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[0-9a-z]{12}\n$/) });
  const [id = ''] = ran.stdout.split('\n');
  expect(ran.stderr).toContain(`      toolang watch ${/ · run (\w+)/.exec(ran.stderr)?.[1]}\n`);
  expect(w.run(['show', id]).status).toBe(0);
});

it('lines that are piped fit a terminal of 80 columns', () => {
  w.run(['new', '--workflow', 'release']);
  const cwd = w.at('release');
  const run = w.run(['run', 'release.toon', '-i', `topic=${'durable agents '.repeat(6)}`], { cwd });
  const id = / · run (\w+)/.exec(run.stderr)?.[1] ?? '';
  const shown = w.run(['show', id], { cwd });
  const lines = `${run.stderr}${shown.stdout}`.split('\n');
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
