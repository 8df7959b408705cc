/** The caps in the four folders of a home or of the root, read and checked. One that is wrong hides no other. */
import type { CapFolders } from '../../config/index.ts';
import { readTextFileSync } from '../../sys/index.ts';
import { createSource, type Diagnostic, hasErrors } from '../../text/index.ts';
import { capKinds } from '../../too/index.ts';
import { validateCapFile } from '../validate.ts';
import type { FileCap } from './authored.ts';
import { type CapEntry, listCapFolder, type NamedCap } from './cap-folder.ts';
import { type Look, lookAround, readProblem } from './look.ts';
import { mostBytes } from './skill-files.ts';

export interface FileCaps {
  /** Those that are right. */
  readonly caps: readonly FileCap[];
  /** Those that are there and cannot be used: what is wrong with each is told. */
  readonly broken: readonly NamedCap[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `shown` gives a path as people see it. A folder that is not there has no caps, and costs one call of the system. */
export async function readCapFolders(
  folders: CapFolders,
  scope: 'home' | 'root',
  shown: (path: string) => string,
): Promise<FileCaps> {
  const caps: FileCap[] = [];
  const broken: NamedCap[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const kind of capKinds) {
    const look = lookAround(folders[kind], scope, shown);
    const found = listCapFolder(kind, folders[kind], look);
    diagnostics.push(...found.diagnostics);
    broken.push(...found.lost);
    for (const entry of found.entries) {
      const cap = readEntry(entry, scope, look, diagnostics);
      if (cap) caps.push(cap);
      else broken.push({ kind, name: entry.name });
    }
  }
  return { caps, broken, diagnostics };
}

function readEntry(
  entry: CapEntry,
  scope: 'home' | 'root',
  look: Look,
  diagnostics: Diagnostic[],
): FileCap | undefined {
  const { kind, name, file, path, files } = entry;
  const read = readTextFileSync(file, { maxBytes: mostBytes });
  if (!read.ok) {
    diagnostics.push(readProblem(file, read.problem, look));
    return undefined;
  }
  const checked = validateCapFile(kind, name, createSource(look.shown(file), read.text));
  diagnostics.push(...checked.diagnostics);
  if (entry.isBroken || !checked.cap || hasErrors(checked.diagnostics)) return undefined;
  return { kind, name, scope, form: 'file', file, line: 1, column: 1, cap: checked.cap, path, files };
}
