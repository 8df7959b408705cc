/** Values that a step reads and that are others than when its result was come to: of other steps, and of the input. */
import type { Json } from '../machine/index.ts';
import { type PlacedNode, referencesOf } from '../plan/index.ts';
import { around, differsAt } from './line-pair.ts';
import { shortValue } from './short-value.ts';
import type { TreeNode } from './tree-node.ts';
import type { WhyNames } from './why-names.ts';
import type { WhyPart } from './why-part.ts';
import type { WhyPast } from './why-past.ts';

export interface ValuesOptions {
  readonly past: WhyPast;
  readonly names: WhyNames;
  /** The paths of what is given to those inside of a component or a sub-workflow at a path. */
  readonly given: (path: string) => readonly string[];
}

/** `since`: the segment in which its result was come to. */
export function changedValues(
  name: string,
  { node, prefix, path: own }: PlacedNode,
  since: number,
  { past, names, given }: ValuesOptions,
): WhyPart[] {
  const found = new Map<string, WhyPart>();
  for (const { target, path } of referencesOf(node)) {
    if (target.kind === 'node') addStep(names.read(name, prefix + target.node));
    if (target.kind === 'input' && prefix === '') addInput(path[0]);
  }
  for (const path of given(own)) addStep(names.read(name, path));
  const [was, is] = [past.readsAt(since, name), past.now?.reads.get(name)];
  for (const [read, hash] of Object.entries(was ?? {})) {
    if (is?.[read] === hash) continue;
    const [first = '', field] = read.split('.', 2);
    if (first === 'input') {
      if (prefix === '') addInput(field);
    } else if (read !== '*') addStep(names.readById(name, first, prefix));
  }
  return [...found.values()];

  function addStep(step: TreeNode | undefined): void {
    if (step === undefined || step.name === name) return;
    const current = past.now?.nodes.get(step.name);
    const then = past.nodeAt(since, step.name);
    // Under another name it had not been there.
    if (then === undefined && current?.status === 'kept') return;
    add(step.name, then?.output, current?.output);
  }

  function addInput(field: string | undefined): void {
    const [then, now] = [past.segments[since]?.body.input, past.now?.body.input];
    add(field === undefined ? 'input' : `input.${field}`, memberOf(then, field), memberOf(now, field));
  }

  function add(step: string, then: Json | undefined, now: Json | undefined): void {
    const [old, fresh] = [JSON.stringify(then), JSON.stringify(now)];
    if (old !== fresh) found.set(step, { part: 'values', step, ...valueWords(then, now, old, fresh) });
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
