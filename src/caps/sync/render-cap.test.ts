import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createSource } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';
import type { CheckedCap } from '../checked-cap.ts';
import { validateCapFile } from '../validate.ts';
import { renderCap } from './render-cap.ts';

function read(kind: CapKind, text: string): CheckedCap | undefined {
  return validateCapFile(kind, 'thing', createSource('thing.md', text), { origin: 'remote' }).cap;
}

/** Without the places in the text, which are others after it was written anew. */
function meaning(cap: CheckedCap | undefined): unknown {
  if (cap === undefined) return undefined;
  const { nameSpan: _span, ...rest } = cap;
  return 'extra' in rest ? { ...rest, extra: {} } : rest;
}

const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    '---',
    '--- ',
    '- a',
    'a: b',
    '#',
    '"',
    "'",
    '|',
    '>',
    'true',
    'null',
    '1e3',
    '~',
    '{',
    '\t',
    ' x ',
    'é',
    '😀',
  ),
);
const line = fc.oneof(word, fc.constantFrom('', '---', '```', '  indented', '\u2028', 'x'.repeat(200)));
const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'));
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(word, scalar, { maxKeys: 3 }));

const file: fc.Arbitrary<readonly [CapKind, string]> = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constantFrom<CapKind>('psyche', 'prompt'), fc.dictionary(word, value, { maxKeys: 4 })),
      fc.tuple(
        fc.constant<CapKind>('skill'),
        fc.record({ description: text, license: word }, { requiredKeys: ['description'] }),
      ),
      fc.tuple(
        fc.constant<CapKind>('service'),
        fc.oneof(
          fc.record({
            description: text,
            transport: fc.constant('stdio'),
            target: text,
            env: fc.array(fc.constantFrom('A', 'B_C')),
          }),
          fc.record(
            {
              description: word,
              transport: fc.constant('http'),
              target: fc.webUrl(),
              headers: fc.dictionary(
                fc.constantFrom('X-A', 'Authorization'),
                fc.constantFrom('Bearer $TOKEN', 'plain', '"q"'),
              ),
            },
            { requiredKeys: ['description', 'transport', 'target'] },
          ),
        ),
      ),
    ),
    text,
  )
  .map(([[kind, properties], body]) => {
    const front = Object.keys(properties).length === 0 ? '' : `---\n${stringify(properties)}---\n`;
    return [kind, `${front}${body}`] as const;
  });

describe('a cap that is written anew', () => {
  test('is the same cap', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(file, ([kind, written]) => {
        const cap = read(kind, written);
        if (cap === undefined) return;
        seen.add(kind);
        expect(meaning(read(kind, renderCap(cap)))).toEqual(meaning(cap));
      }),
      { numRuns: process.env.TOOLANG_DEEP ? 20_000 : 1500 },
    );
    expect([...seen].sort()).toEqual(['prompt', 'psyche', 'service', 'skill']);
  });

  test('keeps a text that begins as frontmatter does', () => {
    const cap = read('psyche', '---\n---\n---\na: 1\n---\nBe calm.\n');
    expect(cap?.body).toBe('---\na: 1\n---\nBe calm.');
    expect(meaning(cap && read('psyche', renderCap(cap)))).toEqual(meaning(cap));
  });

  test('has no frontmatter where it says nothing', () => {
    const cap = read('prompt', '\n\nSay hello.  \n\n');
    expect(cap && renderCap(cap)).toBe('Say hello.\n');
  });
});
