/**
 * `toolang.lock`: what each reference of a home (or of the root) came to, with a hash of every file. It is made to be
 * committed and reviewed: what it holds has been accepted, and nothing else is taken for it.
 */
import { readTextFile } from '../../sys/index.ts';
import { createSource, type Diagnostic, diagnostic, span } from '../../text/index.ts';
import { type CapKind, capKinds } from '../../too/index.ts';
import type { PropertyValue } from '../checked-cap.ts';
import type { RemoteKind, Target } from '../resolve/target.ts';

export interface Locked {
  readonly kind: RemoteKind;
  /** As it is written in a `use` line or in a `config.toml`. */
  readonly ref: string;
  readonly target: Target;
  /** The sha256 of each file: of a skill as they lie in it, else of the one file, by its name in the target. See `filesAs`. */
  readonly files: Readonly<Record<string, string>>;
  /** Who names it: agents by the path of their source in the home, and `home` or `root` for that scope itself. Sorted. */
  readonly usedBy: readonly string[];
  /** What a skill said of itself beyond its description: kept for people, without effect. */
  readonly extra?: Readonly<Record<string, PropertyValue>>;
}

/** By kind and reference: see `lockKey`. */
export type Lock = ReadonlyMap<string, Locked>;

export type LockRead =
  | { readonly ok: true; readonly lock: Lock; readonly text: string | undefined }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

const kinds: readonly string[] = [...capKinds, 'agent'];

export function lockKey(kind: RemoteKind, ref: string): string {
  return `${kind} ${ref}`;
}

/** Hashes as a lock has them: one reference may be wired under several names. */
export function filesToLock(
  kind: RemoteKind,
  { path, url }: Target,
  files: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const [hash, ...more] = Object.values(files);
  if (kind === 'skill' || hash === undefined || more.length > 0) return files;
  const name = (path || url).split(/[/\\]/).at(-1);
  return { [name === undefined || !isPlainPath(name) ? 'file' : name]: hash };
}

/** The hashes of a lock, as files of a cap of that name. */
export function filesAs(name: string, { kind, files }: Locked): Readonly<Record<string, string>> {
  if (kind === 'skill') return files;
  return Object.fromEntries(Object.values(files).map((hash) => [`${name}.md`, hash]));
}

/** One that is not there locks nothing. */
export async function readLock(file: string, shown: string): Promise<LockRead> {
  const read = await readTextFile(file);
  if (!read.ok) {
    if (read.problem.kind === 'missing') return { ok: true, lock: new Map(), text: undefined };
    return { ok: false, diagnostic: diagnostic('TOO5402', createSource(shown, ''), span(0, 0), read.problem.message) };
  }
  const parsed = parseLock(read.text);
  if (typeof parsed !== 'string') return { ok: true, lock: parsed, text: read.text };
  const source = createSource(shown, read.text);
  const conflict = /^(?:<{7}|={7}|>{7})/m.exec(read.text);
  const at = conflict?.index ?? 0;
  const help = conflict
    ? 'Two branches have changed it: take one side, and run "toolang sync".'
    : 'Take it back from git, or delete it and run "toolang sync": what is used is then shown and accepted anew.';
  const message = conflict ? 'this lock has a merge conflict in it.' : `this lock cannot be read: ${parsed}.`;
  return { ok: false, diagnostic: diagnostic('TOO5402', source, span(at, at), message, { help }) };
}

/** Sorted, and every hash on a line of its own: two branches that add something rarely touch the same lines. */
export function renderLock(lock: Lock): string {
  const entries = [...lock.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const caps = entries.map(({ kind, ref, target, files, usedBy, extra }) => ({
    kind,
    ref,
    resolved: target.ref,
    url: target.url,
    ...(target.commit !== undefined && { commit: target.commit }),
    ...(target.path !== undefined && { path: target.path }),
    ...(target.sha256 !== undefined && { sha256: target.sha256 }),
    usedBy,
    files: Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  }));
  return `${JSON.stringify({ version: 1, caps }, null, 2)}\n`;
}

function keyOf({ kind, ref }: Locked): string {
  return lockKey(kind, ref);
}

/** A text: what is wrong with it. */
function parseLock(text: string): Lock | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return 'it is not JSON';
    throw error;
  }
  if (!isRecord(value)) return 'it is not an object';
  if (value.version !== 1) {
    return typeof value.version === 'number' && value.version > 1
      ? 'a newer toolang has written it'
      : 'it has no version';
  }
  if (!Array.isArray(value.caps)) return 'it has no list "caps"';
  const lock = new Map<string, Locked>();
  for (const [i, entry] of value.caps.entries()) {
    const locked = readEntry(entry);
    if (typeof locked === 'string') return `entry ${i + 1} ${locked}`;
    const key = lockKey(locked.kind, locked.ref);
    if (lock.has(key)) return `"${locked.ref}" stands in it twice`;
    lock.set(key, locked);
  }
  return lock;
}

function readEntry(entry: unknown): Locked | string {
  if (!isRecord(entry)) return 'is not an object';
  const { kind, ref, resolved, url, commit, path, sha256, files, usedBy, extra } = entry;
  if (typeof kind !== 'string' || !kinds.includes(kind)) return 'has no kind of cap';
  if (!isText(ref) || !isText(resolved) || !isText(url)) return 'lacks "ref", "resolved" or "url"';
  if (commit !== undefined && (typeof commit !== 'string' || !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(commit))) {
    return 'has a "commit" that is none';
  }
  if (commit !== undefined && !resolved.endsWith(`@${commit}`)) return 'has another "commit" than "resolved"';
  if (sha256 !== undefined && !isHash(sha256)) return 'has a "sha256" that is none';
  if (path !== undefined && (typeof path !== 'string' || (path !== '' && !isPlainPath(path)))) {
    return 'has a "path" that is none, or leads elsewhere';
  }
  if (!isRecord(files) || Object.keys(files).length === 0) return 'has no "files"';
  for (const [name, hash] of Object.entries(files)) {
    if (!isPlainPath(name)) return `has a file "${name}" that leads elsewhere`;
    if (!isHash(hash)) return `has no sha256 of "${name}"`;
  }
  if (kind === 'skill' ? !Object.hasOwn(files, 'SKILL.md') : Object.keys(files).length > 1) {
    return kind === 'skill' ? 'is a skill without "SKILL.md"' : `is a ${kind} of more than one file`;
  }
  if (!Array.isArray(usedBy) || !usedBy.every(isText)) return 'has no list "usedBy"';
  if (extra !== undefined && !isRecord(extra)) return 'has an "extra" that is no object';
  return {
    kind: kind as CapKind | 'agent',
    ref,
    target: {
      ref: resolved,
      url,
      ...(commit !== undefined && { commit }),
      ...(path !== undefined && { path }),
      ...(sha256 !== undefined && { sha256 }),
    },
    files: files as Record<string, string>,
    usedBy,
    ...(extra !== undefined && { extra: extra as Record<string, PropertyValue> }),
  };
}

/** Relative, with `/`, and without a part that leads anywhere else. */
export function isPlainPath(path: string): boolean {
  return (
    path !== '' && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\0]/.test(path)
  );
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
