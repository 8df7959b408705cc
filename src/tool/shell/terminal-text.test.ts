import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTerminalText } from './terminal-text.ts';

function clean(...chunks: (string | number[])[]): string {
  const terminal = createTerminalText();
  return chunks.map((chunk) => terminal.push(Buffer.from(chunk as string))).join('') + terminal.end();
}

describe('what a terminal would act on', () => {
  it.each([
    ['\u001b[1;31mred\u001b[0m', 'red'],
    ['\u001b[38;2;1;2;3mx\u001b[K', 'x'],
    ['\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'alink'],
    ['\u001bPq#0sixel\u001b\\x', 'x'],
    ['\u001b(Bx\u001b7y\u001b=z', 'xyz'],
    ['\u009b31mx', 'x'],
    ['a\r\nb\rc\r\r\nd', 'a\nb\nc\nd'],
    ['bell\u0007 back\u0008', 'bell back'],
    ['\u001b[31\nx', '\nx'],
    ['a\u001b', 'a'],
    ['tab\tline\nend', 'tab\tline\nend'],
    ['é 日本 🙂 \ufeff', 'é 日本 🙂 \ufeff'],
    ['a\0b', 'a␀b'],
  ])('%j', (given, expected) => {
    expect(clean(given)).toBe(expected);
  });

  it('a sequence that never ends does not swallow the rest', () => {
    expect(clean(`\u001b]${'x'.repeat(10_000)}end`)).toMatch(/^x+end$/);
    expect(clean(`\u001b[${'1;'.repeat(10_000)}end`)).toMatch(/end$/);
  });
});

it('is the same wherever it is cut', () => {
  const part = fc.constantFrom(
    'a',
    '\n',
    '\r',
    '\u001b',
    '[',
    ']',
    '3',
    'm',
    '\u0007',
    '\\',
    '\u009b',
    'é',
    '🙂',
    '\0',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.array(fc.nat(40), { maxLength: 5 }), (parts, cuts) => {
      const bytes = Buffer.from(parts.join(''));
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      const terminal = createTerminalText();
      let out = '';
      for (let i = 1; i < places.length; i++) out += terminal.push(bytes.subarray(places[i - 1], places[i]));
      expect(out + terminal.end()).toBe(clean(parts.join('')));
      expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
    { numRuns: 2000 },
  );
});

describe('binary output', () => {
  function isBinary(bytes: Uint8Array): boolean {
    const terminal = createTerminalText();
    terminal.push(bytes);
    terminal.end();
    return terminal.isBinary;
  }

  it('is told from text in colours, in another encoding and with NULs between names', () => {
    expect(isBinary(Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * 7919) % 256)))).toBe(true);
    expect(isBinary(Buffer.from('\u001b[31mx\u001b[0m\r\n'.repeat(100)))).toBe(false);
    expect(isBinary(Buffer.from('caf\xe9 au lait, s\xfc\xdf und gut\n'.repeat(3), 'latin1'))).toBe(false);
    expect(isBinary(Buffer.from('src/some/file.ts\0'.repeat(100)))).toBe(false);
    expect(isBinary(Buffer.from('日本語'.repeat(100)))).toBe(false);
    expect(isBinary(Buffer.from(''))).toBe(false);
  });
});
