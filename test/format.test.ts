/** `fmt` changes blanks and line ends outside of texts, and nothing else. */
import { describe, expect, it } from 'vitest';
import { createSource, hasErrors } from '../src/text/index.ts';
import { format, type Parsed, parse } from '../src/too/index.ts';
import { mutate } from './generate/mutate.ts';
import { generateProgram } from './generate/program.ts';
import { realisticProgram } from './generate/realistic.ts';
import { shrink } from './generate/verdict.ts';

const deep = process.env.TOOLANG_DEEP === '1';
const rounds = deep ? 8_000 : 800;

describe('formatting any right program', () => {
  it('changes no text, no comment, no name and no documentation', async () => {
    let tried = 0;
    for (let seed = 0; seed < rounds; seed++) {
      // Long work without a break would look like a hang to the runner.
      if (seed % 500 === 0) await new Promise(setImmediate);
      const text = programOf(seed);
      const problem = problemOf(text);
      if (problem === 'refused') continue;
      tried++;
      if (problem === undefined) continue;
      const small = shrink(text, (part) => problemOf(part) === problem);
      expect.fail(
        `seed ${seed}: ${problem}\nshrunk: ${JSON.stringify(small)}\nresult: ${JSON.stringify(formatted(small))}`,
      );
    }
    expect(tried).toBeGreaterThan(rounds * 0.6);
  });

  it('keeps CRLF', () => {
    for (let seed = 0; seed < 100; seed++) {
      const text = realisticProgram(seed, 60).replaceAll('\n', '\r\n');
      const result = formatted(text);
      expect(result.replaceAll('\r\n', '').includes('\n')).toBe(false);
      expect(problemOf(text)).toBeUndefined();
    }
  });

  it('leaves a program of the usual layout as it is', () => {
    for (let seed = 0; seed < 100; seed++) {
      const text = formatted(realisticProgram(seed, 60));
      expect(formatted(text)).toBe(text);
    }
  });
});

describe('the layout', () => {
  const cases: readonly (readonly [what: string, before: string, after: string])[] = [
    ['of nothing is nothing', '\n \n\n', ''],
    ['ends with one line end', 'use skill a/b', 'use skill a/b\n'],
    ['drops blank lines at the start and at the end', '\n\nuse skill a/b\n\n\n', 'use skill a/b\n'],
    ['keeps a byte order mark', '\ufeff\nuse skill a/b\n', '\ufeffuse skill a/b\n'],
    [
      'has one blank line between items',
      'struct A:\n  a: Text\nthunk:\n  user: a\n\n\n\ncontext:\n  a\n',
      'struct A:\n  a: Text\n\nthunk:\n  user: a\n\ncontext:\n  a\n',
    ],
    ['lets uses stay together', 'use skill a/b\nuse prompt a/c\n', 'use skill a/b\nuse prompt a/c\n'],
    ['lets uses stay apart', 'use skill a/b\n\n\nuse prompt a/c\n', 'use skill a/b\n\nuse prompt a/c\n'],
    ['parts uses from other items', 'use skill a/b\nthunk:\n', 'use skill a/b\n\nthunk:\n'],
    ['has two blanks of indent', 'struct A:\n      a: Text\n\tb: Text\n', 'struct A:\n  a: Text\n  b: Text\n'],
    [
      'indents the text of a block by two more',
      'thunk:\n    user:\n            one\n              two\n',
      'thunk:\n  user:\n    one\n      two\n',
    ],
    ['indents the text of an item by two', 'context:\n\tone\n\t  two\n', 'context:\n  one\n    two\n'],
    ['keeps blank lines in a text', 'context:\n  one\n\n\n  two\n', 'context:\n  one\n\n\n  two\n'],
    [
      'keeps single blank lines in bodies',
      'struct A:\n\n  a: Text\n\n\n  b: Text\n  c: Text\n',
      'struct A:\n  a: Text\n\n  b: Text\n  c: Text\n',
    ],
    [
      'keeps directives aligned as written',
      'thunk:\n  tools    = web\n  skills  += a\n  recall=none\n',
      'thunk:\n  tools    = web\n  skills  += a\n  recall = none\n',
    ],
    [
      'puts one blank where tokens of a header need one',
      'thunk  a( b :Text ,c ? : Text [] )->  Text :  # why\n',
      'thunk a(b: Text, c?: Text[]) -> Text:  # why\n',
    ],
    [
      'puts one blank after the commas of lists',
      'thunk:\n  tools = web ,shell,  filesystem\n',
      'thunk:\n  tools = web, shell, filesystem\n',
    ],
    [
      'puts one blank around the operators of properties',
      'psyche p:\n    a  =   b  \n    c=d # e\n\n\n    text\n',
      'psyche p:\n  a  = b\n  c = d # e\n\n  text\n',
    ],
    [
      'never moves what a fence holds, nor the fence that ends it',
      'context c: ```md\n\tone  \n\n\n   two\n   ```  \nthunk:\n    user:```\n  a\n ```\n',
      'context c: ```md\n\tone  \n\n\n   two\n   ```\n\nthunk:\n  user: ```\n  a\n ```\n',
    ],
    [
      'never touches frontmatter',
      'psyche p: ```\n  ---  \n  a:   b\n\n\n  ---\n text\n  ```\n',
      'psyche p: ```\n  ---  \n  a:   b\n\n\n  ---\n text\n  ```\n',
    ],
    ['keeps the blanks inside of a text on its line', 'thunk:\n  user:   a   b  \n', 'thunk:\n  user: a   b\n'],
    [
      'leaves comments where they stand between items',
      '# one\n\n\n# two\nuse skill a/b\n\n# three\n',
      '# one\n\n# two\nuse skill a/b\n\n# three\n',
    ],
    [
      'keeps comments at the ends of lines',
      'struct A: # one\n  a: Text    # two\n  b: Text\t# three\n',
      'struct A: # one\n  a: Text    # two\n  b: Text # three\n',
    ],
    [
      'indents a comment above a line of a body with it',
      'struct A:\n# one\n  a: Text\n      # two\n  b: Text\n',
      'struct A:\n  # one\n  a: Text\n  # two\n  b: Text\n',
    ],
    [
      'moves a comment above an item out with it',
      'struct A:\n  a: Text\n\n  ## Why.\nthunk:\n',
      'struct A:\n  a: Text\n\n## Why.\nthunk:\n',
    ],
    [
      'keeps the last comment of a body in it',
      'struct A:\n  a: Text\n    # last\n\nthunk:\n',
      'struct A:\n  a: Text\n  # last\n\nthunk:\n',
    ],
    [
      'keeps documentation at what it documents',
      '##! All.\n## Not of A.\n\n## Of A.\n##  More.\nstruct A:\n    ## Of a.\n    a: Text\n\n    ## Of nothing.\n\n    b: Text\n',
      '##! All.\n## Not of A.\n\n## Of A.\n##  More.\nstruct A:\n  ## Of a.\n  a: Text\n\n  ## Of nothing.\n\n  b: Text\n',
    ],
    [
      'keeps the line ends of the file',
      'use skill a/b\r\nthunk:\r\n  user: a',
      'use skill a/b\r\n\r\nthunk:\r\n  user: a\r\n',
    ],
    [
      'keeps the line ends of a text in a file of others',
      'context:\r\n  a\n  b\r\n\n  c\r\n',
      'context:\r\n  a\n  b\r\n\n  c\r\n',
    ],
  ];
  for (const [what, before, after] of cases) {
    it(what, () => {
      expect(formatted(before)).toBe(after);
      expect(formatted(after)).toBe(after);
      expect(problemOf(before)).toBeUndefined();
    });
  }
});

function programOf(seed: number): string {
  if (seed % 4 === 0) return realisticProgram(seed, 40);
  const program = generateProgram(seed);
  return seed % 4 === 1 ? mutate(program, seed) : program;
}

function read(text: string): Parsed {
  return parse(createSource('program.too', text));
}

function formatted(text: string): string {
  const { program, tokens } = read(text);
  return format(program.source, tokens);
}

/** What formatting does to a text that it must not; 'refused' for a text that is not a program. */
function problemOf(text: string): string | undefined {
  const before = read(text);
  if (hasErrors(before.diagnostics)) return 'refused';
  const result = format(before.program.source, before.tokens);
  const after = read(result);
  if (hasErrors(after.diagnostics)) return `it adds ${after.diagnostics.find((d) => d.severity === 'error')?.code}`;
  if (format(after.program.source, after.tokens) !== result) return 'it is not idempotent';
  if (withoutPlaces(before) !== withoutPlaces(after)) return 'the tree differs';
  if (slices(before, isHeld) !== slices(after, isHeld)) return 'the content of a fence differs';
  if (slices(before, isComment) !== slices(after, isComment)) return 'comments differ';
  // Nothing but blanks, and perhaps a byte order mark.
  if (result === '' || result === '\ufeff') return undefined;
  if (/[^\n]$|(?:^|\n)[ \t\f]*\r?\n$/.test(result)) return 'it does not end with one line end';
  const isCrlf = /^[^\n]*\r\n/.test(text);
  if (isCrlf !== /^[^\n]*\r\n/.test(result)) return 'the first line end differs';
  return layoutProblem(result, after);
}

/** Outside of texts: no blanks at line ends, no two blank lines, indents of two or none. */
function layoutProblem(text: string, { tokens }: Parsed): string | undefined {
  const parts = tokens.map((token) => {
    const written = text.slice(token.start, token.end);
    // A closing fence stands where it was written.
    const kept = token.kind === 'raw' || isHeld(token.kind) || token.kind === 'text';
    return kept ? '·' : token.kind === 'comment' ? '#' : written;
  });
  const outside = parts
    .join('')
    .replaceAll('\r\n', '\n')
    .replace(/^\ufeff/, '');
  if (/[ \t\f]\n/.test(outside)) return 'blanks stand at the end of a line';
  if (outside.includes('\n\n\n')) return 'two blank lines follow each other';
  if (outside.startsWith('\n')) return 'a blank line stands at the start';
  if (/^(?! {2}\S|\S|[ \t\f]*`|·|$)/m.test(outside)) return 'a line is not indented by two blanks or none';
  return undefined;
}

function isHeld(kind: string): boolean {
  return kind === 'content' || kind === 'frontmatter';
}

function isComment(kind: string): boolean {
  return kind === 'comment';
}

function slices({ program, tokens }: Parsed, wanted: (kind: string) => boolean): string {
  const { text } = program.source;
  const found = tokens.filter(({ kind }) => wanted(kind)).map(({ start, end }) => text.slice(start, end));
  return JSON.stringify(wanted('comment') ? found.map((comment) => comment.replace(/[ \t\f]+$/, '')) : found);
}

/** The tree with every name, text and documentation, and without its places. */
function withoutPlaces({ program }: Parsed): string {
  return JSON.stringify({ ...program, source: undefined }, (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'start' in value && 'end' in value ? 'here' : value,
  );
}
