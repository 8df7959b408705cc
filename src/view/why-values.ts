/** Values that a step reads and that are others than when its result was come to: of other steps, and of the input. */
import type { Json } from '../machine/index.ts';
import { type PlacedNode, type Reference, referencesOf } from '../plan/index.ts';
import { around, differsAt } from './line-pair.ts';
import type { RunNode } from './run-node.ts';
import { shortValue } from './short-value.ts';
import type { TreeNode } from './tree-node.ts';
import type { WhyGiven } from './why-given.ts';
import type { WhyNames } from './why-names.ts';
import type { WhyPart } from './why-part.ts';
import type { WhyPast } from './why-past.ts';

export interface ValuesOptions {
  readonly past: WhyPast;
  readonly names: WhyNames<TreeNode>;
  /** What uses of components and calls of sub-workflows around a node give it. */
  readonly given: WhyGiven;
}

/** `since`: the segment in which its result was come to. */
export function changedValues(
  name: string,
  own: PlacedNode,
  since: number,
  { past, names, given }: ValuesOptions,
): WhyPart[] {
  const found = new Map<string, WhyPart>();
  for (const reference of referencesOf(own.node)) addReference(reference, own);
  const [was, is] = [past.readsAt(since, name), past.now?.reads.get(name)];
  for (const [read, hash] of Object.entries(was ?? {})) if (is?.[read] !== hash) addRead(read);
  return [...found.values()];

  /** `at`: who reads it, itself or what gives it something. */
  function addReference({ target, path }: Reference, at: PlacedNode): void {
    if (target.kind === 'node') addPath(at.prefix + target.node);
    else if (target.kind === 'loop') addRounds(at.prefix + target.node);
    else if (target.kind !== 'id') addGiven(target.kind, path[0], at);
  }

  /** By the name under which code asked for it. */
  function addRead(read: string): void {
    const [first = '', field] = read.split('.', 2);
    if (first === 'input' || first === 'params') addGiven(first, field, own);
    else if (first === 'loop') add('loop.iteration');
    else if (read === '*') add('the list of steps');
    else {
      const step = names.readById(name, first, own.prefix);
      addStep(step, thenById(first));
      // It is what it was, and stands behind who read it; or it is gone.
      if (![...found.values()].some((part) => part.step === (step?.name ?? first))) add(first);
    }
  }

  function thenById(id: string): RunNode | undefined {
    return past.namesAt(since).readById(name, id, own.prefix)?.node;
  }

  function addPath(path: string): void {
    addStep(names.read(name, path), past.namesAt(since).read(name, path)?.node);
  }

  function addStep(step: TreeNode | undefined, before: RunNode | undefined): void {
    const read = step?.name ?? before?.name;
    if (read === undefined || read === name) return;
    const current = step && past.now?.nodes.get(step.name);
    const then = before ?? (step && past.nodeAt(since, step.name));
    // Under another name it had not been there.
    if (then === undefined && current?.status === 'kept') return;
    addValues(read, then?.output, current?.output);
  }

  /** Inside of a loop the round is what it was. */
  function addRounds(path: string): void {
    if (own.path.startsWith(`${path}/`)) return;
    const loop = names.read(name, path);
    if (loop) addValues('loop.iteration', past.roundsAt(since).get(loop.name), loop.children.length);
  }

  function addGiven(kind: 'input' | 'params', field: string | undefined, at: PlacedNode): void {
    if (kind === 'input' && at.prefix === '') {
      const [then, now] = [past.segments[since]?.body.input, past.now?.body.input];
      addValues(field === undefined ? 'input' : `input.${field}`, memberOf(then, field), memberOf(now, field));
      return;
    }
    const source = given.of(kind, field, at, since);
    if (source?.part) found.set(`given ${source.by.path} ${field}`, source.part);
    else for (const reference of source?.reads ?? []) addReference(reference, source?.by ?? at);
  }

  function addValues(step: string, then: Json | undefined, now: Json | undefined): void {
    const [old, fresh] = [JSON.stringify(then), JSON.stringify(now)];
    if (old !== fresh) found.set(step, { part: 'values', step, ...valueWords(then, now, old, fresh) });
  }

  /** Something else than it was, and nobody knows what. */
  function add(step: string): void {
    if (!found.has(step)) found.set(step, { part: 'values', step });
  }
}

const valueCells = 60;

/** In few words; where these are the same, as the values are written, around where they differ. */
function valueWords(
  then: Json | undefined,
  now: Json | undefined,
  old: string | undefined,
  fresh: string | undefined,
): Pick<WhyPart, 'old' | 'new'> {
  const words = (value: Json | undefined) => (value === undefined ? 'nothing' : shortValue(value, valueCells));
  const short = { old: words(then), new: words(now) };
  if (short.old !== short.new || old === undefined || fresh === undefined) return short;
  const from = differsAt(old, fresh);
  return { old: around(old, from, valueCells), new: around(fresh, from, valueCells) };
}

function memberOf(value: Json | undefined, name: string | undefined): Json | undefined {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [key: string]: Json })[name];
}
