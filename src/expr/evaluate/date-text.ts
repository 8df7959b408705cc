/**
 * Dates to text and back. Every date is in UTC, whatever the machine's time zone: `getHours` is `getUTCHours`, and a
 * text without a zone is read as UTC.
 */

const zone = 'GMT+0000 (Coordinated Universal Time)';

/** `Tue Jan 02 2024 03:04:05 GMT+0000 (Coordinated Universal Time)` */
export function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : `${dayText(date)} ${timeText(date)}`;
}

/** `Tue Jan 02 2024` */
export function dayText(date: Date): string {
  if (Number.isNaN(date.getTime())) return 'Invalid Date';
  const [weekday = '', day = '', month = '', year = ''] = date.toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${day} ${year}`;
}

/** `03:04:05 GMT+0000 (Coordinated Universal Time)` */
export function timeText(date: Date): string {
  if (Number.isNaN(date.getTime())) return 'Invalid Date';
  return `${date.toUTCString().split(' ')[4] ?? ''} ${zone}`;
}

/** `Date.parse`, NaN for what is no date. */
export function parseDate(text: string): number {
  // Longer texts are no dates; the machine would look for one in all of it.
  if (text.length > 200 || text === '') return Number.NaN;
  if (isoLocal.test(text)) return Date.parse(`${text}Z`);
  return Date.parse(isoLike.test(text) || hasZone(text) ? text : `${text} UTC`);
}

function hasZone(text: string): boolean {
  // What stands in parentheses is a comment; and what looks like a zone before every number is the date itself.
  const plain = text.replace(/\([^)]*\)?/g, ' ');
  const zone = zoned.exec(plain);
  return zone !== null && /\d/.test(plain.slice(0, zone.index + (zone[0].startsWith(':') ? 2 : 0)));
}

// These run on at most 200 characters, and none of them can go back over more than a few of those.
/** A day and a time without a zone, which JavaScript reads in the machine's zone. */
const isoLocal = /^(?:\d{4}|[+-]\d{6})(?:-\d\d(?:-\d\d)?)?T\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?$/i;
/** A day alone, which is UTC by definition, or a time with its zone. */
const isoLike = /^(?:\d{4}|[+-]\d{6})(?:-\d\d(?:-\d\d)?)?(?:T\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i;
/** A zone by its name, a sign after a time, or a sign with hours and minutes after a blank. */
const zoned = /(?<![a-z])(?:utc?|gmt|z|[ecmp][sd]t)(?![a-z])|:\d+(?:[.,:]\d+)*\s*(?:[ap]m)?\s*[+-]\d|\s[+-]\d{4}\b/i;
