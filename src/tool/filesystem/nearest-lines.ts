/** Which lines of a text come nearest to one that is not in it: for a model that has to correct itself. */

const mostLines = 5000;
const mostLength = 200;
const mostShown = 3;

/** A sentence that begins with a blank, or nothing. Takes time in proportion to the text. */
export function nearestLines(text: string, old: string): string {
  const wanted = old.split('\n').find((line) => line.trim() !== '');
  if (wanted === undefined) return ' The old text is blank.';
  const lines = text.split('\n', mostLines);
  const bare = wanted.trim();
  const inBlanks = lines.findIndex((line) => line.trim() === bare);
  if (inBlanks !== -1) {
    const exact = (lines[inBlanks] ?? '').replace(/\r$/, '') === wanted.replace(/\r$/, '');
    const why = exact
      ? 'its first line is there, but what follows differs'
      : 'its first line is there with other blanks around it';
    return ` Line ${inBlanks + 1}: ${why}:\n${shownFrom(lines, inBlanks, old.split('\n').length)}`;
  }
  const pairs = pairsOf(bare.slice(0, mostLength));
  const near: { line: number; score: number }[] = [];
  for (const [line, each] of lines.entries()) {
    const score = likeness(pairs, each.trim().slice(0, mostLength));
    if (score >= 0.5) near.push({ line, score });
  }
  if (near.length === 0) return ' No line is like its first one: read the file again.';
  near.sort((a, b) => b.score - a.score || a.line - b.line);
  const shown = near.slice(0, mostShown).map(({ line }) => shownFrom(lines, line, 1));
  return ` The nearest to its first line:\n${shown.join('\n')}`;
}

function shownFrom(lines: readonly string[], start: number, count: number): string {
  return lines
    .slice(start, start + Math.min(count, 8))
    .map((line, i) => `${start + i + 1}: ${line.slice(0, mostLength).trimEnd()}`)
    .join('\n');
}

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let i = 0; i + 1 < text.length; i++) {
    const pair = text.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Dice's coefficient over pairs of letters: 1 is the same, 0 nothing in common. */
function likeness(wanted: ReadonlyMap<string, number>, text: string): number {
  let total = 0;
  for (const count of wanted.values()) total += count;
  const size = Math.max(0, text.length - 1);
  if (total === 0 || size === 0) return 0;
  let shared = 0;
  for (const [pair, count] of pairsOf(text)) shared += Math.min(count, wanted.get(pair) ?? 0);
  return (2 * shared) / (total + size);
}
