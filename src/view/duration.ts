/** Durations in the words of workflow files. */

const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** `250ms`, `30s`, `5m`, `1h`: in the largest unit that says it exactly. */
export function durationText(ms: number): string {
  const [unit, size] = units.find(([, each]) => ms >= each && ms % each === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}
