import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, type PlatformPath, posix, win32 } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  findRoot,
  type HomeHost,
  homeOfDirectory,
  homeOfFile,
  homeOfGuest,
  homeOfResident,
  machineHost,
} from './home.ts';
import { agentPlaces } from './places.ts';

function host(path: PlatformPath, directories: string[], extra: Partial<HomeHost> = {}): HomeHost {
  const windows = path.sep === '\\';
  return {
    path,
    cwd: windows ? 'C:\\Users\\ann' : '/home/ann',
    env: {},
    homeDirectory: windows ? 'C:\\Users\\ann' : '/home/ann',
    isDirectory: (dir) => directories.some((known) => path.relative(known, dir) === ''),
    realPath: (dir) => dir,
    ...extra,
  };
}

function dirOf(result: ReturnType<typeof homeOfFile>): string {
  if (!result.ok) throw new Error(result.problem.message);
  return `${result.places.kind} ${result.places.dir}`;
}

describe('on POSIX', () => {
  const h = host(posix, ['/home/ann/.toolang', '/home/ann/code/.toolang']);

  test('the root is --root, TOOLANG_ROOT, or ~/.toolang', () => {
    expect(findRoot(h).dir).toBe('/home/ann/.toolang');
    expect(findRoot({ ...h, env: { TOOLANG_ROOT: '' } }).dir).toBe('/home/ann/.toolang');
    expect(findRoot({ ...h, env: { TOOLANG_ROOT: 'rel' } }).dir).toBe('/home/ann/rel');
    expect(findRoot({ ...h, env: { TOOLANG_ROOT: '~/x' } }).dir).toBe('/home/ann/x');
    expect(findRoot({ ...h, env: { TOOLANG_ROOT: '/env' } }, { root: '/opt/t' }).dir).toBe('/opt/t');
  });

  test.each([
    ['code/a.too', 'roaming /home/ann/code'],
    ['code/deep/er/a.toon', 'roaming /home/ann/code'],
    ['other/a.too', 'roaming /home/ann/other'],
    ['/srv/a.too', 'roaming /srv'],
    ['.toolang/agents/bob/agent.too', 'resident /home/ann/.toolang/agents/bob'],
    ['.toolang/agents/bob/bob.too', 'resident /home/ann/.toolang/agents/bob'],
    ['.toolang/agents/bob/flows/x.toon', 'resident /home/ann/.toolang/agents/bob'],
  ])('the home of %s is %s', (file, home) => {
    expect(dirOf(homeOfFile(file, h))).toBe(home);
  });

  test('a file whose .toolang would be the root is an error that says what to do', () => {
    const result = homeOfFile('a.too', h);
    expect(result).toEqual({
      ok: false,
      problem: {
        code: 'TOO5120',
        message: '"a.too" lies directly in "/home/ann", whose ".toolang" is the Toolang root.',
        help: 'Put it in a folder, such as "/home/ann/agents", or set TOOLANG_ROOT.',
      },
    });
    expect(homeOfFile('a.too', host(posix, [])).ok).toBe(false);
    expect(dirOf(homeOfFile('a.too', { ...h, env: { TOOLANG_ROOT: '/opt/t' } }))).toBe('roaming /home/ann');
    expect(homeOfFile('/opt/a.too', { ...h, env: { TOOLANG_ROOT: '/opt/.toolang' } }).ok).toBe(false);
  });

  test('the search goes past the root, and a file named .toolang is none', () => {
    expect(dirOf(homeOfFile('x/a.too', host(posix, ['/home/ann/.toolang', '/home/.toolang'])))).toBe('roaming /home');
  });

  test('--home decides, and must be there', () => {
    const with_ = host(posix, ['/data', '/home/ann', '/home/ann/.toolang/agents/bob']);
    expect(dirOf(homeOfFile('code/a.too', with_, { home: '/data' }))).toBe('roaming /data');
    expect(dirOf(homeOfFile('a.too', with_, { home: '.toolang/agents/bob' }))).toMatch(/^resident/);
    expect(homeOfFile('a.too', with_, { home: '/no' })).toMatchObject({ problem: { code: 'TOO5121' } });
    expect(homeOfFile('a.too', with_, { home: '/home/ann' })).toMatchObject({
      problem: { code: 'TOO5120', message: '--home names "/home/ann", whose ".toolang" is the Toolang root.' },
    });
  });

  test('a directory is in a home or in none', () => {
    expect(homeOfDirectory('code/deep', h)).toMatchObject({ ok: true, places: { dir: '/home/ann/code' } });
    expect(homeOfDirectory('.', h)).toEqual({ ok: true, places: undefined });
    expect(homeOfDirectory('.toolang/agents/bob', h)).toMatchObject({ places: { kind: 'resident' } });
    expect(homeOfDirectory('.toolang/agents', h)).toEqual({ ok: true, places: undefined });
  });

  test('everything has one place', () => {
    const roaming = homeOfFile('code/a.too', h);
    expect(roaming.ok && roaming.places).toMatchObject({
      config: '/home/ann/code/.toolang/config.toml',
      uses: '/home/ann/code/.toolang/agents.too',
      caps: { skill: '/home/ann/code/.toolang/skills', psyche: '/home/ann/code/.toolang/psyches' },
      sync: '/home/ann/code/.toolang/sync',
      lock: '/home/ann/code/toolang.lock',
      runs: '/home/ann/code/.toolang/runs.db',
      root: { config: '/home/ann/.toolang/config.toml', lock: '/home/ann/.toolang/toolang.lock' },
    });
    expect(roaming.ok && agentPlaces(roaming.places, 'a', posix)).toEqual({
      sync: '/home/ann/code/.toolang/agents/a/sync',
      state: '/home/ann/code/.toolang/sync/a.state.json',
    });
    const resident = homeOfResident('bob', h, { store: 'here.db' });
    expect(resident.ok && resident.places).toMatchObject({
      config: '/home/ann/.toolang/agents/bob/config.toml',
      uses: '/home/ann/.toolang/agents/bob/agents.too',
      caps: { service: '/home/ann/.toolang/agents/bob/services' },
      sync: '/home/ann/.toolang/agents/bob/.toolang/sync',
      view: '/home/ann/.toolang/agents/bob/.caps',
      runs: '/home/ann/here.db',
    });
    const guest = homeOfGuest('x', 'abc123', h);
    expect(guest.ok && guest.places).toMatchObject({
      kind: 'visiting',
      dir: '/home/ann/.toolang/guests/x-abc123',
      config: '/home/ann/.toolang/guests/x-abc123/.toolang/config.toml',
    });
    expect(guest.ok && guest.places.caps).toBeUndefined();
  });

  test('an agent name never leads out of the root', () => {
    for (const name of ['..', '.', '', 'a/b', '../x', 'a\\b', '.hidden', 'a\0']) {
      expect(homeOfResident(name, h)).toMatchObject({ ok: false, problem: { code: 'TOO5122' } });
      expect(homeOfGuest(name, 'abc', h).ok).toBe(false);
    }
  });
});

describe('on Windows', () => {
  const h = host(win32, ['c:\\users\\Ann\\.toolang', 'D:\\Code\\.toolang', '\\\\host\\share\\p\\.toolang']);

  test.each([
    ['D:\\code\\sub\\a.too', 'roaming D:\\code'],
    ['D:/code/sub/a.too', 'roaming D:\\code'],
    ['D:\\a.too', 'roaming D:\\'],
    ['\\\\host\\share\\p\\q\\a.too', 'roaming \\\\host\\share\\p'],
    ['\\\\host\\share\\a.too', 'roaming \\\\host\\share\\'],
    ['c:\\USERS\\ann\\.toolang\\agents\\bob\\agent.too', 'resident C:\\Users\\ann\\.toolang\\agents\\bob'],
    ['sub\\a.too', 'roaming C:\\Users\\ann\\sub'],
  ])('the home of %s is %s', (file, home) => {
    expect(dirOf(homeOfFile(file, h))).toBe(home);
  });

  test('letter case does not hide that a home is the root', () => {
    expect(homeOfFile('C:\\USERS\\ANN\\a.too', h)).toMatchObject({ problem: { code: 'TOO5120' } });
    expect(findRoot({ ...h, env: { TOOLANG_ROOT: '~\\t' } }).dir).toBe('C:\\Users\\ann\\t');
  });
});

describe('on this machine', () => {
  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'toolang-home-'));
    await mkdir(join(dir, 'real', 'p', '.toolang'), { recursive: true });
    await symlink(join(dir, 'real'), join(dir, 'link'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  test('links do not hide the root, even before it exists', () => {
    const at = { ...machineHost(), env: {}, homeDirectory: join(dir, 'real') };
    expect(homeOfFile(join(dir, 'link', 'a.too'), at)).toMatchObject({ problem: { code: 'TOO5120' } });
    expect(homeOfFile(join(dir, 'link', 'p', 'x', 'a.too'), at)).toMatchObject({
      places: { dir: join(dir, 'link', 'p') },
    });
    expect(homeOfFile(join(dir, 'link', '.toolang', 'agents', 'b', 'agent.too'), at)).toMatchObject({
      places: { kind: 'resident', dir: join(dir, 'real', '.toolang', 'agents', 'b') },
    });
  });

  test('a HOME that is empty or relative is none: the user is asked of the system', () => {
    for (const HOME of ['', 'here', './here']) {
      expect(isAbsolute(machineHost({ cwd: dir, env: { HOME } }).homeDirectory)).toBe(true);
    }
    expect(machineHost({ cwd: dir, env: { HOME: dir } }).homeDirectory).toBe(dir);
  });
});
