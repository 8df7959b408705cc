/** The methods of dates, all in UTC. A setter gives the new time, as in JavaScript, and leaves the date as it is. */
import { toNumber } from './convert.ts';
import { dateText, dayText, timeText } from './date-text.ts';
import { native } from './failure.ts';
import { localDateText } from './locale.ts';
import type { Method, Methods } from './numbers.ts';

const parts = ['Date', 'FullYear', 'Hours', 'Milliseconds', 'Minutes', 'Month', 'Seconds'] as const;

const plain: Methods<Date, 'toString' | 'toLocaleString' | 'valueOf'> = {
  getDay: (_, self) => self.getUTCDay(),
  getTime: (_, self) => self.getTime(),
  getTimezoneOffset: (_, self) => (Number.isNaN(self.getTime()) ? Number.NaN : 0),
  getUTCDay: (_, self) => self.getUTCDay(),
  getYear: (_, self) => self.getUTCFullYear() - 1900,
  setTime: (rt, self, [time]) => new Date(self.getTime()).setTime(toNumber(rt, time)),
  setYear: (rt, self, [value]) => {
    const year = Math.trunc(toNumber(rt, value));
    const full = year >= 0 && year <= 99 ? year + 1900 : year;
    if (Number.isNaN(full)) return Number.NaN;
    const from = Number.isNaN(self.getTime()) ? 0 : self.getTime();
    return new Date(from).setUTCFullYear(full);
  },
  toDateString: (_, self) => dayText(self),
  toGMTString: (_, self) => self.toUTCString(),
  toISOString: (_, self) => native('toISOString', () => self.toISOString()),
  toJSON: (_, self) => (Number.isNaN(self.getTime()) ? null : self.toISOString()),
  toLocaleDateString: (rt, self, [locales, options]) => localDateText(rt, self, 'toLocaleDateString', locales, options),
  toLocaleString: (rt, self, [locales, options]) => localDateText(rt, self, 'toLocaleString', locales, options),
  toLocaleTimeString: (rt, self, [locales, options]) => localDateText(rt, self, 'toLocaleTimeString', locales, options),
  toString: (_, self) => dateText(self),
  toTimeString: (_, self) => timeText(self),
  toUTCString: (_, self) => self.toUTCString(),
  valueOf: (_, self) => self.getTime(),
};

export const dateMethods: Methods<Date> = { ...plain, ...Object.fromEntries(parts.flatMap(accessors)) };

/** `getHours`, `getUTCHours`, `setHours` and `setUTCHours`. */
function accessors(part: (typeof parts)[number]): [string, Method<Date>][] {
  const get: Method<Date> = (_, self) => self[`getUTC${part}`]();
  const set: Method<Date> = (rt, self, args) => {
    // A setter takes up to four numbers; one that is not given keeps what the date has.
    const numbers = (args.length === 0 ? [undefined] : args.slice(0, 4)).map((arg) => toNumber(rt, arg));
    const copy = new Date(self.getTime());
    return (copy[`setUTC${part}`] as (...numbers: number[]) => number).apply(copy, numbers);
  };
  return [
    [`get${part}`, get],
    [`getUTC${part}`, get],
    [`set${part}`, set],
    [`setUTC${part}`, set],
  ];
}
