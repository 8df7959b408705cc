/** What it takes to look into the folders of a scope: how paths are shown, and how far links may lead. */
import { type Dirent, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileDiagnostic } from '../../config/index.ts';
import { isInside, quotePath, type ReadProblem, systemCode } from '../../sys/index.ts';
import { createSource, type Diagnostic, type DiagnosticExtra, diagnostic, span } from '../../text/index.ts';

export interface Look {
  readonly shown: (path: string) => string;
  /** Whether a path without links lies in the scope. */
  readonly allows: (real: string) => boolean;
}

/** What stands in a folder: a file or a directory, by way of links or not; else what is wrong with it. */
export type Entry =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'directory';
      readonly path: string;
      /** Of a link: where it leads. */
      readonly real?: string;
    }
  | { readonly kind: 'problem'; readonly diagnostic: Diagnostic };

/**
 * `folder` is one of the four. A link may lead to anything in the directory that holds them; of a home whose caps lie in
 * `.toolang`, to anything in that home.
 */
export function lookAround(folder: string, scope: 'home' | 'root', shown: Look['shown']): Look {
  const above = path.dirname(folder);
  const inside = scope === 'home' && path.basename(above) === '.toolang';
  let real: readonly string[] | undefined;
  return {
    shown,
    allows: (target) => {
      // Most scopes have no links at all.
      real ??= [above, ...(inside ? [path.dirname(above)] : [])].map((dir) => realpathSync(dir));
      return real.some((dir) => isInside(target, dir));
    },
  };
}

export function entryOf(dirent: Dirent, full: string, look: Look): Entry {
  if (dirent.isFile()) return { kind: 'file', path: full };
  if (dirent.isDirectory()) return { kind: 'directory', path: full };
  if (dirent.isSymbolicLink()) return followLink(full, look);
  const what = dirent.isFIFO() ? 'a pipe' : dirent.isSocket() ? 'a socket' : 'a device';
  return problem(full, { kind: 'other', message: `this is ${what}, not a file.` }, look);
}

export function followLink(full: string, look: Look): Entry {
  try {
    const real = realpathSync(full);
    if (!look.allows(real)) return { kind: 'problem', diagnostic: outside(full, look) };
    const stats = statSync(real);
    if (stats.isDirectory()) return { kind: 'directory', path: full, real };
    if (stats.isFile()) return { kind: 'file', path: full };
    return problem(full, { kind: 'other', message: 'this is a link to what is neither a file nor a folder.' }, look);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') return problem(full, systemProblem(error), look);
    const message = `this is a link to ${quotePath(readlinkSync(full))}, which does not exist.`;
    return problem(full, { kind: 'missing', message }, look);
  }
}

/** Why a folder cannot be looked into. */
export function systemProblem(error: unknown): ReadProblem {
  const code = systemCode(error);
  if (code === undefined) throw error;
  if (code === 'EACCES' || code === 'EPERM') {
    return { kind: 'denied', message: 'this may not be read: permission denied.' };
  }
  if (code === 'ELOOP') return circle;
  const reason = error instanceof Error ? error.message : code;
  return { kind: 'other', message: `this cannot be read: ${reason}.` };
}

export const circle: ReadProblem = { kind: 'other', message: 'this cannot be read: its links lead in a circle.' };

/** What is wrong with a path, and not with a text: it stands at the start. */
export function atPath(
  code: Diagnostic['code'],
  full: string,
  look: Look,
  message: string,
  extra: DiagnosticExtra = {},
): Diagnostic {
  return diagnostic(code, createSource(look.shown(full), ''), span(0, 0), message, extra);
}

export function readProblem(full: string, found: ReadProblem, look: Look): Diagnostic {
  return fileDiagnostic(look.shown(full), found, full);
}

function problem(full: string, found: ReadProblem, look: Look): Entry {
  return { kind: 'problem', diagnostic: readProblem(full, found, look) };
}

function outside(full: string, look: Look): Diagnostic {
  const to = quotePath(readlinkSync(full));
  return atPath('TOO5243', full, look, `this link to ${to} leads out of the directory that the cap belongs to.`, {
    help: 'Put a copy here, or move what it leads to inside.',
  });
}
