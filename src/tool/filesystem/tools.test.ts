import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mostText } from '../bounded-text.ts';
import { createPolicy } from '../permission/index.ts';
import { type Bench, contextFor, createBench, secret } from './kit.ts';
import { filesystemTools } from './tools.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.remove());

describe('arguments', () => {
  test('all mistakes are told at once, with the signature, and nothing is done', async () => {
    const error = await bench.error('read', { paht: 'a', line: 0, lines: 'x', numbers: 3 });
    expect(error.code).toBe('arguments');
    expect(error.message).toContain('filesystem/read(path, line?, column?, lines?, numbers?)');
    for (const part of [
      '"/path" is missing',
      'paht',
      '"/lines" must be Number',
      '"/numbers" must be Boolean',
      '"/line" must be a whole number from 1',
    ]) {
      expect(error.message).toContain(part);
    }
  });

  test('a number or a boolean may be written as a text, and null is left out', async () => {
    bench.file('a.txt', 'one\ntwo\nthree\n');
    expect(await bench.text('read', { path: 'a.txt', line: '2', lines: '1', numbers: 'true', column: null })).toContain(
      '2  two',
    );
  });

  test('subjects are paths from the workspace, as written and where they lead', () => {
    bench.file('secrets/a.txt');
    symlinkSync('secrets', join(bench.workspace, 'pub'));
    const [read] = filesystemTools();
    const of = (path: string) => read?.subjects({ path }, { workspace: bench.workspace });
    expect(of('./x/../secrets//a.txt')).toEqual(['secrets/a.txt']);
    expect(of('pub/a.txt')).toEqual(['pub/a.txt', 'secrets/a.txt']);
    expect(of(join(bench.workspace, 'b'))).toEqual(['b']);
    expect(of('../../x')).toEqual(['../../x']);
    expect(read?.subjects({ path: 5 }, { workspace: bench.workspace })).toEqual([]);
  });

  test('an abort rejects with its reason', async () => {
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    for (const tool of filesystemTools()) {
      await expect(
        tool.run({ path: 'a', pattern: 'x' }, { ...contextFor(bench.workspace), signal: stop.signal }),
      ).rejects.toThrow('enough');
    }
  });
});

describe('read', () => {
  test('gives a text as it is, without byte order mark and with plain line ends', async () => {
    bench.file('a.txt', '\ufeffone\r\ntwo\r\n');
    bench.file('b.txt', 'no end');
    bench.file('c.txt', '');
    expect(await bench.text('read', { path: 'a.txt' })).toBe('one\ntwo\n');
    expect(await bench.text('read', { path: 'b.txt' })).toBe('no end');
    expect(await bench.text('read', { path: 'c.txt' })).toBe('[the file is empty]');
    expect(await bench.text('read', { path: join(bench.workspace, 'b.txt') })).toBe('no end');
  });

  test('gives parts, says where they end and how to read on', async () => {
    bench.file('a.txt', Array.from({ length: 5000 }, (_, i) => `line ${i + 1}`).join('\n'));
    const first = await bench.text('read', { path: 'a.txt' });
    expect(first.split('\n')).toHaveLength(2001);
    expect(first).toMatch(/\[lines 1 to 2000; the file has 47\.7 kB\. Read on with line=2001\]$/);
    const last = await bench.text('read', { path: 'a.txt', line: 4999, numbers: true });
    expect(last).toBe(' 4999  line 4999\n 5000  line 5000\n[lines 4999 to 5000; the end of the file]');
    expect(await bench.text('read', { path: 'a.txt', line: 5001 })).toBe(
      '["a.txt" has 5000 lines; there is no line 5001]',
    );
  });

  test('goes through a huge file in pages that join to the whole', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `${i} ${'🚀x'.repeat(i % 90)}`);
    bench.file('a.txt', lines.join('\n'));
    const seen: string[] = [];
    for (let line = 1; ; ) {
      const page = await bench.text('read', { path: 'a.txt', line, lines: 10_000 });
      expect(page.length).toBeLessThanOrEqual(mostText);
      const parts = page.split('\n');
      const end = parts.pop() ?? '';
      seen.push(...parts);
      const on = /line=(\d+)/.exec(end);
      if (!on) break;
      line = Number(on[1]);
    }
    expect(seen).toEqual(lines);
  });

  test('a line that is too long is given in parts, by column', async () => {
    const long = 'é🚀'.repeat(60_000);
    bench.file('a.js', `${long}\nend`);
    let column = 1;
    let seen = '';
    for (let pages = 0; pages < 10; pages++) {
      const page = await bench.text('read', { path: 'a.js', line: 1, lines: 1, column });
      const [text = '', end = ''] = page.split('\n');
      seen += text;
      const on = /column=(\d+)/.exec(end);
      if (!on) break;
      column = Number(on[1]);
    }
    expect(seen).toBe(long);
  });

  test('says what is no text, and shows none of it', async () => {
    bench.file('a.png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)]));
    bench.file('b.bin', Buffer.from([1, 0, 2]));
    bench.file('c.txt', Buffer.from('ff fe 61 00'.replaceAll(' ', ''), 'hex'));
    expect((await bench.error('read', { path: 'a.png' })).message).toBe(
      '"a.png" is a PNG image of 108 bytes, not a text; its content is not shown.',
    );
    expect((await bench.error('read', { path: 'b.bin' })).message).toContain('binary data');
    expect((await bench.error('read', { path: 'c.txt' })).message).toContain('UTF-16');
    bench.file('d.txt', Buffer.from('caf\xe9\n', 'latin1'));
    expect(await bench.text('read', { path: 'd.txt' })).toContain('caf\ufffd\n\n[it is not UTF-8 throughout');
  });

  test('says that there is nothing, or a folder', async () => {
    mkdirSync(join(bench.workspace, 'sub'));
    expect(await bench.error('read', { path: 'no.txt' })).toEqual({
      code: 'missing',
      message: '"no.txt" does not exist.',
    });
    expect((await bench.error('read', { path: 'sub' })).message).toContain('is a folder');
    bench.file('f', 'x');
    expect((await bench.error('read', { path: 'f/g' })).code).toBe('missing');
  });
});

describe('write', () => {
  test('makes folders, replaces files and keeps their mode', async () => {
    expect(await bench.text('write', { path: 'a/b/c.txt', content: 'one\ntwo' })).toBe(
      'wrote "a/b/c.txt": 2 lines, 7 bytes',
    );
    const at = join(bench.workspace, 'a/b/c.txt');
    chmodSync(at, 0o750);
    expect(await bench.text('write', { path: 'a/b/c.txt', content: '' })).toBe(
      'replaced "a/b/c.txt": 0 lines, 0 bytes',
    );
    expect(readFileSync(at, 'utf8')).toBe('');
    expect(statSync(at).mode & 0o777).toBe(0o750);
  });

  test('writes through a link that stays inside, also to what is not there yet', async () => {
    mkdirSync(join(bench.workspace, 'real'));
    symlinkSync('real/new.txt', join(bench.workspace, 'link'));
    await bench.text('write', { path: 'link', content: 'x' });
    expect(readFileSync(join(bench.workspace, 'real/new.txt'), 'utf8')).toBe('x');
  });

  test('refuses folders, files as folders, and too much', async () => {
    bench.file('f', 'x');
    expect((await bench.error('write', { path: '.', content: '' })).code).toBe('arguments');
    expect((await bench.error('write', { path: 'f/g', content: '' })).code).toBe('missing');
    expect((await bench.error('write', { path: 'g', content: 'x'.repeat(9 * 1024 * 1024) })).code).toBe('too-large');
  });
});

describe('edit', () => {
  test('replaces what stands there once, and says where', async () => {
    const at = bench.file('a.ts', 'const a = 1;\nconst b = 2;\n');
    chmodSync(at, 0o700);
    expect(await bench.text('edit', { path: 'a.ts', old: 'b = 2', new: 'b = 3' })).toBe(
      'edited "a.ts": replaced in line 2',
    );
    expect(readFileSync(at, 'utf8')).toBe('const a = 1;\nconst b = 3;\n');
    expect(statSync(at).mode & 0o777).toBe(0o700);
  });

  test('several are replaced only when that is asked for', async () => {
    const at = bench.file('a.txt', 'x\nx\ny x\n');
    const error = await bench.error('edit', { path: 'a.txt', old: 'x', new: 'z' });
    expect(error.message).toContain('holds the old text 3 times (lines 1, 2, 3)');
    expect(await bench.text('edit', { path: 'a.txt', old: 'x', new: '', all: true })).toContain(
      '3 times in lines 1, 2, 3',
    );
    expect(readFileSync(at, 'utf8')).toBe('\n\ny \n');
  });

  test('one that is not there is answered with the nearest lines', async () => {
    bench.file('a.py', 'def load(path):\n    return open(path)\n\ndef save(path, text):\n    pass\n');
    const blanks = await bench.error('edit', { path: 'a.py', old: '\treturn open(path)', new: '' });
    expect(blanks.message).toContain('Line 2: its first line is there with other blanks');
    const follows = await bench.error('edit', { path: 'a.py', old: 'def load(path):\n    return None', new: '' });
    expect(follows.message).toContain('1: def load(path):\n2:     return open(path)');
    const near = await bench.error('edit', { path: 'a.py', old: 'def store(path, text):', new: '' });
    expect(near.message).toContain('4: def save(path, text):');
    expect((await bench.error('edit', { path: 'a.py', old: 'qqqq', new: '' })).message).toContain(
      'No line is like its first one',
    );
  });

  test('keeps line ends and the byte order mark, whichever the model writes', async () => {
    const at = bench.file('a.txt', '\ufeffone\r\ntwo\r\nthree\r\n');
    await bench.text('edit', { path: 'a.txt', old: 'one\ntwo', new: '1\n2\n2b' });
    await bench.text('edit', { path: 'a.txt', old: 'three', new: '3\r\n4' });
    expect(readFileSync(at, 'utf8')).toBe('\ufeff1\r\n2\r\n2b\r\n3\r\n4\r\n');
    const mixed = bench.file('b.txt', 'a\r\nb\nc\r\n');
    await bench.text('edit', { path: 'b.txt', old: 'b\nc', new: 'b\nx\nc' });
    expect(readFileSync(mixed, 'utf8')).toBe('a\r\nb\nx\nc\r\n');
  });

  test('what would grow without end is refused, and a great many are replaced', async () => {
    const at = bench.file('a.txt', 'x\r\n'.repeat(200_000));
    expect((await bench.error('edit', { path: 'a.txt', old: 'x', new: 'y'.repeat(10_000), all: true })).code).toBe(
      'too-large',
    );
    const text = await bench.text('edit', { path: 'a.txt', old: 'x\n', new: 'z\n', all: true });
    expect(text).toContain('replaced 200000 times in lines 1, 2,');
    expect(text).toContain('and 199980 more');
    expect(readFileSync(at, 'utf8')).toBe('z\r\n'.repeat(200_000));
  });

  test('refuses an empty old text, the same text, and what is no text', async () => {
    bench.file('a.txt', 'x');
    bench.file('b.bin', Buffer.from([0, 1]));
    bench.file('c.txt', Buffer.from('caf\xe9', 'latin1'));
    expect((await bench.error('edit', { path: 'a.txt', old: '', new: 'y' })).code).toBe('arguments');
    expect((await bench.error('edit', { path: 'a.txt', old: 'x', new: 'x' })).code).toBe('arguments');
    expect((await bench.error('edit', { path: 'b.bin', old: 'x', new: 'y' })).message).toContain('not a text');
    expect((await bench.error('edit', { path: 'c.txt', old: 'caf', new: 'y' })).message).toContain('not UTF-8');
    expect((await bench.error('edit', { path: 'gone', old: 'x', new: 'y' })).code).toBe('missing');
  });
});

describe('list', () => {
  test('is sorted, marks folders and links, and goes as deep as asked', async () => {
    bench.file('b/c/d.txt');
    bench.file('a.txt');
    bench.file('node_modules/x/index.js');
    symlinkSync(bench.outside, join(bench.workspace, 'out'));
    expect(await bench.text('list', {})).toBe('a.txt\nb/\nnode_modules/\nout (a link)');
    expect(await bench.text('list', { depth: 3 })).toBe(
      'a.txt\nb/\nb/c/\nb/c/d.txt\nnode_modules/ (not opened)\nout (a link)',
    );
    expect(await bench.text('list', { path: 'node_modules', depth: 2 })).toBe('x/\nx/index.js');
    expect(await bench.text('list', { path: 'b/c' })).toBe('d.txt');
  });

  test('is bounded, and says how many more there are', async () => {
    for (let i = 0; i < 30; i++) bench.file(`f${String(i).padStart(2, '0')}`);
    const text = await bench.text('list', { limit: 10 });
    expect(text.split('\n')).toHaveLength(11);
    expect(text).toContain('[20 more;');
    mkdirSync(join(bench.workspace, 'empty'));
    expect(await bench.text('list', { path: 'empty' })).toBe('[the folder is empty]');
    expect((await bench.error('list', { path: 'f01' })).message).toContain('is a file, not a folder');
  });

  test('names stay on their line', async () => {
    bench.file('a\nb\u202e.txt');
    expect(await bench.text('list', {})).toBe('a\\u{a}b\\u{202e}.txt');
  });
});

describe('glob', () => {
  test('finds files by pattern, leaves out what nobody wrote, and says where it looked', async () => {
    for (const path of ['src/a.ts', 'src/deep/b.ts', 'src/c.tsx', 'top.ts', 'node_modules/m/x.ts', '.github/w.yml'])
      bench.file(path);
    expect(await bench.text('glob', { pattern: '*.ts' })).toBe('src/a.ts\nsrc/deep/b.ts\ntop.ts');
    expect(await bench.text('glob', { pattern: './*.ts' })).toBe('top.ts');
    expect(await bench.text('glob', { pattern: 'src/*.{ts,tsx}' })).toBe('src/a.ts\nsrc/c.tsx');
    expect(await bench.text('glob', { pattern: '**/*.ts', path: 'src' })).toBe('src/a.ts\nsrc/deep/b.ts');
    expect(await bench.text('glob', { pattern: 'node_modules/**/*.ts' })).toBe('node_modules/m/x.ts');
    expect(await bench.text('glob', { pattern: '*.yml' })).toBe('.github/w.yml');
    expect(await bench.text('glob', { pattern: '*.rs' })).toBe('[no file fits]');
    expect(await bench.text('glob', { pattern: '**', limit: 2 })).toContain('more; raise limit');
    expect((await bench.error('glob', { pattern: '../*' })).code).toBe('arguments');
  });
});

describe('grep', () => {
  test('finds lines by regular expression or text, with context and in files', async () => {
    bench.file('a.txt', 'one\nTwo\nthree\nfour\n');
    bench.file('b/c.md', 'x\r\ntwo\r\n');
    bench.file('b/d.bin', Buffer.from('two\0'));
    expect(await bench.text('grep', { pattern: 't[wh]' })).toBe(
      'a.txt\n3: three\n\nb/c.md\n2: two\n\n[2 lines in 2 files]',
    );
    expect(await bench.text('grep', { pattern: '^two$', ignoreCase: true, glob: '*.txt' })).toBe(
      'a.txt\n2: Two\n\n[1 line in 1 file]',
    );
    expect(await bench.text('grep', { pattern: 'three', path: 'a.txt', context: 1 })).toBe(
      'a.txt\n2- Two\n3: three\n4- four\n\n[1 line in 1 file]',
    );
    expect(await bench.text('grep', { pattern: 'o', files: true })).toBe('a.txt: 3\nb/c.md: 1\n[4 lines in 2 files]');
    expect(await bench.text('grep', { pattern: '(', literal: true })).toBe('[nothing was found]');
    expect((await bench.error('grep', { pattern: '(' })).message).toContain('no regular expression of JavaScript');
    expect((await bench.error('grep', { pattern: '' })).code).toBe('arguments');
  });

  test('ends at its limit and says so, and not when there is nothing more', async () => {
    bench.file('a.txt', 'x\nx\n');
    bench.file('b.txt', 'x\n');
    expect(await bench.text('grep', { pattern: 'x', limit: 2 })).toContain('ended at the limit of 2 lines');
    expect(await bench.text('grep', { pattern: 'x', limit: 3 })).toContain('[3 lines in 2 files]');
    expect(await bench.text('grep', { pattern: 'x', limit: 1, files: true })).toContain(
      'ended at the limit of 1 files',
    );
  });

  test('long lines are shown around what was found, and results stay bounded', async () => {
    bench.file('a.js', `${'y'.repeat(5000)}needle${'z'.repeat(5000)}\n`);
    expect(await bench.text('grep', { pattern: 'need.e' })).toMatch(/1: …y+needlez+…/);
    bench.file('b.txt', `needle ${'q'.repeat(290)}\n`.repeat(2000));
    const text = await bench.text('grep', { pattern: 'needle', limit: 2000 });
    expect(text.length).toBeLessThanOrEqual(mostText);
    expect(text).toContain('ended because the result was full');
  });

  test('goes neither into what is off limits nor into what the rules refuse', async () => {
    bench.file('.env', `KEY=${secret}\n`);
    bench.file('private/a.txt', secret);
    bench.file('open.txt', 'nothing');
    const permission = (_: string, path: string) => (path === 'private' ? 'deny' : 'allow');
    const text = await bench.text('grep', { pattern: 'SECRET' }, { permission });
    expect(text).toBe('[nothing was found; 2 off limits left out]');
    expect(await bench.text('list', {})).toContain('.env (off limits)');
    expect(await bench.text('list', { depth: 2 }, { permission })).not.toContain('private/a.txt');
  });

  test('goes into what would be asked about only if it was asked about itself', async () => {
    bench.file('private/a.txt', secret);
    const asks = (rule: string) => ({ permission: createPolicy({ deny: [], allow: [], ask: [rule] }).permission });
    expect(await bench.text('grep', { pattern: 'SECRET' }, asks('filesystem/read(private/**)'))).not.toContain(secret);
    expect(await bench.text('list', { depth: 2 }, asks('filesystem(private/**)'))).not.toContain('a.txt');
    expect(await bench.text('grep', { pattern: 'SECRET' }, asks('filesystem/grep'))).toContain(secret);
    expect(
      await bench.text('grep', { pattern: 'SECRET', path: 'private' }, asks('filesystem/grep(private)')),
    ).toContain(secret);
  });
});
