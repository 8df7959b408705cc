/** `use` lines are added and removed, and every other byte stays. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSource } from '../../text/index.ts';
import { parse } from '../../too/index.ts';
import { addUse, removeUse } from './use-line.ts';

const thunk = 'thunk go:\n  user: Go.\n';

test.each([
  ['an empty file', ''],
  ['a declaration', thunk],
  ['a comment about the declaration', `# Goes.\n## It goes.\n${thunk}`],
  ['a comment of the file', `##! Mine.\n\n${thunk}`],
  ['other lines', `use skill a/b\n\n${thunk}`],
  ['Windows line ends', `use skill a/b\r\n\r\n${thunk.replaceAll('\n', '\r\n')}`],
])('what is added to %s can be taken away again', (_what, text) => {
  const added = addUse(text, 'prompt', 'acme/x');
  expect(added).toContain('use prompt acme/x');
  expect(removeUse(added, 'prompt', 'acme/x')).toBe(text);
});

test('a last line without an end gets one', () => {
  expect(addUse('use skill a/b', 'skill', 'c/d')).toBe('use skill a/b\nuse skill c/d\n');
});

test('only the line of that kind and reference is removed', () => {
  const text = 'use skill a/b\nuse prompt a/b # why\nuse skill a/b@v1\n';
  expect(removeUse(text, 'prompt', 'a/b')).toBe('use skill a/b\nuse skill a/b@v1\n');
  expect(removeUse(text, 'service', 'a/b')).toBeUndefined();
});

const body = 'thunk go(input: Message) -> Text:\n  user: Go.\n';

test.each([
  ['an empty file', '', 'use skill acme/x\n'],
  ['a file of notes', '##! About it.\n', '##! About it.\nuse skill acme/x\n'],
  ['above the first declaration', body, `use skill acme/x\n\n${body}`],
  [
    'above what is written about it',
    `##! File.\n\n## Go.\n${body}`,
    `##! File.\n\nuse skill acme/x\n\n## Go.\n${body}`,
  ],
  [
    'below the last one',
    `use skill acme/a\nuse prompt acme/b\n\n${body}`,
    `use skill acme/a\nuse prompt acme/b\nuse skill acme/x\n\n${body}`,
  ],
  ['below one that ends the file', 'use skill acme/a', 'use skill acme/a\nuse skill acme/x\n'],
])('a use line goes %s', (_where, text, expected) => {
  expect(addUse(text, 'skill', 'acme/x')).toBe(expected);
});

test('line ends stay as they are', () => {
  expect(addUse(body.replaceAll('\n', '\r\n'), 'skill', 'acme/x')).toBe(
    `use skill acme/x\r\n\r\n${body.replaceAll('\n', '\r\n')}`,
  );
});

test('what was added and removed again is as it was', () => {
  const part = fc.constantFrom(
    '## Note.\n',
    body,
    'use skill acme/a\n',
    'use prompt acme/x\n',
    'psyche p:\n  Be kind.\n',
    '\n',
    '# c\n',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const text = parts.join('');
      const added = addUse(text, 'skill', 'acme/x');
      const uses = parse(createSource('', added)).program.items.filter((item) => item.kind === 'use');
      expect(uses.filter(({ capKind, ref }) => capKind === 'skill' && ref.text === 'acme/x')).toHaveLength(1);
      const back = removeUse(added, 'skill', 'acme/x');
      // A file without a line end gets one.
      expect(back?.replace(/\n+/g, '\n').trim()).toBe(text.replace(/\n+/g, '\n').trim());
    }),
  );
});
