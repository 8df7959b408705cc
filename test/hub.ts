/**
 * Bare repositories in a folder, which git takes for those of `https://github.com/`: its own `insteadOf` leads there, and
 * nothing else of the machine's configuration counts. No network is ever needed.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A text, bytes, or what has another mode: `link` to a path, a submodule at a commit. */
export type HubFile =
  | string
  | Uint8Array
  | { readonly executable: string }
  | { readonly link: string }
  | { readonly submodule: string };

export interface HubCommit {
  readonly branch?: string;
  /** Tags that the commit gets; those that were there are moved. */
  readonly tags?: readonly string[];
  /** Tags that are objects of their own. */
  readonly annotated?: readonly string[];
}

export interface Hub {
  /** Holds all that the test makes. */
  readonly top: string;
  /** Where nothing is yet. */
  readonly cache: string;
  readonly env: NodeJS.ProcessEnv;
  /** A commit with exactly these files; makes the repository where it is not there. The first branch is the default. */
  readonly commit: (name: string, files: Readonly<Record<string, HubFile>>, options?: HubCommit) => string;
  /** A repository without commits. */
  readonly empty: (name: string) => void;
  readonly remove: (name: string) => void;
  readonly path: (name: string) => string;
  readonly git: (name: string, args: readonly string[], input?: string | Uint8Array) => string;
  /** The commands that were given to git with `env`, one line each, since it was asked the last time. */
  readonly commands: () => string[];
  readonly close: () => void;
}

export function createHub(): Hub {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-hub-')));
  const repositories = join(top, 'repositories');
  const log = join(top, 'commands');
  mkdirSync(join(top, 'bin'), { recursive: true });
  mkdirSync(join(top, 'home'));
  mkdirSync(repositories);
  const clean: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: join(top, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(top, 'home', 'gitconfig'),
  };
  writeFileSync(log, '');
  const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  // Arguments have no line ends; what is appended in one go stays in one piece.
  writeFileSync(
    join(top, 'bin', 'git'),
    `#!/bin/sh\nprintf '%s\\n' "$*" >> ${quoted(log)}\nexec ${quoted(real)} "$@"\n`,
  );
  chmodSync(join(top, 'bin', 'git'), 0o755);
  let read = 0;
  const path = (name: string) => join(repositories, `${name}.git`);

  function git(name: string, args: readonly string[], input?: string | Uint8Array): string {
    const run = spawnSync('git', args, {
      cwd: path(name),
      env: clean,
      encoding: 'utf8',
      ...(input !== undefined && { input }),
    });
    if (run.error) throw run.error;
    if (run.status !== 0) throw new Error(`git ${args.join(' ')}: ${run.stderr}`);
    return run.stdout.replace(/\n$/, '');
  }

  /** As `git init --bare` makes it, without a process. */
  function init(name: string, branch: string): void {
    mkdirSync(join(path(name), 'objects', 'pack'), { recursive: true });
    mkdirSync(join(path(name), 'refs', 'heads'), { recursive: true });
    writeFileSync(join(path(name), 'HEAD'), `ref: refs/heads/${branch}\n`);
    const config = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[uploadpack]\n\tallowFilter = true\n';
    writeFileSync(join(path(name), 'config'), config);
  }

  return {
    top,
    cache: join(top, 'cache'),
    env: {
      ...clean,
      PATH: `${join(top, 'bin')}:${process.env.PATH}`,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${pathToFileURL(repositories).href}/.insteadOf`,
      GIT_CONFIG_VALUE_0: 'https://github.com/',
    },
    path,
    git,
    empty: (name) => init(name, 'main'),
    remove: (name) => rmSync(path(name), { recursive: true }),
    commit(name, files, { branch = 'main', tags = [], annotated = [] } = {}) {
      if (!existsSync(path(name))) init(name, branch);
      const who = 'Ana <ana@example.org> 1700000000 +0000';
      const parts: (string | Uint8Array)[] = [
        `commit refs/heads/${branch}\nmark :1\ncommitter ${who}\ndata 1\nx\n`,
        `from refs/heads/${branch}^0\n`,
        'deleteall\n',
      ];
      const isThere = git(name, ['for-each-ref', `refs/heads/${branch}`]) !== '';
      if (!isThere) parts.splice(1, 1);
      for (const [file, content] of Object.entries(files)) parts.push(...change(file, content));
      for (const tag of tags) parts.push(`reset refs/tags/${tag}\nfrom :1\n\n`);
      for (const tag of annotated) parts.push(`tag ${tag}\nfrom :1\ntagger ${who}\ndata 1\nx\n`);
      parts.push('get-mark :1\n', 'done\n');
      return git(
        name,
        ['fast-import', '--quiet', '--force', '--done'],
        Buffer.concat(parts.map((part) => Buffer.from(part))),
      );
    },
    commands() {
      const text = readFileSync(log, 'utf8');
      const lines = text.slice(read).split('\n').slice(0, -1);
      read = text.length;
      return lines;
    },
    close: () => rmSync(top, { recursive: true, force: true }),
  };
}

function change(file: string, content: HubFile): (string | Uint8Array)[] {
  const name = `"${file.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  if (typeof content === 'object' && 'submodule' in content) return [`M 160000 ${content.submodule} ${name}\n`];
  const [mode, body] =
    typeof content === 'string' || content instanceof Uint8Array
      ? ['100644', content]
      : 'link' in content
        ? ['120000', content.link]
        : ['100755', content.executable];
  const bytes = Buffer.from(body);
  return [`M ${mode} inline ${name}\ndata ${bytes.length}\n`, bytes, '\n'];
}
