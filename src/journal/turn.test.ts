/** Whoever waits behind others who write has a turn; whoever waits behind one who does nothing is told so. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { storeKind } from './schema.ts';
import { StoreFailure } from './store.ts';
import { inTurn } from './turn.ts';

const dir = mkdtempSync(join(tmpdir(), 'toolang-turn-'));
const file = join(dir, 'runs.db');
beforeEach(() => writeFileSync(file, ''));
afterAll(() => rmSync(dir, { recursive: true }));

const busy = (code = 5) => Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: code });
function failureOf(work: () => unknown): StoreFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('a turn', () => {
  it('is waited for as long as others write, however long that takes', () => {
    const began = performance.now();
    let tries = 0;
    const result = inTurn(file, storeKind, { quietMs: 20, mostMs: 60_000 }, () => {
      tries++;
      // Twice as long as nobody may write, and with every kind of busy.
      if (performance.now() - began > 40 && tries > 3) return 'mine';
      appendFileSync(`${file}-wal`, 'x');
      throw busy([5, 261, 15][tries % 3]);
    });
    expect(result).toBe('mine');
  });

  it('is given up when nobody writes: who has the store may have been stopped', () => {
    const failure = failureOf(() => {
      inTurn(file, storeKind, { quietMs: 20, mostMs: 60_000 }, () => {
        throw busy();
      });
    });
    expect(failure.reason).toBe('busy');
    expect(failure.message).toMatch(/runs\.db" cannot be written: another process .* perhaps one that was stopped$/);
  });

  it('is given up when there are too many, and then nobody is blamed', () => {
    const failure = failureOf(() => {
      inTurn(file, storeKind, { quietMs: 60_000, mostMs: 20 }, () => {
        appendFileSync(file, 'x');
        throw busy();
      });
    });
    expect(failure.message).toMatch(/cannot be written: others have been writing it all the time$/);
  });

  it('is not waited for where something else is wrong', () => {
    const wrong = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    let tries = 0;
    expect(() =>
      inTurn(file, storeKind, { quietMs: 60_000, mostMs: 60_000 }, () => {
        tries++;
        throw wrong;
      }),
    ).toThrow(wrong);
    expect(tries).toBe(1);
  });
});
