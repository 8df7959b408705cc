/** The list of kept results fits where it is shown. */
import { describe, expect, it } from 'vitest';
import { displayWidth, painter } from '../text/index.ts';
import { bytesText, cacheListText } from './cache-list.ts';

const rows = [
  { key: 'a', workflow: 'release-notes', step: 'brief/short', run: 'r1', at: 1000, size: 8 },
  {
    key: 'b',
    workflow: '関係者全員で書いた長い名前のワークフロー',
    step: 'a-very-long-step-of-many-words',
    run: 'r2',
    at: 0,
    size: 123_456,
  },
];
const text = (columns: number) =>
  cacheListText(rows, {
    paint: painter(false),
    now: 61_000,
    columns,
    short: (run) => (run === 'r1' ? '7f3a' : undefined),
  });

describe('the list', () => {
  it('says of each what it is, how large, how old and whose', () => {
    expect(text(140).split('\n')).toEqual([
      'release-notes                             brief/short                     8 bytes  1m ago  of run 7f3a',
      '関係者全員で書いた長い名前のワークフロー  a-very-long-step-of-many-words  123 kB   1m ago  of a run that is gone',
      '2 results, 123 kB',
      '',
    ]);
  });

  it.each([40, 60, 80, 120])('is not wider than %i columns', (columns) => {
    for (const line of text(columns).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
  });

  it('obeys nothing that a name holds', () => {
    const wild = [{ key: 'a', workflow: 'x\x1b[2J', step: 'y\n', run: 'r', at: 0, size: 1 }];
    const shown = cacheListText(wild, { paint: painter(false), now: 0, columns: 80, short: () => undefined });
    expect(shown.split('\n')).toHaveLength(3);
    expect(shown).not.toContain('\x1b');
  });
});

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [12_345, '12 kB'],
  [999_600, '1.0 MB'],
  [5_000_000_000, '5.0 GB'],
  [5_000_000_000_000, '5000 GB'],
])('%i is %s', (bytes, said) => expect(bytesText(bytes)).toBe(said));
