/**
 * A terminal with a part that is drawn again and again at its end: what is printed goes above it, and stays.
 * 1. Only what has changed is drawn; all of one change is one write.
 * 2. No row reaches the last column: where it does, terminals differ in what comes next.
 * 3. A terminal that was made narrower has broken the rows: those are counted before they are taken away.
 */
import { displayWidth } from '../text/index.ts';

/** What is drawn: rows that fit, and where the cursor stands in them. */
export interface Live {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

export interface Screen {
  /** Above what is drawn. */
  readonly print: (lines: readonly string[]) => void;
  readonly draw: (live: Live) => void;
  /** Both, at once. */
  readonly update: (lines: readonly string[], live: Live) => void;
  /** The terminal has another size: what is drawn is taken away, as far as it can be known where it is. */
  readonly resized: () => void;
  /** Everything that is shown is taken away, but not what was printed. */
  readonly wipe: () => void;
  /** Leaves what is drawn, or takes it away, and goes on below. */
  readonly leave: (how: 'keep' | 'clear') => void;
}

const none: Live = { rows: [], row: 0, column: 0 };

/** `columns`: as wide as the terminal is now. */
export function createScreen(write: (text: string) => void, columns: () => number): Screen {
  let drawn = none;
  /** How wide it was then. */
  let drawnAt = columns();

  /** How many rows of the terminal stand above the cursor. */
  function above(): number {
    const width = Math.max(1, columns());
    if (width >= drawnAt) return drawn.row;
    const broken = drawn.rows.slice(0, drawn.row).reduce((sum, row) => sum + rowsOf(row, width), 0);
    return broken + Math.floor(drawn.column / width);
  }

  function erase(): string {
    const rows = above();
    drawn = none;
    return `${up(rows)}\r\x1b[J`;
  }

  /** From nothing. */
  function paint(live: Live): string {
    drawn = live;
    drawnAt = columns();
    if (live.rows.length === 0) return '';
    return live.rows.join('\r\n') + place(live.rows.length - 1, live);
  }

  function update(lines: readonly string[], live: Live): void {
    if (lines.length === 0) draw(live);
    else write(`${erase()}${lines.map((line) => `${line}\r\n`).join('')}${paint(live)}`);
  }

  function draw(live: Live): void {
    if (isSame(live, drawn)) return;
    if (columns() !== drawnAt || drawn.rows.length === 0) {
      write(erase() + paint(live));
      return;
    }
    const first = live.rows.findIndex((row, i) => row !== drawn.rows[i]);
    const same = first === -1 ? live.rows.length : first;
    // Rows that went are below those that are the same.
    if (same === live.rows.length && live.rows.length === drawn.rows.length) {
      write(place(drawn.row, live));
      drawn = live;
      return;
    }
    if (same === live.rows.length || same >= drawn.rows.length || same === 0) {
      write(erase() + paint(live));
      return;
    }
    const text = `${toRow(drawn.row, same)}\r\x1b[J${live.rows.slice(same).join('\r\n')}`;
    write(text + place(live.rows.length - 1, live));
    drawn = live;
  }

  return {
    print: (lines) => update(lines, drawn),
    draw,
    update,
    resized() {
      if (drawn.rows.length > 0) write(erase());
    },
    wipe() {
      drawn = none;
      write('\x1b[2J\x1b[H');
    },
    leave(how) {
      if (drawn.rows.length === 0) return;
      if (how === 'clear') write(erase());
      else write(`${toRow(drawn.row, drawn.rows.length - 1)}\r\n`);
      drawn = none;
    },
  };
}

const colours = /\x1b\[[\d;]*m/g;

export function rowWidth(row: string): number {
  return displayWidth(row.replace(colours, ''));
}

function rowsOf(row: string, width: number): number {
  return Math.max(1, Math.ceil(rowWidth(row) / width));
}

function isSame(a: Live, b: Live): boolean {
  return (
    a.row === b.row &&
    a.column === b.column &&
    a.rows.length === b.rows.length &&
    a.rows.every((r, i) => r === b.rows[i])
  );
}

/** From the end of a row to the cell of the cursor. */
function place(from: number, { row, column }: Live): string {
  return `${toRow(from, row)}\r${column > 0 ? `\x1b[${column}C` : ''}`;
}

function toRow(from: number, to: number): string {
  return from > to ? up(from - to) : from < to ? `\x1b[${to - from}B` : '';
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : '';
}
