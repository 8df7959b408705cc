/** A run that goes on otherwise: what was shown is what is done, or it is shown anew and asked again. */
import { describe, expect, it } from 'vitest';
import type { Change, Preview } from '../../run/index.ts';
import { ToolangError } from '../../text/index.ts';
import type { Args } from '../command.ts';
import { memoryContext } from '../memory-context.ts';
import { goOn } from './go-on.ts';
import type { OpenRuns } from './stores.ts';

const preview: Preview = {
  ...{ kept: [], moved: [], again: [], may: [], fresh: [], rounds: [], removed: [], denied: [], saved: {} },
  // biome-ignore lint/suspicious/noThenProperty: what comes then; nobody awaits it.
  then: [],
};
const by = { host: 'h', boot: 'b', pid: 7, started: 's' };
const yes: Args = { positionals: [], values: {}, switches: { yes: true } } as unknown as Args;
const asked: Args = { positionals: [], values: {}, switches: {} } as unknown as Args;

/** `last`: where the journal is at each look; it has moved whenever that is another at the next one. */
function runsAt(lasts: readonly number[], status = 'failed') {
  const seen: number[] = [];
  let at = 0;
  const engine = {
    store: { name: 'store', run: () => ({ status }) },
    preview: () => ({ ...preview, kept: [`at ${lasts[at]}`], last: lasts[at] }),
    async reopen(_: string, __: Change, last: number) {
      seen.push(last);
      at = Math.min(at + 1, lasts.length - 1);
      return lasts[at] === last ? { kind: 'held', by } : { kind: 'moved' };
    },
  };
  const runs = { engine, short: (id: string) => id } as unknown as OpenRuns;
  return { runs, seen };
}

const change = (why: Change['why']) => ({ why, plan: { children: [], workflows: {} } }) as unknown as Change;

describe('a run that somebody else moves meanwhile', () => {
  it('is shown anew and asked again', async () => {
    const { runs, seen } = runsAt([3, 5, 5]);
    const context = memoryContext({ typed: true, stdin: 'y\n' });
    const wish = { runs, root: 'r', change: change('edit'), unasked: 'refuse' } as const;
    await expect(goOn(wish, asked, context)).rejects.toThrow('is driven');
    expect(seen).toEqual([3, 5]);
    expect(context.err().match(/Go on\?/g)).toHaveLength(2);
    expect(context.err()).toContain('has gone on meanwhile');
  });

  it('is not tried again when it has not failed any more', async () => {
    const { runs, seen } = runsAt([3, 5], 'done');
    const wish = { runs, root: 'r', change: change('retry'), unasked: 'do' } as const;
    await expect(goOn(wish, yes, memoryContext())).rejects.toMatchObject({
      message: expect.stringContaining('has gone on meanwhile'),
      code: 1,
    });
    expect(seen).toEqual([3]);
  });

  it('is told to be gone when it was removed', async () => {
    const { runs } = runsAt([3]);
    const gone = async () => {
      throw new ToolangError('TOO6201', 'the store has no such run');
    };
    const broken = { ...runs, engine: { ...runs.engine, reopen: gone } } as unknown as OpenRuns;
    const wish = { runs: broken, root: 'r', change: change('edit'), unasked: 'refuse' } as const;
    await expect(goOn(wish, yes, memoryContext())).rejects.toMatchObject({
      message: expect.stringContaining('was removed'),
      code: 1,
    });
  });
});
