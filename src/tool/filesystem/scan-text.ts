/** The lines of a text in which something is found, with lines around them. It uses nothing outside of itself: see `scanner.ts`. */

export interface ScanLimits {
  /** How many hits at most. */
  readonly most: number;
  /** Lines before and after each. */
  readonly context: number;
  /** How much of a line is kept. */
  readonly width: number;
}

export interface Row {
  readonly line: number;
  readonly text: string;
  readonly hit: boolean;
}

export interface Scanned {
  /** How many lines were found; when there are more than `most`, one more than that. */
  readonly hits: number;
  readonly rows: Row[];
}

/** `find` gives where in a line it was found, or -1. */
export function scanText(text: string, find: (line: string) => number, limits: ScanLimits): Scanned {
  const rows: Row[] = [];
  const before: Row[] = [];
  let hits = 0;
  let after = 0;
  let line = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    line++;
    const whole = text.slice(start, stop > start && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    start = stop + 1;
    const at = find(whole);
    if (at === -1 && after === 0 && limits.context === 0) continue;
    const from = at <= limits.width * 0.75 ? 0 : at - Math.floor(limits.width / 4);
    let part = whole.slice(from, from + limits.width);
    if (from > 0) part = `…${part}`;
    if (from + limits.width < whole.length) part += '…';
    const row = { line, text: part, hit: at !== -1 };
    if (at !== -1) {
      hits++;
      if (hits > limits.most) break;
      for (const each of before) rows.push(each);
      before.length = 0;
      rows.push(row);
      after = limits.context;
    } else if (after > 0) {
      after--;
      rows.push(row);
    } else {
      before.push(row);
      if (before.length > limits.context) before.shift();
    }
  }
  return { hits, rows };
}
