/** The built program as a process: streams, signals, exit codes. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { built } from './built.ts';

const dist = built();
const cli = join(dist, 'cli.cjs');
const { NO_COLOR: _no, FORCE_COLOR: _force, ...env } = process.env;

function run(args: string[], extra: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    env: { ...env, ...extra },
  });
  return { status, stdout, stderr };
}

/** Loads `code` into the program's process before the program. */
function runWith(code: string, extra: Record<string, string> = {}) {
  const file = join(dist, `preload-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(file, code);
  const { status, stderr } = spawnSync(process.execPath, ['--import', file, cli, '--version'], {
    encoding: 'utf8',
    env: { ...env, ...extra },
  });
  return { status, stderr };
}

it('prints results on standard output and mistakes on standard error', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  const wrong = run(['chekc']);
  expect(wrong).toMatchObject({ status: 2, stdout: '' });
  expect(wrong.stderr).toContain('Did you mean "check"?');
});

it('obeys the colour wishes of flags and environment', () => {
  expect(run(['--help']).stdout).not.toContain('\x1b');
  expect(run(['--help'], { FORCE_COLOR: '1' }).stdout).toContain('\x1b[1m');
  expect(run(['--help'], { FORCE_COLOR: '1', NO_COLOR: '1' }).stdout).not.toContain('\x1b');
  expect(run(['--help', '--no-color'], { FORCE_COLOR: '1' }).stdout).not.toContain('\x1b');
  expect(run(['chekc', '--color']).stderr).not.toContain('\x1b');
  expect(run(['--color', 'chekc']).stderr).toContain('\x1b[31m');
});

it('can be executed as it is', () => {
  expect(statSync(cli).mode & 0o777).toBe(0o755);
  expect(readFileSync(cli, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

it('ends quietly when the reader of its output has gone', async () => {
  // Long enough to fill the pipe, so that writing goes on after the reader is gone.
  const file = join(dist, 'long-output.mjs');
  writeFileSync(
    file,
    `const write = process.stdout.write.bind(process.stdout);
     process.stdout.write = (text, ...rest) => write(text.repeat(200), ...rest);`,
  );
  const child = spawn(process.execPath, ['--import', file, cli, 'completion', 'zsh'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((done) => child.on('close', done));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

it.skipIf(!existsSync('/dev/full'))('says so when its output cannot be written, be it short or long', () => {
  for (const command of ['--help', 'completion zsh']) {
    const line = `"$0" "$1" ${command} > /dev/full`;
    const ran = spawnSync('sh', ['-c', line, process.execPath, cli], { encoding: 'utf8', env });
    expect(ran.status).toBe(1);
    expect(ran.stderr).toBe('toolang: ENOSPC: no space left on device, write\n');
  }
});

it('says so when its directory was removed', () => {
  const dir = mkdtempSync(join(dist, 'gone-'));
  const script = 'cd "$2" && rmdir "$2" && exec "$0" "$1" --help';
  const ran = spawnSync('sh', ['-c', script, process.execPath, cli, dir], { encoding: 'utf8', env });
  expect(ran.status).toBe(1);
  expect(ran.stderr).toBe('toolang: the current directory is not there any more\n');
});

it.for([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('ends with the code of %s', async ([signal, wanted]) => {
  // Something that keeps the process alive while the program is done.
  const file = join(dist, `alive-${signal}.mjs`);
  writeFileSync(file, 'setInterval(() => {}, 1000);');
  const child = spawn(process.execPath, ['--import', file, cli, '--version'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  child.stdout.once('data', () => child.kill(signal));
  const ended = await new Promise((done) => child.on('close', (code, by) => done({ code, by })));
  expect(ended).toEqual({ code: wanted, by: null });
});

it('tells a bug of ours in one line, with the stack only when asked', () => {
  const line = 'toolang: a bug of ours: boom (TOO9001); TOOLANG_DEBUG=1 shows where\n';
  // Once the program has begun to print, it is there to hear of it.
  const after = (what: string) => `import fs from 'node:fs'; const { writeSync } = fs;
    fs.writeSync = (...all) => { setImmediate(() => { ${what} }); return writeSync(...all); };`;
  const later = after("throw new TypeError('boom');");
  expect(runWith(later)).toEqual({ status: 1, stderr: line });
  expect(runWith(later, { TOOLANG_DEBUG: '1' }).stderr).toMatch(/\(TOO9001\)\nTypeError: boom\n +at /);
  const rejection = after("Promise.reject(new TypeError('boom'));");
  expect(runWith(rejection)).toEqual({ status: 1, stderr: line });
});

it('leaves no process behind when it is stopped while it looks into a module', async () => {
  linkPackages();
  const dir = mkdtempSync(join(dist, 'blocks-'));
  const started = join(dir, 'started');
  writeFileSync(
    join(dir, 'blocks.mjs'),
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(started)}, String(process.pid)); while (true) {}`,
  );
  writeFileSync(
    join(dir, 'a.toon'),
    'name: x\nimports:\n  services[1]{from,use}:\n    ./blocks.mjs,S\ninput:\n  q: string\nsteps[1]:\n  - id: a\n    run: "return 1"\n    output: number\n',
  );
  const child = spawn(process.execPath, [cli, 'check', 'a.toon'], { cwd: dir, env, stdio: 'ignore' });
  const isThere = () => existsSync(started) && readFileSync(started, 'utf8') !== '';
  await expect.poll(isThere).toBe(true);
  child.kill('SIGINT');
  expect(await new Promise((done) => child.on('close', done))).toBe(130);
  await expect.poll(() => isAlive(Number(readFileSync(started, 'utf8')))).toBe(false);
});

it.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('leaves no compiler and no folder behind when it is stopped by %s', async ([signal, wanted]) => {
  const dir = mkdtempSync(join(dirname(dist), 'types-'));
  const started = join(dir, 'started');
  const tsc = join(dir, 'node_modules/typescript/bin/tsc');
  mkdirSync(dirname(tsc), { recursive: true });
  // Deaf, and with a process of its own, as the real one has.
  writeFileSync(
    tsc,
    `process.on('SIGTERM', () => {});
    const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    require('node:fs').writeFileSync(${JSON.stringify(started)}, process.pid + ' ' + pid + '.');
    setInterval(() => {}, 1000);`,
  );
  writeFileSync(
    join(dir, 'a.toon'),
    'name: x\ninput:\n  q: string\nsteps[1]:\n  - id: a\n    run: "return 1"\n    output: number\n',
  );
  const child = spawn(process.execPath, [cli, 'check', '--types', 'a.toon'], { cwd: dir, env, stdio: 'ignore' });
  const text = () => (existsSync(started) ? readFileSync(started, 'utf8') : '');
  await expect.poll(text).toMatch(/\.$/);
  expect(existsSync(join(dir, '.toolang'))).toBe(true);
  child.kill(signal);
  expect(await new Promise((done) => child.on('close', done))).toBe(wanted);
  expect(existsSync(join(dir, '.toolang'))).toBe(false);
  const pids = text().replace('.', '').split(' ').map(Number);
  await expect.poll(() => pids.some(isAlive)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Hosts find the packages that are not bundled beside `dist/`. */
function linkPackages(): void {
  const packages = join(dirname(dist), 'node_modules');
  if (!existsSync(packages)) symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), packages);
}
