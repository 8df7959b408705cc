/** Git repositories in folders of their own: nobody's configuration counts but what a test writes. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Repository {
  /** Holds all that the test makes. */
  readonly top: string;
  /** The main folder of the repository. */
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
  /** A path beside the repository. */
  readonly at: (...names: readonly string[]) => string;
  readonly write: (file: string, text: string) => void;
  /** Runs git, in the main folder or another one; throws where it fails. */
  readonly git: (args: readonly string[], cwd?: string) => string;
  readonly remove: () => void;
}

export interface RepositoryOptions {
  readonly branch?: string;
  /** The name of the folder that holds all. */
  readonly name?: string;
  /** Without a first commit. */
  readonly isEmpty?: boolean;
}

export function createRepository({ branch = 'trunk', name = 'top', isEmpty }: RepositoryOptions = {}): Repository {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-git-')));
  const top = join(outer, name);
  const dir = join(top, 'repo');
  mkdirSync(dir, { recursive: true });
  const env = gitEnv(outer);
  const git = (args: readonly string[], cwd = dir) => {
    const { status, stdout, stderr, error } = spawnSync('git', args, { cwd, env, encoding: 'utf8' });
    if (error) throw error;
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.replace(/\n$/, '');
  };
  git(['init', '--quiet', `--initial-branch=${branch}`]);
  git(['config', 'user.name', 'Ana']);
  git(['config', 'user.email', 'ana@example.org']);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  if (!isEmpty) {
    write(join(dir, 'a.txt'), 'a\n');
    write(join(dir, 'b/c.txt'), 'c\n');
    write(join(dir, '.gitignore'), 'ignored/\n*.log\n');
    git(['add', '.']);
    git(['commit', '--quiet', '-m', 'first']);
  }
  const at = (...names: readonly string[]) => join(top, ...names);
  return { top, dir, env, at, write, git, remove: () => rmSync(outer, { recursive: true, force: true }) };
}

/** A home without configuration, and none of the system's. */
export function gitEnv(home: string): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...(SystemRoot !== undefined && { SystemRoot }) };
}

/** All files of a folder but git's own: their contents, with modes and links. */
export function filesIn(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  const look = (path: string) => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      if (path === '' && name === '.git') continue;
      const inner = path === '' ? name : `${path}/${name}`;
      const stat = lstatSync(join(folder, inner));
      if (stat.isDirectory()) look(inner);
      else if (stat.isSymbolicLink()) files[inner] = `-> ${readlinkSync(join(folder, inner))}`;
      else files[inner] = `${stat.mode & 0o100 ? 'x ' : ''}${readFileSync(join(folder, inner), 'latin1')}`;
    }
  };
  look('');
  return files;
}

export function makeExecutable(file: string): void {
  chmodSync(file, 0o755);
}
