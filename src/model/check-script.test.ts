/** Scripts with the files that they name. */
import { expect, it } from 'vitest';
import { createSource } from '../text/index.ts';
import { checkScript } from './check-script.ts';

const files = new Map([['./a.md', 'A']]);
const asked: string[] = [];
const read = async (path: string) => {
  asked.push(path);
  const text = files.get(path);
  return text === undefined ? { ok: false as const, message: `"${path}" does not exist` } : { ok: true as const, text };
};

it('each file is read once, and the missing ones are told where they are named', async () => {
  const text = 'replies[4]{for,textFrom}:\n  a,./a.md\n  b,./b.md\n  c,./a.md\n  d,./b.md\n';
  const { script, diagnostics, texts } = await checkScript(createSource('s.script.toon', text), read);
  expect(script).toBeUndefined();
  expect(diagnostics.map(({ code, message, span }) => [code, message, text.slice(span.start, span.end)])).toEqual([
    ['TOO7009', '"./b.md" does not exist', './b.md'],
    ['TOO7009', '"./b.md" does not exist', './b.md'],
  ]);
  expect([...texts]).toEqual([['./a.md', 'A']]);
  expect(asked).toEqual(['./a.md', './b.md']);
});

it('other mistakes are told beside them, in the order of the file', async () => {
  const text = 'replies[2]:\n  - for: a\n    textFrom: ./b.md\n  - for: a\n    txt: x\n';
  const { diagnostics } = await checkScript(createSource('s.script.toon', text), read);
  expect(diagnostics.map(({ code }) => code)).toEqual(['TOO7009', 'TOO7001']);
});

it('a script whose files are there is a script', async () => {
  const { script, diagnostics } = await checkScript(
    createSource('s.script.toon', 'replies[1]:\n  - for: a\n    textFrom: ./a.md\n'),
    read,
  );
  expect(diagnostics).toEqual([]);
  expect(script?.replies).toMatchObject([{ for: 'a', answer: { kind: 'file', path: './a.md' } }]);
});
