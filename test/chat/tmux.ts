/** A real terminal for tests: tmux, with a server of its own that goes with the test. What is on its screen is waited for, never a time. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';

/** Why there is none; undefined where there is. */
export const noTmux: string | undefined = (() => {
  const { status, error } = spawnSync('tmux', ['-V'], { encoding: 'utf8' });
  if (error) return 'tmux is not installed';
  return status === 0 ? undefined : 'tmux does not work here';
})();

export interface Tmux {
  /** As somebody types it, letter by letter; then the key that sends it. */
  readonly send: (text: string) => void;
  readonly type: (text: string) => void;
  /** By the names that tmux has: `Enter`, `Escape`, `C-c`, `Up`. */
  readonly press: (...keys: readonly string[]) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly screen: () => string;
  /** The same with the sequences of its colours. */
  readonly painted: () => string;
  readonly shows: (what: string | RegExp) => Promise<void>;
  readonly close: () => void;
}

export interface TmuxOptions {
  readonly columns: number;
  readonly rows?: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a command line in a shell that stays when it has ended, with its exit code below it. */
export function openTmux(commandLine: string, { columns, rows = 24, cwd, env }: TmuxOptions): Tmux {
  const socket = `toolang-${process.pid}-${randomBytes(4).toString('hex')}`;
  const tmux = (...words: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' },
    });
    if (status !== 0) throw new Error(`tmux ${words[0]}: ${stderr}`);
    return stdout;
  };
  const size = ['-x', String(columns), '-y', String(rows)];
  // Not of tmux: that sets TERM itself.
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const shell = `${commandLine}; printf 'exit %s\\n' "$?"; exec sleep 600`;
  tmux('new-session', '-d', '-s', 't', ...size, '-c', cwd, 'env', ...variables, 'sh', '-c', shell);
  const screen = () => tmux('capture-pane', '-p', '-t', 't').trimEnd();
  const type = (text: string) => void tmux('send-keys', '-t', 't', '-l', text);
  const press = (...keys: readonly string[]) => void tmux('send-keys', '-t', 't', ...keys);
  return {
    type,
    press,
    send(text) {
      type(text);
      press('Enter');
    },
    resize: (toColumns, toRows) => void tmux('resize-window', '-t', 't', '-x', String(toColumns), '-y', String(toRows)),
    screen,
    painted: () => tmux('capture-pane', '-p', '-e', '-t', 't'),
    async shows(what) {
      if (typeof what === 'string') await expect.poll(screen).toContain(what);
      else await expect.poll(screen).toMatch(what);
    },
    close: () => void spawnSync('tmux', ['-L', socket, 'kill-server']),
  };
}
