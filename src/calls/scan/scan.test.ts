/** What the scanner says to a programmer; what it reads is tested in `test/calls`. */
import { describe, expect, it } from 'vitest';
import { END, START } from '../marker.ts';
import { parse } from './parse.ts';
import { createScanner } from './scan.ts';

describe('the scanner', () => {
  it('refuses what is no text, and says what to use for bytes', () => {
    const scanner = createScanner();
    expect(() => scanner.push(new Uint8Array() as unknown as string)).toThrow('scan()');
    expect(() => scanner.push(null as unknown as string)).toThrow('push takes a string, not null.');
  });

  it('is for one text', () => {
    const scanner = createScanner();
    scanner.finish();
    expect(() => scanner.push('a')).toThrow('create a new scanner');
    expect(() => scanner.finish()).toThrow('create a new scanner');
  });

  it.each([-1, Number.NaN, '7' as unknown as number])('refuses %j as a limit', (limit) => {
    expect(() => createScanner({ maxHeader: limit })).toThrow('maxHeader');
    expect(() => createScanner({ maxBody: limit })).toThrow('maxBody');
  });

  it.each<[string, unknown]>([
    ['a text', 'run'],
    ['null', null],
    ['a map without names', new Map([[{}, 1]])],
    ['a list of objects', [{ name: 'run' }]],
    ['an iterator, which is empty the second time', new Set(['run']).values()],
  ])('refuses %s as the list of tools', (_, knownTools) => {
    expect(() => createScanner({ knownTools: knownTools as string[] })).toThrow('write a list of names');
  });

  it('is linear in markers inside of a header that is none', () => {
    const text = `${'🛠️[x'.repeat(40_000)}${' '.repeat(40_000)}]`;
    const { segments } = parse(text, { literalHeader: true, knownTools: ['q'], maxHeader: 1e9 });
    expect(segments).toHaveLength(1);
  });

  it('tells a call that the length limit cut off from one without its end', () => {
    const cut = parse(`${START}t]\nx`, {}, { reason: 'length' });
    expect(cut.calls[0]).toMatchObject({ complete: false, reason: 'length' });
    expect(cut.diagnostics.map(({ code, hint }) => [code, hint.includes('length limit')])).toEqual([
      ['unterminated', true],
    ]);
    expect(parse(`${START}t]\nx`).calls[0]).toMatchObject({ complete: false, reason: 'unterminated' });
  });

  it('never reads calls in what is left of a body that was too long', () => {
    const text = `${START}t]\n0123456789${START}evil]\n${END}z${START}u]${END}`;
    const { segments } = parse(text, { maxBody: 4 });
    expect(segments.map((segment) => (segment.type === 'text' ? segment.text : segment.toolName))).toEqual([
      't',
      `456789${START}evil]\n${END}z`,
      'u',
    ]);
    expect(segments[0]).toMatchObject({ body: '0123', complete: false, reason: 'too-long' });
  });

  it('says why an end closes nothing', () => {
    const hint = (text: string, knownTools?: string[]) =>
      parse(text, { ...(knownTools && { knownTools }) }).diagnostics[0]?.hint;
    expect(hint(END)).toContain('no call is open');
    expect(hint(`${START}t a\nx\n${END}`)).toContain('not closed by "]" on its line');
    expect(hint(`${START}wrte a]\nx\n${END}`, ['write'])).toContain('"wrte", which is not a tool');
    const last = (text: string) => parse(text, { knownTools: ['a'] }).diagnostics.at(-1)?.hint;
    const link = `${START}Docs](x) is a link.\n`;
    expect(last(`${link}🛠️ [a b]\nx\n${END}`)).toContain('has a blank before its "["');
    expect(last(`${link}\ufffd[a b]\nx\n${END}`)).toContain('damaged');
    expect(last(`${link}${START}]\nx\n${END}`)).toContain('names no tool');
    expect(last(`${link}${END}\n${END}`)).toBe(last(END));
    expect(last(`${START}${'q'.repeat(38)}😀\x1b😀]\n${END}`)).toMatch(/"q{38}\?…"/);
  });

  it('reports in strict mode what is a marker otherwise', () => {
    const codes = (text: string) => parse(text, { strict: true }).diagnostics.map(({ code }) => code);
    expect(codes('🛠[a]\nx\n🛠︎[/end]')).toEqual(['damaged-marker', 'damaged-marker']);
    expect(codes(`${START}a]\nx\n🛠[/end]`).sort()).toEqual(['damaged-marker', 'unterminated']);
  });

  it('does not take a byte order mark for text before the first call', () => {
    const { calls } = parse(`\ufeff${START}who]\n${END}`, { knownTools: [], unknownCalls: true });
    expect(calls[0]?.lineStart).toBe(true);
    expect(parse(`\ufeff\`\`\`\n${START}t]${END}`).calls[0]?.inFence).toBe(true);
  });
});
