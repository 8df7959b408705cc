/** With which files the first step of a worktree begins in a later segment. */
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent } from '../journal/index.ts';
import { flow, planOf, prompt } from '../plan/plan-test-kit.ts';
import { readWorktreePast } from './worktree-past.ts';

const code = (id: string) => `      - id: ${id}\n        run: "return 1"\n        output: number\n`;
const text = flow(
  `  - kind: worktree\n    id: work\n    path: ../tree\n    children[4]:\n${code('a')}${code('b')}${prompt('p', 'Go').replace(/^/gm, '    ').trimEnd()}\n${code('c')}  - id: outside\n    run: "return 1"\n    output: number\n`,
  2,
);

type Row = readonly [node: string, body: EventBody['kind'] | number];

/** `[node, kind]`, or `[node, seq]` for what was kept. */
function journal(rows: readonly (Row | 'edit' | 'fork')[]): JournalEvent[] {
  return rows.map((row, i) => {
    const base = { seq: i + 1, at: 0, run: 'r' };
    if (typeof row === 'string') return { ...base, body: { kind: 'segment.opened', why: row } as EventBody };
    const [node, what] = row;
    if (typeof what === 'number')
      return { ...base, node, body: { kind: 'node.done', from: 'kept', of: what } as EventBody };
    return { ...base, node, body: { kind: what } as EventBody };
  });
}

async function origin(rows: readonly (Row | 'edit' | 'fork')[], id: string, worktree = 'work') {
  const events = journal(rows);
  const segment = events.findLast(({ body }) => body.kind === 'segment.opened')?.seq ?? 1;
  return readWorktreePast(events, await planOf(text), segment).originOf(worktree, id);
}

const first: readonly Row[] = [
  ['', 'run.started'],
  ['a#1', 'node.started'],
  ['a#1', 'node.done'],
  ['b#1', 'node.started'],
  ['b#1', 'node.failed'],
  ['b#2', 'node.started'],
  ['b#2', 'node.done'],
];

describe('the first step', () => {
  it('begins as it did before, with its first attempt', async () => {
    expect(await origin([...first, 'edit', ['a#1', 3]], 'b#1')).toEqual({ node: 'b#1', segment: 1, part: 'before' });
    expect(await origin([...first, 'edit'], 'a#1')).toEqual({ node: 'a#1', segment: 1, part: 'before' });
  });

  it('that is new begins after the last one that was kept, and where none was, with the worktree', async () => {
    expect(await origin([...first, 'edit', ['a#1', 3], ['b#1', 7]], 'c#1')).toEqual({
      node: 'b#2',
      segment: 1,
      part: 'after',
    });
    expect(await origin([...first, 'edit'], 'c#1')).toBeUndefined();
  });

  it('begins after what was kept, where that is newer than its own last time', async () => {
    const rows = [...first, 'edit' as const, ['a#1', 'node.started'] as const, ['a#1', 'node.done'] as const];
    expect(await origin([...rows, 'edit', ['a#1', 10]], 'b#1')).toEqual({ node: 'a#1', segment: 8, part: 'after' });
  });

  it('begins after the last call of a prompt step that was kept', async () => {
    const rows: Row[] = [
      ...first,
      ['p#1', 'child.started'],
      ['p#1/model#1', 'node.started'],
      ['p#1/model#1', 'model.answered'],
      ['p#1', 'child.ended'],
    ];
    expect(await origin([...rows, 'edit', ['p#1', 11]], 'c#1')).toEqual({
      node: 'p#1/model#1',
      segment: 1,
      part: 'after',
    });
  });

  it('does not care for what was kept elsewhere', async () => {
    const rows: Row[] = [...first, ['outside#1', 'node.started'], ['outside#1', 'node.done']];
    expect(await origin([...rows, 'edit', ['a#1', 3], ['outside#1', 9]], 'c#1')).toMatchObject({ node: 'a#1' });
  });
});

it('what a fork has from before belongs to the other run', async () => {
  const past = readWorktreePast(journal([...first, 'fork', 'edit']), await planOf(text), 9);
  expect([1, 8, 9].map(past.isForeign)).toEqual([true, false, false]);
});
