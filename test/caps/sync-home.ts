/** For tests of whole syncs: a root with a resident agent, real repositories, the built program, and pictures of what is there. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { built } from '../built.ts';
import { createHub, type Hub } from '../hub.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly said: string;
}

export interface SyncHome {
  readonly hub: Hub;
  readonly root: string;
  /** The home of the resident agent "bob". */
  readonly home: string;
  readonly write: (files: Readonly<Record<string, string | null>>) => void;
  /** `toolang sync --yes` in a home, `preload` first. */
  readonly sync: (options?: SyncCall) => Promise<Ended>;
  readonly close: () => void;
}

export interface SyncCall {
  readonly preload?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export function createSyncHome(): SyncHome {
  const hub = createHub();
  const root = join(hub.top, 'root');
  const home = join(root, 'agents/bob');
  const cli = join(built(), 'cli.cjs');
  mkdirSync(home, { recursive: true });
  return {
    hub,
    root,
    home,
    write(files) {
      for (const [file, text] of Object.entries(files)) {
        const at = join(root, file);
        if (text === null) rmSync(at, { recursive: true });
        else {
          mkdirSync(dirname(at), { recursive: true });
          writeFileSync(at, text);
        }
      }
    },
    sync({ preload, args = ['sync', '--yes'], cwd = home, env = {} } = {}) {
      const flags = preload === undefined ? [] : ['--import', preload];
      const child = spawn(process.execPath, [...flags, cli, ...args], {
        cwd,
        env: { ...hub.env, TOOLANG_ROOT: root, NO_COLOR: '1', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return ended(child);
    },
    close: hub.close,
  };
}

function ended(child: ChildProcess): Promise<Ended> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (part) => (said += part));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, said }));
  });
}

/** Every file and link below, by its path, with what it holds; of states without the times. What repositories left in the cache is not part of it. */
export function pictureOf(dir: string): Record<string, string> {
  const picture: Record<string, string> = {};
  for (const at of pathsIn(dir)) {
    const name = relative(dir, at);
    if (name.startsWith('cache') || isLeftover(name)) continue;
    const stats = lstatSync(at);
    if (stats.isSymbolicLink()) picture[name] = `-> ${readlinkSync(at)}`;
    else if (stats.isFile()) picture[name] = `${(stats.mode & 0o777).toString(8)} ${contentOf(at)}`;
  }
  return picture;
}

/** What a sync uses while it is at work, and takes away. */
export function leftoversIn(dir: string): string[] {
  return pathsIn(dir)
    .map((at) => relative(dir, at))
    .filter((name) => !name.startsWith('cache') && isLeftover(name));
}

function isLeftover(name: string): boolean {
  return /(?:^|\/)\.(?:new|turn|.*\.tmp)/.test(name);
}

function contentOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.state.json')) return text;
  const { stamps, ...state } = JSON.parse(text);
  return JSON.stringify({ ...state, stamps: Object.keys(stamps).sort() });
}

function pathsIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Puts a copy of `from` in the place of `to`. */
export function restore(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}
