/** A terminal for tests: it does what the few sequences say that a screen writes, and breaks long rows as terminals do. */
import { layout } from '../text/index.ts';
import type { Terminal, TerminalEars } from './terminal.ts';

export interface FakeTerminal {
  readonly write: (text: string) => void;
  readonly written: () => string;
  /** What stands there, without the blanks at the ends. */
  readonly lines: () => readonly string[];
  /** Row and column. */
  readonly cursor: () => readonly [number, number];
  /** After it was made narrower: rows that do not fit are broken. */
  readonly resize: () => void;
}

const blank = ' ';

export function fakeTerminal(columns: () => number): FakeTerminal {
  /** A cell each; what takes two has an empty one behind it. */
  let rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  let written = '';

  function rowAt(at: number): string[] {
    while (rows.length <= at) rows.push([]);
    return rows[at] as string[];
  }

  function put(text: string, width: number): void {
    if (column + width > columns()) {
      row++;
      column = 0;
    }
    const cells = rowAt(row);
    while (cells.length < column) cells.push(blank);
    cells[column] = text;
    if (width === 2) cells[column + 1] = '';
    column += width;
  }

  function obey(count: number, final: string): void {
    if (final === 'A') row = Math.max(0, row - count);
    else if (final === 'B') row += count;
    else if (final === 'C') column = Math.min(columns() - 1, column + count);
    else if (final === 'J') {
      rowAt(row).length = Math.min(rowAt(row).length, column);
      rows.length = row + 1;
    } else if (final !== 'm') throw new Error(`the sequence "${final}" is not known here`);
  }

  return {
    write(text) {
      written += text;
      for (const part of text.split(/(\x1b\[[\d;?]*[A-Za-z]|\r|\n)/)) {
        const sequence = /^\x1b\[(\d*)([A-Za-z])$/.exec(part);
        if (sequence) obey(Number(sequence[1] || 1), sequence[2] ?? '');
        else if (part === '\r') column = 0;
        else if (part === '\n') rowAt(++row);
        else for (const cell of layout(part)) put(cell.text, cell.width);
      }
    },
    written: () => written,
    lines: () =>
      rows.map((cells) =>
        Array.from(cells, (cell) => cell ?? blank)
          .join('')
          .trimEnd(),
      ),
    cursor: () => [row, column],
    resize() {
      const next: string[][] = [];
      const width = columns();
      let moved: readonly [number, number] = [row, column];
      for (const [at, cells] of rows.entries()) {
        if (at === row) moved = [next.length + Math.floor(column / width), column % width];
        for (let from = 0; from === 0 || from < cells.length; from += width) next.push(cells.slice(from, from + width));
      }
      rows = next;
      [row, column] = moved;
    },
  };
}

export interface TypedTerminal extends Terminal {
  readonly type: (text: string) => void;
  readonly press: (...names: readonly (keyof typeof sequences)[]) => void;
  readonly resize: (columns: number) => void;
  readonly hangUp: () => void;
  /** All that stands there. */
  readonly text: () => string;
  /** The rows of what is drawn now, from the line that is typed on. */
  readonly line: () => string;
}

const sequences = {
  enter: '\r',
  tab: '\t',
  escape: '\x1b[27u',
  interrupt: '\x03',
  end: '\x04',
  up: '\x1b[A',
  down: '\x1b[B',
  newline: '\x1b\r',
} as const;

/** A terminal that somebody types on. */
export function typedTerminal(width = 80, height = 24): TypedTerminal {
  let columns = width;
  let ears: TerminalEars | undefined;
  let isGone = false;
  const fake = fakeTerminal(() => columns);
  const type = (text: string) => ears?.bytes(Buffer.from(text));
  return {
    write: fake.write,
    columns: () => columns,
    rows: () => height,
    open(given) {
      ears = given;
      if (isGone) setImmediate(given.gone);
      const close = () => {
        ears = undefined;
      };
      return { suspend: (back) => back(), close };
    },
    type,
    press(...names) {
      for (const name of names) type(sequences[name]);
    },
    resize(to) {
      columns = to;
      fake.resize();
      ears?.resized();
    },
    hangUp() {
      isGone = true;
      ears?.gone();
    },
    text: () => fake.lines().join('\n'),
    line: () => fake.lines().slice(fake.cursor()[0]).join('\n'),
  };
}
