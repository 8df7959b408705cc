/**
 * What an edited plan does with the results of the one before: by identity first, then by key, so that a step that was
 * renamed or moved is found again. Conditions and limits are always evaluated anew and are not part of it.
 */
import { dependenciesOf } from './dependencies.ts';
import { type KeyPart, type KeyParts, keyOf, keyParts } from './key.ts';
import type { WorkflowPlan } from './node.ts';
import { nodesOf, type PlacedNode } from './walk.ts';

export interface PlanDiff {
  /** Their results stay, as long as what they read stays. */
  readonly kept: readonly string[];
  /** Kept under another identity. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** Run again, because of these parts of their keys. */
  readonly changed: readonly { readonly path: string; readonly parts: readonly KeyPart[] }[];
  /** Unchanged, but they read something that runs again (ten of it are told): they run again if it gives another value. */
  readonly mayChange: readonly { readonly path: string; readonly because: readonly string[] }[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

interface Keyed extends PlacedNode {
  readonly parts: KeyParts;
  readonly key: string;
}

/** Hashes of handlers' modules, by module name, where they are known. */
export type ModuleHashes = ReadonlyMap<string, string>;

export function diffPlans(
  before: WorkflowPlan,
  after: WorkflowPlan,
  hashes: { readonly before?: ModuleHashes; readonly after?: ModuleHashes } = {},
): PlanDiff {
  const old = new Map(keyed(before, hashes.before).map((each) => [each.path, each]));
  const fresh = keyed(after, hashes.after);
  const same: string[] = [];
  const changed: { path: string; parts: KeyPart[] }[] = [];
  const unmatched: Keyed[] = [];
  for (const each of fresh) {
    const partner = old.get(each.path);
    if (partner === undefined) unmatched.push(each);
    else {
      if (partner.key === each.key) same.push(each.path);
      else changed.push({ path: each.path, parts: changedParts(partner.parts, each.parts) });
      old.delete(each.path);
    }
  }
  const { moved, added } = matchByKey(unmatched, old);
  const again = new Set([...changed.map(({ path }) => path), ...added]);
  const mayChange = readersOf(after, fresh, again);
  const doubtful = new Set(mayChange.map(({ path }) => path));
  return {
    kept: same.filter((path) => !doubtful.has(path)),
    moved,
    changed,
    mayChange,
    added,
    removed: [...old.keys()],
  };
}

function keyed(plan: WorkflowPlan, hashes: ModuleHashes | undefined): Keyed[] {
  const found: Keyed[] = [];
  const all = hashes && { modules: Object.fromEntries(hashes) };
  for (const placed of nodesOf(plan)) {
    const { node } = placed;
    const module = node.kind === 'step' && node.action.kind === 'handler' ? hashes?.get(node.action.module) : undefined;
    const parts = keyParts(node, placed.plan, { ...all, ...(module !== undefined && { module }) });
    if (parts) found.push({ ...placed, parts, key: keyOf(parts) });
  }
  return found;
}

const mostReasons = 10;

/** What finds no partner by identity is matched by key, first come, first served. */
function matchByKey(
  unmatched: readonly Keyed[],
  old: Map<string, Keyed>,
): { moved: { from: string; to: string }[]; added: string[] } {
  const byKey = new Map<string, string[]>();
  // From the last to the first, since they are taken from the end.
  for (const { key, path } of [...old.values()].reverse()) {
    const paths = byKey.get(key);
    if (paths) paths.push(path);
    else byKey.set(key, [path]);
  }
  const moved: { from: string; to: string }[] = [];
  const added: string[] = [];
  for (const { key, path } of unmatched) {
    const from = byKey.get(key)?.pop();
    if (from === undefined) added.push(path);
    else {
      moved.push({ from, to: path });
      old.delete(from);
    }
  }
  return { moved, added };
}

/** The nodes that read, directly or through others, what runs again; in written order. */
function readersOf(
  plan: WorkflowPlan,
  nodes: readonly Keyed[],
  again: ReadonlySet<string>,
): { path: string; because: readonly string[] }[] {
  const dependencies = dependenciesOf(plan);
  const readers = new Map<string, string[]>();
  for (const [reader, reads] of dependencies) {
    for (const read of reads) {
      const list = readers.get(read);
      if (list) list.push(reader);
      else readers.set(read, [reader]);
    }
  }
  const reached = new Set(again);
  // A set goes on over what is added while it is walked.
  for (const each of reached) for (const reader of readers.get(each) ?? []) reached.add(reader);
  const steps = new Set(nodes.map(({ path }) => path));
  const reasons = new Map<string, readonly string[]>();
  return nodes.flatMap(({ path }) =>
    reached.has(path) && !again.has(path) ? [{ path, because: reasonsOf(path) }] : [],
  );

  /** What it reads that was reached. What stands between two steps is no reason itself, but has some. */
  function reasonsOf(reader: string): readonly string[] {
    const known = reasons.get(reader);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const read of dependencies.get(reader) ?? []) {
      if (found.size >= mostReasons) break;
      if (!reached.has(read)) continue;
      for (const reason of steps.has(read) ? [read] : reasonsOf(read)) found.add(reason);
    }
    const first = [...found].slice(0, mostReasons);
    reasons.set(reader, first);
    return first;
  }
}

function changedParts(before: KeyParts, after: KeyParts): KeyPart[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<KeyPart>;
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
