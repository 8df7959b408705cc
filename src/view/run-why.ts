/**
 * Why each step of a run is as it is: why it ran again, why its result was kept, what it waits for and who can end that, why
 * it was left out or not reached. A fold over the journal and the plans of its last two segments.
 */
import type { JournalEvent, RunRow, SegmentWhy } from '../journal/index.ts';
import type { Json } from '../machine/index.ts';
import {
  dependenciesOf,
  diffPlans,
  type KeyPart,
  nodesOf,
  type PlacedNode,
  referencesOf,
  type WorkflowPlan,
} from '../plan/index.ts';
import { createInTree, pathOf } from './run-change.ts';
import { createRunNodes, isKept, type RunNode, readNodeId } from './run-nodes.ts';
import { answerCommands } from './run-questions.ts';
import type { RunTree } from './run-tree.ts';
import { shortValue } from './short-value.ts';
import { type TreeNode, treeNodes } from './tree-node.ts';
import { changedPart, type WhyPart } from './why-part.ts';

/** What a segment is run with. */
export interface WhyDefinition {
  readonly plan: WorkflowPlan;
  readonly modules?: Readonly<Record<string, string>>;
  readonly input: Json;
}

export interface WhyOptions {
  readonly row: RunRow;
  readonly tree: RunTree;
  readonly now: WhyDefinition;
  /** Of the segment before the last; missing where there is one only. */
  readonly before?: WhyDefinition;
  readonly events: Iterable<JournalEvent>;
}

export type WhyVerdict =
  | ('again' | 'first' | 'kept' | 'cached' | 'waits' | 'runs')
  | ('skipped' | 'pending' | 'unreached' | 'interrupted');

export interface StepWhy {
  readonly name: string;
  readonly verdict: WhyVerdict;
  readonly status: TreeNode['status'];
  /** In words, behind its name: `ran again: its prompt was changed`. */
  readonly text: string;
  /** What has changed, of what it depends on. */
  readonly parts: readonly WhyPart[];
  /** Commands that end the waiting: a verb, and what stands behind the id of the run. */
  readonly answers: readonly (readonly string[])[];
  /** Where it is written. */
  readonly at?: string;
}

export interface RunWhy {
  /** Why the last segment was opened. */
  readonly segment?: { readonly why: SegmentWhy; readonly at: number };
  readonly steps: readonly StepWhy[];
  /** What the run itself waits for, and no step of it: more to be spent. */
  readonly waiting: readonly RunWait[];
}

export interface RunWait {
  readonly title: string;
  readonly since: number;
  readonly answers: StepWhy['answers'];
}

interface Past {
  /** What nodes came to before the last segment, the latest of each. */
  readonly nodes: ReadonlyMap<string, RunNode>;
  /** Hashes of what code has read, by nodes: before, and in the last segment. */
  readonly reads: Readonly<Record<'before' | 'now', ReadonlyMap<string, Readonly<Record<string, string>>>>>;
  /** The nodes that results were kept of, where these had another name. */
  readonly moved: ReadonlyMap<string, string>;
  readonly current: ReadonlyMap<string, RunNode>;
  readonly segment?: { readonly why: SegmentWhy; readonly at: number; readonly from?: string };
}

export function runWhy({ row, tree, now, before, events }: WhyOptions): RunWhy {
  const past = readPast(events);
  const placed = new Map(Array.from(nodesOf(now.plan), (each) => [each.path, each]));
  const old = new Map(before ? Array.from(nodesOf(before.plan), (each) => [each.path, each] as const) : []);
  const diff = before && diffPlans(before.plan, now.plan, { before: mapOf(before.modules), after: mapOf(now.modules) });
  const changed = new Map(diff?.changed.map(({ path, parts }) => [path, parts]));
  const dependencies = dependenciesOf(now.plan);
  const inTree = createInTree(now.plan);
  const all = [...treeNodes(tree.nodes)];
  const leaves = all.filter(({ kind }) => kind === 'step' || kind === 'approval' || kind === 'plugin');
  const byPath = new Map(all.map((node) => [node.path, node]));
  const commands = answerCommands(tree.waiting);
  const asked = new Map(tree.waiting.map(({ node }, i) => [readNodeId(node).name, commands[i] ?? []]));
  const names = new Set(leaves.map(({ name }) => name));
  // Asked for by each that comes behind.
  const open = leaves.find(({ status }) => ['waiting', 'running', 'interrupted'].includes(status))?.name;
  const ended = endedText();
  const { segment } = past;
  return {
    ...(segment && { segment: { why: segment.why, at: segment.at } }),
    steps: leaves.map(stepWhy),
    waiting: tree.waiting.flatMap(({ node, title, since }, i) =>
      names.has(readNodeId(node).name) ? [] : [{ title, since, answers: commands[i] ?? [] }],
    ),
  };

  function stepWhy(node: TreeNode): StepWhy {
    const { name, status, at } = node;
    const parts = status === 'kept' || isRun(node) ? partsOf(node) : [];
    const [verdict, text] = verdictOf(node, parts);
    return {
      name,
      verdict,
      status,
      text,
      parts: verdict === 'again' || status === 'kept' ? parts : [],
      answers: asked.get(name) ?? [],
      ...(at !== undefined && { at }),
    };
  }

  function verdictOf(node: TreeNode, parts: readonly WhyPart[]): [WhyVerdict, string] {
    switch (node.status) {
      case 'kept':
        return ['kept', keptText(node, parts)];
      case 'skipped':
        return ['skipped', `was left out${node.why === undefined ? '' : `: ${node.why}`}`];
      case 'pending':
        return ['pending', pendingText(node)];
      case 'unreached':
        return ['unreached', ended];
      case 'interrupted':
        return ['interrupted', 'was running when the run was left, and is begun again when it goes on'];
      case 'waiting':
        return ['waits', waitText(node)];
      case 'running':
        return ranText(node, parts, 'runs');
      default:
        return ranText(node, parts, undefined);
    }
  }

  function keptText({ name, path }: TreeNode, parts: readonly WhyPart[]): string {
    const from = past.moved.get(name);
    if (from !== undefined)
      return `was kept: it is what was called ${from}, and nothing that it depends on has changed`;
    if (parts.length > 0 && segment?.why === 'keep') return `was kept by --keep, although ${changesText(parts)}`;
    const doubt = (dependencies.get(path) ?? []).some((each) => byPath.get(each)?.status === 'done');
    return doubt
      ? 'was kept: what it reads has come to the same again'
      : 'was kept: nothing that it depends on has changed';
  }

  function ranText(node: TreeNode, parts: readonly WhyPart[], open: 'runs' | undefined): [WhyVerdict, string] {
    const [again, first] =
      open === undefined ? ['ran again', 'ran for the first time'] : ['runs again', 'runs for the first time'];
    const { name, path } = node;
    if (node.fromCache) return ['cached', 'was taken from the cache'];
    if (before === undefined) return [open ?? 'first', first];
    const earlier = past.nodes.get(name);
    if (earlier === undefined) {
      return [open ?? 'first', old.has(path) ? `${first}: it was not reached before` : `${first}: it is new`];
    }
    if (earlier.decision?.approved === false && segment?.why === 'retry')
      return ['again', `${again}: it was denied before`];
    if (parts.length > 0) return ['again', `${again}: ${changesText(parts)}`];
    if (earlier.status === 'failed') return ['again', `${again}: it had failed`];
    if (earlier.status !== 'done' && earlier.status !== 'kept')
      return ['again', `${again}: it had not come to its end`];
    if (segment?.why === 'fork' && segment.from !== undefined) {
      return [
        'again',
        name === segment.from ? `${again}: the fork begins here` : `${again}: the fork begins at ${segment.from}`,
      ];
    }
    if (inTree(path)) return ['again', `${again}: a step before it in its worktree did, and the files may be others`];
    return ['again', `${again}: nothing that was kept fits it`];
  }

  function waitText(node: TreeNode): string {
    if (node.until !== undefined) return `waits until ${new Date(node.until).toISOString()}, and is tried again then`;
    if (node.request === undefined) return node.why ?? 'waits for its turn';
    const earlier = past.nodes.get(node.name);
    const title = JSON.stringify(node.request.title);
    if (node.request.kind === 'limit') return `waits: the run stands at a limit (${title})`;
    if (before === undefined || earlier?.decision === undefined) return `waits for a person: ${title}`;
    if (!earlier.decision.approved && segment?.why === 'retry')
      return `waits for a person, as it was denied before: ${title}`;
    return `waits for a person again, as its words have changed: ${title}`;
  }

  function pendingText({ path }: TreeNode): string {
    const needed = (dependencies.get(path) ?? []).find((each) => isOpen(byPath.get(each)));
    const blocker = needed ?? open;
    return blocker === undefined ? 'was not reached yet' : `was not reached yet: ${blocker} comes before it`;
  }

  /** Why what has not begun never will. */
  function endedText(): string {
    const failed = leaves.filter(({ status }) => status === 'failed').map(({ name }) => name);
    const denied = leaves.filter(({ decision }) => decision?.approved === false).map(({ name }) => name);
    if (row.status === 'cancelled') return 'was not reached: the run was cancelled before';
    if (failed.length > 0) return `was not reached: ${failed.slice(0, 3).join(', ')} failed before`;
    return denied.length > 0
      ? `was not reached: ${denied[0]} was denied before`
      : 'was not reached before the run ended';
  }

  /** What changed of what it depends on: as it is written, and the values that it read. */
  function partsOf({ name, path }: TreeNode): WhyPart[] {
    const here = placed.get(path);
    if (before === undefined || here === undefined) return [];
    const there = old.get(path);
    const written = there ? (changed.get(path) ?? []) : [];
    const found = there ? written.flatMap((part) => changedPart(part as KeyPart, there, here)) : [];
    return [...found, ...valuesOf(name, here)];
  }

  function valuesOf(name: string, { node, prefix }: PlacedNode): WhyPart[] {
    const found = new Map<string, WhyPart>();
    for (const { target, path } of referencesOf(node)) {
      if (target.kind === 'node') addStep(nameBeside(name, prefix + target.node, past.current));
      if (target.kind === 'input' && prefix === '') addInput(path[0]);
    }
    const [was, is] = [past.reads.before.get(name), past.reads.now.get(name)];
    for (const [read, hash] of Object.entries(was ?? {})) {
      if (is?.[read] === hash) continue;
      const [first = '', field] = read.split('.', 2);
      if (first === 'input') addInput(field);
      else if (read !== '*') addStep(nameBeside(name, prefix + first, past.current));
    }
    return [...found.values()];

    function addStep(step: string): void {
      const [then, since] = [past.nodes.get(step)?.output, past.current.get(step)?.output];
      if (past.current.get(step)?.status === 'kept' || JSON.stringify(then) === JSON.stringify(since)) return;
      if (step === name) return;
      found.set(step, { part: 'values', step, ...valueWords(then, since) });
    }

    function addInput(field: string | undefined): void {
      const [then, since] = [memberOf(before?.input, field), memberOf(now.input, field)];
      if (JSON.stringify(then) === JSON.stringify(since)) return;
      const step = field === undefined ? 'input' : `input.${field}`;
      found.set(step, { part: 'values', step, ...valueWords(then, since) });
    }
  }
}

const valueCells = 60;

function valueWords(then: Json | undefined, since: Json | undefined): Pick<WhyPart, 'old' | 'new'> {
  const words = (value: Json | undefined) => (value === undefined ? 'nothing' : shortValue(value, valueCells));
  return { old: words(then), new: words(since) };
}

/** `its prompt was changed, and what draft gave`. */
function changesText(parts: readonly WhyPart[]): string {
  const own = [...new Set(parts.flatMap(({ part }) => (part === 'values' ? [] : [partNames[part]])))];
  const values = [
    ...new Set(parts.flatMap(({ part, step }) => (part === 'values' && step !== undefined ? [step] : []))),
  ];
  const words: string[] = [];
  if (own.length > 0) words.push(`${own.join(' and ')} ${own.length > 1 ? 'were' : 'was'} changed`);
  const shown = values.slice(0, 3).join(', ');
  if (values.length > 0) words.push(`${shown} ${values.length > 1 ? 'are' : 'is'} another value now`);
  return words.join(', and ');
}

const partNames: Readonly<Record<KeyPart, string>> = {
  prompt: 'its prompt',
  agent: 'its agent',
  code: 'its code',
  handler: 'its handler, or a file that this imports,',
  output: 'its output type',
  request: 'what it asks',
  input: 'what it is given',
  fields: 'its fields',
  values: 'what it reads',
  uses: 'a service or plugin that it uses',
};

function isRun({ status }: TreeNode): boolean {
  return ['done', 'failed', 'cancelled', 'running'].includes(status);
}

function isOpen(node: TreeNode | undefined): boolean {
  return node !== undefined && ['pending', 'running', 'waiting', 'interrupted'].includes(node.status);
}

function readPast(events: Iterable<JournalEvent>): Past {
  const fold = createRunNodes();
  let nodes = new Map<string, RunNode>();
  let before = new Map<string, Readonly<Record<string, string>>>();
  let now = new Map<string, Readonly<Record<string, string>>>();
  let segment: Past['segment'];
  const names = new Map<number, string>();
  const moved = new Map<string, string>();
  for (const event of events) {
    const { body, node, seq, at } = event;
    if (body.kind === 'segment.opened') {
      nodes = new Map([...nodes, ...fold.nodes]);
      before = new Map([...before, ...now]);
      now = new Map();
      moved.clear();
      const from = body.before === undefined ? undefined : names.get(body.before);
      segment = { why: body.why, at, ...(from !== undefined && { from }) };
    }
    fold.add(event);
    if (node === undefined) continue;
    const { name } = readNodeId(node);
    names.set(seq, name);
    if (body.kind === 'node.done' && body.reads) now.set(name, body.reads);
    const from = isKept(body) && 'of' in body ? names.get(body.of ?? 0) : undefined;
    if (from !== undefined && from !== name) moved.set(name, from);
  }
  return { nodes, reads: { before, now }, moved, current: fold.nodes, ...(segment && { segment }) };
}

/** The name of a node that another one reads: in the same rounds of the loops that both stand in. */
function nameBeside(reader: string, path: string, nodes: ReadonlyMap<string, unknown>): string {
  for (let end = reader.lastIndexOf(']'); end > 0; end = reader.lastIndexOf(']', end - 1)) {
    const round = reader.slice(0, end + 1);
    const loop = pathOf(round);
    if (!path.startsWith(`${loop}/`)) continue;
    const name = round + path.slice(loop.length);
    if (nodes.has(name)) return name;
  }
  return path;
}

function memberOf(value: Json | undefined, name: string | undefined): Json | undefined {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [key: string]: Json })[name];
}

function mapOf(modules: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(modules));
}
