/** Which paths are taken: whatever a tree says, nothing is written outside of its directory, and nothing twice. */
import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TreeEntry } from '../git/tree.ts';
import { oddPath, planFiles } from './content.ts';

const piece = fc.constantFrom(
  '..',
  '.',
  '/',
  '\\',
  'a',
  'A',
  'ä',
  '.git',
  'git~1',
  'CON',
  ' ',
  ':',
  '\u200c',
  'C:',
  '\0',
  '~',
  '…',
);
const aPath = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));

test('what is taken stays inside, on every system', () => {
  fc.assert(
    fc.property(aPath, (path) => {
      if (oddPath(path) !== undefined) return;
      expect(posix.normalize(path)).toBe(path);
      expect(posix.isAbsolute(path) || win32.isAbsolute(path)).toBe(false);
      expect(posix.join('/top', path).startsWith('/top/')).toBe(true);
      expect(win32.join('C:\\top', path).startsWith('C:\\top\\')).toBe(true);
      expect(path.split('/')).not.toContain('.git');
    }),
    { numRuns: 3000 },
  );
});

test.each([
  '..',
  'a/../b',
  '/a',
  'a//b',
  'a/',
  './a',
  'a\\b',
  '.git/config',
  'x/.GIT',
  '.g\u200cit',
  'git~1',
  'nul',
  'aux.md',
  'a:b',
  'a.',
  'a ',
  'a\u0007',
  '\ufffd',
])('%j is refused', (path) => {
  expect(oddPath(path)).toMatch(/./);
});

test.each(['a', '.github/x.yml', '.gitignore', '日本/語.md', 'a b/c-d_e.f', 'console', 'com', '…', '😀'])(
  '%j is taken',
  (path) => {
    expect(oddPath(path)).toBeUndefined();
  },
);

test('no two files are one where letter case and composition do not count', () => {
  fc.assert(
    fc.property(fc.array(aPath, { maxLength: 5 }), (paths) => {
      const entries = paths.map((path): TreeEntry => ({ path: `s/${path}`, kind: 'file', id: '1'.repeat(40) }));
      const planned = planFiles({ path: 's', entries }, 'x');
      if (!planned.ok) return;
      const folded = planned.value.map(({ path }) => path.normalize('NFC').toLowerCase());
      expect(new Set(folded).size).toBe(paths.length);
    }),
  );
  const both = ['a\u0308', 'ä'].map((path): TreeEntry => ({ path, kind: 'file', id: '1'.repeat(40) }));
  expect(planFiles({ path: '', entries: both }, 'x')).toMatchObject({ ok: false, problem: { code: 'TOO5317' } });
});
