/** The built program among pipes, terminals and signals. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allCommands } from '../../src/cli/table.ts';
import { cli, env, type Workplace, workplace } from './program.ts';

const bad = 'thunk:\n  tool = shell\n  user: hi\n';
/** What is said of them is longer than a pipe holds. */
const files = 150;
const hasScript = spawnSync('script', ['--version']).status === 0;

/** A workflow of so many steps, each of which is told in a line. */
const flow = (count: number) =>
  `name: flow\ninput:\nsteps[${count}]:\n${Array.from({ length: count }, (_, i) => `  - id: s${i}\n    run: "return 'something that makes the line a little longer'"\n    output: string\n`).join('')}`;

let w: Workplace;
beforeAll(() => {
  w = workplace();
  w.write('bad.too', bad);
  w.write('good.too', 'thunk:\n  user: hi\n');
  for (let i = 0; i < files; i++) w.write(`many/${i}.too`, bad.repeat(5));
});
afterAll(() => w.remove());

describe('pipes', () => {
  it('may be closed by a reader that has seen enough', () => {
    const { status, stdout, stderr } = w.sh('toolang check many | head -1');
    expect({ status, lines: stdout.split('\n').length }).toEqual({ status: 2, lines: 2 });
    expect(stderr).not.toMatch(/EPIPE|bug|at .*\.js/);
    expect(w.sh('toolang parse bad.too --tokens | true').stderr).not.toMatch(/EPIPE|bug/);
    expect(w.sh('toolang check many --json | head -c 10 | wc -c').stdout.trim()).toBe('10');
  });

  it('that are closed end a command whose input has no end', () => {
    const { stdout } = w.sh("yes 'some text' | toolang calls parse --stream | head -1");
    expect(stdout.split('\n')).toHaveLength(2);
  });

  it('that are closed early hide no error', () => {
    expect(w.sh('set -o pipefail; toolang check good.too --json | head -c 10').status).toBe(0);
  });

  it('of standard error may be closed, and the exit code still tells', () => {
    expect(w.sh('toolang check bad.too 2>&-')).toMatchObject({ status: 2 });
    expect(w.sh('toolang check bad.too 2>&- >&-')).toMatchObject({ status: 2, stdout: '' });
    expect(w.sh('{ toolang check missing.too; echo "ended $?"; } 2> >(true)').stdout).toContain('ended 2');
  });

  it('carry everything, however much it is', () => {
    const { status, stdout } = w.sh('toolang check many --json | cat');
    expect(status).toBe(2);
    expect(JSON.parse(stdout).files).toHaveLength(files);
  });

  it('and files carry what is said bit by bit, in order and whole', () => {
    w.write('flow.toon', flow(200));
    // What differs each time.
    const same = (text: string) => text.replaceAll(/run \w+|\d+\.\d+s/g, '').split('\n');
    const lines = same(w.sh('toolang run flow.toon > out 2> err; cat err out').stdout);
    expect(lines.filter((line) => line.includes('\u2713'))).toHaveLength(200);
    expect(same(w.sh('toolang run flow.toon 2>&1 | cat').stdout)).toEqual(lines);
    expect(same(w.sh('toolang run flow.toon > all 2>&1; cat all').stdout)).toEqual(lines);
  });

  it('that nobody reads hold up no run, and hold all of it in the end', () => {
    w.write('long.toon', flow(1200).replace('name: flow', 'name: long'));
    const { stdout } = w.sh(`
      mkfifo p; exec 4<>p 3<p
      toolang run long.toon 2>p >out & exec 4>&-
      until toolang runs --json | grep -A5 '"long"' | grep -q '"done"'; do :; done
      echo "left $(jobs -r | wc -l)"; cat <&3; wait $!; echo "ended $?"`);
    expect(stdout.length).toBeGreaterThan(65_536);
    expect(stdout.match(/\u2713 s\d+ /g)).toHaveLength(1200);
    expect(stdout).toMatch(/^left 1\n.*\nended 0\n$/s);
  });

  it('may hold nothing, or not be there', () => {
    expect(w.run(['check', '-'], { input: '' })).toEqual({ status: 0, stdout: '', stderr: 'no problems in 1 file\n' });
    expect(w.sh('toolang check - < /dev/null').status).toBe(0);
    expect(w.sh('toolang check - <&-')).toMatchObject({ status: 0 });
    expect(w.sh('toolang check - < .')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'toolang: standard input is a directory, not a text. (TOO5002)\n',
    });
    expect(w.sh('cat good.too | toolang check -').status).toBe(0);
    expect(w.sh('toolang calls parse < .')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'toolang: standard input is a directory, not a text. (TOO5002)\n',
    });
    expect(w.sh('toolang calls parse <(printf hi)').stdout).toBe('{"type":"text","text":"hi"}\n');
    expect(w.sh('head -c 20000000 /dev/zero | toolang check -').stderr).toContain('(TOO5004)');
  });

  it('are no files', () => {
    expect(w.sh('toolang check <(cat good.too)').stderr).toMatch(/is a pipe, not a file; write "-".*\(TOO5007\)/);
    expect(w.sh('mkfifo p.too && toolang check p.too; echo $?; rm p.too').stdout).toBe('2\n');
  });
});

describe('--json', () => {
  it('is the only thing on standard output and is never coloured', () => {
    for (const args of [
      ['check', 'bad.too', 'missing.too'],
      ['fmt', '--check', 'bad.too', 'missing.too'],
      ['parse', 'bad.too'],
      ['parse', 'bad.too', '--tokens'],
      ['parse', 'missing.too'],
      ['explain', 'good.too'],
      ['explain', 'bad.too'],
      ['explain', 'TOO1601'],
    ]) {
      const { stdout } = w.run([...args, '--json'], { env: { FORCE_COLOR: '1' } });
      expect(stdout).not.toContain('\x1b');
      expect(JSON.parse(stdout)).toMatchObject({ version: 1 });
    }
  });
});

describe('colours', () => {
  it('follow flags and environment', () => {
    const coloured = (extra: Record<string, string>, ...flags: string[]) =>
      w.run(['check', 'bad.too', ...flags], { env: extra }).stdout.includes('\x1b[');
    expect(coloured({})).toBe(false);
    expect(coloured({ FORCE_COLOR: '1' })).toBe(true);
    expect(coloured({ FORCE_COLOR: '0' })).toBe(false);
    expect(coloured({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(coloured({ FORCE_COLOR: '1' }, '--no-color')).toBe(false);
    expect(coloured({ NO_COLOR: '1' }, '--color')).toBe(true);
  });

  it.skipIf(!hasScript)('are there on a terminal, unless it is dumb or told not to', () => {
    const onTerminal = (extra: Record<string, string>) =>
      w.sh(`script -qec '"$NODE" "$PROGRAM" check bad.too' /dev/null < /dev/null`, { env: extra }).stdout;
    expect(onTerminal({ TERM: 'xterm' })).toContain('\x1b[31m');
    expect(onTerminal({ TERM: 'dumb' })).not.toContain('\x1b');
    expect(onTerminal({ TERM: 'xterm', NO_COLOR: '1' })).not.toContain('\x1b');
  });
});

it('shows help for every command', () => {
  for (const { name, summary } of allCommands()) {
    const { status, stdout, stderr } = w.run([name, '--help']);
    expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: '' });
    expect(stdout).toContain(summary);
  }
});

it('answers words and flags that it does not know with those that it does', () => {
  const wrong = w.run(['chek']);
  expect(wrong).toMatchObject({ status: 2, stdout: '' });
  expect(wrong.stderr).toContain('Did you mean "check"?');
  expect(w.run(['check', '--jsn']).stderr).toContain('unknown flag "--jsn" for check. Did you mean "--json"?');
  expect(w.run(['flow.toon']).stderr).toContain('to run the workflow: toolang run flow.toon');
  expect(w.run(['god.too', 'hello']).stderr).toContain('Did you mean "good.too"?');
});

it.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('ends at once on %s while it waits for input', async (signal, wanted) => {
  const child = spawn(process.execPath, [cli, 'check', 'bad.too', '-'], { cwd: w.dir, env, stdio: 'pipe' });
  // It asks for its input only once it has loaded what it needs; a first byte says nothing, so the signal is repeated.
  const again = setInterval(() => child.kill(signal), 200);
  const ended = await new Promise((done) => child.on('close', (code, by) => done({ code, by })));
  clearInterval(again);
  // Before its handlers are there, the system ends it by the signal itself.
  expect([
    { code: wanted, by: null },
    { code: null, by: signal },
  ]).toContainEqual(ended);
});
