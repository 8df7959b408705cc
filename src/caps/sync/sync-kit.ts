/** For tests of sync: a root and a home in a folder of their own, files written by path, and references that are answered from memory. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HomePlaces, homeOfFile, machineHost, type RootPlaces } from '../../config/index.ts';
import type { Resolved, Wanted } from '../resolve/target.ts';
import type { Brought } from './brings.ts';
import type { Compile } from './gather.ts';
import { type SyncOptions, type SyncReport, sync } from './sync.ts';

export interface Place {
  readonly dir: string;
  readonly root: RootPlaces;
  readonly home: HomePlaces;
  readonly write: (file: string, text: string) => string;
  readonly read: (file: string) => string;
  /** Every file below, relative. */
  readonly list: (dir: string) => string[];
  /** What references give: the files of each, or a message. */
  readonly remote: Map<string, Record<string, string> | string>;
  /** What was asked for, and what was shown to be accepted. */
  readonly asked: Wanted[];
  readonly shown: Brought[];
  readonly sync: (options?: Partial<SyncOptions> & { readonly agents?: readonly string[] }) => Promise<SyncReport>;
  readonly remove: () => void;
}

/** `compile` as an argument: this folder knows no compiler. */
export function makePlace(compile: Compile): Place {
  const dir = mkdtempSync(path.join(tmpdir(), 'sync-'));
  const host = machineHost({ cwd: dir, env: { HOME: dir, TOOLANG_ROOT: path.join(dir, 'root') } });
  mkdirSync(path.join(dir, 'root'), { recursive: true });
  const found = homeOfFile(path.join(dir, 'work/agent.too'), host);
  if (!found.ok) throw new Error(found.problem.message);
  const home = found.places;
  const remote: Place['remote'] = new Map();
  const asked: Wanted[] = [];
  const shown: Brought[] = [];
  const at = (file: string) => path.join(dir, file);
  return {
    dir,
    root: home.root,
    home,
    remote,
    asked,
    shown,
    write(file, text) {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
      return at(file);
    },
    read: (file) => readFileSync(at(file), 'utf8'),
    list: (folder) => listFiles(at(folder)),
    sync: ({ agents = ['agent'], ...options } = {}) =>
      sync(
        {
          root: home.root,
          home,
          agents: agents.map((name) => ({ name, file: at(`work/${name}.too`) })),
        },
        {
          toolang: '0.0.0',
          compile,
          resolve: async (wanted) => {
            asked.push(...wanted);
            return new Map(wanted.map((each) => [each.key, answer(each, remote.get(each.ref))]));
          },
          accept: async (brought) => {
            shown.push(...brought);
            return true;
          },
          shown: (file) => path.relative(dir, file),
          ...options,
        },
      ),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function answer({ ref }: Wanted, found: Record<string, string> | string | undefined): Resolved {
  if (typeof found !== 'object') {
    return { ok: false, problem: { code: 'TOO5308', message: found ?? `"${ref}" was not found.` } };
  }
  const files = Object.entries(found).map(([name, text]) => ({
    path: name,
    bytes: Buffer.from(text),
    isExecutable: name.endsWith('.sh'),
  }));
  const commit = Buffer.from(JSON.stringify(found)).toString('hex').padEnd(40, '0').slice(-40);
  const target = { ref: `github://${ref}@${commit}`, url: `https://github.com/${ref}`, commit, path: ref };
  return { ok: true, target, files };
}

function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}
