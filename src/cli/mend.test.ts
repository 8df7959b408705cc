/** Mending: whole fixes only, never worse, the same again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSource } from '../program/index.ts';
import { createSource, type Diagnostic, diagnostic, type Edit, hasErrors, type Source } from '../text/index.ts';
import { builtinTools } from '../tool/index.ts';
import { mend as mendAsync } from './mend.ts';

const host = { tools: builtinTools, caps: [], hands: [], hasFile: () => false };
const check = (source: Source) => checkSource(source, host).diagnostics;
const mend = (name: string, text: string, found: (source: Source) => readonly Diagnostic[]) =>
  mendAsync(name, text, async (source) => found(source));
const mended = (text: string) => mend('x.too', text, check);

describe('mending', () => {
  it('leaves a text without fixes as it is', async () => {
    const text = 'thunk:\n  user: hi {{nobody}}\n';
    expect(await mended(text)).toEqual({ text, fixes: 0 });
  });

  it('goes on with what a fix brings to light', async () => {
    const { text, fixes } = await mended('thunk:\n  tool = filesytem, shel\n  recal = histroy\n  user: hi {{inptu}}\n');
    expect(text).toBe('thunk:\n  tools = filesystem, shell\n  recall = history\n  user: hi {{input}}\n');
    expect(fixes).toBe(6);
  });

  it('mends a name whose value it cannot mend', async () => {
    expect((await mended('thunk:\n  tool = zzzzzzzz\n  user: hi\n')).text).toBe(
      'thunk:\n  tools = zzzzzzzz\n  user: hi\n',
    );
  });

  it('mends many problems of one line', async () => {
    const names = Array.from({ length: 500 }, () => 'shell').join(', ');
    const { text, fixes } = await mended(`thunk:\n  tools = ${names}\n  user: {{inptu}} {{inptu}} {{inptu}}\n`);
    expect(text).toBe('thunk:\n  tools = shell\n  user: {{input}} {{input}} {{input}}\n');
    expect(fixes).toBe(499 + 3);
  });

  it('moves many lines to one place, in their order', async () => {
    const count = 150;
    const lines = Array.from({ length: count }, (_, i) => `  hands += h${i}\n`).join('');
    const thunks = Array.from({ length: count }, (_, i) => `thunk h${i}:\n  user: hi\n`).join('');
    const { text } = await mended(`thunk:\n  user: hi\n${lines}${thunks}`);
    expect(text).toBe(`thunk:\n${lines}  user: hi\n${thunks}`);
  });

  it('ends new lines as the file does, and keeps its byte order mark', async () => {
    const { text } = await mended(
      '\ufeffthunk:\r\n  user: hi\r\n  tools = shell\r\nthunk b:\r\n  user:\r\n  Just text\r\n',
    );
    expect(text).not.toMatch(/[^\r]\n/);
    expect(text.startsWith('\ufeffthunk:\r\n  tools = shell\r\n  user: hi\r\n')).toBe(true);
    expect(hasErrors(check(createSource('x.too', text)))).toBe(false);
  });

  it('leaves out the fix that makes it worse, and makes the others', async () => {
    // "b" may not go: many errors follow that nothing mends.
    const fake = (source: Source): Diagnostic[] => {
      const found = [...source.text.matchAll(/[a-z]/g)].map((m) => wrong(source, m.index, m.index + 1, ''));
      return source.text.includes('b') ? found : [...found, ...Array(9).fill(wrong(source, 0, 0))];
    };
    expect(await mend('x', 'a b c d', fake)).toEqual({ text: ' b  ', fixes: 3 });
  });

  it('ends where it began when fixes undo each other', async () => {
    const fake = (source: Source) => [wrong(source, 0, 1, source.text === 'a' ? 'b' : 'a')];
    expect(await mend('x', 'a', fake)).toEqual({ text: 'a', fixes: 0 });
    expect(await mend('x', 'b', fake)).toEqual({ text: 'b', fixes: 0 });
  });

  it('ends when every fix leads to another one', async () => {
    const fake = (source: Source) => [wrong(source, source.text.length, source.text.length, 'x')];
    expect(await mend('x', '', fake)).toEqual({ text: '', fixes: 0 });
  });

  it('makes no two insertions at one place, unless they are whole lines', async () => {
    const colons = (source: Source) =>
      source.text.includes(':') ? [] : [wrong(source, 1, 1, ':'), wrong(source, 1, 1, ':')];
    expect(await mend('x', 'ab', colons)).toEqual({ text: 'a:b', fixes: 1 });
  });

  it('never touches another source', async () => {
    const other = createSource('config.toml', 'abc');
    expect(await mend('x', 'abc', () => [wrong(other, 0, 1, '')])).toEqual({ text: 'abc', fixes: 0 });
  });

  it('never makes it worse and does nothing the second time, whatever the text', async () => {
    const line = fc.constantFrom(
      'thunk:',
      'thunk A(input?: String, x : int) => Text?:',
      'Thunk b(x: Text, input: Message) -> Txt:',
      'thunk default(a: Text, a: Text):',
      '  tool = filesytem, shell, shell',
      '  models += gpt-5#fast',
      '  hands := b, default',
      '  recall = histroy, none',
      '  user: hi {{inptu}} {{#x}}',
      '  user hi',
      '  context: nothing',
      '  Just text',
      '\ttext after a tab',
      'struct foo {',
      'struct Foo:',
      'a: string',
      '  b: Txt[]?,',
      '  c?: Number[]',
      'skill s:',
      '  description: Does it.',
      '  transport = htp',
      'service s:',
      '  target = http://x',
      'use skil openhat/x',
      'prompt p: text',
      '```md',
      '---',
      '# comment',
      '',
    );
    const program = fc.tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', '\r\n'));
    await fc.assert(
      fc.asyncProperty(program, async ([lines, end]) => {
        const text = lines.join(end);
        const once = await mended(text);
        expect(errorsOf(once.text)).toBeLessThanOrEqual(errorsOf(text));
        expect(await mended(once.text)).toEqual({ text: once.text, fixes: 0 });
        if (text.includes('\r\n')) expect(once.text).not.toMatch(/[^\r]\n/);
      }),
      { numRuns: process.env.TOOLANG_DEEP ? 5000 : 300 },
    );
  });
});

function errorsOf(text: string): number {
  return check(createSource('x.too', text)).filter((d) => d.severity === 'error').length;
}

function wrong(source: Source, start: number, end: number, text?: string): Diagnostic {
  const edits: Edit[] = text === undefined ? [] : [{ span: { start, end }, text }];
  return diagnostic('TOO1601', source, { start, end }, 'wrong', {
    ...(text !== undefined && { fix: { title: 'mend', edits } }),
  });
}
