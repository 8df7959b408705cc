/**
 * Files of the workspace that hold secrets, and the values that the `.env` files among them say. The tools of files do not open
 * them (`off-limits.ts`); a command could, so its output is cleaned of their values, and a sandbox hides them. Looked for in the
 * nearest 300 folders, those of version control and of packages left out.
 */
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { environmentSecrets, type Secret, systemCode } from '../sys/index.ts';
import { isEnvFile, noGuard, offLimits } from './filesystem/off-limits.ts';

export interface WorkspaceSecrets {
  /** Absolute paths; folders too, of which all is secret. */
  readonly files: readonly string[];
  readonly secrets: readonly Secret[];
}

const mostFolders = 300;
const mostBytes = 256 * 1024;
/** Far too many to look through, and not the user's own. */
const passedOver = new Set(['node_modules', '.git', '.hg', '.svn', 'vendor', 'target', 'dist', '.venv', '__pycache__']);

export function workspaceSecrets(workspace: string): WorkspaceSecrets {
  const files: string[] = [];
  const secrets: Secret[] = [];
  const folders: string[][] = [[]];
  for (let next = 0; next < folders.length && next < mostFolders; next++) {
    const parts = folders[next] ?? [];
    for (const entry of entriesOf(path.join(workspace, ...parts))) {
      const below = [...parts, entry.name];
      const file = path.join(workspace, ...below);
      // State of ours is no secret of theirs: it is kept from being written, not from being seen.
      if (entry.name === '.toolang') continue;
      if (offLimits(below, file, 'read', noGuard, path) !== undefined) {
        files.push(file);
        if (isEnvFile(entry.name) || entry.name === '.envrc') secrets.push(...secretsIn(file));
      } else if (entry.isDirectory() && !passedOver.has(entry.name)) folders.push(below);
    }
  }
  return { files, secrets };
}

function entriesOf(folder: string): readonly Dirent[] {
  return tried(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

function secretsIn(file: string): readonly Secret[] {
  const text = tried(() => (statSync(file).size <= mostBytes ? readFileSync(file, 'utf8') : undefined));
  if (text === undefined) return [];
  const values = dotenvOf(text);
  // Who keeps something here that nobody could guess keeps it secret, whatever it is called.
  const hidden = Object.keys(values).filter((name) => isUnguessable(values[name] ?? ''));
  return environmentSecrets(values, { hidden });
}

/** Letters and digits in one long word: no setting, address, path or number. */
function isUnguessable(value: string): boolean {
  if (/^[~./]|:\/\//.test(value) || !/^[\x21-\x7e]{16,}$/.test(value)) return false;
  return value
    .split(/[^A-Za-z0-9_+/=-]/)
    .some((word) => word.length >= 16 && /[0-9]/.test(word) && /[A-Za-z]/.test(word));
}

/** `NAME=value` lines, as most readers of `.env` files take them; a value in quotes may have several lines. */
export function dotenvOf(text: string): Record<string, string> {
  const out: Record<string, string> = {};
  const line =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*[=:][ \t]*(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|`([^`]*)`|([^\r\n]*))/gm;
  for (const [, name = '', double, single, back, bare] of text.matchAll(line)) {
    out[name] = double?.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1') ?? single ?? back ?? bareValue(bare ?? '');
  }
  return out;
}

/** A comment needs a blank before it. */
function bareValue(text: string): string {
  return text.replace(/(?:^|[ \t])#.*$/, '').trim();
}

/** Undefined: it is gone, or may not be read: then a command of ours cannot read it either. */
function tried<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
