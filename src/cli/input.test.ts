/** What commands read: every way a path can be wrong gets one clear answer and exit 2. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inputFile } from './input.ts';
import { type Scratch, scratch } from './scratch.ts';
import { quoteForShell } from './shell.ts';
import { writeBack } from './write.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const refused = (word: string, ...more: string[]) => refusedBy(['check', 'fmt', 'parse', 'explain'], word, ...more);
const refusedAsFile = (word: string) => refusedBy(['check', 'fmt', 'parse'], word);

async function refusedBy(commands: readonly string[], word: string, ...more: string[]) {
  const answers = new Set<string>();
  for (const command of commands) {
    const { code, out, err } = await s.cli([command, ...more, word]);
    expect({ command, code, out }).toEqual({ command, code: 2, out: '' });
    answers.add(err);
  }
  expect(answers.size).toBe(1);
  return [...answers][0] ?? '';
}

describe('a path that cannot be read', () => {
  it('is an address', async () => {
    expect(await refused('http://x/y.toon')).toBe(
      'toolang: "http://x/y.toon" is an address: only files are read.\n  Load it first, look at it, and name the file.\n',
    );
  });

  it('is missing', async () => {
    expect(await refused('x.too')).toBe(
      'toolang: "x.too" does not exist. (TOO5001)\n  Check the spelling of the path.\n',
    );
    // To explain it, it could be an agent from elsewhere.
    expect(await refusedAsFile('no/where')).toContain('"no/where" does not exist. (TOO5001)');
    s.write('hello.too', '');
    expect(await refused('helo.too')).toBe(
      'toolang: "helo.too" does not exist. (TOO5001)\n  Did you mean "hello.too"?\n',
    );
    expect(await refusedAsFile('hello')).toContain('Did you mean "hello.too"?');
    expect((await s.cli(['explain', 'hello'])).err).toContain('there is no agent "hello". Did you mean "hello.too"?');
    expect(await refused('hello.too/x.too')).toContain('does not exist: a part of its path is a file. (TOO5001)');
  });

  it('is a directory where a file is needed, or one without files', async () => {
    mkdirSync(s.at('sub.too'));
    for (const command of ['parse', 'explain']) {
      const { code, err } = await s.cli([command, 'sub.too']);
      expect({ code, err }).toEqual({
        code: 2,
        err: 'toolang: "sub.too" is a directory, not a file. (TOO5002)\n  Name a file in it.\n',
      });
    }
    for (const command of ['check', 'fmt']) {
      expect((await s.cli([command, 'sub.too'])).err).toBe(
        'toolang: there is no .too or .toon file in "sub.too".\n  Make one: toolang new NAME\n',
      );
    }
  });

  it('is not text', async () => {
    s.write('nul.too', 'thunk:\n  us\0er: x\n');
    expect(await refused('nul.too')).toContain('it holds a NUL byte at line 2, column 5. (TOO5005)');
    s.write('latin.too', Buffer.from('thunk:\n  user: Gr\xfc\xdfe\n', 'latin1'));
    expect(await refused('latin.too')).toContain('byte 0xfc does not belong at line 2, column 11. (TOO5006)');
    s.write('wide.too', Buffer.from('\ufeffthunk:\n', 'utf16le'));
    expect(await refused('wide.too')).toContain('"wide.too" is UTF-16 text: save it as UTF-8. (TOO5006)');
    const piped = await s.cli(['check', '-'], { stdin: Buffer.from([0x61, 0xff]) });
    expect(piped).toEqual({
      code: 2,
      out: '',
      err: 'toolang: "<stdin>" is not UTF-8 text: byte 0xff does not belong at line 1, column 2. (TOO5006)\n',
    });
  });

  it('is too large, and is not even opened', async () => {
    s.write('huge.too', '');
    truncateSync(s.at('huge.too'), 100 * 1024 * 1024);
    expect(await refused('huge.too')).toContain('has 100 MB, more than the 16 MB that may be read. (TOO5004)');
  });

  it('is a pipe, a device, or leads in a circle', async () => {
    symlinkSync('loop.too', s.at('loop.too'));
    expect(await refused('loop.too')).toContain('its links lead in a circle. (TOO5007)');
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [s.at('pipe.too')]);
    expect(await refused('pipe.too')).toContain('"pipe.too" is a pipe, not a file; write "-"');
    expect(await refused('/dev/null')).toContain('"/dev/null" is a device, not a file');
  });

  it('is too long', async () => {
    expect(await refused(`${'x'.repeat(5000)}.too`)).toContain('the path is too long. (TOO5007)');
    expect(await refused(`${'x/'.repeat(5000)}a.too`)).toContain('(TOO5007)');
  });

  it('has another extension', async () => {
    s.write('README.md', '');
    expect(await refused('README.md')).toContain(
      '"README.md" is not a .too or .toon file.\n  To read it anyway, write "-"',
    );
    s.write('too', '');
    expect(await refused('too')).toContain('"too" is not a .too or .toon file.');
  });

  it('holds what a terminal would obey', async () => {
    expect(await refused('a\x1b[31m\n\u202e.too')).toBe(
      'toolang: "a\\u001b[31m\\u000a<U+202E>.too" does not exist. (TOO5001)\n  Check the spelling of the path.\n',
    );
  });

  it('begins with a dash', async () => {
    expect((await s.cli(['check', '-x.too'])).err).toContain('a file whose name starts with "-" goes after "--"');
    expect(await refused('-x.too', '--')).toContain('"-x.too" does not exist. (TOO5001)');
    s.write('-x.too', 'thunk:\n  user: hi\n');
    for (const command of ['check', 'fmt', 'parse', 'explain']) {
      expect((await s.cli([command, '--', '-x.too'])).code).toBe(0);
    }
  });
});

it('takes names with blanks, quotes and letters of any language', async () => {
  for (const name of ['my agent.too', "it's.too", '日本 ü.too', 'a%20b.too', '.too', 'sub dir/x.too']) {
    s.write(name, 'thunk:\n  user: hi\n');
    expect(await s.cli(['check', name])).toEqual({ code: 0, out: '', err: 'no problems in 1 file\n' });
  }
});

it('names files by the rules of the platform', () => {
  expect(inputFile('a\\b.too', 'C:\\work', win32)).toEqual({ path: 'C:\\work\\a\\b.too', name: 'a\\b.too' });
  expect(inputFile('c:/WORK/b.too', 'C:\\work', win32)).toEqual({ path: 'c:\\WORK\\b.too', name: 'b.too' });
  expect(inputFile('D:\\x.too', 'C:\\work', win32)).toEqual({ path: 'D:\\x.too', name: 'D:\\x.too' });
  expect(inputFile('\\\\host\\share\\x.too', 'C:\\work', win32).name).toBe('\\\\host\\share\\x.too');
  expect(inputFile('../x.too', '/work', posix)).toEqual({ path: '/x.too', name: '/x.too' });
});

it('quotes words for the shell of the platform', () => {
  expect(quoteForShell('a b', 'linux')).toBe("'a b'");
  expect(quoteForShell("it's", 'linux')).toBe("'it'\\''s'");
  expect(quoteForShell('-x', 'linux')).toBe("'-x'");
  expect(quoteForShell('agents\\hello', 'win32')).toBe('agents\\hello');
  expect(quoteForShell('my agents\\hello', 'win32')).toBe('"my agents\\hello"');
});

it('says why a file cannot be written, and leaves it as it was', async () => {
  s.write('a.too', 'old');
  expect(await writeBack(s.at('a.too/x.too'), 'a.too/x.too', 'new')).toEqual({
    message: '"a.too/x.too" cannot be written: a part of its path is a file.',
    help: 'The file is as it was.',
  });
  expect(await writeBack(s.dir, '.', 'new')).toMatchObject({ message: '"." is a directory, not a file.' });
  expect(await writeBack(s.at('no/a.too'), 'no/a.too', 'new')).toMatchObject({
    message: '"no/a.too" cannot be written: its directory does not exist.',
  });
  expect(s.read('a.too')).toBe('old');
  expect(await writeBack(s.at('a.too'), 'a.too', 'new')).toBeUndefined();
  expect(s.read('a.too')).toBe('new');
});
