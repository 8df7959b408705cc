/** Random TOON documents and small harm done to them, from a seed. */

/** A small generator of pseudo-random numbers (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const keys = ['a', 'b', 'id', 'name', 'x-y', 'a.b', '', 'two words', '1', '__proto__', 'a:b', '"q"', '-', '# k', 'é'];
const texts = [
  '',
  'x',
  'hello world',
  'a,b',
  'a|b',
  'a\tb',
  '-',
  '- x',
  '05',
  '1e5',
  'true',
  'null',
  '#x',
  'a # b',
  '[]',
];
const oddTexts = [
  'a: b',
  '"',
  '\\',
  'line\nbreak',
  ' x ',
  '[2]: 1',
  '{x}',
  'é😀',
  '\u0001',
  'http://x.y/z',
  '1.50',
  '-0',
];

/** A JSON value with what is awkward to write. */
export function randomValue(random: () => number, depth = 0): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const scalar = () => {
    const kind = random();
    if (kind < 0.2) return Math.round(random() * 1e4) / (random() < 0.5 ? 1 : 100);
    if (kind < 0.3) return pick([true, false, null, 0, -1.5, 1e21, 1e-7]);
    return pick(random() < 0.6 ? texts : oddTexts);
  };
  const object = (make: () => unknown, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, make()]));
  const names = () => Array.from({ length: Math.floor(random() * 4) }, () => pick(keys));
  const shape = random();
  if (depth > 4 || shape < 0.2) return scalar();
  if (shape < 0.3) return Array.from({ length: Math.floor(random() * 4) }, scalar);
  const inner = () => randomValue(random, depth + 1);
  if (shape < 0.5) {
    const columns = [...new Set(['id', ...names()])];
    const nested = random() < 0.4 ? [...new Set(['k', ...names()])] : [];
    const row = () => ({ ...object(scalar, columns), ...(nested.length > 0 && { group: object(scalar, nested) }) });
    const rows = Array.from({ length: 1 + Math.floor(random() * 3) }, row);
    return random() < 0.5 ? rows : Object.fromEntries(rows.map((one, index) => [`r${index}`, one]));
  }
  if (shape < 0.65) return Array.from({ length: Math.floor(random() * 4) }, inner);
  return object(inner, ['first', ...names()]);
}

const pieces = [
  '"',
  '\\',
  ':',
  ' ',
  '  ',
  ',',
  '|',
  '\t',
  '\n',
  '\n\n',
  '- ',
  '-',
  '[',
  ']',
  '[2]',
  '[1]:',
  '{',
  '}',
  '#',
];
const words = [
  'a',
  '0',
  '1',
  'x: 1',
  '[]',
  '# c',
  ': ',
  '\r\n',
  '[2:]',
  '{a,b}',
  '\\u0041',
  '"a"',
  'key:',
  '\n  ',
  '\n    ',
];

/** One to three small changes. */
export function mutate(random: () => number, text: string): string {
  let out = text;
  for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
    const at = Math.floor(random() * (out.length + 1));
    const way = random();
    const list = random() < 0.7 ? pieces : words;
    const piece = list[Math.floor(random() * list.length)] ?? '';
    if (way < 0.35) out = out.slice(0, at) + piece + out.slice(at);
    else if (way < 0.6) out = out.slice(0, at) + out.slice(at + 1 + Math.floor(random() * 3));
    else if (way < 0.75) out = out.slice(0, at) + piece + out.slice(at + 1);
    else out = mutateLine(random, out);
  }
  return out;
}

/** A line more, a line less, a line moved in or out, two lines changed for each other. */
function mutateLine(random: () => number, text: string): string {
  const lines = text.split('\n');
  const at = Math.floor(random() * lines.length);
  const other = Math.floor(random() * lines.length);
  const way = random();
  if (way < 0.2) lines.splice(at, 1);
  else if (way < 0.4) lines.splice(other, 0, lines[at] ?? '');
  else if (way < 0.6) lines[at] = `  ${lines[at]}`;
  else if (way < 0.8) lines[at] = (lines[at] ?? '').replace(/^ {1,2}/, '');
  else [lines[at], lines[other]] = [lines[other] ?? '', lines[at] ?? ''];
  return lines.join('\n');
}
