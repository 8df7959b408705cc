/**
 * What a sync root should hold, cap by cap, and what has to be done for it. Nothing is written here.
 * 1. What the lock knows is taken as it was locked, or refused: never something else for it.
 * 2. What lies in its place as it should is neither fetched nor written again.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createSource, type Diagnostic, diagnostic, offsetAt, type Source, type Span, span } from '../../text/index.ts';
import type { Resolved, Target, Wanted } from '../resolve/target.ts';
import type { AuthoredCap, FileCap, InlineCap, RemoteCap } from '../scope/authored.ts';
import { type Brought, broughtBy } from './brings.ts';
import { type Content, fileContent, inlineContent, remoteContent } from './content.ts';
import type { Shown } from './gather.ts';
import { filesAs, filesToLock, type Lock, type Locked, lockKey } from './lock.ts';
import { differenceIn } from './root.ts';
import { factsOf, placeOf, type SyncedCap } from './synced.ts';
import { hashesOf, type Tree, type TreeFile } from './tree.ts';

export interface Desired {
  readonly synced: SyncedCap;
  /** What has to be put in its place; missing where it lies there already. */
  readonly tree?: Tree;
  /** Why: it is new, another version, or somebody has changed what lay there. */
  readonly why?: 'added' | 'updated' | 'repaired';
  /** What was wrong with what lay there. */
  readonly difference?: string;
  readonly locked?: Locked;
  /** It has to be accepted first. */
  readonly brought?: Brought;
}

export interface DesireOptions {
  /** The sync root of the scope. */
  readonly root: string;
  readonly lock: Lock;
  /** Who names these caps, for the lock. */
  readonly user: string;
  /** Whether a reference should be looked up anew. */
  readonly isUpdated: (cap: RemoteCap) => boolean;
  /** What the last sync knew of this root, by `placeOf`: it spares the reading of what has not changed. */
  readonly known: ReadonlyMap<string, SyncedCap>;
  readonly shown: Shown;
}

export interface Desires {
  readonly desired: readonly Desired[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The references that have to be fetched: those that are not locked, and those that do not lie in their place. */
export function wantedOf(caps: readonly AuthoredCap[], options: DesireOptions): Wanted[] {
  const wanted: Wanted[] = [];
  for (const cap of caps) {
    if (!isRemote(cap)) continue;
    const locked = options.isUpdated(cap) ? undefined : lockOf(cap, options);
    if (locked && differenceIn(options.root, cap, filesAs(cap.name, locked)) === undefined) continue;
    wanted.push({
      key: wantedKey(cap),
      kind: cap.kind,
      ref: cap.ref,
      ...(cap.form === 'wired' && { isWired: true }),
      ...(locked && { locked: locked.target }),
    });
  }
  return wanted;
}

export function desiresOf(
  caps: readonly AuthoredCap[],
  resolved: ReadonlyMap<string, Resolved>,
  options: DesireOptions,
): Desires {
  const desired: Desired[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const cap of caps) {
    const result = isRemote(cap) ? remote(cap, resolved.get(wantedKey(cap)), options) : local(cap, options);
    if (Array.isArray(result)) diagnostics.push(...result);
    else if ('synced' in result) desired.push(result);
  }
  return { desired, diagnostics };
}

/** Scope, form, kind and name: one reference may be named in several places. */
function wantedKey({ scope, form, kind, name, file }: RemoteCap): string {
  return [scope, form, kind, name, file].join('\n');
}

function isRemote(cap: AuthoredCap): cap is RemoteCap {
  return cap.form === 'ref' || cap.form === 'wired';
}

function lockOf(cap: RemoteCap, { lock }: DesireOptions): Locked | undefined {
  return lock.get(lockKey(cap.kind, cap.ref));
}

function placeIn(cap: AuthoredCap, { root }: DesireOptions): string {
  return path.join(root, ...placeOf(cap));
}

function knownAs(cap: AuthoredCap, { known }: DesireOptions): SyncedCap | undefined {
  return known.get(placeOf(cap).join('/'));
}

function local(cap: InlineCap | FileCap, options: DesireOptions): Desired | readonly Diagnostic[] {
  const read =
    cap.form === 'inline'
      ? { ok: true as const, content: inlineContent(cap) }
      : fileContent(cap, options.shown(cap.path));
  return read.ok ? compared(cap, read.content, undefined, options) : read.diagnostics;
}

function compared(
  cap: AuthoredCap,
  { cap: checked, tree }: Pick<Content, 'cap' | 'tree'>,
  target: Target | undefined,
  options: DesireOptions,
): Desired {
  const place = placeIn(cap, options);
  const files = hashesOf(tree);
  const difference = differenceIn(options.root, cap, files);
  const synced: SyncedCap = {
    ...writtenAt(cap),
    ...(target && { target }),
    path: place,
    files,
    facts: factsOf(checked),
  };
  if (difference === undefined) return { synced };
  return { synced, tree, why: whyOf(cap, files, options), difference };
}

/** A home or root without agents has no state: there the lock says whether what lies there was meant to. */
function whyOf(
  cap: AuthoredCap,
  files: Readonly<Record<string, string>>,
  options: DesireOptions,
): NonNullable<Desired['why']> {
  const before = knownAs(cap, options);
  if (before) return isDeepStrictEqual(before.files, files) ? 'repaired' : 'updated';
  if (!existsSync(placeIn(cap, options))) return 'added';
  return isRemote(cap) && lockOf(cap, options) && !options.isUpdated(cap) ? 'repaired' : 'updated';
}

function remote(
  cap: RemoteCap,
  resolved: Resolved | undefined,
  options: DesireOptions,
): Desired | readonly Diagnostic[] {
  const locked = lockOf(cap, options);
  if (resolved === undefined) {
    if (locked === undefined) throw new Error(`"${cap.ref}" is neither locked nor looked up`);
    return inPlace(cap, locked, options);
  }
  if (!resolved.ok) {
    const { code, message, help } = resolved.problem;
    return [diagnostic(code, ...placeOfRef(cap, options), message, help === undefined ? {} : { help })];
  }
  const { target, files } = resolved;
  const read = remoteContent(cap.kind, cap.name, files, cap.ref, directoryOf(target));
  if (!read.ok) return read.diagnostics;
  const { content } = read;
  const hashes = filesToLock(cap.kind, target, hashesOf(content.tree));
  const isSame = locked !== undefined && isDeepStrictEqual(hashes, locked.files);
  if (locked && (!isSame || target.ref !== locked.target.ref) && !options.isUpdated(cap)) {
    const message = `"${cap.ref}" is not what was locked: ${differenceOf(hashes, locked.files)}.`;
    const help =
      'Nothing of it is used. If the change is wanted, run "toolang sync --update" and read what has changed.';
    return [diagnostic('TOO5401', ...placeOfRef(cap, options), message, { help })];
  }
  const made = compared(cap, content, target, options);
  const { extra } = content;
  const usedBy = [...new Set([...(locked?.usedBy ?? []), options.user])].sort();
  const entry: Locked = { kind: cap.kind, ref: cap.ref, target, files: hashes, usedBy, ...(extra && { extra }) };
  // The same files in a later commit were accepted with the earlier one.
  if (isSame) return { ...made, locked: entry };
  const before = locked && treeAt(cap, locked, options);
  const brought = broughtBy({
    kind: cap.kind,
    name: cap.name,
    ref: cap.ref,
    target,
    tree: content.tree,
    facts: made.synced.facts,
    ...(extra && { extra }),
    ...(locked && before && { before: { target: locked.target, tree: before } }),
  });
  return { ...made, locked: entry, brought };
}

/** What the lock holds and the disk has: what is known of it is known, or read from there. */
function inPlace(cap: RemoteCap, locked: Locked, options: DesireOptions): Desired | readonly Diagnostic[] {
  const { target } = locked;
  const files = filesAs(cap.name, locked);
  const entry: Locked = { ...locked, usedBy: [...new Set([...locked.usedBy, options.user])].sort() };
  const place = placeIn(cap, options);
  const known = knownAs(cap, options);
  if (known && isDeepStrictEqual(known.files, files)) {
    return { synced: { ...writtenAt(cap), target, path: place, files, facts: known.facts }, locked: entry };
  }
  const tree = treeAt(cap, locked, options);
  if (tree === undefined) throw new Error(`${place} is not as it was a moment ago`);
  const read = remoteContent(cap.kind, cap.name, tree.files, cap.ref);
  if (!read.ok) return read.diagnostics;
  return { synced: { ...writtenAt(cap), target, path: place, files, facts: factsOf(read.content.cap) }, locked: entry };
}

/** Undefined if it does not lie there as it was locked. */
function treeAt(cap: RemoteCap, locked: Locked, options: DesireOptions): Tree | undefined {
  const files = filesAs(cap.name, locked);
  if (differenceIn(options.root, cap, files) !== undefined) return undefined;
  const isDirectory = cap.kind === 'skill';
  const place = placeIn(cap, options);
  const read = (name: string): TreeFile => {
    const at = isDirectory ? path.join(place, ...name.split('/')) : place;
    return { path: name, bytes: readFileSync(at), isExecutable: false };
  };
  return { isDirectory, files: Object.keys(files).map(read) };
}

function writtenAt(cap: AuthoredCap): Omit<SyncedCap, 'path' | 'files' | 'facts' | 'target'> {
  const { kind, name, scope, form, file, line, column } = cap;
  return { kind, name, scope, form, file, line, column, ...('ref' in cap && { ref: cap.ref }) };
}

/** The name of a skill's own directory; that of the repository where the skill is all of it. */
function directoryOf({ path: within, url }: Target): string | undefined {
  return (within || url)
    .split('/')
    .at(-1)
    ?.replace(/\.git$/, '');
}

function differenceOf(now: Readonly<Record<string, string>>, then: Readonly<Record<string, string>>): string {
  for (const file of Object.keys(then)) if (!Object.hasOwn(now, file)) return `"${file}" is missing`;
  for (const [file, hash] of Object.entries(now)) {
    if (!Object.hasOwn(then, file)) return `"${file}" was not there`;
    if (then[file] !== hash) return `"${file}" has another content`;
  }
  return 'it lies elsewhere';
}

/** The place in the file that names it. */
function placeOfRef({ file, line, column, ref }: RemoteCap, { shown }: DesireOptions): [Source, Span] {
  const source = createSource(shown(file), readFileSync(file, 'utf8'));
  const start = offsetAt(source, { line, column });
  const found = source.text.indexOf(ref, start);
  const at = found === -1 ? start : found;
  return [source, span(at, found === -1 ? at : at + ref.length)];
}
