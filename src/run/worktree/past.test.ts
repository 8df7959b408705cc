/** With which files a worktree and its first step begin in a later segment. */
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent } from '../../journal/index.ts';
import { createWorktreePast } from './past.ts';

type Row = readonly [node: string, body: EventBody['kind'] | number];
type Frame = 'edit' | 'fork' | readonly ['add', string, object?];

/** `[node, kind]`, or `[node, seq]` for what was kept; all but `outside` is in the worktree `work`. */
function journal(rows: readonly (Row | Frame)[]): JournalEvent[] {
  return rows.map((row, i) => {
    const base = { seq: i + 1, at: 0, run: 'r' };
    if (typeof row === 'string') return { ...base, body: { kind: 'segment.opened', why: row } as EventBody };
    if (row[0] === 'add') {
      const added = {
        kind: 'worktree.added',
        path: `/${row[1]}`,
        commit: `c${i + 1}`,
        asked: {},
        ...(row[2] as object),
      };
      return { ...base, node: `${row[1]}.add`, body: added as EventBody };
    }
    const [node, what] = row as Row;
    const worktree = node.startsWith('outside') ? {} : { worktree: 'work' };
    if (typeof what === 'number')
      return { ...base, node, body: { kind: 'node.done', from: 'kept', of: what, ...worktree } as EventBody };
    const more =
      what === 'child.ended' ? { outcome: { ok: 1 } } : what.endsWith('.started') ? { key: 'k', ...worktree } : {};
    return { ...base, node, body: { kind: what, ...more } as EventBody };
  });
}

const pastOf = (rows: readonly (Row | Frame)[]) => {
  const events = journal(rows);
  return createWorktreePast((from) => events.slice(from - 1));
};
const origins = (rows: readonly (Row | Frame)[], id?: string) => pastOf(rows).originsOf('work', id);

const first: readonly (Row | Frame)[] = [
  ['', 'run.started'],
  ['add', 'work'],
  ['a#1', 'node.started'],
  ['a#1', 'node.done'],
  ['b#1', 'node.started'],
  ['b#1', 'node.failed'],
  ['b#2', 'node.started'],
  ['b#2', 'node.done'],
];
const again = ['edit', ['add', 'work']] as const;
const afterA = { node: 'a#1', segment: 1, part: 'after' };

describe('the first step', () => {
  it('begins as it did before, with its first attempt, where the same came before it', () => {
    const before = { node: 'b#1', segment: 1, part: 'before' };
    expect(origins([...first, ...again, ['a#1', 4]], 'b#1')).toEqual([before, afterA]);
    expect(origins([...first, ...again], 'a#1')).toEqual([{ node: 'a#1', segment: 1, part: 'before' }]);
  });

  it('that is new begins after the last one that was kept, and where none was, with the worktree', () => {
    expect(origins([...first, ...again, ['a#1', 4], ['b#1', 8]], 'c#1')).toEqual([
      { node: 'b#2', segment: 1, part: 'after' },
    ]);
    expect(origins([...first, ...again], 'c#1')).toEqual([]);
    expect(origins([...first, ...again, ['a#1', 4]])).toEqual([afterA]);
  });

  it('does not begin as it did where something else came before it: an edit that was taken back', () => {
    const edited: (Row | Frame)[] = [
      ...first,
      ...again,
      ['a#1', 'node.started'],
      ['a#1', 'node.done'],
      ['b#1', 'node.started'],
      ['b#1', 'node.done'],
    ];
    const newer = { node: 'a#1', segment: 9, part: 'after' };
    expect(origins([...edited, ...again, ['a#1', 12]], 'b#1')).toEqual([
      { node: 'b#1', segment: 9, part: 'before' },
      newer,
    ]);
    expect(origins([...edited, ...again, ['a#1', 4]], 'b#1')).toEqual([
      { node: 'b#1', segment: 1, part: 'before' },
      afterA,
    ]);
  });

  it('begins with the start where the worktree begins otherwise', () => {
    expect(origins([...first, 'edit', ['add', 'work', { asked: { base: 'v1' } }]], 'a#1')).toEqual([]);
  });

  it('begins after the last call of a prompt step that was kept', () => {
    const rows: (Row | Frame)[] = [
      ...first,
      ['p#1', 'child.started'],
      ['p#1/model#1', 'node.started'],
      ['p#1/model#1', 'model.answered'],
      ['p#1', 'child.ended'],
    ];
    expect(origins([...rows, ...again, ['a#1', 4], ['b#1', 8], ['p#1', 12]], 'c#1')).toEqual([
      { node: 'p#1/model#1', segment: 1, part: 'after' },
    ]);
  });

  it('does not care for what was kept elsewhere', () => {
    const rows: (Row | Frame)[] = [...first, ['outside#1', 'node.started'], ['outside#1', 'node.done']];
    expect(origins([...rows, ...again, ['a#1', 4], ['outside#1', 10]], 'c#1')).toEqual([afterA]);
  });
});

describe('a worktree', () => {
  const start = (rows: readonly (Row | Frame)[], asked: object = {}) =>
    pastOf(rows).startOf({ worktree: 'work', path: '../work', ...asked });

  it('starts with the commit that it started with, as long as it begins with the same', () => {
    expect(start([...first, 'edit'])).toEqual({ kind: 'known', commit: 'c2' });
    expect(start(first.slice(0, 1))).toBeUndefined();
    expect(start([...first, 'edit'], { base: 'v1' })).toEqual({ kind: 'fresh' });
    expect(start([...first, 'edit'], { branch: 'fix' })).toEqual({ kind: 'fresh', commit: 'c2' });
  });

  it('starts with its base where its branch is the run’s own, and with what the branch had where it is not', () => {
    const on = (made: object): (Row | Frame)[] => [
      ['', 'run.started'],
      ['add', 'work', { asked: { branch: 'fix' }, ...made }],
      'edit',
    ];
    expect(start(on({ made: true }), { branch: 'fix', base: 'v1' })).toEqual({ kind: 'base' });
    expect(start(on({}), { branch: 'fix', base: 'v1' })).toEqual({ kind: 'known', commit: 'c2' });
    expect(pastOf(on({ made: true })).bases()).toEqual(['c2']);
  });

  it('starts with what is there of its branch by now, behind another one that was done anew', () => {
    const rows: (Row | Frame)[] = [
      ['', 'run.started'],
      ['add', 'work', { asked: { branch: 'fix' } }],
      ['a#1', 'node.started'],
      ['a#1', 'node.done'],
      ['add', 'second', { asked: { branch: 'fix' } }],
      'edit',
      ['add', 'work', { asked: { branch: 'fix' } }],
    ];
    const second = { worktree: 'second', path: '../second', branch: 'fix' };
    expect(pastOf([...rows, ['a#1', 4]]).startOf(second)).toEqual({ kind: 'known', commit: 'c5' });
    expect(pastOf([...rows, ['a#1', 'node.started'], ['a#1', 'node.done']]).startOf(second)).toEqual({
      kind: 'fresh',
      behind: { node: 'a#1', segment: 6 },
    });
  });

  it('is known to be there, with what is open in it, until it is removed', () => {
    const past = pastOf([...first, ['c#1', 'node.started']]);
    expect([past.folderOf('work'), past.openIn('work')]).toEqual([
      '/work',
      [{ node: 'c#1', segment: 1, part: 'before' }],
    ]);
    expect(pastOf([...first, ['work.remove', 'worktree.removed']]).folderOf('work')).toBeUndefined();
  });
});

it('what a fork has from before belongs to the other run', () => {
  const past = pastOf([...first, 'fork', 'edit']);
  expect([1, 9, 10].map(past.isForeign)).toEqual([true, false, false]);
  expect(past.forkedAt()).toBe(9);
});
