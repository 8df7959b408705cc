/** What a change means, in words: what comes then, further rounds, and what of it acts outside. */
import { describe, expect, it } from 'vitest';
import { flow, planOf, prompt } from '../plan/plan-test-kit.ts';
import { painter } from '../text/index.ts';
import { changeLine, changeText, type RunChange, runChange } from './run-change.ts';

const none: RunChange = {
  ...{
    kept: [],
    moved: [],
    again: [],
    may: [],
    fresh: [],
    rounds: [],
    removed: [],
    saved: {},
    outside: [],
    cached: [],
    denied: [],
  },
  // biome-ignore lint/suspicious/noThenProperty: what comes then; nobody awaits it.
  then: [],
};
const code = (id: string, js: string) => `  - id: ${id}\n    run: ${JSON.stringify(js)}\n    output: string\n`;

describe('what comes then', () => {
  const change: RunChange = {
    ...none,
    kept: ['a'],
    // biome-ignore lint/suspicious/noThenProperty: what comes then; nobody awaits it.
    then: [
      { step: 'b', begun: true },
      { step: 'c', begun: false },
      { step: 'd', begun: true, held: true },
    ],
    rounds: [{ loop: 'l', from: 3, most: 9 }],
  };

  it('is counted and named, with what was begun of it', () => {
    expect(changeLine(change)).toBe('kept 1 · then 3');
    const text = changeText(change, { paint: painter(false), columns: 90, wrapAt: 90, retry: '' });
    expect(text.split('\n')).toEqual([
      '  kept 1 · then 3',
      '    then         b (had not ended), c, d (not begun without --again)',
      '    more rounds  l (up to 9)',
      '',
    ]);
  });

  it('acts outside as all that runs does, in rounds that are not named too', async () => {
    const loop = `  - kind: loop\n    id: l\n    until: "{b == 'x'}"\n    maxIterations: 9\n    children[1]:\n${code('b', 'return String(await sh`date`)').replace(/^/gm, '    ').trimEnd()}\n`;
    const plan = await planOf(flow(prompt('a', 'A') + code('c', 'return String(await sh`date`)') + loop));
    const { outside: _, cached: __, ...preview } = { ...change, rounds: [{ loop: 'l', from: 3, most: 9 }] };
    expect(runChange(preview, plan).outside).toEqual([
      { step: 'c', what: 'sh' },
      { step: 'l[3]/b', what: 'sh' },
    ]);
  });

  it('is said to be in the cache perhaps, where it is kept there', async () => {
    const cached = (id: string) => `${code(id, 'return "x"')}    cache:\n      by: "{input.topic}"\n`;
    const plan = await planOf(flow(prompt('a', 'A') + cached('b') + cached('c') + code('d', 'return "x"')));
    const {
      outside: _,
      cached: __,
      ...preview
    } = { ...none, again: [{ step: 'b', parts: ['code' as const] }], fresh: ['d'], kept: ['c'] };
    const made = runChange(preview, plan);
    expect(made.cached).toEqual(['b']);
    const text = changeText(made, { paint: painter(false), columns: 90, wrapAt: 90, retry: '' });
    expect(text).toContain('    maybe cached b\n');
  });
});

it('what runs again has the parts that were changed beside it', () => {
  const change: RunChange = {
    ...none,
    again: [
      { step: 'a', parts: ['prompt', 'output'] },
      { step: 'b', parts: ['uses'] },
      { step: 'c', parts: [] },
    ],
  };
  const text = changeText(change, { paint: painter(false), columns: 90, wrapAt: 90, retry: '' });
  expect(text).toContain('runs again   a (prompt, output), b (a service or plugin), c (it did not succeed)');
});
