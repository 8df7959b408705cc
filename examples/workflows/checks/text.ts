/** The handlers of checks.toon: plain functions that can be tested without a workflow. */
interface Context {
  readonly input: { readonly text: string };
}

interface Verdict extends Context {
  readonly words: { readonly count: number };
  readonly lines: readonly { readonly line: number }[];
}

export function countWords({ input }: Context) {
  const words = input.text.split(/\s+/).filter((word) => word !== '');
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  return { count: words.length, longest };
}

export async function longLines({ input }: Context) {
  return input.text
    .split('\n')
    .map((text, index) => ({ line: index + 1, length: text.length }))
    .filter(({ length }) => length > 100);
}

export function verdict({ words, lines }: Verdict) {
  if (words.count === 0) return { ok: false, reason: 'there is no text' };
  return lines.length === 0 ? { ok: true } : { ok: false, reason: `line ${lines[0]?.line} is long` };
}
