/** `toolang chat` in a real terminal, as somebody who sits there uses it; skipped by name where there is no tmux. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { built } from '../built.ts';
import { noTmux, openTmux, type Tmux } from './tmux.ts';

const agent = `prompt weather:
  How is the weather in {{input}}?

thunk:
  tools = shell
`;

/** The second answer never comes to its end. */
const script = `replies[5]:
  - for: default
    text: Hello Ana, nice to meet you.
    pace: 5ms
  - for: default
    text: I ask the shell.
    calls[1]:
      - tool: shell/run
        args:
          command: echo from the shell
  - for: default
    text: It said so.
  - for: default
    text: "one two three"
    pace: 1h
  - for: default
    text: "As you like: 漢字 and 👍 stand in a line that is longer than forty cells are."
`;

describe.skipIf(noTmux !== undefined)(`a chat in tmux${noTmux === undefined ? '' : ` (${noTmux})`}`, () => {
  let dir: string;
  let tmux: Tmux | undefined;
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-tmux-')));
    for (const name of ['home', 'work/.toolang']) mkdirSync(join(dir, name), { recursive: true });
    writeFileSync(join(dir, 'work/bob.too'), agent);
    writeFileSync(join(dir, 'work/bob.script.toon'), script);
    writeFileSync(join(dir, 'work/.toolang/config.toml'), '[permissions]\nask = ["shell"]\n');
  });
  afterEach(() => {
    tmux?.close();
    tmux = undefined;
    rmSync(dir, { recursive: true, force: true });
  });

  function open(flags: string, columns: number, env: Readonly<Record<string, string>> = {}): Tmux {
    tmux?.close();
    tmux = openTmux(`'${process.execPath}' '${join(built(), 'cli.cjs')}' chat bob.too ${flags}`, {
      columns,
      cwd: join(dir, 'work'),
      env: { HOME: join(dir, 'home'), USER: 'ana', ...env },
    });
    return tmux;
  }

  it('talks, uses a tool that is allowed, is stopped in the middle, goes on, ends, and comes back', async () => {
    const first = open('--thread monday', 80);
    await first.shows('thread monday');
    await first.shows(/^>$/m);
    first.send('I am Ana');
    await first.shows('Hello Ana, nice to meet you.');
    await first.shows(/run \w+ · /);

    first.send('Use the shell');
    await first.shows('allow it? [y]es, [n]o, [a]lways in this chat');
    await first.shows('command: echo from the shell');
    first.send('y');
    await first.shows(/✓ shell\/run echo from the shell {2}[\d.]+s {2}from the shell/);
    await first.shows('It said so.');

    first.send('Count');
    await first.shows(/^one\n.*Esc stops it/m);
    first.press('Escape');
    await first.shows('stopped  run');

    first.send('Never mind');
    await first.shows('As you like');
    await expect.poll(() => first.screen().match(/ run \w+ · /g)?.length).toBe(4);
    first.press('C-d');
    await first.shows('toolang chat bob.too --thread monday');
    await first.shows('exit 0');

    const second = open('--resume', 80);
    await second.shows('thread monday');
    await second.shows('> Count');
    await second.shows('> Never mind');
    second.press('Up');
    await second.shows(/^> Never mind$/m);
    second.press('C-c', 'C-c', 'C-c');
    await second.shows('exit 0');
  });

  it('fits into 40 columns, breaks nothing when it is resized, and has no colours where none are wanted', async () => {
    const small = open('', 40, { NO_COLOR: '1' });
    await small.shows(/^>$/m);
    small.type('/wea');
    small.press('Tab');
    await small.shows(/^> \/weather$/m);
    small.type('the town where the foxes say good night');
    await small.shows(/^> \/weather the town where the foxes say\n +good night$/m);
    small.resize(30, 24);
    await small.shows(/^ +foxes say good night$/m);
    small.resize(60, 24);
    await small.shows(/^> \/weather the town where the foxes say good night$/m);
    expect(small.screen().match(/\/weather/g)).toHaveLength(1);
    small.press('C-u');
    small.send('Hi');
    await small.shows('Hello Ana, nice to meet you.');
    small.send('/quit');
    await small.shows('exit 0');
    expect(small.painted()).not.toMatch(/\x1b\[[\d;]*m/);
  });

  it('is a plain session, line after line, where the terminal is dumb', async () => {
    const dumb = open('', 80, { TERM: 'dumb' });
    await dumb.shows(/^>$/m);
    dumb.send('I am Ana');
    await dumb.shows(/^Hello Ana, nice to meet you\.$/m);
    dumb.press('C-d');
    await dumb.shows('exit 0');
  });
});
