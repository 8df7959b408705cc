import { posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { commandLine } from './command-line.ts';
import { displayPath, findCommand, samePath } from './paths.ts';

test.each([
  [posix, '/code/a/b.too', '/code', 'a/b.too'],
  [posix, '/code', '/code', '.'],
  [posix, '/other/b.too', '/code', '/other/b.too'],
  [posix, '/workshop/b.too', '/code', '/workshop/b.too'],
  [posix, '/code/..b.too', '/code', '..b.too'],
  [posix, 'a/../b.too', '/code', 'b.too'],
  [win32, 'C:\\Code\\a\\b.too', 'c:\\code', 'a\\b.too'],
  [win32, 'D:\\code\\b.too', 'C:\\code', 'D:\\code\\b.too'],
  [win32, 'a/b.too', 'C:\\code', 'a\\b.too'],
  [win32, '\\\\host\\share\\dir\\b.too', '\\\\host\\share\\dir', 'b.too'],
  [win32, '\\\\host\\share\\b.too', 'C:\\code', '\\\\host\\share\\b.too'],
])('shows a path below the current directory relative, others whole: %#', (path, file, cwd, shown) => {
  expect(displayPath(file, cwd, path)).toBe(shown);
});

test('compares paths by the rules of the platform', () => {
  expect(samePath('C:/Users/Ann', 'c:\\users\\ann\\', win32)).toBe(true);
  expect(samePath('/home/ann', '/home/Ann', posix)).toBe(false);
});

test('finds commands on Windows with the endings of PATHEXT, never in the current directory', () => {
  const files = [
    'C:\\node\\npx',
    'C:\\node\\npx.cmd',
    'C:\\bin dir\\uvx.exe',
    'C:\\code\\evil.exe',
    'C:\\code\\t\\x.js.cmd',
  ];
  const host = {
    path: win32,
    platform: 'win32' as const,
    cwd: 'C:\\code',
    env: { Path: '"C:\\bin dir";C:\\node;', PATHEXT: '.EXE;.CMD' },
    isExecutable: (file: string) => files.includes(file),
  };
  expect(findCommand('npx', host)).toBe('C:\\node\\npx.cmd');
  expect(findCommand('uvx.exe', host)).toBe('C:\\bin dir\\uvx.exe');
  expect(findCommand('evil', host)).toBeUndefined();
  expect(findCommand('.\\evil', host)).toBe('C:\\code\\evil.exe');
  expect(findCommand('t/x.js', host)).toBe('C:\\code\\t\\x.js.cmd');
  expect(findCommand('', host)).toBeUndefined();
});

test('finds commands on POSIX in PATH, and only there', () => {
  const host = {
    path: posix,
    platform: 'linux' as const,
    cwd: '/code',
    env: { PATH: '/usr/bin::bin' },
    isExecutable: (file: string) => ['/code/bin/x', '/usr/bin/git', '/code/here'].includes(file),
  };
  expect(findCommand('git', host)).toBe('/usr/bin/git');
  expect(findCommand('x', host)).toBe('/code/bin/x');
  expect(findCommand('here', host)).toBeUndefined();
  expect(findCommand('./here', host)).toBe('/code/here');
});

test('runs .cmd files through cmd.exe with every special character escaped', () => {
  const built = commandLine('C:\\n\\npx.cmd', ['a b', '%PATH%&calc', 'say "hi"\\'], 'win32', 'C:\\cmd.exe');
  if (!built.ok) throw new Error(built.message);
  expect(built.line).toMatchObject({ file: 'C:\\cmd.exe', verbatim: true });
  expect(built.line.args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
  const line = built.line.args[3] ?? '';
  // cmd.exe takes carets away twice: once for the line, once for the script it calls.
  const read = (text: string) => text.replace(/\^(.)/g, '$1');
  const [, ...words] = splitUnescaped(line.slice(1, -1));
  expect(words.map((word) => read(read(word)))).toEqual(['"a b"', '"%PATH%&calc"', '"say \\"hi\\"\\\\"']);
  expect(line.slice(1, -1)).not.toMatch(/(^|[^^])[&|<>"]/);
  expect(commandLine('x.cmd', ['a\nb'], 'win32')).toMatchObject({ ok: false });
  expect(commandLine('x.exe', ['a\nb'], 'win32')).toMatchObject({ ok: true, line: { file: 'x.exe', verbatim: false } });
  expect(commandLine('x', ['\0'], 'linux')).toMatchObject({ ok: false });
});

function splitUnescaped(line: string): string[] {
  return line.match(/(?:\^.|[^ ^])+/g) ?? [];
}
