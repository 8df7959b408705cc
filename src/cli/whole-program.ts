/**
 * The program's text, read module by module: to parse all of it takes several times as long as a command takes. Where its modules
 * stand is said at its end (`scripts/program.mjs`); it is ASCII, so bytes are characters.
 */
import { fstatSync, openSync, readSync } from 'node:fs';

export interface WholeProgram {
  /** What stands before the modules, one line, and behind them. */
  readonly open: string;
  readonly close: string;
  /** Of a module with its number; `line`: that of its first line, from 1. */
  readonly moduleAt: (i: number) => { readonly text: string; readonly line: number };
}

/** The last line: where the one before it begins, which is a comment with `Index`; and which build it is. */
const lastLine = /^\/\/ (\d{11}) ([0-9a-f]{16})\n$/;
const lastLength = 32;

interface Index {
  /** Where the modules begin, and where the last one ends. */
  readonly at: readonly number[];
  readonly lines: readonly number[];
}

/**
 * It stays open: what is needed of it is known only when it is. Another build has other modules under the same numbers: where it was
 * put in the place of the one that runs, nothing is taken from it.
 */
export function openWholeProgram(file: string, build: string): WholeProgram {
  const fd = openSync(file, 'r');
  const read = (from: number, to: number): string => {
    const bytes = Buffer.allocUnsafe(to - from);
    if (readSync(fd, bytes, 0, bytes.length, from) < bytes.length) throw new Error(`${file} is not whole`);
    return bytes.toString('latin1');
  };
  const end = fstatSync(fd).size - lastLength;
  const [, begin, found] = lastLine.exec(end < 0 ? '' : read(end, end + lastLength)) ?? [];
  if (begin === undefined) throw new Error(`${file} is not whole`);
  if (found !== build) throw new Error('it was replaced by another version while it ran: start it again');
  const { at, lines }: Index = JSON.parse(read(Number(begin) + '// '.length, end));
  const placeOf = (i: number): number => at[i] ?? 0;
  return {
    open: read(0, placeOf(0)),
    close: read(placeOf(lines.length), Number(begin)),
    moduleAt: (i) => ({ text: read(placeOf(i), placeOf(i + 1)), line: lines[i] ?? 0 }),
  };
}
