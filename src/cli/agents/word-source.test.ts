/** Files and standard input as the words of a thunk find them. */
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryContext } from '../memory-context.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { wordSource } from './word-source.ts';

let s: Scratch;
beforeAll(() => {
  s = scratch();
  s.write('src/b.ts', 'b');
  s.write('src/a.ts', Buffer.from([0, 1]));
  mkdirSync(s.at('src/folder'));
});
afterAll(() => s.remove());

it('reads the bytes of files from the current directory, and names them as they are written', async () => {
  const source = wordSource(memoryContext({ cwd: s.dir }));
  expect(await source.file('src/a.ts', 10)).toMatchObject({ ok: true, bytes: Buffer.from([0, 1]) });
  expect(await source.file(s.at('src/b.ts'), 10)).toMatchObject({ ok: true });
  expect(await source.file('./src/c.ts', 10)).toMatchObject({
    problem: { kind: 'missing', message: '"./src/c.ts" does not exist.' },
  });
  expect(await source.file('src', 10)).toMatchObject({ problem: { message: '"src" is a directory, not a file.' } });
  expect(await source.file('src/a.ts', 1)).toMatchObject({ problem: { kind: 'too-large' } });
});

it('knows the files beside one that is missing', async () => {
  const source = wordSource(memoryContext({ cwd: s.dir }));
  expect(await source.beside('src/c.ts')).toEqual(['a.ts', 'b.ts']);
  expect(await source.beside('gone/c.ts')).toEqual([]);
});

it('says that it waits for what is typed, and nothing where it is piped', async () => {
  const typed = memoryContext({ cwd: s.dir, typed: true, stdin: 'typed' });
  expect(wordSource(typed).isPiped).toBe(false);
  expect(await wordSource(typed).stdin()).toEqual({ ok: true, text: 'typed' });
  expect(typed.err()).toContain('Ctrl-D');
  const piped = memoryContext({ cwd: s.dir, stdin: Buffer.from([0]) });
  expect(wordSource(piped).isPiped).toBe(true);
  expect(await wordSource(piped).stdin()).toMatchObject({ ok: false, message: expect.stringContaining('NUL byte') });
  expect(piped.err()).toBe('');
});

it('does not wait for ever for an input that nobody writes or ends, and says so', async () => {
  const silent = memoryContext({ cwd: s.dir, silent: () => undefined });
  expect(await wordSource(silent, 1).more()).toEqual({ ok: true, text: '' });
  expect(silent.err()).toBe(
    'nothing came from standard input for 0.001 s, so it is not waited for; with "-" as the only input it is\n',
  );
  const piped = memoryContext({ cwd: s.dir, stdin: 'a piped text of some length' });
  expect(await wordSource(piped).more()).toEqual({ ok: true, text: 'a piped text of some length' });
});
