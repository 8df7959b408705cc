/** What a folder of caps holds, by name: `<name>.md`, or of skills `<name>/SKILL.md`. No cap is read here. */
import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isCapName } from '../../config/index.ts';
import { quotePath, systemCode } from '../../sys/index.ts';
import { closest, createSource, type Diagnostic, hasErrors, span } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';
import { atPath, entryOf, followLink, type Look, readProblem, systemProblem } from './look.ts';
import { sameLetters } from './ref-problem.ts';
import { listSkillFiles } from './skill-files.ts';

/** A cap by its name alone. */
export interface NamedCap {
  readonly kind: CapKind;
  readonly name: string;
}

/** A cap that is there, read or not. */
export interface CapEntry extends NamedCap {
  /** The Markdown file. */
  readonly file: string;
  /** The Markdown file, or the directory of a skill. */
  readonly path: string;
  readonly files: readonly string[];
  /** Something about its files has been reported as an error. */
  readonly isBroken: boolean;
}

export interface CapFolderContents {
  readonly entries: readonly CapEntry[];
  /** Those that are meant to be caps, and have no file that could be read. */
  readonly lost: readonly NamedCap[];
  /** About files and folders; what is wrong in a cap is not known here. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A folder that is not there holds nothing. */
export function listCapFolder(kind: CapKind, folder: string, look: Look): CapFolderContents {
  const c = listing(kind, folder, look);
  for (const dirent of contents(c)) {
    const { name } = dirent;
    if (isIgnored(name)) continue;
    const entry = entryOf(dirent, path.join(folder, name), look);
    if (entry.kind === 'problem') {
      const cap = kind === 'skill' ? name : name.replace(/\.md$/, '');
      if (isCapName(cap) && (kind === 'skill' || cap !== name)) c.lost.push({ kind, name: cap });
      c.diagnostics.push(entry.diagnostic);
    } else if (kind === 'skill' && entry.kind === 'directory') addSkill(c, name, entry.path, entry.real);
    else if (kind !== 'skill' && entry.kind === 'file' && name.endsWith('.md')) {
      addEntry(c, name.slice(0, -3), entry.path, entry.path, [name], []);
    } else reportStray(c, name, entry.kind);
  }
  return c;
}

/** The skill in a directory, whatever folder that stands in. */
export function listSkill(dir: string, look: Look): CapFolderContents {
  const c = listing('skill', path.dirname(dir), look);
  addSkill(c, path.basename(dir), dir, undefined);
  return c;
}

type Named = Pick<CapEntry, 'kind' | 'name' | 'file'>;

interface Listing {
  readonly kind: CapKind;
  readonly folder: string;
  readonly look: Look;
  readonly entries: CapEntry[];
  /** By names in small letters. */
  readonly names: Map<string, Named>;
  readonly lost: NamedCap[];
  readonly diagnostics: Diagnostic[];
}

function listing(kind: CapKind, folder: string, look: Look): Listing {
  return { kind, folder, look, entries: [], names: new Map(), lost: [], diagnostics: [] };
}

function contents({ kind, folder, look, diagnostics }: Listing): Dirent[] {
  let found: Dirent[];
  try {
    found = readdirSync(folder, { withFileTypes: true });
    const entry = lstatSync(folder).isSymbolicLink() ? followLink(folder, look) : undefined;
    if (entry?.kind === 'problem') {
      diagnostics.push(entry.diagnostic);
      return [];
    }
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return [];
    if (code !== 'ENOTDIR') diagnostics.push(readProblem(folder, systemProblem(error), look));
    // Where the directory above is a file, that has its own report.
    else if (existsSync(folder)) {
      diagnostics.push(
        atPath('TOO5242', folder, look, `this is a file, and no folder of ${kind}s.`, {
          help: `Make a folder of that name, with the ${kind}s in it.`,
        }),
      );
    }
    return [];
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Hidden files, what editors leave behind, and what tells people about the folder. */
function isIgnored(name: string): boolean {
  return /^\.|~$|^#.*#$|\.(?:swp|swo|bak|orig|tmp)$/i.test(name) || ignored.has(name);
}

const ignored: ReadonlySet<string> = new Set(['README.md', 'Thumbs.db', 'desktop.ini', '__pycache__']);

function addSkill(c: Listing, name: string, dir: string, real: string | undefined): void {
  const { files, diagnostics } = listSkillFiles(dir, c.look, real);
  if (files.includes('SKILL.md')) addEntry(c, name, path.join(dir, 'SKILL.md'), dir, files, diagnostics);
  else {
    c.lost.push({ kind: 'skill', name });
    // What could not be read may be the reason.
    c.diagnostics.push(...(diagnostics.length > 0 ? diagnostics : [withoutText(c, dir, files)]));
  }
}

function withoutText({ look }: Listing, dir: string, files: readonly string[]): Diagnostic {
  const inner = files.find((file) => /^[^/]+\/SKILL\.md$/.test(file));
  const top = files.filter((file) => !file.includes('/'));
  const near = top.find((file) => /^skill\.md$/i.test(file)) ?? closest('SKILL.md', top);
  const help =
    near !== undefined
      ? `Rename ${quotePath(near)} to "SKILL.md".`
      : inner !== undefined
        ? `Skills stand side by side: move ${quotePath(path.dirname(inner))} one folder up.`
        : 'Write it, with a description in its frontmatter and the instructions below, or remove the folder.';
  return atPath('TOO5240', dir, look, 'this skill has no file "SKILL.md".', { help });
}

function addEntry(
  c: Listing,
  name: string,
  file: string,
  whole: string,
  files: readonly string[],
  problems: readonly Diagnostic[],
): void {
  const { kind } = c;
  const entry = { kind, name, file, path: whole, files };
  const other = c.names.get(name.toLowerCase());
  const all = other ? [...problems, caseProblem(c, entry, other)] : problems;
  c.diagnostics.push(...all);
  c.entries.push({ ...entry, isBroken: hasErrors(all) });
  if (!other) c.names.set(name.toLowerCase(), entry);
}

/** Where letter case does not count, one of the two would take the place of the other. */
function caseProblem({ look }: Listing, entry: Named, other: Named): Diagnostic {
  const at = { source: createSource(look.shown(other.file), ''), span: span(0, 0) };
  const { message, ...extra } = sameLetters(entry.kind, other.name, entry.name, at);
  return atPath('TOO5241', entry.file, look, message, extra);
}

function reportStray({ kind, folder, look, diagnostics }: Listing, name: string, what: 'file' | 'directory'): void {
  const full = path.join(folder, name);
  const base = name.replace(/\.[^.]*$/, '');
  const report = (message: string, help: string) => diagnostics.push(atPath('TOO5242', full, look, message, { help }));
  if (kind === 'skill') {
    const help = name.endsWith('.md')
      ? `Move it to skills/${base}/SKILL.md.`
      : 'Put it into the skill that it belongs to.';
    report('this is no skill: skills are folders.', help);
  } else if (what === 'directory') {
    const isSkill = existsSync(path.join(full, 'SKILL.md'));
    const help = isSkill
      ? 'It is a skill: move it to the folder "skills".'
      : `Write the ${kind} in ${kind}s/${name}.md.`;
    report(`this is no ${kind}: ${kind}s are files.`, help);
  } else {
    report(`this is no ${kind}: its name does not end in ".md".`, `Rename it to "${base}.md", or put it elsewhere.`);
  }
}
