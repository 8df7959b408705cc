/** Frames: the caret stands under what it points at, and nothing a file holds reaches the terminal raw. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiagnosticExtra, diagnostic } from './diagnostic.ts';
import { oneLine, renderDiagnostic } from './frame.ts';
import { createSource } from './source.ts';
import { displayWidth, printable } from './width.ts';

const runs = { numRuns: process.env.TOOLANG_DEEP ? 20_000 : 200 };

function render(text: string, start: number, end: number, extra: DiagnosticExtra = {}, columns = 80): string {
  const d = diagnostic('TOO1601', createSource('agent.too', text), { start, end }, 'wrong', extra);
  return renderDiagnostic(d, { color: false, columns });
}

/** Renders with `[` and `]` marking the span in the text. */
function marked(text: string, columns = 80): string[] {
  const start = text.indexOf('[');
  const end = text.indexOf(']') - 1;
  const source = text.replace('[', '').replace(']', '');
  return render(source, start, end, {}, columns).split('\n').slice(1);
}

describe('renderDiagnostic', () => {
  it('shows the place, the line, the caret, the help, the fix and the related places', () => {
    const source = createSource('agent.too', 'thunk a:\n  models = x\n  model = gpt-5\n');
    const d = diagnostic(
      'TOO1601',
      source,
      { start: 24, end: 29 },
      'unknown directive "model". Did you mean "models"?',
      {
        help: 'directives are models, tools and skills',
        fix: { title: 'replace with "models"', edits: [] },
        related: [{ source, span: { start: 11, end: 17 }, message: 'first declared here' }],
      },
    );
    expect(renderDiagnostic(d, { color: false, columns: 80 })).toBe(
      [
        'agent.too:3:3  error TOO1601  unknown directive "model". Did you mean "models"?',
        '    3 |   model = gpt-5',
        '      |   ^^^^^',
        '   help: directives are models, tools and skills',
        '   fix: replace with "models"',
        '   first declared at agent.too:2:3',
        '    2 |   models = x',
        '      |   ^^^^^^',
      ].join('\n'),
    );
    expect(oneLine(d)).toBe('agent.too:3:3  error TOO1601  unknown directive "model". Did you mean "models"?');
  });

  it('expands tabs to multiples of eight, under the caret too', () => {
    expect(marked('a\t[bc]\td')).toEqual(['    1 | a       bc      d', '      |         ^^']);
    expect(marked('[\t]x')).toEqual(['    1 |         x', '      | ^^^^^^^^']);
  });

  it('gives wide characters two cells and marks none', () => {
    expect(marked('日本[語]x')).toEqual(['    1 | 日本語x', '      |     ^^']);
    expect(marked('e\u0301e\u0301[x]')).toEqual(['    1 | e\u0301e\u0301x', '      |   ^']);
    expect(marked('한국[x]')[1]).toBe('      |     ^');
    expect(marked('\u1112\u1161\u11ab[x]')[1]).toBe('      |   ^');
  });

  it('keeps an emoji sequence whole and two cells wide', () => {
    expect(marked('👩‍👩‍👧[x]')[1]).toBe('      |   ^');
    expect(marked('👍🏽[x]')[1]).toBe('      |   ^');
    expect(marked('🇳🇴[x]')[1]).toBe('      |   ^');
    expect(marked('1️⃣[x]')[1]).toBe('      |   ^');
    expect(marked('🛠️[x]')[1]).toBe('      |   ^');
    expect(marked('[👩‍👩‍👧]x')[1]).toBe('      | ^^');
    const scotland = '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';
    expect(marked(`${scotland}[x]`)).toEqual([`    1 | ${scotland}x`, '      |   ^']);
    expect(marked('👩‍👩‍👧\u{e0020}[x]')).toEqual(['    1 | 👩‍👩‍👧<U+E0020>x', `      | ${' '.repeat(11)}^`]);
  });

  it('shows control and invisible characters as pictures', () => {
    expect(marked('a\x1b[31m[b]'.replace('\x1b[', '\x1b\u0000'))).toEqual(['    1 | a␛␀31mb', '      |       ^']);
    expect(marked('\u202ea[b]')).toEqual(['    1 | <U+202E>ab', '      |          ^']);
    expect(marked('\u009b[b]')[0]).toBe('    1 | <U+009B>b');
    expect(marked('\ud83d[b]')[0]).toBe('    1 | \ufffdb');
    expect(marked('a\u200b\u{e0041}[b]')[0]).toBe('    1 | a<U+200B><U+E0041>b');
    expect(marked('\u0301[b]')).toEqual(['    1 | \u25cc\u0301b', '      |  ^']);
    expect(marked('a\rb[c]')).toEqual(['    1 | a␍bc', '      |    ^']);
  });

  it('never prints raw controls from names, messages, help, fixes or related texts', () => {
    const evil = '\x1b]0;owned\x07\u202e\u2028\x9b2J\nfake.too:1:1  error';
    const source = createSource(`x${evil}`, evil);
    const extra = {
      help: evil,
      fix: { title: evil, edits: [] },
      related: [{ source, span: { start: 0, end: 3 }, message: evil }],
    };
    const out = renderDiagnostic(diagnostic('TOO1601', source, { start: 0, end: 4 }, evil, extra), {
      color: false,
      columns: 80,
    });
    expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]/);
    expect(out.split('\n').filter((line) => line.startsWith('fake'))).toEqual([]);
  });

  it('points between characters, at line ends and at the end of the file', () => {
    expect(render('ab\ncd\n', 1, 1).split('\n').slice(1)).toEqual(['    1 | ab', '      |  ^']);
    expect(render('ab\r\ncd', 2, 4).split('\n').slice(1)).toEqual(['    1 | ab', '      |   ^']);
    expect(render('ab\r\ncd', 3, 3).split('\n').slice(1)).toEqual(['    1 | ab', '      |   ^']);
    expect(render('ab\n', 3, 3).split('\n')).toEqual(['agent.too:2:1  error TOO1601  wrong', '    2 |', '      | ^']);
    expect(render('', 0, 0).split('\n')).toEqual(['agent.too:1:1  error TOO1601  wrong']);
  });

  it('survives spans that are reversed, outside the text, or not numbers', () => {
    expect(render('ab', 9, 99).split('\n').slice(1)).toEqual(['    1 | ab', '      |   ^']);
    expect(render('ab', 1, 0).split('\n').slice(1)).toEqual(['    1 | ab', '      |  ^']);
    expect(render('ab', Number.NaN, -4).split('\n').slice(1)).toEqual(['    1 | ab', '      | ^']);
  });

  it('does not count a byte order mark', () => {
    expect(render('\ufeffab', 1, 2).split('\n')).toEqual([
      'agent.too:1:1  error TOO1601  wrong',
      '    1 | ab',
      '      | ^',
    ]);
    expect(render('\ufeffab', 0, 1).split('\n')[0]).toContain(':1:1');
  });

  it('shows the first and the last line of a long span, without the end of a line that is only touched', () => {
    expect(marked('a [b\n  c\n  d\n  e] f')).toEqual([
      '    1 | a b',
      '      |   ^',
      '      …',
      '    4 |   e f',
      '      |   ^',
    ]);
    expect(marked('x [one\r\n\t two]\r\n')).toEqual([
      '    1 | x one',
      '      |   ^^^',
      '    2 |          two',
      '      |          ^^^',
    ]);
    expect(marked('[ab\n]cd')).toEqual(['    1 | ab', '      | ^^']);
  });

  it('shows a window of a long line with the caret in it', () => {
    const long = `${'a'.repeat(500)}[bad]${'c'.repeat(500)}`;
    const [line = '', caret = ''] = marked(long, 60);
    expect(line.length).toBe(60);
    expect(line).toMatch(/^ {4}1 \| …a+badc+…$/);
    expect(caret.indexOf('^')).toBe(line.indexOf('bad'));
    expect(caret.trim()).toBe('| ^^^'.replace('| ', `|${' '.repeat(caret.indexOf('^') - 7)}`));
  });

  it('shows the start of a long line when the caret is near it, and the end when it is near that', () => {
    expect(marked(`[bad]${'c'.repeat(500)}`, 60)[0]).toMatch(/^ {4}1 \| badc+…$/);
    const [line = '', caret = ''] = marked(`${'c'.repeat(500)}[bad]`, 60);
    expect(line).toMatch(/^ {4}1 \| …c+bad$/);
    expect(caret.length).toBe(line.length);
    const end = marked(`${'c'.repeat(500)}[]`, 60);
    expect(end[1]?.indexOf('^')).toBe(end[0]?.length);
  });

  it('colours only when asked, and uncoloured text is the same', () => {
    const d = diagnostic('TOO1601', createSource('a.too', 'model = x'), { start: 0, end: 5 }, 'wrong');
    const colored = renderDiagnostic(d, { color: true, columns: 80 });
    expect(colored).toContain('\x1b[31m');
    expect(colored.replace(/\x1b\[\d+m/g, '')).toBe(renderDiagnostic(d, { color: false, columns: 80 }));
  });

  it('says how many related places it leaves out', () => {
    const source = createSource('a.too', 'x');
    const related = Array.from({ length: 20 }, () => ({ source, span: { start: 0, end: 1 }, message: 'again' }));
    expect(render('x', 0, 1, { related })).toContain('and 12 more places');
  });

  it('is linear in one line of a megabyte with ten thousand diagnostics', () => {
    const source = createSource('a.too', '日a'.repeat(500_000));
    let length = 0;
    for (let i = 0; i < 10_000; i++) {
      const d = diagnostic('TOO1601', source, { start: i * 100, end: i * 100 + 50_000 }, 'wrong');
      length += renderDiagnostic(d, { color: false, columns: 100 }).length;
    }
    expect(length).toBeGreaterThan(1_000_000);
  });

  it('breaks what it says at the end of a terminal, and nowhere else', () => {
    const related = [
      { source: createSource('b.too', ''), span: { start: 0, end: 0 }, message: `${'so '.repeat(20)}here` },
    ];
    const extra = { help: `Write ${'more '.repeat(12)}\nor less.`, related };
    const d = diagnostic(
      'TOO1601',
      createSource('研究.too', 'x'),
      { start: 0, end: 1 },
      'wrong '.repeat(12).trim(),
      extra,
    );
    const whole = renderDiagnostic(d, { color: false, columns: 40 });
    const broken = renderDiagnostic(d, { color: false, columns: 40, wrap: true });
    expect(whole.split('\n')[0]).toBe(oneLine(d));
    expect(broken.split('\n').slice(0, 3)).toEqual([
      '研究.too:1:1  error TOO1601  wrong wrong',
      '   wrong wrong wrong wrong wrong wrong',
      '   wrong wrong wrong wrong',
    ]);
    for (const line of broken.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(40);
    const words = (text: string) => text.split(/\s+/).join(' ');
    expect(words(broken)).toBe(words(whole));
    const colored = renderDiagnostic(d, { color: true, columns: 40, wrap: true });
    expect(colored.replace(/\x1b\[\d+m/g, '')).toBe(broken);
  });

  it('keeps every line within the columns and the caret on the text, whatever the text', () => {
    const unit = fc.oneof(
      fc.constantFrom('a', ' ', '\t', '日', '\n', '\r\n', '\x1b', '\u202e', 'e\u0301', '👩‍👩‍👧', '\ud83d', '\ufeff'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    const texts = fc.array(unit, { maxLength: 120 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.nat(400), fc.nat(400), fc.integer({ min: 40, max: 90 }), (text, start, size, columns) => {
        const lines = render(text, start, start + size, {}, columns)
          .split('\n')
          .slice(1)
          .filter((line) => !/^ +…$/.test(line));
        for (const line of lines) {
          expect(printable(line)).toBe(line);
          expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        }
        expect(lines.length % 2).toBe(0);
        for (let i = 1; i < lines.length; i += 2) {
          const caret = lines[i] ?? '';
          expect(caret).toMatch(/^ +\| *\^+$/);
          expect(caret.length).toBeLessThanOrEqual(displayWidth(lines[i - 1] ?? '') + 2);
        }
      }),
      runs,
    );
  });
});
