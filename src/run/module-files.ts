/**
 * The local files that a module is made of, with a hash of each: what changes when its code changes.
 * 1. Nothing runs: files are read, types are taken away, and the tree is searched for imports with a fixed name.
 * 2. A text that cannot be parsed is searched for quoted relative paths instead: rather a file too many than one too few.
 * 3. A file that is imported but not there is in the list with the hash `missing`, so that making it is a change.
 * 4. Packages are not looked into: one that was asked for itself is its entry and its `package.json`.
 */
import { dirname, extname, join, resolve, sep } from 'node:path';
import { type Node, parse } from 'acorn';
import { hashOfBytes, isFile, readOrNot } from './file-hash.ts';

export interface ModuleFile {
  readonly file: string;
  /** SHA-256 of its bytes, in hex, or `missing`. */
  readonly hash: string;
}

export interface ModuleGraph {
  readonly files: readonly ModuleFile[];
  readonly missing: readonly { readonly from: string; readonly specifier: string }[];
  /** The first file that is not JavaScript or TypeScript; decorators and JSX are not understood here. */
  readonly syntax?: SyntaxProblem;
}

export interface SyntaxProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const code = ['.js', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts'];
const typed = /\.[cm]?tsx?$/;

export async function moduleFiles(entry: string): Promise<ModuleGraph> {
  const files = new Map<string, string>();
  const missing: { from: string; specifier: string }[] = [];
  let syntax: SyntaxProblem | undefined;
  const todo = [entry];
  // The list grows while it is walked.
  for (const file of todo) {
    if (files.has(file)) continue;
    const bytes = readOrNot(file);
    const hash = hashOfBytes(bytes);
    files.set(file, hash);
    if (bytes === undefined || !code.includes(extname(file))) continue;
    if (isInPackage(file)) {
      const manifest = manifestOf(file);
      if (manifest !== undefined) todo.push(manifest);
      continue;
    }
    const found = await knownImports(file, hash, bytes);
    syntax ??= found.syntax;
    for (const specifier of found.imports) {
      if (!/^\.{1,2}(\/|$)/.test(specifier)) continue;
      const target = resolveLocal(specifier, dirname(file));
      if (target !== undefined) {
        if (!isInPackage(target)) todo.push(target);
      } else if (found.syntax === undefined) {
        missing.push({ from: file, specifier });
        todo.push(resolve(dirname(file), specifier));
      }
    }
  }
  return {
    files: [...files].map(([file, hash]) => ({ file, hash })),
    missing,
    ...(syntax !== undefined && { syntax }),
  };
}

/** The file that a relative or absolute path means, as TypeScript and its tools see it: `./a` and `./a.js` may be `a.ts`. */
export function resolveLocal(specifier: string, folder: string): string | undefined {
  const path = resolve(folder, specifier.replace(/[?#].*$/s, ''));
  const asTyped = path.replace(/\.([cm]?)js$/, '.$1ts');
  const candidates = [path, ...(asTyped !== path ? [asTyped, path.replace(/\.js$/, '.tsx')] : [])];
  for (const stem of [path, join(path, 'index')])
    for (const ending of [...code, '.json']) candidates.push(stem + ending);
  return candidates.find(isFile);
}

export function isInPackage(file: string): boolean {
  return file.includes(`${sep}node_modules${sep}`);
}

interface Imports {
  readonly imports: readonly string[];
  readonly syntax?: SyntaxProblem;
}

const mostKnown = 1000;
/** The same text is read many times: when it is planned, and whenever a run of it is taken up. */
const known = new Map<string, Imports>();

async function knownImports(file: string, hash: string, bytes: Buffer): Promise<Imports> {
  const key = `${hash} ${file}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = await importsOf(file, bytes.toString('utf8'));
  if (known.size >= mostKnown) known.clear();
  known.set(key, found);
  return found;
}

async function importsOf(file: string, text: string): Promise<Imports> {
  const plain = tryParse(text);
  if (plain.ok) return { imports: plain.imports };
  if (!typed.test(file)) return { imports: quotedPaths(text), syntax: { file, ...plain.problem } };
  const { transformSync } = await import('@swc/wasm-typescript');
  let problem: Place | undefined;
  // Enums and namespaces cannot be blanked out, only rewritten.
  for (const mode of ['strip-only', 'transform'] as const) {
    try {
      const parsed = tryParse(transformSync(text, { mode, filename: file, module: true }).code);
      if (parsed.ok) return { imports: parsed.imports };
      problem ??= parsed.problem;
    } catch (error) {
      const place = placeOf(error);
      if (place !== undefined) problem ??= place;
    }
  }
  return { imports: quotedPaths(text), ...(problem !== undefined && { syntax: { file, ...problem } }) };
}

type Place = Omit<SyntaxProblem, 'file'>;

function tryParse(text: string): { ok: true; imports: string[] } | { ok: false; problem: Place } {
  try {
    const tree = parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowHashBang: true,
      allowReturnOutsideFunction: true,
    });
    return { ok: true, imports: collect(tree) };
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number; column: number } };
    const problem = {
      line: loc?.line ?? 1,
      column: (loc?.column ?? 0) + 1,
      message: message.replace(/ \(\d+:\d+\)$/, ''),
    };
    return { ok: false, problem };
  }
}

/** What the stripper throws for text that is not TypeScript; it throws the same for what it only does not support. */
function placeOf(error: unknown): Place | undefined {
  const { code, message, startLine, startColumn } = (error ?? {}) as Record<string, unknown>;
  if (code !== 'InvalidSyntax' || typeof startLine !== 'number' || typeof startColumn !== 'number') return undefined;
  return { line: startLine, column: startColumn + 1, message: String(message).split('. ', 1)[0] ?? '' };
}

function collect(tree: Node): string[] {
  const found = new Set<string>();
  const todo: unknown[] = [tree];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const node = next as Record<string, unknown>;
    const target = importedBy(node);
    if (target !== undefined) found.add(target);
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) todo.push(value);
  }
  // Found from the end to the start; the order of the text is easier to read.
  return [...found].reverse();
}

function importedBy(node: Readonly<Record<string, unknown>>): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return textOf(node.source);
    case 'CallExpression': {
      const { callee, arguments: args } = node as { callee?: { type?: string; name?: string }; arguments?: unknown[] };
      return callee?.type === 'Identifier' && callee.name === 'require' ? textOf(args?.[0]) : undefined;
    }
    default:
      return undefined;
  }
}

function textOf(node: unknown): string | undefined {
  const { value, type, quasis } = (node ?? {}) as {
    value?: unknown;
    type?: string;
    quasis?: { value: { cooked?: string } }[];
  };
  if (typeof value === 'string') return value;
  return type === 'TemplateLiteral' && quasis?.length === 1 ? quasis[0]?.value.cooked : undefined;
}

function quotedPaths(text: string): string[] {
  return Array.from(text.matchAll(/(['"`])(\.{1,2}\/[^'"`\n]*)\1/g), ([, , path = '']) => path);
}

function manifestOf(file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (isFile(join(folder, 'package.json'))) return join(folder, 'package.json');
  }
  return undefined;
}
