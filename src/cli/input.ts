/** What a command is given to read: files, directories, standard input. */
import { readdir, stat } from 'node:fs/promises';
import nodePath, { type PlatformPath } from 'node:path';
import type { NamedCap } from '../caps/index.ts';
import { displayPath, quotePath, type ReadProblem, readTextFile, systemCode } from '../sys/index.ts';
import { type Code, closest, createSource, type Diagnostic, type Source } from '../text/index.ts';
import { UsageError } from './command.ts';
import type { Context } from './context.ts';
import { optimizeLater } from './optimize-later.ts';

export interface InputFile {
  /** Undefined for standard input. */
  readonly path: string | undefined;
  /** As people see it; its ending says which language it is. */
  readonly name: string;
  /** Of a cap file: what it is, and how large it may be. */
  readonly cap?: NamedCap & { readonly maxBytes: number };
}

/** What is read: an agent, a cap, a workflow, the replies of models, written or recorded, or tests. */
export type Language = 'agent' | 'cap' | 'workflow' | 'script' | 'test';

/** What cannot be read or written, and what to do about it. Wrong usage has no code. */
export interface InputProblem {
  readonly code?: Code;
  /** The file it is about, as people see it. */
  readonly file?: string;
  readonly message: string;
  readonly help?: string;
}

export interface Expanded {
  readonly files: readonly InputFile[];
  readonly problems: readonly InputProblem[];
  /** About paths that were named, and what lies there. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What a path means besides `.too` and `.toon` files. */
export interface MoreInputs {
  readonly files: readonly InputFile[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface FindMore {
  /** What standard input is, by the name that it goes by. */
  readonly ofName: (name: string) => Promise<InputFile['cap']>;
  readonly ofFile: (path: string) => Promise<MoreInputs | undefined>;
  /** `hasFiles` tells whether `.too` or `.toon` files were found in it. */
  readonly ofDirectory: (path: string, hasFiles: boolean) => Promise<MoreInputs | undefined>;
}

export type Read =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly problem: InputProblem };

export const STDIN = '-';

const stdin: InputFile = { path: undefined, name: '<stdin>' };

export function languageOf({ name, cap }: InputFile): Language {
  if (cap) return 'cap';
  if (!/\.toon$/i.test(name)) return 'agent';
  if (/\.test\.toon$/i.test(name)) return 'test';
  return /\.(?:script|record)\.toon$/i.test(name) ? 'script' : 'workflow';
}

/** Where a file stands or, of standard input, where its name says it would: what it imports is found from there. */
export function placeOf({ path, name }: InputFile, cwd: string): string {
  return path ?? nodePath.resolve(cwd, name);
}

/**
 * The files that the words of a command line name; a directory stands for those below it. `stdinName` is what standard
 * input goes by; `more` finds what else the command reads.
 */
export async function expandInputs(
  words: readonly string[],
  context: Context,
  stdinName?: string,
  more?: FindMore,
): Promise<Expanded> {
  const piped = namedStdin(words, stdinName);
  const files = new Map<string, InputFile>();
  const problems: InputProblem[] = [];
  const diagnostics: Diagnostic[] = [];
  const add = (found: MoreInputs | undefined): boolean => {
    for (const each of found?.files ?? []) if (each.path !== undefined) files.set(each.path, each);
    diagnostics.push(...(found?.diagnostics ?? []));
    return found !== undefined && found.files.length + found.diagnostics.length > 0;
  };
  for (const word of words.length > 0 ? words : ['.']) {
    if (word === STDIN) {
      const cap = await more?.ofName(piped.name);
      files.set(STDIN, cap ? { ...piped, cap } : piped);
      continue;
    }
    if (isAddress(word)) {
      problems.push(addressProblem(word));
      continue;
    }
    const file = inputFile(word, context.cwd);
    if ((await kindOf(file.path)) !== 'directory') {
      if (add(await more?.ofFile(file.path))) continue;
      const problem = await extensionProblem(word, file.path);
      if (problem) problems.push(problem);
      else files.set(file.path, file);
      continue;
    }
    const found: string[] = [];
    const readable = await findFiles(file.path, context.cwd, found, problems);
    for (const inner of found) files.set(inner, inputFile(inner, context.cwd));
    const isMore = readable && add(await more?.ofDirectory(file.path, found.length > 0));
    if (readable && !isMore && found.length === 0) {
      const message = `there is no .too or .toon file in ${quotePath(file.name)}.`;
      problems.push({ message, help: 'Make one: toolang new NAME' });
    }
  }
  return { files: [...files.values()], problems, diagnostics };
}

/** Reads the one file that a word names, where a directory makes no sense. */
export async function readWord(
  word: string,
  context: Context,
  stdinName?: string,
): Promise<Read & { readonly file: InputFile }> {
  const piped = namedStdin([word], stdinName);
  if (isAddress(word)) return { file: { path: undefined, name: word }, ok: false, problem: addressProblem(word) };
  const file = word === STDIN ? piped : inputFile(word, context.cwd);
  const problem = file.path === undefined ? undefined : await extensionProblem(word, file.path);
  return { file, ...(problem ? { ok: false, problem } : await readInput(file, context)) };
}

export async function readInput(file: InputFile, context: Context): Promise<Read> {
  if (file.path === undefined && context.stdin.isTTY) {
    context.stderr.write('reading what you type; Ctrl-D on a line of its own ends it\n');
  }
  const read = file.path === undefined ? await context.stdin.read() : await readTextFile(file.path, file.cap);
  if (read.ok) {
    if (file === stdin && looksLikeWorkflow(read.text)) {
      context.stderr.write('this looks like a workflow; to read it as one: --stdin-name flow.toon\n');
    }
    optimizeLater(read.text.length);
    return { ok: true, source: createSource(file.name, read.text) };
  }
  return { ok: false, problem: await readProblem(file, read.problem) };
}

/** The file that a word means; the platform's path rules are an argument, for tests. */
export function inputFile(
  word: string,
  cwd: string,
  path: PlatformPath = nodePath,
): InputFile & { readonly path: string } {
  const full = path.resolve(cwd, word);
  return { path: full, name: displayPath(full, cwd, path) };
}

/** No agent has a line like this but inside of a text. */
function looksLikeWorkflow(text: string): boolean {
  return /^steps\[\d+\]:/m.test(text);
}

function namedStdin(words: readonly string[], name: string | undefined): InputFile {
  if (name === undefined) return stdin;
  if (words.includes(STDIN)) return { ...stdin, name };
  throw new UsageError('--stdin-name is a name for standard input.', 'Write "-" as well, to read from there.');
}

/** With its code, and with the path as it is shown everywhere else. */
async function readProblem(file: InputFile, problem: ReadProblem): Promise<InputProblem> {
  const { fileDiagnostic } = await import('../config/index.ts');
  const whole = file.path === undefined ? '' : quotePath(file.path);
  const message = problem.message.startsWith(whole)
    ? (whole === '' ? '' : quotePath(file.name)) + problem.message.slice(whole.length)
    : problem.message;
  const { code, help } = fileDiagnostic(file.name, problem);
  // What to do about a file says nothing to who pipes a text.
  if (file.path === undefined) return { code, file: file.name, message };
  const similar = problem.kind === 'missing' ? await similarName(file.path) : undefined;
  const instead = similar === undefined ? help : `Did you mean ${quotePath(similar)}?`;
  return { code, file: file.name, message, ...(instead !== undefined && { help: instead }) };
}

/** What stands beside a file that is not there and is spelled almost like it. */
async function similarName(file: string): Promise<string | undefined> {
  const name = nodePath.basename(file);
  const entries = await readdir(nodePath.dirname(file)).catch(() => {
    // Its directory is missing too, or closed: then nothing is similar, and the problem at hand is told already.
    return [];
  });
  const names = entries.filter((entry) => isOurs(entry)).sort();
  const whole = isOurs(name) ? [name] : [`${name}.too`, `${name}.toon`];
  return whole.find((each) => names.includes(each)) ?? closest(whole[0] ?? '', names);
}

type Kind = 'directory' | 'file' | 'other';

/** What is wrong with a path is said when it is read. */
async function kindOf(path: string): Promise<Kind> {
  return stat(path).then(
    (stats) => (stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other'),
    () => 'other',
  );
}

async function extensionProblem(word: string, path: string): Promise<InputProblem | undefined> {
  if (isOurs(word) || (await kindOf(path)) !== 'file') return undefined;
  return {
    message: `${quotePath(word)} is not a .too or .toon file.`,
    help: 'To read it anyway, write "-" and pass it on standard input.',
  };
}

function isAddress(word: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(word);
}

function addressProblem(word: string): InputProblem {
  return {
    message: `"${word}" is an address: only files are read.`,
    help: 'Load it first, look at it, and name the file.',
  };
}

function isOurs(name: string): boolean {
  return /\.toon?$/i.test(name);
}

const skipped = new Set(['node_modules', 'dist', 'build', 'coverage']);

/**
 * Depth first, by name; hidden directories and those of packages and builds are not entered, linked ones neither.
 * Whether the directory could be read.
 */
async function findFiles(directory: string, cwd: string, found: string[], problems: InputProblem[]): Promise<boolean> {
  let entries: Awaited<ReturnType<typeof listDirectory>>;
  try {
    entries = await listDirectory(directory);
  } catch (error) {
    problems.push(await directoryProblem(displayPath(directory, cwd), error));
    return false;
  }
  for (const { name, isDirectory } of entries) {
    const full = nodePath.join(directory, name);
    if (isDirectory) {
      if (!name.startsWith('.') && !skipped.has(name)) await findFiles(full, cwd, found, problems);
    } else if (isOurs(name) && (await kindOf(full)) !== 'directory') found.push(full);
  }
  return true;
}

async function listDirectory(directory: string): Promise<{ name: string; isDirectory: boolean }[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function directoryProblem(name: string, error: unknown): Promise<InputProblem> {
  const { fileDiagnostic } = await import('../config/index.ts');
  const system = systemCode(error) ?? '';
  const denied = system === 'EACCES' || system === 'EPERM';
  const message = denied
    ? `${quotePath(name)} may not be read: permission denied.`
    : `${quotePath(name)} cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
  const { code, help } = fileDiagnostic(name, { kind: denied ? 'denied' : 'other', message });
  return { code, message, ...(help !== undefined && { help }) };
}
