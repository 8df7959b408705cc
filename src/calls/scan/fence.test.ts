/** Fences and line starts: the same wherever the text is cut. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFenceTracker } from './fence.ts';

function after(...pieces: string[]): { inFence: boolean; atLineStart: boolean } {
  const tracker = createFenceTracker();
  for (const piece of pieces) tracker.feed(piece);
  return { inFence: tracker.inFence(), atLineStart: tracker.atLineStart() };
}

const inside = (text: string) => after(text).inFence;

describe('a code fence', () => {
  it.each([
    ['three backticks', '```\n'],
    ['tildes', '~~~\n'],
    ['words behind it', '```js title="a"\n'],
    ['up to three spaces before it', '   ```\n'],
    ['a carriage return at its end', '```\r\n'],
    ['backticks behind tildes', '~~~ a`b\n'],
    ['a shorter run of the same inside', '````\n```\n'],
    ['a run of the other kind inside', '```\n~~~\n'],
    ['a run with words behind it inside', '```\n``` js\n'],
  ])('is open after %s', (_, text) => expect(inside(text)).toBe(true));

  it.each([
    ['two backticks', '``\n'],
    ['four spaces before it', '    ```\n'],
    ['a tab before it', '\t```\n'],
    ['a letter before it', 'a ```\n'],
    ['a backtick in its words', '```a`b\n'],
    ['its line without an end', '```'],
    ['a run as long', '```\n```\n'],
    ['a longer run with blanks behind it', '```\nx\n  `````  \n'],
  ])('is not open after %s', (_, text) => expect(inside(text)).toBe(false));

  it('takes no notice of a line that was broken by something else', () => {
    const tracker = createFenceTracker();
    tracker.feed('``');
    tracker.breakLine();
    tracker.feed('`\nx');
    expect(tracker.inFence()).toBe(false);
  });
});

describe('the start of a line', () => {
  it.each([
    ['', true],
    ['a\n', true],
    ['a\n \t', true],
    ['a', false],
    ['a\n b', false],
    ['    ', true],
  ])('after %j: %j', (text, expected) => expect(after(text).atLineStart).toBe(expected));

  it('is over after something else, until the next line', () => {
    const tracker = createFenceTracker();
    tracker.breakLine();
    expect(tracker.atLineStart()).toBe(false);
    tracker.feed(' \n');
    expect(tracker.atLineStart()).toBe(true);
  });
});

it('pieces of any size give what the whole gives', () => {
  const part = fc.constantFrom('`', '``', '```', '~', '~~~', ' ', '\t', 'a', '\n', '\r\n');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      expect(after(...parts)).toEqual(after(parts.join('')));
      expect(after(...parts.join(''))).toEqual(after(parts.join('')));
    }),
    { numRuns: 2000 },
  );
});
