/** Local references: those that are, and what is said of those that are not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCapName } from '../../config/index.ts';
import { capKinds } from '../../too/index.ts';
import { localRefOf, readLocalRef } from './local-ref.ts';

describe('local refs identify the selected cap', () => {
  it.each([
    ['root://skills/reviewer', { scope: 'root', form: 'file', kind: 'skill', name: 'reviewer' }],
    ['home://services/github', { scope: 'home', form: 'file', kind: 'service', name: 'github' }],
    ['inline://prompts/rewrite', { scope: 'here', form: 'inline', kind: 'prompt', name: 'rewrite' }],
  ])('%s', (text, ref) => {
    expect(readLocalRef(text)).toEqual({ ok: true, ref });
  });

  it('a cap that comes from elsewhere has none', () => {
    expect(localRefOf({ kind: 'skill', name: 'x', scope: 'home', form: 'wired' })).toBeUndefined();
    expect(localRefOf({ kind: 'skill', name: 'x', scope: 'here', form: 'ref' })).toBeUndefined();
  });
});

it.each([
  ['skills/reviewer', '"skills/reviewer" is not a local reference.', undefined],
  ['shared://skills/x', '"shared://" does not begin a local reference. Did you mean "home://"?', 'home://skills/x'],
  ['global://skills/x', '"global://" does not begin a local reference. Did you mean "root://"?', 'root://skills/x'],
  ['agent://skills/x', '"agent://" does not begin a local reference. Did you mean "inline://"?', 'inline://skills/x'],
  ['Root://skills/x', '"Root://" does not begin a local reference. Did you mean "root://"?', 'root://skills/x'],
  ['github://a/b', '"github://" does not begin a local reference.', undefined],
  ['root://skill/x', '"skill" in "root://skill/x" is not a kind of caps. Did you mean "skills"?', 'root://skills/x'],
  ['root://skils/x', '"skils" in "root://skils/x" is not a kind of caps. Did you mean "skills"?', 'root://skills/x'],
  ['root://', '"" in "root://" is not a kind of caps.', undefined],
  ['root://skills', '"root://skills" gives no name for the skill.', undefined],
  ['root://skills/', '"root://skills/" gives no name for the skill.', undefined],
  ['root://skills/x/SKILL.md', '"root://skills/x/SKILL.md" names a file, and not the skill.', 'root://skills/x'],
  ['home://prompts/x.md', '"home://prompts/x.md" names a file, and not the prompt.', 'home://prompts/x'],
  ['home://prompts/x/y', '"home://prompts/x/y" has more than a kind and a name.', undefined],
  ['home://prompts/..', '".." in "home://prompts/.." is not a name that agents can use.', undefined],
  ['home://prompts/a b', '"a b" in "home://prompts/a b" is not a name that agents can use.', undefined],
])('%s is refused', (text, message, fix) => {
  const read = readLocalRef(text);
  if (read.ok) throw new Error('it was read');
  expect(read.problem).toMatchObject({ code: 'TOO5245', message });
  expect(read.problem.fix).toBe(fix);
});

it('what is written is read again, and a fix is right', () => {
  const name = fc.string({ unit: fc.constantFrom(...'abZ09_.-'), minLength: 1 }).filter(isCapName);
  const scope = fc.constantFrom('here' as const, 'home' as const, 'root' as const);
  fc.assert(
    fc.property(scope, fc.constantFrom(...capKinds), name, (where, kind, what) => {
      const form = where === 'here' ? 'inline' : 'file';
      const cap = { scope: where, form, kind, name: what } as const;
      const read = readLocalRef(localRefOf(cap) ?? '');
      // A name such as "x.md" reads as a file.
      if (what.endsWith('.md')) expect(read.ok).toBe(false);
      else expect(read).toEqual({ ok: true, ref: cap });
    }),
    { seed: 7 },
  );
  const piece = fc.constantFrom(
    'root',
    'home',
    'inline',
    'shared',
    '://',
    '/',
    'skills',
    'skill',
    'x',
    '.md',
    '..',
    'SKILL.md',
    ' ',
    'ü',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const read = readLocalRef(pieces.join(''));
      if (read.ok || read.problem.fix === undefined) return;
      expect(readLocalRef(read.problem.fix).ok).toBe(true);
    }),
    { seed: 7 },
  );
});
