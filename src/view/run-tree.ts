/**
 * A run as a tree: the nodes of its plan, each with what became of it. Loops have one child for each round, branches one
 * for each arm, sub-workflows the nodes of their own plan; what a prompt step did inside is part of the step, but each of its
 * hands is a child of it.
 */
import { createBegins, type JournalEvent, mostDeaths, type RunRow, type SegmentWhy } from '../journal/index.ts';
import type { Json, RunError, Usage } from '../machine/index.ts';
import type { WorkflowPlan } from '../plan/index.ts';
import { growTree } from './grow-tree.ts';
import { readNodeId, roundsOf } from './node-id.ts';
import { createRunNodes } from './run-nodes.ts';
import type { RunRequest } from './run-request.ts';
import { failuresOf, type RunWord, runWord } from './run-status.ts';
import { type RunThunk, thunkOf } from './run-thunk.ts';
import type { TreeNode } from './tree-node.ts';

export interface RunTree {
  readonly id: string;
  readonly name: string;
  readonly file?: string;
  readonly status: RunWord;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Null where it is not known. */
  readonly input: Json;
  readonly output?: Json;
  readonly error?: RunError;
  /** Who ended it, and why. */
  readonly cancel?: { readonly by: string; readonly reason: string };
  /** Of a run of a thunk: whose. */
  readonly thunk?: RunThunk;
  /** What people told it meanwhile, in order. */
  readonly steered?: readonly { readonly by: string; readonly message: string; readonly at: number }[];
  readonly usage: Usage;
  /** The run that it was forked from, and the step from which on all was done again. */
  readonly fork?: { readonly of: string; readonly from?: string };
  /** How it went on otherwise, in order. */
  readonly segments?: readonly { readonly why: SegmentWhy; readonly at: number }[];
  /** What it waits for: people, or the time of the next attempt. */
  readonly waiting: readonly (RunRequest & { readonly since: number })[];
  /** Steps that were running each of the last times its owner died: they are not begun again by themselves. */
  readonly held?: readonly string[];
  readonly nodes: readonly TreeNode[];
}

export interface RunTreeOptions {
  readonly row: RunRow;
  readonly plan: WorkflowPlan;
  readonly events: Iterable<JournalEvent>;
  /** The owner of the lease lives. */
  readonly driven: boolean;
}

export function runTree({ row, plan, events, driven }: RunTreeOptions): RunTree {
  const fold = createRunNodes();
  let input: Json = null;
  let cancel: RunTree['cancel'];
  let steered: { by: string; message: string; at: number }[] = [];
  const begins = createBegins();
  /** Under which a step was begun last, perhaps in an earlier segment: by names without attempts. */
  const keys = new Map<string, string>();
  const deadly = new Set<string>();
  let segments: { why: SegmentWhy; at: number }[] = [];
  let from: string | undefined;
  /** Of a fork: the nodes of what it has copied. */
  const places = new Map<number, string>();
  for (const event of events) {
    const { body, node } = event;
    fold.add(event);
    if (row.forkOf !== undefined && from === undefined && node !== undefined) places.set(event.seq, node);
    if (body.kind === 'segment.opened') {
      if (body.why === 'fork') {
        segments = [];
        steered = [];
        const begun = body.before === undefined ? undefined : places.get(body.before);
        from = begun === undefined ? undefined : readNodeId(begun).name;
      } else segments.push({ why: body.why, at: event.at });
      input = body.input;
      cancel = undefined;
      deadly.clear();
    }
    begins.take(event);
    if (node !== undefined && body.kind === 'node.started') keys.set(plainName(node), body.key);
    if (node !== undefined && begins.of(node) >= mostDeaths) deadly.add(node);
    // What was held back from the beginning of a segment was not begun there.
    if (body.kind === 'run.stopped') for (const id of body.held ?? []) deadly.add(id);
    if (body.kind === 'run.started') input = body.input;
    if (body.kind === 'run.steered') steered.push({ by: body.by, message: body.message, at: event.at });
    if (body.kind === 'run.cancel') cancel = { by: body.by, reason: body.reason };
  }
  const status = runWord(row, driven);
  const waiting: RunTree['waiting'][number][] = [];
  for (const { status: own, request, startedAt } of fold.nodes.values()) {
    if (own === 'waiting' && request) waiting.push({ ...request, since: startedAt });
  }
  const nodes = growTree(plan, {
    nodes: fold.nodes,
    rounds: roundsOf(fold.nodes.values()),
    errors: errorsByNode(row.error),
    isOver: row.endedAt !== undefined,
    isDone: row.status === 'done',
    isWaiting: status === 'waiting',
    isAtLimit: waiting.some(({ kind }) => kind === 'limit'),
    driven,
  });
  const isLeft = !driven && row.endedAt === undefined;
  const timesOf = (id: string) => begins.of(id, () => keys.get(plainName(id)) ?? '');
  const held = [...deadly].filter((id) => isLeft && timesOf(id) >= mostDeaths).map((id) => fold.read(id).name);
  const thunk = thunkOf(plan);
  return {
    id: row.id,
    name: row.name,
    ...(row.file !== undefined && { file: row.file }),
    status,
    startedAt: row.startedAt,
    ...(row.endedAt !== undefined && { endedAt: row.endedAt }),
    input,
    ...(row.output !== undefined && { output: row.output }),
    ...(row.error && { error: row.error }),
    ...(cancel && { cancel }),
    ...(thunk && { thunk }),
    ...(steered.length > 0 && { steered }),
    usage: fold.spent(),
    ...(row.forkOf !== undefined && { fork: { of: row.forkOf, ...(from !== undefined && { from }) } }),
    ...(segments.length > 0 && { segments }),
    waiting: row.endedAt === undefined ? waiting : [],
    ...(held.length > 0 && { held: [...new Set(held)] }),
    nodes,
  };
}

/** Also of what stands within an attempt. */
function plainName(node: string): string {
  return node.replace(/#\d+/g, '');
}

function errorsByNode(error: RunError | undefined): Map<string, RunError> {
  const byNode = new Map<string, RunError>();
  for (const failure of error ? failuresOf(error) : []) {
    if (failure.node !== undefined) byNode.set(readNodeId(failure.node).name, failure);
  }
  return byNode;
}
