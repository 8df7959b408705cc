import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import { createUnescaper, escapeBody, hasEndMarker, neutralize, unescapeBody } from './escape.ts';

const E = '\u{1f6e0}';
const M = `${E}\ufe0f`;

/** Texts that are nearly, or really, escaped end markers. */
const text = fc
  .array(
    fc.constantFrom(M, E, `${E}\ufe0e`, '\\', '[/end]', '[/end', '[', '/end]', 'x', '\ud83d', '\udee0', '\ufe0f', '\n'),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('escapeBody', () => {
  it.each([
    [`a${M}[/end]b`, `a${M}\\[/end]b`],
    [`${M}\\[/end]`, `${M}\\\\[/end]`],
    [`${E}[/end]`, `${E}\\[/end]`],
    [`${E}\ufe0e\\\\[/end]`, `${E}\ufe0e\\\\\\[/end]`],
    [`${M}[/END]`, `${M}[/END]`],
    [`${M}[/end`, `${M}[/end`],
    [`${M}[run]`, `${M}[run]`],
    [`${M}\ufe0f[/end]`, `${M}\ufe0f[/end]`],
    ['\\[/end]', '\\[/end]'],
    ['', ''],
  ])('writes %j as %j', (given, written) => {
    expect(escapeBody(given)).toBe(written);
    expect(neutralize(given)).toBe(written);
    expect(unescapeBody(written)).toBe(given);
  });

  it('leaves no end marker, and unescapeBody gives the text back', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(hasEndMarker(escapeBody(given))).toBe(false);
        expect(unescapeBody(escapeBody(given))).toBe(given);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes linear time for many backslashes', () => {
    const many = `${M}${'\\'.repeat(200_000)}`.repeat(5);
    const start = cpuMs();
    expect(unescapeBody(escapeBody(many))).toBe(many);
    expect(cpuMs() - start).toBeLessThan(2000);
  });
});

describe('an unescaper', () => {
  it('gives what unescapeBody gives, in any pieces, and holds back at most 6 units', () => {
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (given, sizes) => {
        const unescaper = createUnescaper();
        let out = '';
        let at = 0;
        for (let i = 0; at < given.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          out += unescaper.push(given.slice(at, at + size));
          at += size;
          // What was given out is certain: it starts every continuation.
          expect(unescapeBody(given).startsWith(out)).toBe(true);
          expect(unescapeBody(given.slice(0, at)).length - out.length).toBeLessThanOrEqual(6);
        }
        expect(out + unescaper.end()).toBe(unescapeBody(given));
      }),
      { numRuns: 2000 },
    );
  });

  it('can be used again after its end', () => {
    const unescaper = createUnescaper();
    expect(unescaper.push(`${M}\\[/e`) + unescaper.end()).toBe(`${M}\\[/e`);
    expect(unescaper.push('nd]') + unescaper.end()).toBe('nd]');
  });
});
