/**
 * For the simulator: work of the last segment that was done although an earlier one has its result, and results that were
 * taken from who still has them. By the journal alone, and apart from what decides it: a result belongs to the name under
 * which it counted last; where that is gone, or is something else now, it is there for whoever has its key and was not there
 * itself, as it is now.
 */
import type { JournalEvent, Store } from '../../journal/index.ts';
import { keyOf, keyParts, nodesOf, type WorkflowPlan } from '../../plan/index.ts';

interface Result {
  name: string;
  key: string;
  reads: string;
  /** The hash of the plan in which it counted last. */
  plan: string;
}

/** What was wasted, in words; undefined: nothing. */
export function wasteIn(store: Store, root: string): string | undefined {
  const { segment = 0 } = store.run(root) ?? {};
  if (segment === 0) return undefined;
  const results = resultsBefore(store.events(root), segment);
  const used = new Map<number, string>();
  /** What was begun, and what it read where it has come to something. */
  const begun = new Map<string, string>();
  const reads = new Map<string, string>();
  let plan = '';
  for (const { seq, node = '', body } of store.events(root, segment - 1)) {
    if (seq === segment && body.kind === 'segment.opened') plan = body.plan;
    if (isInside(node)) continue;
    if ('of' in body && body.of !== undefined) used.set(body.of, nameOf(node));
    else if ((body.kind === 'node.started' || body.kind === 'child.started') && body.key !== undefined) {
      begun.set(node, body.key);
    } else if (body.kind === 'node.done') reads.set(node, readsText(body.reads));
  }
  const byKey = new Map<string, [number, Result][]>();
  for (const each of results) byKey.set(each[1].key, [...(byKey.get(each[1].key) ?? []), each]);
  const definitions = definitionsIn(store);
  for (const [seq, name] of used) {
    const result = results.get(seq);
    if (result === undefined || result.name === name) continue;
    const path = pathOf(result.name);
    const then = definitions(result.plan).get(path);
    if (then !== undefined && then === definitions(plan).get(path)) {
      return `${name} took the result of ${result.name}, which is there as it was`;
    }
    if (isUnchanged(result.plan, pathOf(name)))
      return `${name} took the result of ${result.name}, and was there itself`;
  }
  for (const [node, key] of begun) {
    for (const [seq, result] of byKey.get(key) ?? []) {
      if (used.has(seq) || (result.reads !== '' && reads.get(node) !== result.reads)) continue;
      const path = pathOf(result.name);
      const isGone = definitions(result.plan).get(path) !== definitions(plan).get(path);
      const isFree = isGone && definitions(result.plan).has(path) && !isUnchanged(result.plan, pathOf(nameOf(node)));
      if (result.name === nameOf(node) || isFree) {
        return `${node} runs again, and its result was there (${seq}, of ${result.name})`;
      }
    }
  }
  return undefined;

  function isUnchanged(then: string, path: string): boolean {
    const now = definitions(plan).get(path);
    return now !== undefined && definitions(then).get(path) === now;
  }
}

/** Calls of models, tools and hands that were done again, though the thunk that had done them had not ended. In words. */
export function wastedCallIn(store: Store, root: string): string | undefined {
  const { segment = 0 } = store.run(root) ?? {};
  /** By names with their numbers and without attempts, and by keys. */
  let left = new Set<string>();
  let open = new Map<string, string[]>();
  const keys = new Map<string, string>();
  for (const { seq, node = '', body } of store.events(root)) {
    if (body.kind === 'segment.opened') {
      left = new Set([...open.values()].flat());
      open = new Map();
    }
    const [thunk = '', call] = callIn(node);
    const told = `${nameOf(thunk)}/${call} ${keys.get(node)}`;
    if (body.kind === 'child.started' && body.key !== undefined) {
      open.set(node, []);
      keys.set(node, body.key);
      if (isAgain(seq, `${nameOf(node)} ${body.key}`)) return `${node} is called again, and had its result`;
    } else if (body.kind === 'child.ended') {
      open.delete(node);
      const around = node.slice(0, Math.max(0, node.lastIndexOf('/')));
      if (!('err' in body.outcome)) open.get(around)?.push(`${nameOf(node)} ${keys.get(node)}`);
    } else if (call === undefined) continue;
    else if (body.kind === 'node.started') {
      keys.set(node, body.key);
      const now = `${nameOf(thunk)}/${call} ${body.key}`;
      if (isAgain(seq, now)) return `${node} is called again, and had its answer`;
    } else if (body.kind === 'model.answered' || body.kind === 'tool.answered') open.get(thunk)?.push(told);
  }
  return undefined;

  function isAgain(seq: number, call: string): boolean {
    return seq > segment && segment > 0 && left.has(call);
  }
}

/** The thunk of a call, and which of its calls it is. */
function callIn(node: string): string[] {
  const at = node.search(/\/(?:model|tool|granted)#\d+$/);
  return at === -1 ? [node] : [node.slice(0, at), node.slice(at + 1)];
}

function resultsBefore(events: Iterable<JournalEvent>, segment: number): Map<number, Result> {
  const results = new Map<number, Result>();
  const keys = new Map<string, string>();
  let plan = '';
  for (const { seq, node = '', body } of events) {
    if (seq >= segment) break;
    if (body.kind === 'run.started' || body.kind === 'segment.opened') plan = body.plan;
    if ((body.kind === 'node.started' || body.kind === 'child.started') && body.key !== undefined) {
      keys.set(node, body.key);
    }
    if (isInside(node)) continue;
    const isResult = body.kind === 'node.done' || (body.kind === 'child.ended' && !('err' in body.outcome));
    if (!isResult) continue;
    const told = { name: nameOf(node), reads: readsText(body.kind === 'node.done' ? body.reads : undefined), plan };
    if (body.of === undefined) {
      const key = body.key ?? keys.get(node);
      if (key !== undefined) results.set(seq, { ...told, key });
      continue;
    }
    const kept = results.get(body.of);
    if (kept) Object.assign(kept, told, body.key !== undefined && { key: body.key });
  }
  return results;
}

/** Of a thunk: what is done in it counts as long as it has not ended, and is looked at by itself. */
function isInside(node: string): boolean {
  return /#\d+\//.test(node);
}

function readsText(reads: Readonly<Record<string, string>> | undefined): string {
  return reads ? JSON.stringify(Object.entries(reads).sort()) : '';
}

/** What the nodes of a plan are, as they are written, by paths; plans by their hashes. */
function definitionsIn(store: Store): (hash: string) => ReadonlyMap<string, string> {
  const known = new Map<string, ReadonlyMap<string, string>>();
  return (hash) => {
    const found = known.get(hash);
    if (found) return found;
    const made = new Map<string, string>();
    for (const { node, plan, path } of nodesOf(JSON.parse(store.blob(hash) ?? '{}') as WorkflowPlan)) {
      const parts = keyParts(node, plan);
      if (parts) made.set(path, keyOf(parts));
    }
    known.set(hash, made);
    return made;
  };
}

function nameOf(node: string): string {
  return node.replace(/#\d+/g, '');
}

function pathOf(name: string): string {
  return name.replace(/\[\d+\]/g, '');
}
