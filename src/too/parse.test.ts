import { describe, expect, it } from 'vitest';
import { createSource, lineText, positionAt } from '../text/index.ts';
import { parse } from './parse.ts';
import type { Struct, Thunk } from './tree.ts';

function read(text: string) {
  const source = createSource('a.too', text);
  const { program, tokens, diagnostics } = parse(source);
  const found = diagnostics.map((d) => {
    const at = positionAt(source, d.span.start);
    return `${at.line}:${at.column} ${d.code}`;
  });
  return { source, program, tokens, diagnostics, found };
}

function joined(text: string): string {
  return read(text)
    .tokens.map((token) => text.slice(token.start, token.end))
    .join('');
}

describe('tokens', () => {
  it.each([
    ['nothing', ''],
    ['a byte order mark alone', '\ufeff'],
    ['blank lines', '\n \t\r\n\f\n'],
    ['no final line end', 'use skill a/b'],
    ['CRLF', 'struct A:\r\n  a: Text\r\n'],
    ['a bare carriage return', 'struct A:\r  a: Text'],
    ['control characters', 'thunk\0:\n  user: \x1b[31m\n'],
    ['an open fence', 'skill a: ```md\n---\nfoo'],
    ['lone surrogates', 'thunk a:\n  user: \ud800 \udc00'],
    ['garbage', ')(*&^%$#@!~`\n\t`````\n---\n+=\n'],
  ])('joined are the file: %s', (_, text) => {
    expect(joined(text)).toBe(text);
  });
});

describe('recovery', () => {
  const broken = [
    'struct :',
    'struct a b c',
    'thunk x(((',
    'thunk x(a: Text, b',
    'skill :\n  description += x',
    'use',
    'use skill',
    'use thing x/y',
    'service s: ```json\nx\n```',
    'prompt p: ```\nnever closed',
    'thunk x:\n  nonsense here\n  model = a\n  tools =\n  user: a\n     b',
    'what is this',
    '   stray',
    'context x: y',
    '`````',
    'thunk a->:\n',
    'struct A:\n  x: Text[\n',
  ];

  it.each(broken)('reads every declaration after: %s', (text) => {
    const { program, found } = read(`${text}\nstruct After:\n  a: Text\nthunk last:\n  user: hi\n`);
    expect(found.length).toBeGreaterThan(0);
    const struct = program.items.find((item): item is Struct => item.kind === 'struct' && item.name.text === 'After');
    expect(struct?.fields.map((field) => field.name.text)).toEqual(['a']);
    const thunk = program.items.find((item): item is Thunk => item.kind === 'thunk' && item.name?.text === 'last');
    expect(thunk?.blocks).toHaveLength(1);
  });

  it('reads parameters spread over lines as one header, with one report', () => {
    const { program, found } = read('thunk a(\n  input: Message,\n  path: Text\n) -> Text:\n  user: hi\n');
    expect(found).toEqual(['1:8 TOO1610']);
    const thunk = program.items[0] as Thunk;
    expect(thunk.params?.map((param) => param.name.text)).toEqual(['input', 'path']);
    expect(thunk.output?.name.text).toBe('Text');
    expect(thunk.blocks).toHaveLength(1);
  });

  it('keeps the rest of a thunk when a declaration stands inside it', () => {
    const { program, found } = read('thunk a:\n  models = x\n  use skill a/b\n  user: hi\n');
    expect(found).toEqual(['3:3 TOO1102']);
    expect(program.items.map((item) => item.kind)).toEqual(['thunk', 'use']);
    expect((program.items[0] as Thunk).blocks).toHaveLength(1);
  });

  it('does not recurse without end on declarations inside declarations', () => {
    const text = Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}thunk a:\n`).join('');
    expect(joined(text)).toBe(text);
  });

  it('reads a misspelt declaration as what was meant', () => {
    const { program, found } = read('strukt A:\n  a: Text\n');
    expect(found).toEqual(['1:1 TOO1101']);
    expect(program.items.map((item) => item.kind)).toEqual(['struct']);
  });
});

describe('text', () => {
  const textOf = (text: string) => {
    const block = (read(text).program.items[0] as Thunk).blocks[0];
    return block?.value?.text;
  };

  it('of an indented block has the smallest indent stripped and keeps inner blank lines', () => {
    expect(textOf('thunk a:\n  user:\n\n      one\n    two\n\n     three\n\n')).toBe('  one\ntwo\n\n three');
  });

  it('counts a tab to the next multiple of 8, and keeps what reaches over the margin as blanks', () => {
    expect(textOf('thunk a:\n  user:\n    one\n\ttwo\n')).toBe('one\n    two');
  });

  it('gives form feeds no width', () => {
    expect(textOf('thunk a:\n  user:\n    \fone\n    two\n')).toBe('\fone\ntwo');
  });

  it('of a fence keeps its lines less the indent of the closing fence', () => {
    expect(textOf('thunk a:\n  user: ```\n    one\n  two\nthree\n  ```\n')).toBe('  one\ntwo\nthree');
  });

  it('has LF line ends', () => {
    expect(textOf('thunk a:\r\n  user:\r\n    one\r\n    two\r\n')).toBe('one\ntwo');
  });

  it('on the header line ends before a comment that follows a blank', () => {
    expect(textOf('thunk a:\n  user: C# and https://x/y#z are text # this is not\n')).toBe(
      'C# and https://x/y#z are text',
    );
  });
});

describe('documentation comments', () => {
  it('go to the item or field directly below', () => {
    const { program } = read(
      '##! all\n## one\n## two\nstruct A:\n  ## field\n  a: Text\n  # not\n  b: Text\n\n## far\n\nthunk:\n',
    );
    const [struct, thunk] = program.items as [Struct, Thunk];
    expect(program.doc).toBe('all');
    expect(struct.doc).toBe('one\ntwo');
    expect(struct.fields.map((field) => field.doc)).toEqual(['field', undefined]);
    expect(thunk.doc).toBeUndefined();
  });

  it('are not made of headings in a text above', () => {
    const { program } = read('psyche a:\n  ## Heading\nthunk:\n');
    expect(program.items[1]?.doc).toBeUndefined();
  });
});

describe('lines', () => {
  it('are counted without the byte order mark', () => {
    const { source, found } = read('\ufeffwhat\n');
    expect(found).toEqual(['1:1 TOO1101']);
    expect(lineText(source, 1)).toBe('what');
  });
});
