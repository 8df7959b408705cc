/** What a command is given to read: files, directories, standard input. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { displayPath, type ReadProblem, readTextFile } from '../sys/index.ts';
import { createSource, type Source } from '../text/index.ts';
import type { Context } from './context.ts';

export interface InputFile {
  /** Undefined for standard input. */
  readonly path: string | undefined;
  /** As people see it. */
  readonly name: string;
}

export interface InputProblem {
  readonly message: string;
  readonly help?: string;
}

export type Expanded = { readonly files: readonly InputFile[]; readonly problems: readonly InputProblem[] };

export const STDIN = '-';

/** The `.too` files that the words of a command line name; a directory stands for those below it. */
export async function expandInputs(words: readonly string[], context: Context): Promise<Expanded> {
  const files = new Map<string, InputFile>();
  const problems: InputProblem[] = [];
  for (const word of words.length > 0 ? words : ['.']) {
    if (word === STDIN) {
      files.set(STDIN, { path: undefined, name: '<stdin>' });
      continue;
    }
    const full = path.resolve(context.cwd, word);
    const isDirectory = await stat(full).then(
      (stats) => stats.isDirectory(),
      // What is wrong with it is said when it is read.
      () => false,
    );
    if (!isDirectory) {
      const problem = extensionProblem(word);
      if (problem) problems.push(problem);
      else files.set(full, { path: full, name: displayPath(full, context.cwd) });
      continue;
    }
    const found = await findFiles(full, problems);
    for (const file of found) files.set(file, { path: file, name: displayPath(file, context.cwd) });
    if (found.length === 0) {
      problems.push({ message: `there is no .too file in "${word}".`, help: 'Make one with: toolang new NAME' });
    }
  }
  return { files: [...files.values()], problems };
}

/** One file, where a directory makes no sense. */
export async function expandInput(word: string, context: Context): Promise<Expanded> {
  if (word === STDIN) return { files: [{ path: undefined, name: '<stdin>' }], problems: [] };
  const problem = extensionProblem(word);
  const full = path.resolve(context.cwd, word);
  return problem
    ? { files: [], problems: [problem] }
    : { files: [{ path: full, name: displayPath(full, context.cwd) }], problems: [] };
}

export async function readInput(
  file: InputFile,
  context: Context,
): Promise<{ readonly ok: true; readonly source: Source } | { readonly ok: false; readonly problem: ReadProblem }> {
  const read = file.path === undefined ? await context.stdin.read() : await readTextFile(file.path);
  return read.ok ? { ok: true, source: createSource(file.name, read.text) } : read;
}

function extensionProblem(word: string): InputProblem | undefined {
  const extension = path.extname(word).toLowerCase();
  if (extension === '.too') return undefined;
  if (extension === '.toon') {
    return { message: `"${word}" is a workflow; this version reads agent files (.too) only.` };
  }
  return {
    message: `"${word}" is not a .too file.`,
    help: `To read it anyway, write "-" and pass it on standard input.`,
  };
}

const skipped = new Set(['node_modules', 'dist', 'build', 'coverage']);

/** Depth first, by name; hidden directories and those of packages and builds are not entered, links not followed. */
async function findFiles(directory: string, problems: InputProblem[]): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    problems.push({ message: `"${directory}" cannot be read: ${error.code ?? error.message}.` });
    return [];
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.') && !skipped.has(entry.name)) {
      found.push(...(await findFiles(full, problems)));
    } else if (entry.isFile() && entry.name.endsWith('.too')) found.push(full);
  }
  return found;
}
