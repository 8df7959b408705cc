import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitCommand } from './split-command.ts';

fc.configureGlobal({ seed: 20 });

function words(line: string): string[] {
  const split = splitCommand(line);
  if (!split.ok) throw new Error(split.problem.message);
  return split.words.map((word) => word.text);
}

describe('splitCommand', () => {
  test.each([
    ['uvx example-mcp-server', ['uvx', 'example-mcp-server']],
    ['  npx\t-y   x  ', ['npx', '-y', 'x']],
    ['node \'my file.js\' "a b"', ['node', 'my file.js', 'a b']],
    ['a\\ b c', ['a b', 'c']],
    ['x --k="v w"z', ['x', '--k=v wz']],
    ["x ''", ['x', '']],
    ['x "" y', ['x', '', 'y']],
    ['x "a\\"b\\\\c\\d\\$e"', ['x', 'a"b\\c\\d$e']],
    ["x 'a\\b'", ['x', 'a\\b']],
    ["x 'a'\\''b'", ['x', "a'b"]],
    ['x *.md #no', ['x', '*.md', '#no']],
    ['x \\\n y', ['x', 'y']],
    ['"C:/Program Files/x.exe" y', ['C:/Program Files/x.exe', 'y']],
    ['x A=1', ['x', 'A=1']],
  ])('%s', (line, expected) => {
    expect(words(line)).toEqual(expected);
  });

  test.each([
    ['', 'empty', 0, 0],
    ['   ', 'empty', 0, 3],
    ["''", 'empty', 0, 2],
    ["x 'a b", 'quote', 2, 3],
    ['x "a b\\"', 'quote', 2, 3],
    ['x y\\', 'escape', 3, 4],
    ['A=1 x', 'assignment', 0, 3],
    ['x \u0000', 'control', 2, 3],
  ])('refuses %j', (line, kind, start, end) => {
    expect(splitCommand(line)).toMatchObject({ ok: false, problem: { kind, start, end } });
  });

  test('notes what only a shell would act on', () => {
    const split = splitCommand("~/bin/x $HOME \"${A}\" '$B' \\$C a|b && 'c;d' $(e) 5$ x~/y");
    expect(split.ok && split.notes.map((n) => n.kind)).toEqual([
      'home',
      'variable',
      'variable',
      'operator',
      'operator',
      'variable',
    ]);
  });

  test.each([
    ['a && b', ['&&']],
    ['a || b >> c', ['||', '>>']],
    ['a 2>&1', ['>&']],
    ['a $(b)', ['$(']],
    ['a (b) )', ['(', ')']],
    ['a `b` `c`', ['`', '`']],
    ['a & & b', ['&', '&']],
  ])('notes each operator of %j once', (line, expected) => {
    const split = splitCommand(line);
    expect(split.ok && split.notes.map((note) => line.slice(note.start, note.end))).toEqual(expected);
  });

  test('words written in any quotes come back, with their places', () => {
    const quoting: ((text: string) => string)[] = [
      (text) => `'${text.replaceAll("'", "'\\''")}'`,
      (text) => `"${text.replace(/["\\$`]/g, '\\$&')}"`,
      (text) => (text === '' ? "''" : text.replace(/[^A-Za-z0-9]/gu, (c) => (c === '\n' ? "'\n'" : `\\${c}`))),
    ];
    const word = fc.string({
      unit: fc.constantFrom('a', 'B', ' ', "'", '"', '\\', '$', '`', '\n', '\t', '|', '=', '😀', '~', '#'),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.nat(2)), { maxLength: 6 }), (parts) => {
        const line = ['cmd', ...parts.map(([text, how]) => quoting[how]?.(text) ?? '')].join('  ');
        const split = splitCommand(line);
        expect(split.ok && split.words.map((w) => w.text)).toEqual(['cmd', ...parts.map(([text]) => text)]);
        if (split.ok)
          for (const w of split.words) expect(words(`x ${line.slice(w.start, w.end)}`)).toEqual(['x', w.text]);
        expect(split.ok && split.notes).toEqual([]);
      }),
    );
  });

  test.skipIf(process.platform === 'win32')('a real shell splits the same way', () => {
    const unit = fc.constantFrom('a', 'B', ' ', ' ', "'", '"', '\\', '=', '.', 'ü', '😀', ',', ':', '\t', '%', '+');
    const lines = fc
      .sample(fc.string({ unit, maxLength: 24 }), { numRuns: 2000, seed: 20 })
      .filter((line) => splitCommand(`x ${line}`).ok);
    expect(lines.length).toBeGreaterThan(300);
    const script = lines.map((line) => `printf '%s\\0' x ${line}\nprintf '\\n\\0'\n`).join('');
    const { stdout } = spawnSync('sh', ['-s'], { input: script, encoding: 'utf8' });
    const printed = stdout.split('\n\0').slice(0, -1);
    expect(printed).toEqual(lines.map((line) => `${words(`x ${line}`).join('\0')}\0`));
  });

  test('any text is split or refused, in linear time', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (line) => void splitCommand(line)));
    for (const part of ['${', '"', "'", '\\', '$a', '| ', '"a" ', '~/ ']) {
      const start = process.cpuUsage().user;
      splitCommand(part.repeat(100_000));
      expect((process.cpuUsage().user - start) / 1000).toBeLessThan(2000);
    }
  });
});
