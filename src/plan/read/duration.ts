/** Durations: `250ms`, `30s`, `5m`, `1h`. What else people write for them is read, and reported with the right spelling. */
import type { DiagnosticExtra } from '../../text/index.ts';
import { guess, type Read, replace, report, uncommented, wrongKind } from './reader.ts';

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
type Unit = keyof typeof units;

/** Other spellings of the units; days are not one, since a timeout of days is written in hours. */
const spellings: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|millis?|milliseconds?)$/i, units.ms],
  [/^(?:s|secs?|seconds?)$/i, units.s],
  [/^(?:m|mins?|minutes?)$/i, units.m],
  [/^(?:h|hrs?|hours?)$/i, units.h],
  [/^(?:d|days?)$/i, 24 * units.h],
  [/^(?:w|weeks?)$/i, 7 * 24 * units.h],
];

const help = 'Write a whole number and its unit: 250ms, 30s, 5m or 1h.';

/** In milliseconds. */
export const duration: Read<number> = (r, entry) => {
  const { key } = entry;
  const value = uncommented(r, entry.value);
  const expected = 'a duration like 30s or 5m';
  if (value.kind === 'number') {
    const meant = value.value > 0 ? (value.value < 1000 ? value.value * units.s : value.value) : Number.NaN;
    return report(r, 'TOO4011', value.span, `"${key.text}" takes ${expected}; ${value.value} has no unit`, {
      help,
      ...(isUsable(meant) && { fix: guess(value.span, printDuration(meant)) }),
    });
  }
  if (value.kind !== 'string') return wrongKind(r, entry, expected, { help });
  const exact = /^([1-9][0-9]{0,14})(ms|s|m|h)$/.exec(value.text);
  const ms = exact ? Number(exact[1]) * units[exact[2] as Unit] : readDuration(value.text);
  if (exact && isUsable(ms)) return ms;
  const extra: DiagnosticExtra = { help, ...(isUsable(ms) && { fix: replace(value.span, printDuration(ms)) }) };
  const found = value.quoted ? `"${value.text}"` : value.text;
  const why =
    ms === 0 ? 'is no time at all' : ms > 0 && !isUsable(ms) ? 'cannot be counted in milliseconds' : 'is not one';
  report(r, 'TOO4011', value.span, `"${key.text}" takes ${expected}; ${found} ${why}`, extra);
  return isUsable(ms) ? ms : undefined;
};

/** With the largest unit that leaves a whole number. */
export function printDuration(ms: number): string {
  const unit = (['h', 'm', 's'] as const).find((name) => ms % units[name] === 0) ?? 'ms';
  return `${ms / units[unit]}${unit}`;
}

function isUsable(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms > 0;
}

/** `5 min`, `1h30m`, `1.5s`, `1d`; NaN when it cannot be read. */
function readDuration(text: string): number {
  if (text.length > 40) return Number.NaN;
  let total = 0;
  let rest = text.replace(/[\s,]+|\band\b/g, '');
  if (rest === '') return Number.NaN;
  while (rest !== '') {
    const part = /^([0-9]+(?:\.[0-9]+)?)([A-Za-z]+)/.exec(rest);
    const unit = spellings.find(([spelling]) => spelling.test(part?.[2] ?? ''));
    if (!part || !unit) return Number.NaN;
    total += Number(part[1]) * unit[1];
    rest = rest.slice(part[0].length);
  }
  // 1.1s is 1100 ms, whatever the last bit says.
  return Math.abs(total - Math.round(total)) < 1e-6 ? Math.round(total) : total;
}
