/** Broken markers: found for a report, and read as whole ones only when asked to. */
import { describe, expect, it } from 'vitest';
import { END, START } from '../marker.ts';
import { parse } from './parse.ts';

const broken = (marker: string) => `${marker}[t a]\nx\n${marker}[/end]`;

const forms: readonly (readonly [name: string, marker: string])[] = [
  ['read as windows-1252', 'ðŸ› ï¸'],
  ['read as windows-1252, with the undefined byte kept', 'ðŸ›\u00a0ï¸\u008f'],
  ['read as latin-1', '\u00f0\u009f\u009b\u00a0\u00ef\u00b8\u008f'],
  ['read as windows-1254', 'ğŸ›\u00a0ï¸'],
  ['read as windows-1251', 'рџ›\u00a0пёЏ'],
  ['read as windows-1250', 'đź›\u00a0ď¸Ź'],
  ['read as mac roman', '\uf8ffüõ†Ô∏è'],
  ['read as code page 437', '≡ƒ¢á∩╕Å'],
  ['read as code page 866', 'ЁЯЫая╕П'],
  ['read as windows-1252, without its selector', 'ðŸ›\u00a0'],
  ['replaced as a whole', '\ufffd'],
  ['replaced byte by byte', '\ufffd'.repeat(7)],
  ['replaced before its selector', '\ufffd\ufffd\ufe0f'],
  ['without its second half', '\ud83d\ufe0f'],
  ['without its first half', '\udee0\ufe0f'],
];

describe.each(forms)('a marker %s', (_, marker) => {
  it('is plain text, and is reported', () => {
    const { segments, diagnostics } = parse(broken(marker));
    expect(segments).toEqual([{ type: 'text', text: broken(marker), start: 0, end: broken(marker).length }]);
    expect(diagnostics.map(({ code, start, end }) => [code, start, end])).toEqual([
      ['damaged-marker', 0, marker.length + 1],
      ['damaged-marker', broken(marker).length - marker.length - 6, broken(marker).length - 5],
    ]);
  });

  it('is read when repair is asked for, and still reported', () => {
    const { segments, diagnostics } = parse(`hi ${broken(marker)} bye`, { repair: true });
    expect(segments.map((segment) => (segment.type === 'text' ? segment.text : segment.toJSON()))).toEqual([
      'hi ',
      { tool_name: 't', raw_args: 'a', body: 'x\n', complete: true },
      ' bye',
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['damaged-marker', 'damaged-marker']);
  });

  it('is reported as the end of a body too', () => {
    const { calls, diagnostics } = parse(`${START}t]\nx\n${marker}[/end]`);
    expect(calls[0]?.complete).toBe(false);
    expect(diagnostics.map(({ code }) => code).sort()).toEqual(['damaged-marker', 'unterminated']);
  });
});

it.each(['😀[t]', '🫠[t]', '🛡️[t]', '🔧[t]', 'é[t]', 'ï¸[t]', '日本[t]', ' [t]', '\u00a0[t]'])(
  '%j is not damaged',
  (text) => {
    expect(parse(text).diagnostics).toEqual([]);
    expect(parse(`${text}\nx\n${END}`, { repair: true }).calls).toEqual([]);
  },
);
