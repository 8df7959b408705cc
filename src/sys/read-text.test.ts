import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';
import { readStdin, readTextFile, readTextFileSync } from './read-text.ts';

fc.configureGlobal({ seed: 20 });

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'toolang-read-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function file(name: string, data: string | Uint8Array): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, data);
  return path;
}

test('readTextFileSync says the same as readTextFile', async () => {
  await symlink('around', join(dir, 'around'));
  const paths = [
    await file('sync.too', '\ufeffone\r\ntwö\n'),
    await file('sync-empty', ''),
    await file('sync-latin', Buffer.from([0x61, 0xff])),
    await file('sync-large', 'x'.repeat(101)),
    join(dir, 'sync-missing'),
    join(dir, 'around'),
    join(dir, 'sync.too', 'below'),
    dir,
  ];
  for (const path of paths) {
    expect(readTextFileSync(path, { maxBytes: 100 })).toEqual(await readTextFile(path, { maxBytes: 100 }));
  }
});

describe('readTextFile', () => {
  test('gives the text as it is, byte order mark and line ends included', async () => {
    const path = await file('a.too', '\ufeffone\r\ntwö 🛠️\n');
    expect(await readTextFile(path)).toEqual({ ok: true, text: '\ufeffone\r\ntwö 🛠️\n' });
    expect(await readTextFile(await file('empty', ''))).toEqual({ ok: true, text: '' });
  });

  test('says what is missing, a directory, or not reachable', async () => {
    const missing = join(dir, 'no\nsuch.too');
    expect(await readTextFile(missing)).toEqual({
      ok: false,
      problem: { kind: 'missing', message: `"${dir}/no\\u000asuch.too" does not exist.` },
    });
    expect(await readTextFile(dir)).toMatchObject({ problem: { kind: 'directory' } });
    const path = await file('plain', 'x');
    expect(await readTextFile(join(path, 'below'))).toMatchObject({ problem: { kind: 'missing' } });
    expect(await readTextFile('a\0b')).toMatchObject({ problem: { kind: 'other' } });
    await symlink('loop', join(dir, 'loop'));
    expect(await readTextFile(join(dir, 'loop'))).toMatchObject({ problem: { kind: 'other' } });
    expect(await readTextFile(join(dir, 'x'.repeat(5000)))).toMatchObject({ problem: { kind: 'other' } });
  });

  test.skipIf(process.getuid?.() === 0)('says that permission is denied', async () => {
    const path = await file('secret', 'x');
    await chmod(path, 0);
    expect(await readTextFile(path)).toMatchObject({ problem: { kind: 'denied' } });
  });

  test('refuses a large file by its size, without reading it', async () => {
    const path = join(dir, 'large');
    const handle = await open(path, 'w');
    await handle.truncate(100 * 1024 * 1024);
    await handle.close();
    const result = await readTextFile(path);
    expect(result).toMatchObject({ ok: false, problem: { kind: 'too-large' } });
    expect(!result.ok && result.problem.message).toContain('has 100 MB, more than the 16 MB');
    expect(await readTextFile(await file('four', '1234'), { maxBytes: 4 })).toEqual({ ok: true, text: '1234' });
    expect(await readTextFile(await file('five', '12345'), { maxBytes: 4 })).toMatchObject({ ok: false });
  });

  test.skipIf(process.platform === 'win32')('refuses pipes, sockets and devices without blocking', async () => {
    const fifo = join(dir, 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect(await readTextFile(fifo)).toMatchObject({
      problem: { kind: 'other', message: expect.stringContaining('a pipe') },
    });
    expect(await readTextFile('/dev/zero')).toMatchObject({ problem: { kind: 'other' } });
    const path = join(dir, 's');
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await readTextFile(path)).toMatchObject({ problem: { message: expect.stringContaining('a socket') } });
    await new Promise((resolve) => server.close(resolve));
  });

  test.skipIf(process.platform !== 'linux')(
    'reads a file that says its size is 0, and holds it to the limit',
    async () => {
      expect(await readTextFile('/proc/self/status')).toMatchObject({
        ok: true,
        text: expect.stringContaining('Pid:'),
      });
      expect(await readTextFile('/proc/self/status', { maxBytes: 10 })).toMatchObject({
        problem: { kind: 'too-large' },
      });
    },
  );

  test('points at the first byte that is not text', async () => {
    expect(await readTextFile(await file('nul', 'ab\nc\0d'))).toMatchObject({
      problem: { kind: 'binary', line: 2, column: 2, byte: 4, message: expect.stringContaining('line 2, column 2') },
    });
    const latin1 = Buffer.concat([Buffer.from('\ufeff😀'), Buffer.from([0xe9]), Buffer.from('!')]);
    expect(await readTextFile(await file('latin1', latin1))).toMatchObject({
      problem: { kind: 'not-utf8', line: 1, column: 3, byte: 7, message: expect.stringContaining('0xe9') },
    });
    expect(await readTextFile(await file('utf16', Buffer.from('\ufeffhi', 'utf16le')))).toMatchObject({
      problem: { kind: 'not-utf8', message: expect.stringContaining('UTF-16') },
    });
    await mkdir(join(dir, 'd'), { recursive: true });
  });
});

describe('decodeText', () => {
  test.each([
    ['overlong slash', [0x61, 0xc0, 0xaf], 1],
    ['surrogate', [0xed, 0xa0, 0x80], 0],
    ['above the last code point', [0x61, 0x62, 0xf4, 0x90, 0x80, 0x80], 2],
    ['cut at the end', [0x61, 0xe2, 0x82], 1],
    ['a lone continuation', [0x80], 0],
  ])('refuses %s', (_, bytes, byte) => {
    expect(decodeText(Uint8Array.from(bytes), 'x')).toMatchObject({ problem: { kind: 'not-utf8', byte } });
  });

  test('agrees with the platform on what is UTF-8, and gives back what was written', () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 1, max: 255, maxLength: 40 }), (bytes) => {
        const result = decodeText(bytes, 'x');
        if (result.ok) expect(Buffer.from(result.text)).toEqual(Buffer.from(bytes));
        else {
          const byte = result.problem.byte ?? -1;
          if (result.problem.message.includes('UTF-16')) return;
          // What stands before the bad byte is text, and with it, it never can be.
          expect(decodeText(bytes.subarray(0, byte), 'x').ok).toBe(true);
        }
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        if (!text.includes('\0')) expect(decodeText(Buffer.from(text), 'x')).toEqual({ ok: true, text });
      }),
    );
  });
});

describe('readStdin', () => {
  async function* chunks(...parts: (string | Uint8Array)[]) {
    yield* parts;
  }

  test('joins characters cut between chunks', async () => {
    const bytes = Buffer.from('ä🛠️');
    const stream = chunks(bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4));
    expect(await readStdin({ stream })).toEqual({ ok: true, text: 'ä🛠️' });
  });

  test('stops at the limit, and says what is wrong', async () => {
    expect(await readStdin({ stream: chunks('abc', 'def'), maxBytes: 5 })).toMatchObject({
      problem: { kind: 'too-large' },
    });
    expect(await readStdin({ stream: chunks('a\0') })).toMatchObject({
      problem: { kind: 'binary', message: expect.stringContaining('<stdin>') },
    });
    const broken = (async function* (): AsyncGenerator<string> {
      yield 'a';
      throw new Error('gone');
    })();
    expect(await readStdin({ stream: broken })).toMatchObject({
      problem: { message: expect.stringContaining('gone') },
    });
  });
});
