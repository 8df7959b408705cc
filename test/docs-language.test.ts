/** Every sample of `docs/language.md` is what the page says it is. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Block, readBlocks } from '../scripts/errors.mjs';
import { checkProgram, checkSource, type Host } from '../src/program/index.ts';
import { codes, createSource, hasErrors } from '../src/text/index.ts';
import { format, parse } from '../src/too/index.ts';
import { builtinTools } from '../src/tool/index.ts';
import { refTo, toJsonSchema } from '../src/type/index.ts';

const page = readFileSync(new URL('../docs/language.md', import.meta.url), 'utf8');
const blocks = readBlocks(page);
const host: Host = { tools: builtinTools, caps: [], hands: [], hasFile: () => false };

describe('samples of the language reference', () => {
  for (const block of blocks.filter(({ words }) => words[0] === 'too')) {
    const [, mark, code] = block.words;
    test(`line ${lineOf(block)}: ${block.words.join(' ')}`, () => {
      const { diagnostics } = check(block.text);
      const found = [...new Set(diagnostics.map((d) => d.code))];
      if (mark === 'error') expect(found).toEqual([code]);
      else expect(found).toEqual([]);
    });
  }

  test('the formatter makes of one sample the other', () => {
    const source = createSource('language.md', sample('before'));
    expect(format(source, parse(source).tokens)).toBe(sample('after'));
  });

  test('every other right sample is in the style of the formatter', () => {
    for (const { words, text } of blocks) {
      if (words[0] !== 'too' || words[1] === 'before') continue;
      const source = createSource('language.md', text);
      const { tokens, diagnostics } = parse(source);
      if (!hasErrors(diagnostics)) expect(format(source, tokens)).toBe(text);
    }
  });

  test('the JSON Schema is that of its struct', () => {
    const { program } = check(sample('schema'));
    const json = blocks.find(({ words }) => words[0] === 'json');
    expect(toJsonSchema(refTo('Finding'), program.types)).toEqual(JSON.parse(json?.text ?? ''));
  });

  test('the formatter never changes what a sample means', () => {
    for (const { words, text } of blocks) {
      if (words[0] !== 'too' || words[1] === 'error') continue;
      const source = createSource('language.md', text);
      const formatted = format(source, parse(source).tokens);
      expect(hasErrors(checkProgram(parse(createSource('language.md', formatted)), host).diagnostics)).toBe(false);
    }
  });
});

test('every link and every code on the page exists', () => {
  const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  for (const [, anchor] of page.matchAll(/\]\(#([^)]*)\)/g)) expect(anchors).toContain(anchor);
  for (const [code] of page.matchAll(/TOO\d{4}/g)) expect(Object.keys(codes)).toContain(code);
});

function check(text: string) {
  return checkSource(createSource('agent.too', text), host);
}

function sample(mark: string): string {
  const found = blocks.find(({ words }) => words[0] === 'too' && words[1] === mark);
  if (!found) throw new Error(`there is no sample marked "${mark}"`);
  return found.text;
}

function lineOf(block: Block): number {
  return page.slice(0, block.start).split('\n').length;
}
