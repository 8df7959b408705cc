/** Dates as texts against those of a machine in UTC. */
process.env.TZ = 'UTC';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateText, dayText, parseDate, timeText } from './date-text.ts';

const runs = process.env.TOOLANG_DEEP ? 30_000 : 2_000;
const pick = (...texts: string[]) => fc.constantFrom(...texts);
const day = pick('2024-02-29', '2024-2-9', '2024/02/29', '02/29/2024', 'Feb 29, 2024', '29 February 2024');
const other = pick(
  ...['2024', '2024-02', 'Thu, 29 Feb 2024', '1', '99', '+012024-02-29', '2024-13-01', '29.2.2024', 'today', ''],
  ...['Thu Feb 29 2024', '20240229', 'May 5', '2024-02-29 (x)', '-1'],
);
const time = pick(
  ...['', 'T10:20', 'T10:20:30', 'T10:20:30.5', ' 10:20', ' 10:20:30', ' 1:20 PM', ' 10:20:30.123', 'T24:00', ' 25:00'],
  ...['t10:20', 'T10', ' 10:20:30:400', ' 1:20pm'],
);
const zone = pick(
  ...[
    '',
    '',
    '',
    'Z',
    'z',
    ' Z',
    ' UTC',
    ' GMT',
    ' GMT+0100',
    ' +0100',
    '+01:00',
    '-05:00',
    ' EST',
    'EST',
    ' PDT',
    ' (x)',
  ],
  ...[' GMT+0100 (CET)', ' (UTC)', ' utc', ' -5', '-0500', ' UTC+2'],
);
const text = fc.tuple(fc.oneof(day, other), time, zone).map((parts) => parts.join(''));

describe('a date', () => {
  it('is read as a machine in UTC reads it', () => {
    expect(new Date(2020, 6, 1).getTimezoneOffset()).toBe(0);
    fc.assert(
      fc.property(text, (written) => {
        expect([written, parseDate(written)]).toEqual([written, Date.parse(written)]);
      }),
      { numRuns: runs },
    );
  });

  it('is read the same in every zone', () => {
    const texts = fc.sample(text, runs);
    const times = texts.map(parseDate);
    try {
      process.env.TZ = 'Asia/Kathmandu';
      expect(new Date(2020, 6, 1).getTimezoneOffset()).toBe(-345);
      expect(texts.map((written) => [written, parseDate(written)])).toEqual(
        texts.map((written, i) => [written, times[i]]),
      );
    } finally {
      process.env.TZ = 'UTC';
    }
  });

  it('is written as a machine in UTC writes it', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: false }), (date) => {
        expect([dateText(date), dayText(date), timeText(date)]).toEqual([
          date.toString(),
          date.toDateString(),
          date.toTimeString(),
        ]);
      }),
      { numRuns: runs },
    );
  });

  it('is none in a long text', () => {
    expect(parseDate(`2024-02-29${' '.repeat(1000)}`)).toBeNaN();
  });
});
