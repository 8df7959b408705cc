/** Ages on the command line: `12h`, `30d`, `2w`. */
import { UsageError } from './command.ts';

const units: ReadonlyMap<string, number> = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 7 * 86_400_000],
]);

/** In milliseconds. `flag`: that it was given with. */
export function readAge(text: string, flag: string): number {
  const [, digits, unit = ''] = /^(\d{1,6})([a-z])$/.exec(text) ?? [];
  const size = units.get(unit);
  if (digits === undefined || size === undefined) {
    throw new UsageError(`"${text}" is no age.`, `Write minutes, hours, days or weeks: ${flag} 12h, ${flag} 30d`);
  }
  return Number(digits) * size;
}
