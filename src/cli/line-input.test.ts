/** Lines of standard input, however they come. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Input } from './context.ts';
import { lineInput } from './line-input.ts';

function inputOf(chunks: readonly string[]): Input {
  return {
    isTTY: false,
    read: async () => ({ ok: true, text: chunks.join('') }),
    async *chunks() {
      for (const chunk of chunks) yield Buffer.from(chunk);
    },
  };
}

async function linesOf(chunks: readonly string[]): Promise<string[]> {
  const input = lineInput(inputOf(chunks));
  const lines: string[] = [];
  for (let line = await input.line(); line !== undefined; line = await input.line()) {
    if (line.ok) lines.push(line.text);
  }
  return lines;
}

it('are the same wherever the pieces of the input end', async () => {
  const piece = fc.constantFrom('a', 'bc', '\n', '\r\n', '', 'ä', '\\');
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (chunks) => {
      const whole = chunks.join('');
      const lines = whole === '' ? [] : whole.replace(/\n$/, '').split('\n');
      expect(await linesOf(chunks)).toEqual(
        lines.map((line, i) => (hasEnd(whole, lines, i) ? line.replace(/\r$/, '') : line)),
      );
    }),
  );
});

/** The last one may have none. */
function hasEnd(whole: string, lines: readonly string[], i: number): boolean {
  return i < lines.length - 1 || whole.endsWith('\n');
}

it('that is no text is told, and the next one is read', async () => {
  const input = lineInput({
    ...inputOf([]),
    async *chunks() {
      yield Buffer.from([0xff, 0x0a, 0x61, 0x0a]);
    },
  });
  expect(await input.line()).toMatchObject({ ok: false, problem: { kind: 'not-utf8' } });
  expect(await input.line()).toEqual({ ok: true, text: 'a' });
  expect(await input.line()).toBeUndefined();
});

it('that nobody waits for any more is there for the next who asks', async () => {
  let give: (text: string) => void = () => {};
  const input = lineInput({
    ...inputOf([]),
    async *chunks() {
      yield Buffer.from(
        await new Promise<string>((resolve) => {
          give = resolve;
        }),
      );
    },
  });
  const stop = new AbortController();
  const first = input.line(stop.signal);
  stop.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
  give('one\ntwo\n');
  const asked: string[] = [];
  for await (const chunk of input.chunks()) {
    asked.push(Buffer.from(chunk).toString());
    break;
  }
  expect(asked).toEqual(['one\n']);
  expect(await input.line()).toEqual({ ok: true, text: 'two' });
});
