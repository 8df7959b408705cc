/**
 * The content of caps as it is laid into sync roots: checked, and in the form that the runtime expects. What comes from
 * elsewhere is checked by the same rules as what people write here, but for what other makers of skills add to theirs.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isCapName } from '../../config/index.ts';
import { decodeText } from '../../sys/index.ts';
import { createSource, type Diagnostic, diagnostic, span } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';
import type { CheckedCap, PropertyValue } from '../checked-cap.ts';
import type { RemoteFile } from '../resolve/target.ts';
import type { FileCap, InlineCap } from '../scope/authored.ts';
import { validateCapFile } from '../validate.ts';
import { renderCap } from './render-cap.ts';
import type { Tree, TreeFile } from './tree.ts';

export interface Content {
  readonly cap: CheckedCap;
  readonly tree: Tree;
  readonly extra?: Readonly<Record<string, PropertyValue>>;
}

export type ContentRead =
  | { readonly ok: true; readonly content: Content; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export function inlineContent({ cap, kind, name }: InlineCap): Content {
  const bytes = Buffer.from(renderCap(cap));
  const file = kind === 'skill' ? 'SKILL.md' : `${name}.md`;
  return { cap, tree: { isDirectory: kind === 'skill', files: [{ path: file, bytes, isExecutable: false }] } };
}

/** A local cap, read anew: it may have been changed since it was checked, and what is kept is what was checked. */
export function fileContent(cap: FileCap, shown: string): ContentRead {
  const files = cap.files.map((name): TreeFile => {
    const at = cap.kind === 'skill' ? path.join(cap.path, ...name.split('/')) : cap.path;
    return { path: name, bytes: readFileSync(at), isExecutable: isExecutable(at) };
  });
  return checked(cap.kind, cap.name, files, cap.kind === 'skill' ? `${shown}/SKILL.md` : shown, 'local');
}

/** What a reference brought. `shown` is the reference as people see it; `directory` that of a skill. */
export function remoteContent(
  kind: CapKind,
  name: string,
  files: readonly RemoteFile[],
  shown: string,
  directory?: string,
): ContentRead {
  if (kind !== 'skill') {
    // The name of a wired cap is its key, whatever the file is called.
    const [file] = files;
    return checked(kind, name, file === undefined ? [] : [{ ...file, path: `${name}.md` }], shown, 'remote');
  }
  // A skill may say its own name, which is that of its directory; a wired one goes by its key.
  const own = directory !== undefined && isCapName(directory) ? directory : name;
  const read = checked(kind, own, files, `${shown}/SKILL.md`, 'remote');
  return read.ok ? { ...read, content: { ...read.content, cap: { ...read.content.cap, name } } } : read;
}

function checked(
  kind: CapKind,
  name: string,
  files: readonly TreeFile[],
  shown: string,
  origin: 'local' | 'remote',
): ContentRead {
  const main = files.find((file) => file.path === (kind === 'skill' ? 'SKILL.md' : `${name}.md`));
  if (main === undefined) throw new Error(`${shown} has no file of its own`);
  const text = decodeText(main.bytes, shown);
  if (!text.ok) {
    const problem = diagnostic('TOO5005', createSource(shown, ''), span(0, 0), text.problem.message);
    return { ok: false, diagnostics: [problem] };
  }
  const { cap, diagnostics } = validateCapFile(kind, name, createSource(shown, text.text), { origin });
  if (cap === undefined) return { ok: false, diagnostics };
  const extra = cap.kind === 'skill' && Object.keys(cap.extra).length > 0 ? cap.extra : undefined;
  const tree: Tree = {
    isDirectory: kind === 'skill',
    files: extra === undefined ? files : files.map((file) => (file === main ? plain(cap, file) : file)),
  };
  return { ok: true, content: { cap, tree, ...(extra && { extra }) }, diagnostics };
}

/** With its description alone. */
function plain(cap: CheckedCap, file: TreeFile): TreeFile {
  return { ...file, bytes: Buffer.from(renderCap(cap)) };
}

function isExecutable(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o111) !== 0;
}
