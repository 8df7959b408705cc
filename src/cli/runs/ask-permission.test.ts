/** The person at the keyboard is asked what a tool may do; whoever answers first counts. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteStore } from '../../journal/index.ts';
import { openEngine } from '../../run/index.ts';
import { memoryContext } from '../memory-context.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { askPermissions } from './ask-permission.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
  s.write('.toolang/config.toml', '[permissions]\nask = ["shell"]\n');
  s.write(
    'w.toon',
    'name: w\ninput:\nagents:\n  a:\n    type: scripted\n    tools[1]: shell\nsteps[1]:\n  - id: s\n    agent: a\n    prompt: go\n    output: string\n',
  );
  s.write(
    'w.script.toon',
    'replies[2]:\n  - for: s\n    calls[1]:\n      - tool: shell/run\n        args:\n          command: touch made\n  - for: s\n    text: done\n',
  );
});
afterEach(() => s.remove());

const atTerminal = (stdin: string) => ({ stdin, typed: true, shown: true });

it('yes lets it be done, no does not, and the run goes on either way', async () => {
  const no = await s.cli(['run', 'w.toon'], atTerminal('No\n'));
  expect([no.code, existsSync(s.at('made'))]).toEqual([0, false]);
  expect(no.err).toContain('command: touch made');
  const yes = await s.cli(['run', 'w.toon'], atTerminal(' y \n'));
  expect([yes.code, existsSync(s.at('made'))]).toEqual([0, true]);
});

it('an empty line, the end of the input and no terminal leave it open', async () => {
  for (const options of [atTerminal('\n'), atTerminal(''), atTerminal('y'), { stdin: 'y\n', shown: true }]) {
    const { code, err } = await s.cli(['run', 'w.toon'], options);
    expect([code, err.includes('toolang approve')]).toEqual([3, true]);
  }
  expect(existsSync(s.at('made'))).toBe(false);
});

it('who comes too late is told so', async () => {
  const root = JSON.parse((await s.cli(['run', 'w.toon', '--json'])).out).run;
  const context = memoryContext({ cwd: s.dir, ...atTerminal('') });
  const stdin = {
    ...context.stdin,
    async *chunks() {
      await s.cli(['deny', root], { env: { USER: 'bo' } });
      yield Buffer.from('y\n');
    },
  };
  const store = openSqliteStore(s.at('.toolang/runs.db'));
  const engine = openEngine({ store, cwd: s.dir, env: {} });
  const nothing = () => undefined;
  const runs = {
    engine,
    settings: async () => ({}),
    short: (id: string) => id,
    listen: () => () => {},
    recorded: () => undefined,
    hurry: nothing,
    close: nothing,
  };
  const { signal } = new AbortController();
  await askPermissions({ runs, root, context: { ...context, stdin }, json: false, signal });
  store.close();
  expect(context.err()).toContain('that came too late: it was answered');
  expect(existsSync(s.at('made'))).toBe(false);
});
