/** Every way out of the workspace that we could think of, and what is off limits in it: each is a row. */
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, posix, win32 } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { homePlaces, rootPlaces } from '../../config/index.ts';
import { placeOf } from './confine.ts';
import { guardOf } from './guard.ts';
import { type Bench, createBench, secret } from './kit.ts';
import { noGuard } from './off-limits.ts';
import { openFile } from './open-file.ts';
import { readPathText } from './path-text.ts';
import { filesystemTools } from './tools.ts';
import { writeInside } from './write-file.ts';

let bench: Bench;
const at = (path: string) => join(bench.workspace, path);

beforeAll(() => {
  bench = createBench();
  const { outside } = bench;
  bench.file('inside.txt', 'inside');
  bench.file('sub/file.txt', 'inside');
  mkdirSync(join(outside, 'deep'));
  symlinkSync(outside, at('dir-link'));
  symlinkSync(join(outside, 'secret.txt'), at('file-link'));
  symlinkSync('../outside/secret.txt', at('relative-link'));
  symlinkSync('file-link', at('chain-1'));
  symlinkSync('chain-1', at('chain-2'));
  symlinkSync('loop-b', at('loop-a'));
  symlinkSync('loop-a', at('loop-b'));
  symlinkSync(join(outside, 'not-there'), at('dangling'));
  symlinkSync('..', at('parent-link'));
  symlinkSync('../..', at('sub/grandparent'));
  symlinkSync('/', at('root-link'));
  symlinkSync('/proc/self/root', at('proc-link'));
  symlinkSync('/dev/stdin', at('stdin-link'));
  symlinkSync('sub/../../outside/secret.txt', at('dotted-link'));
  symlinkSync('sub', at('sub-link'));
  // Its name begins as that of the workspace.
  mkdirSync(`${bench.workspace}-more`);
  writeFileSync(`${bench.workspace}-more/a.txt`, secret);
});
afterAll(() => bench.remove());

const outsidePaths: readonly (readonly [string, (bench: Bench) => string])[] = [
  ['a step up', () => '../outside/secret.txt'],
  ['the folder above itself', () => '..'],
  ['a step down and two up', () => 'sub/../../outside/secret.txt'],
  ['a folder that is not there and two up', () => 'nope/../../outside/secret.txt'],
  ['many steps up', () => '../../../../../../../../etc/passwd'],
  ['steps up with doubled slashes', () => './/..//outside/secret.txt'],
  ['an absolute path', () => '/etc/passwd'],
  ['an absolute path with a doubled slash', () => '//etc/passwd'],
  ['an absolute path beside the workspace', ({ outside }) => join(outside, 'secret.txt')],
  ['a path that begins as the workspace does', ({ workspace }) => `${workspace}-more/a.txt`],
  ['an absolute path that leads back out', ({ workspace }) => `${workspace}/../outside/secret.txt`],
  ['the home directory', () => '~/.bashrc'],
  ['the home directory alone', () => '~'],
  ['the home directory of another', () => '~root/.bashrc'],
  ['an address of a file', ({ outside }) => `file://${outside}/secret.txt`],
  ['an address of a file without slashes', () => 'file:/etc/passwd'],
  ['a web address', () => 'http://localhost/x'],
  ['a link to a folder outside', () => 'dir-link/secret.txt'],
  ['a link to a folder outside, itself', () => 'dir-link'],
  ['what is not there behind a link', () => 'dir-link/not-there/x'],
  ['a link to a file outside', () => 'file-link'],
  ['a relative link to a file outside', () => 'relative-link'],
  ['a link with dots in it', () => 'dotted-link'],
  ['a chain of links', () => 'chain-2'],
  ['a dangling link', () => 'dangling'],
  ['a link to the folder above', () => 'parent-link/outside/secret.txt'],
  ['a link to the folder above, from below', () => 'sub/grandparent/outside/secret.txt'],
  ['a link to a folder that leads up', () => 'sub-link/grandparent/outside/secret.txt'],
  ['a link to the root', () => 'root-link/etc/passwd'],
  ['a link through /proc', () => 'proc-link/etc/passwd'],
  ['/proc/self/root', () => '/proc/self/root/etc/passwd'],
  ['/proc/self/cwd', () => '/proc/self/cwd/package.json'],
  ['/proc/self/environ', () => '/proc/self/environ'],
  ['/dev/fd', () => '/dev/fd/0'],
  ['/dev/stdin', () => '/dev/stdin'],
  ['a link to /dev/stdin', () => 'stdin-link'],
  ['a NUL byte', () => 'inside.txt\0.png'],
  ['a NUL byte before an escape', () => '\0../outside/secret.txt'],
  ['a line end', () => 'inside.txt\n../x'],
  ['fullwidth dots', () => '\uff0e\uff0e/outside/secret.txt'],
  ['a two dot leader', () => '\u2025/outside/secret.txt'],
  ['one dot leaders', () => '\u2024\u2024/outside/secret.txt'],
  ['fullwidth slashes', () => '..\uff0foutside\uff0fsecret.txt'],
  ['division slashes', () => '..\u2215outside\u2215secret.txt'],
  ['fraction slashes', () => '..\u2044outside\u2044secret.txt'],
  ['fullwidth backslashes', () => '..\uff3coutside'],
  ['half a character', () => 'a\ud800/../../x'],
  ['backslashes', () => '..\\..\\outside\\secret.txt'],
  ['mixed slashes', () => 'sub/..\\..\\outside/secret.txt'],
  ['a drive', () => 'C:\\Windows\\win.ini'],
  ['a share', () => '\\\\server\\share\\x'],
  ['a long form of Windows', () => '\\\\?\\C:\\x'],
  ['an empty path', () => ''],
  ['blanks', () => '   '],
  ['a very long path', () => 'a/'.repeat(3000)],
];

describe('out of the workspace', () => {
  test('there are more than thirty ways', () => expect(outsidePaths.length).toBeGreaterThanOrEqual(30));

  test.each(outsidePaths)('%s', async (_, make) => {
    const path = make(bench);
    const before = readFileSync(join(bench.outside, 'secret.txt'), 'utf8');
    const calls = [
      ['read', { path }],
      ['list', { path }],
      ['glob', { path, pattern: '**' }],
      ['grep', { path, pattern: 'SECRET' }],
      ['write', { path, content: 'x' }],
      ['edit', { path, old: secret, new: 'x' }],
    ] as const;
    for (const [name, args] of calls) {
      const error = await bench.error(name, args);
      expect([name, error.code]).toEqual([name, 'denied']);
      expect(error.message).not.toContain(secret);
    }
    expect(readFileSync(join(bench.outside, 'secret.txt'), 'utf8')).toBe(before);
    expect(existsSync(join(bench.outside, 'not-there'))).toBe(false);
  });

  test('nothing outside is told to exist: what is there and what is not give the same words', async () => {
    for (const [there, not] of [
      ['dir-link/secret.txt', 'dir-link/nothing.txt'],
      ['../outside/secret.txt', '../outside/nothing.txt'],
      ['parent-link/outside', 'parent-link/nothing'],
    ] as const) {
      const messages = await Promise.all(
        [there, not].map(async (path) => (await bench.error('read', { path })).message),
      );
      expect(messages[0]?.replaceAll(there, 'X')).toBe(messages[1]?.replaceAll(not, 'X'));
    }
  });

  test('links that lead in a circle end, and names that are too long are told', async () => {
    expect((await bench.error('read', { path: 'loop-a' })).message).toContain('lead in a circle');
    expect((await bench.error('write', { path: 'loop-a/x', content: '' })).message).toContain('lead in a circle');
    expect((await bench.error('read', { path: 'x'.repeat(300) })).code).toBe('arguments');
  });

  test('walks follow no link, and show nothing of where it leads', async () => {
    expect(await bench.text('grep', { pattern: 'SECRET' })).toBe('[nothing was found]');
    expect(await bench.text('glob', { pattern: 'secret.txt' })).toBe('[no file fits]');
    expect(await bench.text('list', { depth: 5 })).not.toContain('secret.txt');
  });

  test('links that stay inside are followed', async () => {
    expect(await bench.text('read', { path: 'sub-link/file.txt' })).toBe('inside');
  });
});

describe('what is swapped in between', () => {
  test('a file that became a link is not read', () => {
    const area = { workspace: bench.workspace, guard: noGuard };
    bench.file('swap.txt', 'inside');
    const place = placeOf('swap.txt', area, 'read');
    unlinkSync(at('swap.txt'));
    symlinkSync(join(bench.outside, 'secret.txt'), at('swap.txt'));
    expect(() => openFile(place, area)).toThrow('was changed by somebody else');
  });

  test('a folder that became a link is not read through', () => {
    const area = { workspace: bench.workspace, guard: noGuard };
    bench.file('swapped/secret.txt', 'inside');
    const place = placeOf('swapped/secret.txt', area, 'read');
    renameSync(at('swapped'), at('moved'));
    symlinkSync(bench.outside, at('swapped'));
    expect(() => openFile(place, area)).toThrow('was changed by somebody else');
  });

  test.skipIf(process.platform !== 'linux')('a folder that became a link is not written through', async () => {
    const area = { workspace: bench.workspace, guard: noGuard };
    bench.file('target/a.txt', 'inside');
    const place = placeOf('target/b.txt', area, 'write');
    rmSync(at('target'), { recursive: true });
    symlinkSync(bench.outside, at('target'));
    await expect(writeInside(place, area, 'x')).rejects.toThrow('was changed by somebody else');
    expect(existsSync(join(bench.outside, 'b.txt'))).toBe(false);
  });

  test.skipIf(process.platform !== 'linux')('another process that swaps all the time wins nothing', async () => {
    bench.file('race/secret.txt', 'inside');
    symlinkSync(bench.outside, at('race-link'));
    // A folder and a link change places, as often as they can, until nobody reads the output any more.
    const script = `
      const { renameSync } = require('node:fs');
      process.chdir(process.argv[1]);
      process.stdin.resume().on('end', () => process.exit());
      console.log('ready');
      const swap = () => {
        for (let i = 0; i < 50; i++) {
          renameSync('race', 'race-real'); renameSync('race-link', 'race');
          renameSync('race', 'race-link'); renameSync('race-real', 'race');
        }
        setImmediate(swap);
      };
      swap();`;
    const swapper = spawn(process.execPath, ['-e', script, bench.workspace], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => swapper.once('exit', resolve));
    await Promise.race([ended, new Promise((resolve) => swapper.stdout.once('data', resolve))]);
    let read = 0;
    try {
      for (let i = 0; i < 3000; i++) {
        const result = await bench.call('read', { path: 'race/secret.txt' });
        if (result.ok) {
          expect(result.text).toBe('inside');
          read++;
        } else expect(result.error.code).toMatch(/denied|failed|missing/);
        if (i % 10 > 0) continue;
        const listed = await bench.call('list', { path: 'race' });
        if (listed.ok) expect(listed.text).not.toContain('deep');
      }
      expect(swapper.exitCode).toBe(null);
    } finally {
      swapper.stdin.end();
      await ended;
    }
    expect(read).toBeGreaterThan(0);
  });

  test('writing breaks a hard link, and does not reach through it', async () => {
    linkSync(join(bench.outside, 'secret.txt'), at('hard.txt'));
    await bench.text('write', { path: 'hard.txt', content: 'mine' });
    expect(readFileSync(join(bench.outside, 'secret.txt'), 'utf8')).toBe(`${secret}\n`);
  });
});

describe.skipIf(process.platform === 'win32')('what is no file', () => {
  test('a pipe does not hang, a socket and a device are not opened', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const server = createServer().listen(at('socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      for (const path of ['pipe', 'socket']) {
        expect((await bench.error('read', { path })).message).toContain(`is a ${path}, not a file`);
        expect((await bench.error('write', { path, content: 'x' })).message).toContain(`is a ${path}, not a file`);
        expect((await bench.error('edit', { path, old: 'x', new: 'y' })).code).toBe('denied');
        expect((await bench.error('grep', { path, pattern: 'x' })).code).toBe('denied');
      }
      expect(await bench.text('grep', { pattern: 'zzz' })).toContain('nothing was found');
    } finally {
      server.close();
      unlinkSync(at('pipe'));
    }
  });

  test('of a workspace that is the whole system, its own folders are off limits', async () => {
    for (const path of ['dev/null', '/proc/self/environ', 'proc/1/root', 'sys/kernel']) {
      expect((await bench.error('read', { path }, { workspace: '/' })).message).toContain('belongs to the system');
    }
  });
});

describe('off limits', () => {
  const unread = [
    '.env',
    '.ENV',
    '.Env.Local',
    '.env.production',
    'packages/app/.env',
    '.env.',
    '.env ',
    '.env::$DATA',
    '.e\u200bnv',
    '.\uff45nv',
    'ENV~1',
    '.envrc',
    'id_rsa',
    'keys/id_ed25519',
    'ID_ECDSA',
    'server.pem',
    'tls/server.KEY',
    'cert.p12',
    'cert.pfx',
    '.ssh/config',
    '.\u017fsh/config',
    '.aws/credentials',
    '.gnupg/pubring.kbx',
    '.env~',
    '.env.bak',
    '..env.swp',
    '#.env#',
    '.env_prod',
    '.env-local.old',
    'config/prod.env',
    'Prod.ENV.orig~',
    'server.key.bak',
    '.dev.vars',
    '.codex/auth.json',
    '.netrc',
    '.npmrc',
    '.pypirc',
    '.git-credentials',
    '.docker/config.json',
    '.kube/config',
    '.config/gh/hosts.yml',
    '.git/config',
    '.GIT/Config',
    '.git/modules/lib/config',
    '.toolang/runs.db',
    '.toolang/runs.db-wal',
    '.Toolang/memory.db',
    '.toolang/sync/x',
    '.toolang/logs/a.log',
  ];

  test.each(unread)('%s is neither read, found nor written', async (path) => {
    const own = createBench();
    try {
      const target = own.file(path, `${secret}\n`);
      for (const [name, args] of [
        ['read', { path }],
        ['grep', { path, pattern: 'SECRET' }],
        ['write', { path, content: 'x' }],
        ['edit', { path, old: secret, new: 'x' }],
      ] as const) {
        const error = await own.error(name, args);
        expect([name, error.code]).toEqual([name, 'denied']);
        expect(error.message).toContain('off limits');
        expect(error.message).not.toContain(secret);
      }
      expect(await own.text('grep', { pattern: 'SECRET', glob: '**' })).toMatch(/^\[nothing was found/);
      symlinkSync(path, join(own.workspace, 'innocent'));
      expect((await own.error('read', { path: 'innocent' })).code).toBe('denied');
      expect((await own.error('write', { path: 'innocent', content: 'x' })).code).toBe('denied');
      expect(readFileSync(target, 'utf8')).toBe(`${secret}\n`);
    } finally {
      own.remove();
    }
  });

  test.each([
    '.env.example',
    '.env.sample',
    '.env.production.template',
    '.env.example.bak',
    'example.env',
    'notes.bak',
    'id_rsa.pub',
    '.envelope',
    'env',
    'monkey',
    '.github/x.yml',
    '.gitignore',
    '.docker/readme.md',
  ])('%s is not', async (path) => {
    const own = createBench();
    own.file(path, 'fine');
    expect(await own.text('read', { path })).toBe('fine');
    await own.text('write', { path, content: 'also' });
    own.remove();
  });

  test.each([
    '.git/hooks/pre-commit',
    '.GIT/hooks/x',
    '.git',
    'vendor/lib/.git/HEAD',
    '.toolang/config.toml',
    '.toolang/agents.too',
    '.toolang/skills/x/SKILL.md',
    '.toolang/new',
    '.toolang',
  ])('%s is not written', async (path) => {
    const own = createBench();
    mkdirSync(join(own.workspace, '.git'));
    expect((await own.error('write', { path, content: 'x' })).message).toContain('off limits');
    own.remove();
  });

  test('what people wrote for agents is read, and git too', async () => {
    const own = createBench();
    for (const path of ['.toolang/config.toml', '.toolang/skills/x/SKILL.md', '.git/HEAD']) {
      own.file(path, 'fine');
      expect(await own.text('read', { path })).toBe('fine');
    }
    own.remove();
  });

  test('a link that is called .env hides nothing, wherever it leads', async () => {
    const own = createBench();
    own.file('real.txt', secret);
    symlinkSync('real.txt', join(own.workspace, '.env'));
    symlinkSync('.env', join(own.workspace, 'plain'));
    expect((await own.error('read', { path: 'plain' })).code).toBe('denied');
    own.remove();
  });

  test('an agent cannot write what it is made of, nor read its runs, wherever they lie', async () => {
    const own = createBench();
    const root = rootPlaces(join(own.outside, 'root'), { ...posix });
    const home = homePlaces('resident', own.workspace, root, posix, join(own.workspace, 'kept/my-runs.db'));
    const tools = createGuarded(guardOf(home, [join(own.workspace, 'agent.too')]), own.workspace);
    for (const path of [
      'config.toml',
      'agents.too',
      'skills/new/SKILL.md',
      'services/x.md',
      'toolang.lock',
      '.caps/x',
      'agent.too',
      'Agent.TOO',
    ]) {
      expect([path, (await tools.error('write', { path, content: 'x' })).code]).toEqual([path, 'denied']);
    }
    expect((await tools.error('read', { path: 'kept/my-runs.db-wal' })).code).toBe('denied');
    const { unreadable } = guardOf(homePlaces('roaming', own.workspace, root, posix));
    for (const ending of ['', '-wal', '-shm']) expect(unreadable).toContain(`${home.memory}${ending}`);
    const inside = createGuarded(guardOf(rootPlaces(join(own.workspace, 'root'), { ...posix })), own.workspace);
    own.file('root/credentials', secret);
    expect((await inside.error('read', { path: 'root/credentials' })).code).toBe('denied');
    await tools.text('write', { path: 'other.too', content: 'x' });
    own.remove();
  });
});

function createGuarded(guard: ReturnType<typeof guardOf>, workspace: string): Bench {
  const guarded = createBench(filesystemTools(guard));
  return {
    ...guarded,
    error: (name, args) => guarded.error(name, args, { workspace }),
    text: (name, args) => guarded.text(name, args, { workspace }),
  };
}

describe('the rules of Windows', () => {
  const refused = [
    '..\\x',
    'a\\..\\..\\x',
    'a/..\\../x',
    'C:\\Windows\\win.ini',
    'c:/windows/win.ini',
    'C:x',
    'D:\\ws\\a',
    '\\Windows',
    '/Windows',
    '\\\\server\\share\\x',
    '//server/share/x',
    '\\\\?\\C:\\ws\\a',
    '\\\\.\\pipe\\x',
    'C:\\ws\\..\\x',
    'C:\\wsx\\a',
    'a.txt::$DATA',
    'a:stream',
    'CON',
    'nul',
    'sub\\NUL.txt',
    'aux.c',
    'COM1',
    'lpt9.log',
    'com\u00b9',
    'CONIN$',
    'a. ',
    'a.',
    'dir \\x',
    'PROGRA~1\\x',
    'GIT~1',
    'LONGFI~1.TXT',
    'a|b',
    'a?',
    'a<b',
    '~\\x',
    'file:///C:/x',
  ];
  test.each(refused)('%s is refused', (path) => {
    expect(readPathText(path, 'C:\\ws', win32).ok).toBe(false);
  });

  test.each([
    ['a\\b.txt', ['a', 'b.txt']],
    ['a/b.txt', ['a', 'b.txt']],
    ['.\\a\\..\\b', ['b']],
    ['C:\\ws\\a', ['a']],
    ['c:/WS/a', ['a']],
    ['C:\\ws', []],
    ['console.log', ['console.log']],
    ['a~b', ['a~b']],
  ] as const)('%s is taken', (path, parts) => {
    expect(readPathText(path, 'C:\\ws', win32)).toEqual({ ok: true, parts });
  });

  test('names of other systems are names elsewhere', () => {
    for (const path of ['aux.c', 'a:b', 'x?', 'LONGFI~1.TXT', './~tmp']) {
      expect(readPathText(path, '/ws', posix).ok).toBe(true);
    }
  });
});
