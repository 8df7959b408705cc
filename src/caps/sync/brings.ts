/** What a reference brings, for a person to judge before it is used for the first time, or in another version. */
import { structuredPatch } from 'diff';
import { decodeText } from '../../sys/index.ts';
import type { RemoteKind, Target } from '../resolve/target.ts';
import type { CapFacts } from './synced.ts';
import type { Tree, TreeFile } from './tree.ts';

export interface Brought {
  readonly kind: RemoteKind;
  readonly name: string;
  /** As it is written. */
  readonly ref: string;
  readonly target: Target;
  /** Where it was before, if it was accepted in another version. */
  readonly before?: Target;
  readonly description?: string;
  readonly files: readonly BroughtFile[];
  /** Of a service: what it starts, or whom it calls. */
  readonly command?: readonly string[];
  readonly address?: string;
  /** The variables whose values it is given. */
  readonly variables?: readonly string[];
  /** Tools that a skill asks for; it is never granted any by that. */
  readonly allowedTools?: string;
  /** How its text differs from before, as a patch. */
  readonly diff?: string;
}

export interface BroughtFile {
  readonly path: string;
  readonly bytes: number;
  /** It can be run: by its mode, its first line, or its name. */
  readonly isScript: boolean;
}

export interface Offer {
  readonly kind: RemoteKind;
  readonly name: string;
  readonly ref: string;
  readonly target: Target;
  readonly tree: Tree;
  readonly facts?: CapFacts;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly before?: { readonly target: Target; readonly tree: Tree };
}

export function broughtBy({ kind, name, ref, target, tree, facts, extra, before }: Offer): Brought {
  const service = facts?.kind === 'service' ? facts : undefined;
  const description = facts !== undefined && 'description' in facts ? facts.description : undefined;
  const tools = extra?.['allowed-tools'];
  return {
    kind,
    name,
    ref,
    target,
    ...(before && { before: before.target, diff: diffOf(before.tree, tree) }),
    ...(description !== undefined && { description }),
    files: tree.files.map((file) => ({ path: file.path, bytes: file.bytes.length, isScript: isScript(file) })),
    ...(service?.transport === 'stdio' && { command: service.argv }),
    ...(service?.transport === 'http' && { address: service.target }),
    ...(service && service.requires.length > 0 && { variables: service.requires }),
    ...(tools !== undefined && { allowedTools: Array.isArray(tools) ? tools.join(', ') : String(tools) }),
  };
}

const scriptNames = /\.(?:sh|bash|zsh|fish|py|rb|pl|js|mjs|cjs|ts|mts|cts|ps1|bat|cmd|exe|php|lua|jar)$/i;

function isScript({ path, bytes, isExecutable }: TreeFile): boolean {
  return isExecutable || (bytes[0] === 0x23 && bytes[1] === 0x21) || scriptNames.test(path);
}

/** Beyond it a comparison takes too long, and nobody would read it. */
const mostEdits = 5000;

function diffOf(before: Tree, after: Tree): string {
  const old = new Map(before.files.map((file) => [file.path, file]));
  const fresh = new Map(after.files.map((file) => [file.path, file]));
  const parts: string[] = [];
  for (const path of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    const a = old.get(path);
    const b = fresh.get(path);
    if (a && b && Buffer.compare(a.bytes, b.bytes) === 0) continue;
    const from = textOf(a);
    const to = textOf(b);
    parts.push(
      from === undefined || to === undefined
        ? `${path}: ${a ? `${a.bytes.length} bytes` : 'new'} → ${b ? `${b.bytes.length} bytes` : 'removed'}, not a text\n`
        : patch(path, from, to, a === undefined, b === undefined),
    );
  }
  return parts.join('');
}

function patch(path: string, from: string, to: string, isNew: boolean, isGone: boolean): string {
  const isFar = leastEdits(from, to) > mostEdits;
  const { hunks } =
    (isFar ? undefined : structuredPatch('', '', from, to, '', '', { context: 2, maxEditLength: mostEdits })) ?? {};
  if (hunks === undefined) return `${path}: changed in more than ${mostEdits} lines\n`;
  if (hunks.length === 0) return `${path}: ${isNew ? 'new, and empty' : 'removed; it was empty'}\n`;
  const head = `--- ${isNew ? '/dev/null' : path}\n+++ ${isGone ? '/dev/null' : path}\n`;
  const bodies = hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) =>
    [`@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`, ...lines, ''].join('\n'),
  );
  return head + bodies.join('');
}

/** How many lines are in one of them alone: a comparison finds at least as many edits, and takes seconds to find thousands. */
function leastEdits(from: string, to: string): number {
  const counts = new Map<string, number>();
  for (const line of from.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of to.split('\n')) counts.set(line, (counts.get(line) ?? 0) - 1);
  let least = 0;
  for (const count of counts.values()) least += Math.abs(count);
  return least;
}

/** Of no lines it is the line before them. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

/** Empty of what is not there; undefined of what is not a text. */
function textOf(file: TreeFile | undefined): string | undefined {
  if (file === undefined) return '';
  const decoded = decodeText(file.bytes, file.path);
  return decoded.ok ? decoded.text : undefined;
}
