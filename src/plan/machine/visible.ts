/**
 * What a handler sees: the values of its own naming scope. Not those of steps that may be running at the same time,
 * unless it waits for them: whether these have a value would be a matter of luck.
 */
import type { RunAction, WorkflowNode } from '../node.ts';
import { type Layout, listOf, type Spot, type Way, wayTo } from './spot.ts';

/** The one of that name. Most are found without looking at all the others. */
export function visibleStep(spot: Spot, name: string, layout: Layout): Spot | undefined {
  const [only, ...more] = layout.named(name);
  if (only !== undefined && more.length === 0 && isPlainlyVisible(only, spot)) return only;
  if (only === undefined && spot.component === undefined) return undefined;
  return visibleSteps(spot).get(name);
}

/** Behind no `parallel` and in no other component: there everything can be seen. */
function isPlainlyVisible(target: Spot, spot: Spot): boolean {
  if (target.component !== spot.component) return false;
  const { from, through } = wayTo(spot, target);
  return from !== spot && from.node.kind !== 'parallel' && through.length > 0;
}

/** By the names that it can be read by. */
export function visibleSteps(spot: Spot): ReadonlyMap<string, Spot> {
  const names = new Map<string, Spot>();
  const short: [string, Spot][] = [];
  const caller = spot.component?.node.id;
  const waits: Way[] = [];

  function add(at: Spot): void {
    const { id } = at.node;
    if (id === undefined || names.has(id)) return;
    names.set(id, at);
    if (caller !== undefined && isExpanded(at.node)) short.push([shorten(id.replace(caller, '')), at]);
  }

  /** All that it holds; of a component only what can be seen from outside. */
  function addAll(from: Spot): void {
    const todo: { readonly at: Spot; readonly isInside: boolean }[] = [{ at: from, isInside: false }];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      const { at, isInside } = next;
      if (!isInside || isExpanded(at.node)) add(at);
      const isUse = at.node.kind === 'component';
      if (isUse && isInside && !isExpanded(at.node)) continue;
      for (const child of at.children) todo.push({ at: child, isInside: isInside || isUse });
      for (const child of at.others) todo.push({ at: child, isInside: isInside || isUse });
    }
  }

  for (let at = spot; at.parent && at !== spot.component; at = at.parent) {
    add(at);
    for (const wait of at.waits) waits.push(wait);
    if (at.parent.node.kind === 'parallel') for (const ended of endedBefore(waits, at.parent)) addAll(ended);
    else for (const other of [...at.parent.children, ...at.parent.others]) if (other !== at) addAll(other);
  }
  for (const [name, at] of short) if (name !== '' && !names.has(name)) names.set(name, at);
  return names;
}

/** What `loop` means there: the loop around, else the last one before it in the same list. */
export function visibleLoop(spot: Spot): Spot | undefined {
  const { loop, component, parent } = spot;
  if (loop && (component === undefined || loop.depth > component.depth)) return loop;
  if (parent === undefined || parent.node.kind === 'parallel') return undefined;
  return listOf(spot).findLast(({ node, index }) => node.kind === 'loop' && index < spot.index);
}

const whole = new WeakMap<RunAction, boolean>();

/** Whether code uses `steps` otherwise than by names that are written out. */
export function readsAllSteps(action: RunAction): boolean {
  let found = whole.get(action);
  if (found === undefined) {
    // Most code names none of them.
    found = action.code.includes('steps') && usesAll(action.code);
    whole.set(action, found);
  }
  return found;
}

function usesAll(code: string): boolean {
  const uses = code.matchAll(/\bsteps\b(?:\s*(?:\?\.)?\s*\[\s*["']|\s*\??\.\s*([\p{L}_$][\p{L}\p{N}_$]*))?/gu);
  for (const [use, name] of uses) if (use === 'steps' || (name !== undefined && name in {})) return true;
  return false;
}

/** What has ended for sure when these waits are over: their targets, what those waited for, what stood before them. */
function endedBefore(waits: readonly Way[], parallel: Spot): Set<Spot> {
  const ended = new Set<Spot>();
  const todo = waits.filter(({ from }) => from === parallel).flatMap(({ through }) => through.slice(-1));
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (ended.has(next)) continue;
    ended.add(next);
    for (let at = begunFor(next, parallel); at !== parallel && at.parent; at = at.parent) {
      for (const { through } of at.waits) todo.push(...through.slice(-1));
      const before = at.parent.node.kind === 'parallel' ? undefined : listOf(at)[at.index - 1];
      if (before) todo.push(before);
    }
  }
  return ended;
}

/** The innermost of those that hold it, or it itself, that has begun for sure when it has ended or was left out. */
function begunFor(spot: Spot, parallel: Spot): Spot {
  let begun = spot;
  for (let at = spot; at.parent && at.parent !== parallel; at = at.parent) if (mayBeLeftOut(at)) begun = at.parent;
  return begun;
}

/** The other arm is taken, an approval before it is denied, or what holds it is skipped. */
function mayBeLeftOut(spot: Spot): boolean {
  if (spot.parent?.node.kind === 'branch' || (spot.parent?.gates.length ?? 0) > 0) return true;
  const list = spot.parent?.node.kind === 'parallel' ? [] : listOf(spot).slice(0, spot.index);
  return list.some(({ node }) => node.kind === 'approval' && node.onDeny === 'skip');
}

/** Whether its id was made from that of the use of its component: then it can be seen where that is used. */
function isExpanded({ id, path }: WorkflowNode): boolean {
  return id !== undefined && path.slice(path.lastIndexOf('/') + 1).replace(/~\d+$/, '') !== id;
}

function shorten(id: string): string {
  return id.replace(/^[-_]+|[-_]+$/g, '');
}
