import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, realClock } from '../../sys/index.ts';
import { noGuard } from '../filesystem/off-limits.ts';
import { type ShellOptions, shellTool } from '../shell/shell-tool.ts';
import type { ToolArgs, ToolContext, ToolResult } from '../tool.ts';
import { bwrapLine } from './bwrap.ts';
import { planSandbox, type SandboxPlan } from './plan.ts';
import { createSandbox, type SandboxSettings, sandboxProbe } from './sandbox.ts';
import { seatbeltProfile } from './seatbelt.ts';

let dir = '';
let work = '';
let home = '';
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-sandbox-test-')));
  work = join(dir, 'work');
  home = join(dir, 'home');
  for (const folder of [work, home]) mkdirSync(folder);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const os: SandboxSettings = { shell: 'os', network: 'none', read: [] };

function run(
  args: ToolArgs,
  settings: Partial<SandboxSettings> = {},
  extra: Partial<ToolContext> = {},
  options: ShellOptions = {},
): Promise<ToolResult> {
  return shellTool({ sandbox: { ...os, ...settings }, ...options }).run(args, {
    workspace: work,
    signal: new AbortController().signal,
    clock: realClock,
    env: { PATH: process.env.PATH, HOME: home, API_KEY: 'planted-key-1' },
    idempotencyKey: 'k',
    ...extra,
  });
}

async function said(script: string, settings?: Partial<SandboxSettings>, extra?: Partial<ToolContext>) {
  const result = await run({ command: script }, settings, extra);
  return result.ok ? result.text : `${result.error.code}: ${result.error.text ?? result.error.message}`;
}

describe('without a sandbox that works', () => {
  it('nothing is run where the program is missing, and it says what to install', async () => {
    const result = await run({ command: 'touch made' }, {}, { env: { PATH: join(dir, 'none'), HOME: home } });
    expect(result).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    const message = result.ok ? '' : result.error.message;
    if (process.platform === 'linux') expect(message).toMatch(/"bwrap" is not installed\. Install bubblewrap/);
    expect(message).toContain('[sandbox]');
    expect(existsSync(join(work, 'made'))).toBe(false);
  });

  it.skipIf(process.platform !== 'linux')('nothing is run where it does not work', async () => {
    const bin = join(dir, 'bin');
    mkdirSync(bin);
    // It fails, and even if it ran what it is given, that would be no sandbox.
    for (const script of ['echo "bwrap: No permissions" >&2; exit 1', 'echo shut', 'exit 0']) {
      writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, 'bwrap'), 0o755);
      const result = await run({ command: 'touch made' }, {}, { env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home } });
      expect(result).toMatchObject({ ok: false, error: { code: 'unavailable' } });
      expect(result.ok ? '' : result.error.message).toMatch(/does not work here: .*(user namespaces)/);
      expect(existsSync(join(work, 'made'))).toBe(false);
    }
  });

  it('there is none on other systems', async () => {
    expect(await sandboxProbe({ env: {}, platform: 'win32' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('no sandbox'),
      help: expect.stringContaining('[sandbox]'),
    });
    const shut = createSandbox(os, noGuard, 'win32').shut({
      ...{ line: ['x'], cwd: work, workspace: work, env: {}, hidden: [] },
    });
    await expect(shut).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.skipIf(process.platform !== 'linux')('a program of that name in the workspace is not believed', async () => {
    const bin = join(work, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho shut in\n');
    chmodSync(join(bin, 'bwrap'), 0o755);
    const result = await run({ command: 'touch made' }, {}, { env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home } });
    expect(result.ok ? '' : result.error.message).toContain('lies in the workspace');
  });
});

const probe = await sandboxProbe({ env: process.env });
const why = probe.ok ? probe.version : `skipped: ${probe.message}`;

describe.skipIf(!probe.ok || process.platform !== 'linux')(`in bubblewrap (${why})`, () => {
  it('the workspace can be written, the system and others cannot, and the home is empty', async () => {
    writeFileSync(join(home, 'own'), 'planted-home');
    expect(await said('echo x > made && cat made && pwd')).toBe(`x\n${work}`);
    expect(readFileSync(join(work, 'made'), 'utf8')).toBe('x\n');
    expect(await said('touch /usr/bin/evil 2>&1; touch /etc/evil 2>&1; cat ~/own 2>&1; ls -A ~')).toMatch(
      /Read-only[\s\S]*Read-only[\s\S]*No such file/,
    );
    expect(await said(`ls ${dir}; ls /root /var/lib 2>&1; echo y > ~/new; ls ~`)).not.toMatch(/home\/own|dpkg/);
    expect(readdirSync(home)).toEqual(['own']);
  });

  it('secrets of the system and of the workspace cannot be read', async () => {
    mkdirSync(join(work, 'sub'));
    writeFileSync(join(work, 'sub', '.env'), 'TOKEN=planted-env-1234');
    writeFileSync(join(work, 'server.key'), 'planted-pem-5678');
    mkdirSync(join(work, '.aws'));
    writeFileSync(join(work, '.aws', 'credentials'), 'planted-aws');
    expect(await said('cat sub/.env server.key .aws/* /etc/shadow 2>&1; echo; wc -c < sub/.env; env')).not.toMatch(
      /planted|root:/,
    );
    expect(await said('echo x > sub/.env')).toMatch(/^failed/);
    expect(readFileSync(join(work, 'sub', '.env'), 'utf8')).toContain('planted-env-1234');
  });

  it('the temporary folder is its own', async () => {
    const name = `toolang-leak-${process.pid}`;
    expect(await said(`echo x > /tmp/${name} && ls /tmp && echo $TMPDIR`)).toContain('/tmp');
    expect(existsSync(join('/tmp', name))).toBe(false);
  });

  it('the network is not there unless it is allowed', async () => {
    const server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const script = `exec ${JSON.stringify(process.execPath)} -e 'fetch("http://127.0.0.1:${port}").then((r) => r.text()).then(console.log, (e) => console.log("no", e.cause.code))'`;
    const read = [process.execPath];
    try {
      expect(await said(script, { read })).toMatch(/^no E/);
      expect(await said(script, { read, network: 'all' })).toBe('reached');
    } finally {
      server.close();
    }
  });

  it('no other process can be seen, and no right can be gained', async () => {
    expect(await said('ls -d /proc/[0-9]* | wc -l')).toMatch(/^[1-5]$/);
    expect(await said(`kill -0 ${process.pid} 2>&1`)).toMatch(/^failed/);
    expect(await said('grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status')).toMatch(
      /^CapEff:\s0+\nCapBnd:\s0+\nNoNewPrivs:\s1$/,
    );
    expect(await said('mount -t tmpfs x /usr 2>&1')).toMatch(/^failed/);
  });

  it('what runs later outside of it cannot be written: hooks and settings of git, state of ours', async () => {
    execFileSync('git', ['init', '-q', work]);
    rmSync(join(work, '.git', 'hooks'), { recursive: true, force: true });
    const config = readFileSync(join(work, '.git', 'config'), 'utf8');
    const tries = [
      'mkdir -p .git/hooks; echo x > .git/hooks/pre-commit',
      'git config core.fsmonitor ./evil',
      'echo x >> .git/config',
      'mv .git .old',
      'rm -rf .git',
      'mkdir .toolang; echo x > .toolang/config.toml',
      'mv .git/config .git/c',
    ];
    for (const script of tries) expect(await said(`${script} 2>&1 && echo done`), script).not.toContain('done');
    expect(readFileSync(join(work, '.git', 'config'), 'utf8')).toBe(config);
    expect(existsSync(join(work, '.git', 'hooks'))).toBe(false);
    expect(existsSync(join(work, '.toolang'))).toBe(false);
    expect(existsSync(join(work, '.git', 'config.worktree'))).toBe(false);
  });

  it('a command that ends takes no protection from one that still runs', async () => {
    const long = said('touch up; until [ -e go ]; do sleep 0.02; done; mkdir -p .toolang/x 2>&1 || echo kept');
    while (!existsSync(join(work, 'up'))) await realClock.sleep(10);
    await said('true');
    writeFileSync(join(work, 'go'), '');
    expect(await long).toContain('kept');
    expect(existsSync(join(work, '.toolang'))).toBe(false);
  });

  it('git works in it, in a worktree too', async () => {
    const main = join(dir, 'main');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: main, stdio: 'pipe' });
    mkdirSync(main);
    git('init', '-q');
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@b.c'];
    git(...who, 'commit', '-q', '--allow-empty', '-m', 'first');
    rmSync(work, { recursive: true });
    git('worktree', 'add', '-q', work, '-b', 'side');
    const commit = `touch a && git add a && git ${who.join(' ')} commit -q -m second && git log --format=%s`;
    expect(await said(commit)).toBe('second\nfirst');
    expect(git('log', '--format=%s', 'side').toString()).toBe('second\nfirst\n');
    expect(await said(`echo x > ${main}/.git/hooks/pre-commit`)).toMatch(/^failed/);
    await said(`echo x > ${main}/evil`);
    expect(readdirSync(main)).toEqual(['.git']);
  });

  it('a file that only says that its repository is elsewhere opens nothing', async () => {
    writeFileSync(join(work, '.git'), `gitdir: ${home}\n`);
    writeFileSync(join(home, 'commondir'), '.\n');
    writeFileSync(join(home, 'own'), 'planted-home');
    expect(await said('cat ~/own')).toMatch(/^failed/);
  });

  it('what is asked for can be read, and cannot be written', async () => {
    writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ana\n');
    const settings = { read: ['~/.gitconfig', '~/not-there'] };
    expect(await said('git config --global user.name; ls -A ~', settings)).toBe('Ana\n.gitconfig');
    expect(await said('echo x > ~/.gitconfig', settings)).toMatch(/^failed/);
  });

  it('places that are guarded are kept', async () => {
    writeFileSync(join(work, 'agent.too'), 'thunk:\n');
    writeFileSync(join(work, 'runs.db'), 'planted-state');
    const guard = { unwritable: [join(work, 'agent.too')], unreadable: [join(work, 'runs.db')] };
    const result = await run({ command: 'cat agent.too runs.db; echo x >> agent.too' }, {}, {}, { guard });
    expect(result.ok ? '' : result.error.text).toMatch(/^thunk:\n[\s\S]*Read-only/);
    expect(JSON.stringify(result)).not.toContain('planted-state');
  });

  it('packages that modules of the run would find cannot be made, and nothing is left of that', async () => {
    const guard = { unreadable: [], unwritable: [join(work, 'node_modules')] };
    const make = () => run({ command: 'mkdir -p node_modules/x && echo made' }, {}, {}, { guard });
    expect(await make()).toMatchObject({ ok: false, error: { code: 'failed' } });
    expect(existsSync(join(work, 'node_modules'))).toBe(false);
    mkdirSync(join(work, 'node_modules'));
    expect(await make()).toMatchObject({ ok: false, error: { code: 'failed' } });
    expect(existsSync(join(work, 'node_modules'))).toBe(true);
  });

  it('time ends all of it, a process in a session of its own that is deaf and has no mark too', async () => {
    // With the folder, which is this test's own, all of it is found in the list of processes.
    const deaf = `trap "" TERM; touch ${work}/up; while :; do sleep 1; done`;
    const script = `env -i PATH=$PATH setsid sh -c '${deaf}' >/dev/null 2>&1 & while :; do sleep 1; done`;
    // Its time is over when it has begun, however long that takes.
    const clock: Clock = {
      ...realClock,
      async sleep(ms, signal) {
        if (ms !== 1500) return realClock.sleep(ms, signal);
        while (!existsSync(join(work, 'up'))) await realClock.sleep(10, signal);
      },
    };
    const result = await run({ command: script, timeoutMs: 1500 }, {}, { clock });
    expect(result).toMatchObject({ ok: false, error: { code: 'timeout' } });
    expect(existsSync(join(work, 'up'))).toBe(true);
    const left = readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(work);
      } catch {
        return false;
      }
    });
    expect(left).toEqual([]);
  });

  it('programs that are not in it are explained', async () => {
    const result = await run({ command: 'no-such-program' });
    expect(result.ok ? '' : result.error.message).toContain('[sandbox] read names more');
  });

  it('exit codes and output come through', async () => {
    const result = await run({ command: 'echo a; echo b > /dev/stderr; cat; exit 7', stdin: 'c' });
    expect(result).toMatchObject({ ok: false, error: { text: 'a\nb\nc', message: expect.stringContaining('code 7') } });
    expect((await run({ argv: ['printf', '%s', '$x y'] })).ok).toBe(true);
  });
});

const plan: SandboxPlan = {
  workspace: '/w',
  cwd: '/w/sub',
  home: '/home/a',
  system: [{ path: '/usr' }, { path: '/bin', link: 'usr/bin' }],
  readable: ['/home/a/.gitconfig'],
  writable: ['/repo/.git'],
  pinned: ['/w/.git'],
  fixed: ['/w/.git/config'],
  withheld: [
    { path: '/w/.toolang', isFolder: true },
    { path: '/w/.git/config.worktree', isFolder: false },
  ],
  hidden: [{ path: '/w/.env', isFolder: false }],
  network: false,
};

it('the line of bwrap names what is there, in the order in which one lies over the other', () => {
  expect(bwrapLine('/usr/bin/bwrap', plan, ['sh', '-c', 'x']).join(' ')).toBe(
    [
      '/usr/bin/bwrap --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net',
      '--die-with-parent --cap-drop ALL',
      '--ro-bind /usr /usr --symlink usr/bin /bin',
      '--proc /proc --dev /dev --tmpfs /tmp --dir /var --symlink /tmp /var/tmp --tmpfs /home/a',
      '--ro-bind /home/a/.gitconfig /home/a/.gitconfig --bind /repo/.git /repo/.git --bind /w /w',
      '--bind /w/.git /w/.git --ro-bind /w/.git/config /w/.git/config',
      '--tmpfs /w/.toolang --remount-ro /w/.toolang --ro-bind /dev/null /w/.git/config.worktree',
      '--ro-bind /dev/null /w/.env --chdir /w/sub -- sh -c x',
    ].join(' '),
  );
  expect(bwrapLine('bwrap', { ...plan, network: true }, ['x'])).not.toContain('--unshare-net');
});

it('the profile of sandbox-exec begins with nothing, and ends with what is refused', () => {
  const odd = { ...plan, workspace: '/w "x\\' };
  const profile = seatbeltProfile(odd, '/private/tmp/t');
  expect(profile).toMatch(/^\(version 1\)\n\(deny default\)\n/);
  expect(profile).not.toContain('network');
  expect(profile).toContain(
    '(allow file-read* file-write*\n  (subpath "/w \\"x\\\\")\n  (subpath "/repo/.git")\n  (subpath "/private/tmp/t"))',
  );
  expect(profile).toMatch(
    /\(deny file-write\*\n {2}\(subpath "\/w\/.git\/config"\)[\s\S]*\(deny file-read\* file-write\*\n {2}\(subpath "\/w\/.env"\)\)\n$/,
  );
  expect(seatbeltProfile({ ...plan, network: true }, '/t')).toContain('(allow network*)');
  let depth = 0;
  for (const char of profile.replace(/"(?:\\.|[^"\\])*"/g, '')) depth += char === '(' ? 1 : char === ')' ? -1 : 0;
  expect(depth).toBe(0);
});

it.skipIf(process.platform === 'win32')('a home that is the root of all is no home', () => {
  const options = { workspace: work, cwd: work, network: false, read: [], hidden: [], guard: noGuard };
  expect(planSandbox({ ...options, home: '/' }).home).toBeUndefined();
  expect(planSandbox({ ...options, home: 'relative' }).home).toBeUndefined();
  expect(planSandbox({ ...options, home }).home).toBe(home);
});
