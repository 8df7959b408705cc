/** Keys from bytes, however they come. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyDecoder, type Key } from './key.ts';

function keys(...pieces: readonly (string | Uint8Array)[]): readonly Key[] {
  const decoder = createKeyDecoder();
  const all = pieces.flatMap((piece) => [...decoder.feed(typeof piece === 'string' ? Buffer.from(piece) : piece)]);
  return [...all, ...decoder.flush()];
}

const short = (all: readonly Key[]) => all.map((key) => (key.kind === 'key' ? key.name : `${key.kind}:${key.text}`));

describe('keys', () => {
  it.each([
    ['\r', 'enter'],
    ['\n', 'newline'],
    ['\x1b\r', 'newline'],
    ['\x1b[13;2u', 'newline'],
    ['\x1b[27;2;13~', 'newline'],
    ['\x1b[13u', 'enter'],
    ['\t', 'tab'],
    ['\x1b[Z', 'backtab'],
    ['\x1b[A', 'up'],
    ['\x1bOA', 'up'],
    ['\x1b[1;5C', 'word-right'],
    ['\x1b[1;3D', 'word-left'],
    ['\x1bb', 'word-left'],
    ['\x1b\x7f', 'delete-word'],
    ['\x17', 'delete-word'],
    ['\x1b[3~', 'delete'],
    ['\x1b[3;5~', 'delete-word-right'],
    ['\x1b[H', 'home'],
    ['\x1b[4~', 'end'],
    ['\x7f', 'backspace'],
    ['\b', 'backspace'],
    ['\x03', 'interrupt'],
    ['\x1b[99;5u', 'interrupt'],
    ['\x04', 'end-of-input'],
    ['\x1b', 'escape'],
    ['\x1b[27u', 'escape'],
  ])('%j is %s', (bytes, name) => expect(short(keys(bytes))).toEqual([name]));

  it('are text where they are none, in whole characters', () => {
    const bytes = Buffer.from('é 漢 👍🏽');
    expect(short(keys(bytes))).toEqual(['text:é 漢 👍🏽']);
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(
      short(keys(...pieces))
        .join('')
        .replaceAll('text:', ''),
    ).toBe('é 漢 👍🏽');
  });

  it('that mean nothing are dropped whole', () => {
    expect(short(keys('a\x1b[?62;22cb\x1b[5~c\x1b]11;rgb:00/00/00\x07d\x1bP>|tmux\x1b\\e\x1b[1;2Pf\x00g'))).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((text) => `text:${text}`),
    );
  });

  it('that are pasted are one text, whatever stands in it', () => {
    expect(short(keys('x\x1b[200~a\rb\r\nc\x03\x1b[A', 'd\x1b[20', '1~\r'))).toEqual([
      'text:x',
      'paste:a\nb\nc\x03\x1b[Ad',
      'enter',
    ]);
  });

  it('tell Escape from what begins with it by what comes next', () => {
    const decoder = createKeyDecoder();
    expect(decoder.feed(Buffer.from('\x1b'))).toEqual([]);
    expect(decoder.isPending()).toBe(true);
    expect(short(decoder.feed(Buffer.from('[B')))).toEqual(['down']);
    expect(decoder.isPending()).toBe(false);
    expect(short(keys('\x1b\x1b'))).toEqual(['escape', 'escape']);
  });
});

describe('whatever is typed', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '\x1b',
      '\x1b[',
      '\x1b[A',
      '\x1b[200~',
      '\x1b[201~',
      '\x1bO',
      '\r',
      '\x7f',
      '\x1b]0;',
      '\x07',
      '\x1b[1;',
    ),
  );

  it('is the same in one piece and byte by byte, and no text has a control in it', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const bytes = Buffer.from(pieces.join(''));
        const flat = (all: readonly Key[]) => {
          const words: string[] = [];
          for (const key of all) {
            const last = words.at(-1);
            if (key.kind === 'text' && last?.startsWith('text:')) words[words.length - 1] = last + key.text;
            else words.push(...short([key]));
          }
          return words;
        };
        const whole = keys(bytes);
        expect(flat(keys(...Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual(flat(whole));
        for (const key of whole) if (key.kind === 'text') expect(key.text).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it('is read in linear time: a paste of megabytes, in pieces', () => {
    const decoder = createKeyDecoder();
    decoder.feed(Buffer.from('\x1b[200~'));
    const part = Buffer.from('x'.repeat(1000));
    for (let i = 0; i < 5000; i++) decoder.feed(part);
    const [key] = decoder.feed(Buffer.from('\x1b[201~'));
    expect(key?.kind === 'paste' && key.text.length).toBe(5_000_000);
  });
});
