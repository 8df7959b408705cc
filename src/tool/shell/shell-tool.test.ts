import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bootId, type Clock, markedProcesses, markName, realClock } from '../../sys/index.ts';
import type { ToolArgs, ToolContext, ToolResult } from '../tool.ts';
import { powershellLine, type ShellOptions, shellTool } from './shell-tool.ts';

let dir = '';
let work = '';
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-shell-test-')));
  work = join(dir, 'work');
  mkdirSync(work);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Eight times as fast: what is given time to end is waited for. */
const quick: Clock = {
  now: () => realClock.now() * 8,
  monotonic: () => realClock.monotonic() * 8,
  sleep: (ms, signal) => realClock.sleep(ms / 8, signal),
};

const system = { PATH: process.env.PATH, HOME: '/nowhere' };

function context(extra: Partial<ToolContext> = {}): ToolContext {
  const never = new AbortController().signal;
  return { workspace: work, signal: never, clock: realClock, env: system, idempotencyKey: 'call-1', ...extra };
}

function run(args: ToolArgs, extra: Partial<ToolContext> = {}, options: ShellOptions = {}): Promise<ToolResult> {
  return shellTool(options).run(args, context(extra));
}

async function text(args: ToolArgs, extra?: Partial<ToolContext>, options?: ShellOptions): Promise<string> {
  const result = await run(args, extra, options);
  if (!result.ok) throw new Error(`${result.error.message}\n${result.error.text}`);
  return result.text;
}

async function error(args: ToolArgs, extra?: Partial<ToolContext>) {
  const result = await run(args, extra);
  if (result.ok) throw new Error(`it went well: ${result.text}`);
  return result.error;
}

function isRunning(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  if (process.platform === 'linux') return stat !== '' && !/\) [ZX] /.test(stat);
  return spawnSync('kill', ['-0', String(pid)]).status === 0;
}

const posix = describe.skipIf(process.platform === 'win32');
const linux = it.skipIf(process.platform !== 'linux');

posix('what it gives', () => {
  it('is what a script prints, on both outputs, in order', async () => {
    expect(await text({ command: 'echo a; echo b >&2; echo c; echo d > /dev/stderr; echo e > /dev/stdout' })).toBe(
      'a\nb\nc\nd\ne',
    );
    expect(await text({ command: 'true' })).toBe('(no output)');
  });

  it('is what a program prints, whose arguments no shell reads', async () => {
    expect(await text({ argv: ['printf', '%s|', '$HOME', '*', 'a b', ';', "'"] })).toBe("$HOME|*|a b|;|'|");
  });

  it('has what it reads from its input, and from /dev/stdin; an end at once where there is none', async () => {
    expect(await text({ command: 'cat; echo .', stdin: 'ä\nb\n' })).toBe('ä\nb\n.');
    expect(await text({ command: 'cat /dev/stdin', stdin: 'x'.repeat(500_000) })).toContain('characters left out');
    expect(await text({ command: 'cat; echo end' })).toBe('end');
  });

  it('tells the exit code, the signal, and what came before', async () => {
    expect(await error({ command: 'echo no; exit 3' })).toEqual({
      code: 'failed',
      message: 'the command ended with exit code 3.',
      text: 'no',
    });
    expect((await error({ command: 'kill -SEGV $$' })).message).toBe('the command was ended by SIGSEGV.');
    expect((await error({ command: "sh -c 'kill -KILL $$'; exit $?" })).message).toContain('137 (as after SIGKILL)');
    expect((await error({ command: 'no-such-program-x' })).message).toContain('A program was not found.');
  });

  it('tells which program is not there, and the closest', async () => {
    expect(await error({ argv: ['gti', 'status'] })).toMatchObject({
      code: 'missing',
      message: expect.stringMatching(/^the PATH has no program "gti"\. Did you mean "\w+"\?$/),
    });
    expect((await error({ argv: ['git status'] })).message).toContain('"argv" is a list of words');
    expect((await error({ argv: ['./nothing'] })).message).toBe('there is no program "./nothing".');
  });

  it('has no codes of terminals, and no bytes that are no text', async () => {
    expect(await text({ command: "printf '\\033[31mred\\033[0m\\r\\nx\\033]0;title\\007y'" })).toBe('red\nxy');
    expect(await text({ command: 'head -c 5000 /dev/urandom' })).toMatch(/^\[binary output of 5000 bytes, not shown/);
  });

  it('is not interactive', async () => {
    expect(await text({ command: '[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo none' })).toBe('none');
    expect((await error({ command: 'cat /dev/tty' })).text).toContain('/dev/tty');
  });
});

posix('where it runs', () => {
  it('is the workspace, or a folder in it', async () => {
    mkdirSync(join(work, 'sub'));
    expect(await text({ command: 'pwd' })).toBe(work);
    expect(await text({ command: 'pwd', cwd: 'sub' })).toBe(join(work, 'sub'));
    expect(await text({ argv: ['pwd'], cwd: 'sub/../sub' })).toBe(join(work, 'sub'));
  });

  it('is nowhere else', async () => {
    symlinkSync(dir, join(work, 'out'));
    writeFileSync(join(work, 'file'), '');
    for (const cwd of ['..', 'out', '/', '/etc', '~', 'sub/../..']) {
      expect((await error({ command: 'pwd', cwd })).code, cwd).toBe('denied');
    }
    expect(await error({ command: 'pwd', cwd: 'none' })).toMatchObject({ code: 'missing' });
    expect(await error({ command: 'pwd', cwd: 'file' })).toMatchObject({ code: 'arguments' });
  });
});

describe('arguments that do not fit', () => {
  it.each<[args: ToolArgs, message: string]>([
    [{}, 'either "command"'],
    [{ command: 'a', argv: ['a'] }, 'either "command"'],
    [{ command: '  ' }, '"command" is empty'],
    [{ argv: [] }, '"argv" is empty'],
    [{ argv: [''] }, '"argv" is empty'],
    [{ command: 'a\0b' }, 'NUL'],
    [{ command: 'x'.repeat(100_001) }, '100000 bytes'],
    [{ command: 'a', timeoutMs: 0 }, 'from 1 to 600000'],
    [{ command: 'a', timeoutMs: 1e9 }, 'from 1 to 600000'],
    [{ command: ['a'] }, 'command'],
    [{ command: 'a', shell: 'bash' }, 'shell'],
  ])('%#', async (args, message) => {
    const found = await error(args);
    expect(found.code).toBe('arguments');
    expect(found.message).toContain(message);
  });
});

posix('what it sees of the environment', () => {
  const planted = {
    ...system,
    OPENAI_API_KEY: 'sk-planted-0001',
    GITHUB_TOKEN: 'ghp_planted_0002',
    DATABASE_URL: 'postgres://u:planted0003@h/db',
    PLAIN: 'plain',
    TOOLANG_ROOT: '/root/toolang',
    LC_ALL: 'C',
    LD_PRELOAD_X: 'x',
    NODE_OPTIONS: '--x',
  };

  it('is a list of names, and nothing else', async () => {
    const seen = await text({ command: 'env | sort' }, { env: planted });
    expect(seen).not.toMatch(/planted|plain|NODE_OPTIONS|TOOLANG_ROOT|LD_/);
    const names = seen.split('\n').map((line) => line.split('=')[0]);
    expect(names).toEqual([
      ...['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0'],
      ...['GIT_PAGER', 'GIT_TERMINAL_PROMPT', 'HOME', 'LC_ALL', 'NO_COLOR', 'PAGER', 'PATH', 'PWD', 'TERM'],
      ...(process.platform === 'linux' ? [markName] : []),
      'TOOLANG_IDEMPOTENCY_KEY',
    ]);
    expect(seen).toContain('TOOLANG_IDEMPOTENCY_KEY=call-1');
  });

  it('has more names where the configuration says so, and their values are still not told', async () => {
    const options = { env: ['PLAIN', 'GITHUB_TOKEN', 'PAGER'] };
    const script = 'echo $PLAIN $GITHUB_TOKEN; echo ${#GITHUB_TOKEN} $PAGER; printf %s "$GITHUB_TOKEN" | base64';
    expect(await text({ command: script }, { env: { ...planted, PAGER: 'less' } }, options)).toBe(
      'plain [redacted GITHUB_TOKEN]\n16 less\n[redacted GITHUB_TOKEN]',
    );
  });

  it('secrets that a command finds elsewhere are taken out of what it prints, of errors too', async () => {
    mkdirSync(join(work, 'app'));
    writeFileSync(
      join(work, '.env'),
      'export STRIPE_KEY="planted-stripe-4"\nPORT=3000\n# x\nDB_PASSWORD=planted-db-5 # c\n',
    );
    writeFileSync(join(work, 'app', '.env.local'), "API_TOKEN='planted-token-6'\n");
    writeFileSync(join(work, 'notes.txt'), 'sk-planted-0001');
    const script = 'cat .env app/.env.local notes.txt; echo; printf "plan"; sleep 0.05; printf "ted-stripe-4"; exit 1';
    const found = await error({ command: script }, { env: planted });
    expect(JSON.stringify(found)).not.toContain('planted');
    expect(found.text).toContain('PORT=3000');
    expect(found.text).toMatch(/\[redacted STRIPE_KEY\]$/);
  });
});

posix('much output', () => {
  it('costs no more memory than what is kept, and ends the command where it is far too much', async () => {
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    const found = await error({ command: 'yes | head -c 200000000' });
    clearInterval(watch);
    expect(found).toMatchObject({ code: 'too-large', message: expect.stringContaining('104857600 bytes') });
    expect(found.text?.length).toBeLessThanOrEqual(64 * 1024);
    expect(found.text).toMatch(/^y\ny\n[\s\S]*characters left out[\s\S]*y\ny$/);
    // What came is 100 MB in bytes, and more as text.
    expect(most - before).toBeLessThan(80 * 1024 * 1024);
  });

  it('has its head and its tail', async () => {
    const printed = await text({ command: 'seq 1 200000' });
    expect(printed).toMatch(/^1\n2\n3\n[\s\S]*characters left out here[\s\S]*\n199999\n200000$/);
    expect(printed.length).toBeLessThanOrEqual(64 * 1024);
  });
});

posix('its end', () => {
  /** A command that starts three others, waits, and writes down who they are: a deaf one, one in a session of its own, one that forked twice. */
  const family = `
    (trap '' TERM; echo deaf $(exec sh -c 'echo $PPID') >> pids; while :; do sleep 1; done) &
    setsid sh -c 'trap "" TERM; echo away $$ >> pids; while :; do sleep 1; done' &
    ( (setsid sh -c 'echo twice $$ >> pids; exec sleep 600' &) & )
    until [ "$(wc -l < pids)" -eq 3 ]; do sleep 0.02; done 2>/dev/null
    echo started`;

  function pids(): number[] {
    const lines = readFileSync(join(work, 'pids'), 'utf8').trim().split('\n');
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual(['away', 'deaf', 'twice']);
    return lines.map((line) => Number(line.split(' ')[1]));
  }

  async function isStarted(): Promise<void> {
    while (!existsSync(join(work, 'pids')) || readFileSync(join(work, 'pids'), 'utf8').split('\n').length < 4) {
      await realClock.sleep(10);
    }
  }

  linux('by time takes all that it started along, the deaf and those that left', async () => {
    writeFileSync(join(work, 'pids'), '');
    const groups: string[] = [];
    // Its time is over when all have begun, however long that takes; what it printed before is read by the next turn.
    const clock: Clock = {
      ...quick,
      async sleep(ms, signal) {
        if (ms !== 12_000) return quick.sleep(ms, signal);
        while (!existsSync(join(work, 'up'))) await realClock.sleep(10, signal);
        await realClock.sleep(10, signal);
      },
    };
    const found = await error(
      { command: `${family}; touch up; sleep 600`, timeoutMs: 12_000 },
      { clock, spawned: (pid) => groups.push(`+${pid}`), ended: (pid) => groups.push(`-${pid}`) },
    );
    expect(found).toMatchObject({ code: 'timeout', text: 'started', message: expect.stringContaining('12000 ms') });
    expect(pids().filter(isRunning)).toEqual([]);
    expect(groups).toHaveLength(2);
    expect(groups[1]).toBe(groups[0]?.replace('+', '-'));
  });

  linux('by an abort too, and then it rejects with the reason', async () => {
    writeFileSync(join(work, 'pids'), '');
    const stop = new AbortController();
    const running = run({ command: `${family}; sleep 600` }, { clock: quick, signal: stop.signal });
    await isStarted();
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(pids().filter(isRunning)).toEqual([]);
  });

  linux('by itself too: what it leaves in the background is ended, and it says so', async () => {
    writeFileSync(join(work, 'pids'), '');
    expect(await text({ command: family }, { clock: quick })).toBe(
      'started\n[what it had left running in the background was ended]',
    );
    expect(pids().filter(isRunning)).toEqual([]);
  });

  linux('what took the mark off is found by the output that it holds', async () => {
    const script = `env -i ${'PATH="$PATH"'} setsid sh -c 'echo $$ > pid; exec sleep 600' & until [ -s pid ]; do sleep 0.02; done`;
    expect(await text({ command: script })).toContain('was ended');
    expect(isRunning(Number(readFileSync(join(work, 'pid'), 'utf8')))).toBe(false);
  });

  linux('who takes over after a crash knows the mark by the pid', async () => {
    const marks: string[] = [];
    await text(
      { command: `echo "$${markName}" > mark; grep -z ^${markName}= /proc/$$/environ | tr -d '\\0' > own` },
      { spawned: (pid) => marks.push(String(pid)) },
    );
    const mark = readFileSync(join(work, 'mark'), 'utf8').trim();
    expect(mark.startsWith(`${marks[0]} ${bootId()} `)).toBe(true);
    expect(mark).toMatch(/ \d+$/);
    expect(readFileSync(join(work, 'own'), 'utf8')).toBe(`${markName}=${mark}`);
    expect(markedProcesses(mark)).toEqual([]);
  });

  it('is not begun where the signal is aborted already', async () => {
    const signal = AbortSignal.abort(new Error('before'));
    await expect(run({ command: 'touch made' }, { signal })).rejects.toThrow('before');
    expect(existsSync(join(work, 'made'))).toBe(false);
  });

  it('leaves no file behind', async () => {
    const own = join(dir, 'tmp');
    mkdirSync(own);
    // Others use the one of the system at the same time.
    vi.stubEnv('TMPDIR', own);
    vi.stubEnv('TEMP', own);
    try {
      expect(tmpdir()).toBe(own);
      expect(await text({ command: 'cat', stdin: 'x' })).toBe('x');
    } finally {
      vi.unstubAllEnvs();
    }
    expect(readdirSync(own)).toEqual([]);
  });
});

it('what rules are held against is the script, or the words as a shell would be given them', () => {
  const { subjects } = shellTool();
  if (process.platform !== 'win32') expect(subjects({ command: 'a; b' }, { workspace: work })).toEqual(['a; b']);
  expect(subjects({ argv: ['git', 'commit', '-m', 'a b'] }, { workspace: work })).toEqual(["git commit -m 'a b'"]);
  expect(subjects({ argv: ['sh'], stdin: 'git push' }, { workspace: work })).toEqual(["sh <<'STDIN'\ngit push\nSTDIN"]);
  expect(subjects({ argv: [] }, { workspace: work })).toEqual([]);
  expect(subjects({ command: 5 }, { workspace: work })).toEqual([]);
});

it('on Windows a script is handed to PowerShell as one argument', () => {
  const [file, ...args] = powershellLine('echo "a"\necho b', 'C:\\powershell.exe');
  expect([file, ...args.slice(0, -1)]).toEqual([
    'C:\\powershell.exe',
    '-NoProfile',
    '-NonInteractive',
    '-EncodedCommand',
  ]);
  expect(Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le')).toMatch(
    /\necho "a"\necho b\nexit \$LASTEXITCODE$/,
  );
});

it.runIf(process.platform !== 'win32')(
  'git takes no settings from a folder that only looks like a repository',
  async () => {
    mkdirSync(join(work, 'bare/objects'), { recursive: true });
    mkdirSync(join(work, 'bare/refs'));
    writeFileSync(join(work, 'bare/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(work, 'bare/config'), '[core]\n\tbare = true\n[alias]\n\tx = !touch ran\n');
    expect((await error({ argv: ['git', 'x'], cwd: 'bare' })).code).toBe('failed');
    expect(existsSync(join(work, 'bare/ran'))).toBe(false);
  },
);
