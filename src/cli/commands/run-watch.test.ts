/** `run FILE --watch`: what is saved is gone on with, and only what that changes is done again. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StopSignal } from '../context.ts';
import { type MemoryContext, memoryContext } from '../memory-context.ts';
import { runCli } from '../run.ts';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const step = (id: string, js: string) => `  - id: ${id}\n    run: ${JSON.stringify(js)}\n    output: string\n`;
const flow = (...steps: readonly string[]) => `name: flow\ninput:\nsteps[${steps.length}]:\n${steps.join('')}`;
const a = step('a', 'return "a"');
const b = step('b', 'return a + "b"');

/** Waits for something that must come; the limit ends what hangs, and is no measure. */
async function until(holds: () => boolean, what: string, told = () => ''): Promise<void> {
  for (const end = Date.now() + 60_000; !holds(); ) {
    if (Date.now() > end) throw new Error(`${what} never came\n${told()}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}

interface Watched {
  readonly context: MemoryContext;
  readonly code: Promise<number>;
  /** What was told since the last time this was asked for; waits until it holds a text. */
  readonly told: (text: string) => Promise<string>;
  readonly stop: () => Promise<number>;
}

function start(...argv: readonly string[]): Watched {
  const handlers: ((signal: StopSignal) => void)[] = [];
  const context = memoryContext({
    cwd: s.dir,
    env: { HOME: s.home, USER: 'ana' },
    onSignal(handler) {
      handlers.push(handler);
      return () => void handlers.splice(handlers.indexOf(handler), 1);
    },
  });
  const code = runCli(argv, context);
  let seen = 0;
  return {
    context,
    code,
    async told(text) {
      await until(() => context.err().slice(seen).includes(text), `"${text}"`, context.err);
      const news = context.err().slice(seen);
      seen = context.err().length;
      return news;
    },
    async stop() {
      handlers.at(-1)?.('SIGINT');
      return code;
    },
  };
}

const lines = (text: string) =>
  [...text.matchAll(/^ {2}([✓✗⏸=–⊘]) (\S+)/gm)].map(([, mark, name]) => `${mark} ${name}`);

describe('toolang run --watch', () => {
  it('does again what a save changes, and stays after the end', async () => {
    s.write('flow.toon', flow(a, b));
    const watched = start('run', 'flow.toon', '--watch');
    const first = await watched.told('watching  flow.toon');
    expect(lines(first)).toEqual(['✓ a', '✓ b']);
    s.write('flow.toon', flow(a, step('b', 'return a + "B"')));
    const second = await watched.told('watching  flow.toon');
    expect(second).toContain('  edited  kept 1 · runs again 1\n');
    expect(lines(second)).toEqual(['= a', '✓ b']);
    // An editor that writes beside the file, and puts that in its place.
    s.write('.flow.swp', flow(step('a', 'return "A"'), b));
    renameSync(s.at('.flow.swp'), s.at('flow.toon'));
    expect(lines(await watched.told('watching  flow.toon'))).toEqual(['✓ a', '✓ b']);
    expect(watched.context.out()).toBe('ab\naB\nAb\n');
    expect(await watched.stop()).toBe(130);
  });

  it('shows errors and waits for the next save, also of a file that was deleted', async () => {
    s.write('flow.toon', flow(a, b));
    const watched = start('run', 'flow.toon', '--watch');
    await watched.told('watching  flow.toon');
    s.write('flow.toon', flow(a, step('b', 'return nothing')));
    const wrong = await watched.told('waiting for the next save');
    expect(wrong).toMatch(/flow\.toon:\d+:\d+ {2}error TOO3307/);
    rmSync(s.at('flow.toon'));
    await watched.told('flow.toon is gone');
    s.write('flow.toon', flow(a, step('b', 'return a + "2"')));
    expect(lines(await watched.told('watching  flow.toon'))).toEqual(['= a', '✓ b']);
    expect(await watched.stop()).toBe(130);
  });

  it('watches what the workflow is made of: handlers, and what they import', async () => {
    s.write('lib/word.mjs', 'export const word = "one";\n');
    s.write('h.mjs', "import { word } from './lib/word.mjs';\nexport default () => word;\n");
    s.write('flow.toon', flow(a, '  - id: h\n    handler: ./h.mjs\n    output: string\n'));
    const watched = start('run', 'flow.toon', '--watch');
    await watched.told('watching  flow.toon');
    s.write('lib/word.mjs', 'export const word = "two";\n');
    expect(lines(await watched.told('watching  flow.toon'))).toEqual(['= a', '✓ h']);
    expect(watched.context.out()).toBe('one\ntwo\n');
    await watched.stop();
  });

  it('lets steps that run finish first, and says so', async () => {
    const slow = step(
      'slow',
      "const { existsSync, writeFileSync } = await import('node:fs'); writeFileSync('begun', ''); while (!existsSync('go')) await new Promise((done) => setTimeout(done, 5)); return 's'",
    );
    s.write('flow.toon', flow(a, slow, b));
    const watched = start('run', 'flow.toon', '--watch');
    await until(() => existsSync(s.at('begun')), 'the slow step');
    s.write('flow.toon', flow(a, slow, step('b', 'return a + slow')));
    const saved = await watched.told('goes on with it when');
    expect(saved).toContain('  saved  goes on with it when slow has ended\n');
    s.write('go', '');
    const rest = await watched.told('watching  flow.toon');
    expect(lines(rest).slice(-4)).toEqual(['✓ slow', '= a', '= slow', '✓ b']);
    expect(watched.context.out()).toBe('as\n');
    await watched.stop();
  });

  const gate =
    "const { existsSync, writeFileSync } = await import('node:fs'); writeFileSync('begun', ''); while (!existsSync('go')) await new Promise((done) => setTimeout(done, 5)); return 's'";
  const slow = step('slow', gate);
  const say = (text: string) => step('b', `return '${text}'`);

  it('never runs a save that was overtaken while a step ran', async () => {
    s.write('flow.toon', flow(slow, say('one')));
    const watched = start('run', 'flow.toon', '--watch');
    await until(() => existsSync(s.at('begun')), 'the slow step');
    for (const text of ['two', 'three']) {
      s.write('flow.toon', flow(slow, say(text)));
      await watched.told('goes on with it when slow has ended');
    }
    s.write('go', '');
    expect(lines(await watched.told('watching  flow.toon'))).toEqual(['✓ slow', '= slow', '✓ b']);
    expect(watched.context.out()).toBe('three\n');
    await watched.stop();
  });

  it('goes on as it was where a save is taken back, and waits where the last one has errors', async () => {
    s.write('flow.toon', flow(slow, say('one')));
    const watched = start('run', 'flow.toon', '--watch');
    await until(() => existsSync(s.at('begun')), 'the slow step');
    s.write('flow.toon', flow(slow, say('two')));
    await watched.told('goes on with it when slow has ended');
    s.write('flow.toon', flow(slow, step('b', 'return nothing')));
    await watched.told('flow.toon has errors: waiting for the next save');
    s.write('go', '');
    await watched.told('✓ slow');
    s.write('flow.toon', flow(slow, say('one')));
    const rest = await watched.told('watching  flow.toon');
    expect(rest).toContain('  saved  flow.toon is as the run is\n');
    expect(rest).not.toContain('edited');
    expect(lines(rest)).toEqual(['✓ b']);
    expect(watched.context.out()).toBe('one\n');
    await watched.stop();
  });

  it('says that errors are gone, and how what failed is tried again where nothing was changed', async () => {
    const flaky = step('b', "if (!(await import('node:fs')).existsSync('ok')) throw new Error('not yet'); return 'x'");
    s.write('flow.toon', flow(a, b));
    const watched = start('run', 'flow.toon', '--watch');
    const id = / · run (\w+)/.exec(await watched.told('watching  flow.toon'))?.[1] ?? '';
    s.write('flow.toon', flow(a, step('b', 'return nothing')));
    await watched.told('has errors: waiting for the next save');
    s.write('flow.toon', flow(a, b));
    await watched.told('  saved  flow.toon is as the run is\n');
    s.write('flow.toon', flow(a, flaky));
    expect(await watched.told('watching  flow.toon')).toContain('  failed ');
    s.write('flow.toon', `# A comment.\n${flow(a, flaky)}`);
    await watched.told(
      `nothing was changed. To try again what failed, from another terminal:\n      toolang retry ${id}\n`,
    );
    await watched.stop();
  });

  it('says of a denial that it stays, and how it is asked again', async () => {
    const ask = '  - kind: approval\n    id: ok\n    request:\n      title: Go?\n';
    s.write('flow.toon', flow(a, ask, b));
    const watched = start('run', 'flow.toon', '--watch');
    const id = / · run (\w+)/.exec(await watched.told('toolang approve'))?.[1] ?? '';
    await s.cli(['deny', id], { env: { USER: 'ana' } });
    await watched.told('watching  flow.toon');
    s.write('flow.toon', flow(step('a', 'return "A"'), ask, b));
    expect(await watched.told('watching  flow.toon')).toContain(
      `  denied  ok stays so. To be asked again, from another terminal:\n      toolang retry ${id}\n`,
    );
    await watched.stop();
  });

  it('ends where its run was removed, and says so', async () => {
    s.write('flow.toon', flow(a));
    const watched = start('run', 'flow.toon', '--watch');
    await watched.told('watching  flow.toon');
    expect((await s.cli(['runs', 'prune', '--keep', '0', '--yes'])).code).toBe(0);
    s.write('flow.toon', flow(b.replace('a + ', '')));
    expect(await watched.code).toBe(1);
    expect(watched.context.err()).toMatch(/toolang: the run \w+ was removed meanwhile; nothing was done\.\n/);
  });

  it('stays while people are awaited, and goes on with their answer', async () => {
    const ask = '  - kind: approval\n    id: ok\n    request:\n      title: Go?\n';
    s.write('flow.toon', flow(a, ask, b));
    const watched = start('run', 'flow.toon', '--watch');
    const asked = await watched.told('toolang approve');
    const id = / · run (\w+)/.exec(asked)?.[1] ?? '';
    s.write('flow.toon', flow(a, ask.replace('Go?', 'Really?'), b));
    expect(lines(await watched.told('toolang approve'))).toEqual(['= a', '⏸ ok']);
    await s.cli(['approve', id], { env: { USER: 'ana' } });
    await watched.told('watching  flow.toon');
    expect(watched.context.out()).toBe('ab\n');
    await watched.stop();
  });

  it('goes on when a step that failed is mended', async () => {
    s.write('flow.toon', flow(a, step('b', 'throw new Error("no")')));
    const watched = start('run', 'flow.toon', '--watch');
    expect(await watched.told('watching  flow.toon')).toContain('  failed ');
    s.write('flow.toon', flow(a, b));
    expect(lines(await watched.told('watching  flow.toon'))).toEqual(['= a', '✓ b']);
    await watched.stop();
  });

  it('cannot watch standard input, nor from the background', async () => {
    expect((await s.cli(['run', '-', '--watch'], { stdin: flow(a) })).code).toBe(2);
    s.write('flow.toon', flow(a));
    expect(await s.cli(['run', 'flow.toon', '--watch', '--detach'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--watch and --detach exclude each other.'),
    });
  });
});
