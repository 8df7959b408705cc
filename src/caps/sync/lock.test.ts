import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesAs, filesToLock, isPlainPath, type Locked, lockKey, readLock, renderLock } from './lock.ts';

let dir: string;
let file: string;
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'lock-'));
  file = path.join(dir, 'toolang.lock');
});
afterAll(() => rmSync(dir, { recursive: true }));

const hash = 'a'.repeat(64);
const entry: Locked = {
  kind: 'skill',
  ref: 'acme/review',
  target: {
    ref: `github://acme/skills/skills/review@${'b'.repeat(40)}`,
    url: 'https://github.com/acme/skills',
    commit: 'b'.repeat(40),
    path: 'skills/review',
  },
  files: { 'SKILL.md': hash, 'scripts/run.sh': hash },
  usedBy: ['agent.too', 'home'],
  extra: { license: 'MIT', tags: ['a'] },
};
const of = (...entries: Locked[]) => new Map(entries.map((each) => [lockKey(each.kind, each.ref), each]));

async function problemOf(text: string): Promise<string> {
  writeFileSync(file, text);
  const read = await readLock(file, 'toolang.lock');
  if (read.ok) throw new Error('it was read');
  expect(read.diagnostic.code).toBe('TOO5402');
  return read.diagnostic.message;
}

describe('a lock', () => {
  test('is read as it was written, whatever it holds', async () => {
    const text = fc.string({ minLength: 1, maxLength: 10 });
    const name = fc.stringMatching(/^[a-z.~ é]{1,8}$/).filter(isPlainPath);
    const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
    const locked: fc.Arbitrary<Locked> = fc
      .tuple(
        fc.constantFrom('psyche', 'prompt', 'service', 'skill', 'agent'),
        text,
        fc.dictionary(name, hex, { maxKeys: 4 }),
        fc.array(text),
        hex,
      )
      .map(([kind, ref, files, usedBy, sha256]) => ({
        kind: kind as Locked['kind'],
        ref,
        target: { ref, url: `https://example.org/${ref}`, sha256 },
        files: kind === 'skill' ? { ...files, 'SKILL.md': sha256 } : { 'x.md': sha256 },
        usedBy,
      }));
    await fc.assert(
      fc.asyncProperty(fc.array(locked, { maxLength: 5 }), async (entries) => {
        const lock = of(...entries);
        writeFileSync(file, renderLock(lock));
        const read = await readLock(file, 'x');
        expect(read).toMatchObject({ ok: true });
        if (read.ok) {
          expect(new Map(read.lock)).toEqual(lock);
          expect(renderLock(read.lock)).toBe(read.text);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('does not depend on the order in which it came to be', () => {
    const other = { ...entry, ref: 'acme/aaa' };
    expect(renderLock(of(entry, other))).toBe(renderLock(of(other, entry)));
  });

  test('that is not there locks nothing', async () => {
    expect(await readLock(path.join(dir, 'none'), 'none')).toEqual({ ok: true, lock: new Map(), text: undefined });
  });

  test('with a merge conflict is refused at its line', async () => {
    const text = renderLock(of(entry)).replace(
      '  "caps": [',
      '<<<<<<< HEAD\n  "caps": [\n=======\n  "caps": [\n>>>>>>> b',
    );
    expect(await problemOf(text)).toContain('merge conflict');
    const read = await readLock(file, 'toolang.lock');
    expect(read.ok || text.slice(read.diagnostic.span.start).startsWith('<<<<<<< HEAD')).toBe(true);
  });

  const changed = (change: object) => {
    const { caps } = JSON.parse(renderLock(of(entry)));
    return JSON.stringify({ version: 1, caps: [{ ...caps[0], ...change }] });
  };
  test.each([
    ['an empty file', '', 'not JSON'],
    ['no object', '[]', 'not an object'],
    ['no version', '{"caps":[]}', 'no version'],
    ['a newer version', '{"version":2,"caps":[]}', 'newer toolang'],
    ['no list', '{"version":1}', 'no list "caps"'],
    ['an entry that is none', '{"version":1,"caps":[null]}', 'entry 1 is not an object'],
    ['an unknown kind', changed({ kind: 'spell' }), 'no kind'],
    ['no reference', changed({ ref: '' }), 'lacks "ref"'],
    ['a commit that is none', changed({ commit: 'main' }), '"commit" that is none'],
    ['another commit than it came to', changed({ commit: 'c'.repeat(40) }), 'another "commit" than "resolved"'],
    ['a commit that is an option', changed({ commit: '--upload-pack=x' }), '"commit" that is none'],
    ['a path that is none', changed({ path: 1 }), '"path"'],
    ['a path that leads elsewhere', changed({ path: '../x' }), '"path"'],
    ['no files', changed({ files: {} }), 'no "files"'],
    ['a file above', changed({ files: { '../x': hash } }), 'leads elsewhere'],
    ['a file within above', changed({ files: { 'a/../../x': hash } }), 'leads elsewhere'],
    ['an absolute file', changed({ files: { '/etc/passwd': hash } }), 'leads elsewhere'],
    ['a file of another system', changed({ files: { 'C:\\x': hash } }), 'leads elsewhere'],
    ['a hash that is none', changed({ files: { 'SKILL.md': 'zz' } }), 'no sha256'],
    ['a skill without a text', changed({ files: { 'a.md': hash } }), 'without "SKILL.md"'],
    ['a prompt of two files', changed({ kind: 'prompt' }), 'more than one file'],
    ['users that are none', changed({ usedBy: 'me' }), 'usedBy'],
    ['more that is none', changed({ extra: [] }), '"extra"'],
  ])('with %s is refused', async (_what, text, words) => {
    expect(await problemOf(text)).toContain(words);
  });

  test('with one reference twice is refused', async () => {
    const { caps } = JSON.parse(renderLock(of(entry)));
    expect(await problemOf(JSON.stringify({ version: 1, caps: [...caps, ...caps] }))).toContain('twice');
  });
});

describe('the files of a lock', () => {
  test('are those of a skill as they are, and of other caps one file by its own name', () => {
    const { files, target } = entry;
    expect(filesToLock('skill', target, files)).toBe(files);
    expect(filesToLock('prompt', { ...target, path: 'prompts/short.md' }, { 'brief.md': hash })).toEqual({
      'short.md': hash,
    });
    expect(filesToLock('prompt', { ref: 'x', url: 'https://example.org/' }, { 'brief.md': hash })).toEqual({
      file: hash,
    });
    expect(filesAs('terse', { ...entry, kind: 'prompt', files: { 'short.md': hash } })).toEqual({ 'terse.md': hash });
    expect(filesAs('terse', entry)).toBe(files);
  });
});
