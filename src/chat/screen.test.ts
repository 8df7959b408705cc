/** What is printed and what is drawn, on a terminal that does what the sequences say. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScreen } from './screen.ts';
import { fakeTerminal } from './screen-kit.ts';

function screenOf(columns: number) {
  const size = { columns };
  const terminal = fakeTerminal(() => size.columns);
  return { size, terminal, screen: createScreen(terminal.write, () => size.columns) };
}

describe('a screen', () => {
  it('prints above what it draws', () => {
    const { terminal, screen } = screenOf(20);
    screen.draw({ rows: ['status', '> hi'], row: 1, column: 4 });
    screen.print(['one', 'two']);
    expect(terminal.lines()).toEqual(['one', 'two', 'status', '> hi']);
    expect(terminal.cursor()).toEqual([3, 4]);
    screen.draw({ rows: ['> hi'], row: 0, column: 2 });
    expect(terminal.lines()).toEqual(['one', 'two', '> hi']);
    screen.leave('keep');
    expect(terminal.cursor()).toEqual([3, 0]);
  });

  it('writes nothing where nothing has changed, and little where little has', () => {
    const { terminal, screen } = screenOf(20);
    const live = { rows: ['a long status', '> h'], row: 1, column: 3 };
    screen.draw(live);
    const before = terminal.written().length;
    screen.draw({ ...live });
    expect(terminal.written().length).toBe(before);
    screen.draw({ rows: ['a long status', '> hi'], row: 1, column: 4 });
    expect(terminal.written().slice(before)).not.toContain('status');
    expect(terminal.lines()).toEqual(['a long status', '> hi']);
  });

  it('takes away what a narrower terminal has broken', () => {
    const { terminal, screen, size } = screenOf(20);
    screen.print(['printed']);
    screen.draw({ rows: ['status of 18 cells', '> input of 17 cel'], row: 1, column: 17 });
    size.columns = 8;
    terminal.resize();
    screen.resized();
    screen.draw({ rows: ['> in'], row: 0, column: 4 });
    expect(terminal.lines()).toEqual(['printed', '> in']);
  });
});

describe('whatever is printed and drawn', () => {
  const row = fc.string({ unit: fc.constantFrom('a', 'b', '漢', ' '), maxLength: 8 });
  const live = fc
    .array(row, { minLength: 1, maxLength: 5 })
    .chain((rows) =>
      fc.nat({ max: rows.length - 1 }).map((at) => ({ rows, row: at, column: Math.min(2, rows[at]?.length ?? 0) })),
    );
  const step = fc.oneof(
    live.map((drawn) => ({ drawn })),
    fc.array(row, { maxLength: 3 }).map((lines) => ({ lines })),
  );

  it('stands there as it should', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const { terminal, screen } = screenOf(20);
        const printed: string[] = [];
        let last: string[] = [];
        for (const each of steps) {
          if ('lines' in each) {
            printed.push(...each.lines);
            screen.print(each.lines);
          } else {
            screen.draw(each.drawn);
            last = each.drawn.rows;
            expect(terminal.cursor()).toEqual([printed.length + each.drawn.row, each.drawn.column]);
          }
        }
        const trimmed = (lines: readonly string[]) =>
          lines
            .map((line) => line.trimEnd())
            .join('\n')
            .trimEnd();
        expect(trimmed(terminal.lines())).toBe(trimmed([...printed, ...last]));
      }),
    );
  });
});
