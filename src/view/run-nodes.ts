/**
 * What the journal of a run says of its nodes, by their names in the run (`polish[2]/review`): a fold that takes one event
 * after the other, so that it can follow a run that goes on. It knows nothing of the plan.
 * 1. Attempts, the waits between them and the calls that a prompt makes are folded into their step.
 * 2. What was spent is counted where it was spent, at calls and steps; sums of children are not added again.
 * 3. What was asked for and has not begun waits: for a host, for money, for people. A prompt step does something only
 *    while one of its calls does; the journal says both in one commit.
 * 4. A segment begins anew: what was known of nodes is forgotten. What was spent stays, but of a fork what it has copied; and
 *    what is kept was paid before.
 * 5. A sub-workflow of which all was kept or left out was kept.
 * 6. A hand is a node of its own, and so is each step of a hand that is a workflow; what happens there has happened within
 *    all that is around: what was spent is counted there too, and whoever calls a hand does what that does.
 */
import type { EventBody, JournalEvent } from '../journal/index.ts';
import type { Usage } from '../machine/index.ts';
import { createKeptCalls, isKept } from './kept-calls.ts';
import { type NodeId, readNodeId } from './node-id.ts';
import type { RunNode, RunNodeStatus } from './run-node.ts';
import { type AskedTools, createToolBook, type ToolBook, takeTool } from './run-tools.ts';
import { beginAgain, take, takeInner } from './take-event.ts';

export interface RunNodes {
  readonly nodes: ReadonlyMap<string, RunNode>;
  /** By all of them. */
  readonly spent: () => Usage;
  /** What an id says, as far as the journal has told. */
  readonly read: (id: string) => NodeId;
  /** Gives the node that the event is about. */
  readonly add: (event: Pick<JournalEvent, 'at' | 'node' | 'body'>) => RunNode | undefined;
}

export function createRunNodes(): RunNodes {
  const nodes = new Map<string, RunNode>();
  /** Of prompt steps: their calls that have begun and not ended. */
  const calls = new Map<string, Set<string>>();
  const books = new Map<string, ToolBook>();
  /** By what is around them: hands, and what is in them, of which no end was told. */
  const inside = new Map<string, Set<RunNode>>();
  const asked: AskedTools = new Map();
  const keptCalls = createKeptCalls();
  let spent: Usage = {};

  function nodeAt(name: string, at: number, within?: readonly string[]): RunNode {
    const known = nodes.get(name);
    if (known !== undefined) return known;
    // What is around has begun before, as far as the journal is whole.
    for (const [i, outer] of within?.entries() ?? []) nodeAt(outer, at, i === 0 ? undefined : within?.slice(0, i));
    const node: RunNode = { name, status: 'running', startedAt: at, attempts: [], usage: {}, repairs: [], calls: 0 };
    const placed = within === undefined ? node : { ...node, within };
    nodes.set(name, placed);
    return placed;
  }

  const read = (id: string) => readNodeId(id, (name) => nodes.get(name)?.run !== undefined);

  /** What was open in it has ended with it. */
  function keepInside(node: RunNode, within: readonly string[] | undefined, at: number): void {
    const outer = within?.at(-1);
    const isEnded = over.has(node.status);
    if (outer !== undefined) {
      const open = inside.get(outer) ?? new Set();
      if (isEnded) open.delete(node);
      else open.add(node);
      inside.set(outer, open);
    }
    if (isEnded) closeInside(node.name, at);
  }

  function closeInside(name: string, at: number): void {
    const open = inside.get(name);
    if (open === undefined) return;
    inside.delete(name);
    for (const node of open) {
      node.status = 'cancelled';
      node.endedAt = at;
      delete node.request;
      delete node.until;
      closeInside(node.name, at);
    }
  }

  /** Whether a thunk does something follows from its calls, and from those of its hands. */
  function follow(node: RunNode, id: string, { inner, within = [] }: NodeId, body: EventBody, at: number): void {
    const isPart = inner.startsWith('/');
    const isThunk = inner === '' && body.kind === 'child.started' && body.child === undefined;
    if (isThunk) calls.set(node.name, new Set());
    if (isPart && body.kind === 'node.started' && calls.get(node.name)?.has(id))
      beginAgain(node, inner === '/model#1' ? at : undefined);
    if (isPart || isThunk) followAt(node, id, body);
    for (const name of within) {
      const outer = nodes.get(name);
      if (outer !== undefined) followAt(outer, id, body, inner === '' ? calls.get(node.name) : undefined);
    }
    // A hand is called once in an attempt: nothing comes behind its end.
    if (within.length > 0 && inner === '' && body.kind === 'child.ended') calls.delete(node.name);
  }

  /** `left`: what may be open in a hand that has ended. */
  function followAt(node: RunNode, id: string, body: EventBody, left?: ReadonlySet<string>): void {
    const open = calls.get(node.name);
    if (body.kind === 'node.started') open?.add(id);
    else if (ends.has(body.kind)) open?.delete(id);
    if (body.kind === 'child.ended') for (const each of left ?? []) open?.delete(each);
    if (node.status === 'running' && open?.size === 0) node.status = 'waiting';
    else if (node.status === 'waiting' && node.request === undefined && body.kind === 'node.started')
      node.status = 'running';
  }

  /** Of the models and tools that a prompt step calls. */
  function takeCall(node: RunNode, id: string, { inner }: NodeId, body: EventBody): void {
    const named = `${node.name}${inner}`;
    if (body.kind === 'tool.asked') asked.set(named, body);
    const before = body.kind === 'tool.answered' && isKept(body) ? asked.get(named) : undefined;
    if (before) takeCallOf(node, id, before);
    takeCallOf(node, id, body);
  }

  function takeCallOf(node: RunNode, id: string, body: EventBody): void {
    if (body.kind === 'model.asked') node.model = body.ref;
    else if (body.kind === 'session') node.session = body.id;
    else if (body.kind === 'model.skipped') {
      node.passed ??= [];
      node.passed.push({ ref: body.ref, why: body.error.message });
    }
    if (!hasTools(body, books.get(node.name))) return;
    const book = books.get(node.name) ?? createToolBook();
    books.set(node.name, book);
    const call = takeTool(book, id, body);
    if (call === undefined) return;
    node.tools ??= [];
    node.tools.push(call);
  }

  return {
    nodes,
    spent: () => spent,
    read,
    add({ at, node: id, body }) {
      if (body.kind === 'segment.opened') {
        nodes.clear();
        calls.clear();
        books.clear();
        inside.clear();
        keptCalls.clear();
        if (body.why === 'fork') spent = {};
      }
      if (id === undefined) return undefined;
      const parts = read(id);
      const node = nodeAt(parts.name, at, parts.within);
      if (body.kind !== 'child.ended' && 'usage' in body && body.usage && !isKept(body)) {
        node.usage = addUp(node.usage, body.usage);
        for (const name of parts.within ?? []) {
          const outer = nodes.get(name);
          if (outer !== undefined) outer.usage = addUp(outer.usage, body.usage);
        }
        spent = addUp(spent, body.usage);
      }
      if (parts.inner === '') take(node, id, parts.attempt ?? 1, body, at);
      else takeInner(node, id, parts, body, at);
      if (parts.inner.startsWith('/')) takeCall(node, id, parts, body);
      follow(node, id, parts, body, at);
      if (keptCalls.take(parts.name, body) && node.status === 'done') node.status = 'kept';
      keepInside(node, parts.within, at);
      return node;
    },
  };
}

const over: ReadonlySet<RunNodeStatus> = new Set<RunNodeStatus>(['done', 'failed', 'skipped', 'cancelled', 'kept']);

/** Most steps have none: nothing is kept for them. */
function hasTools(body: EventBody, book: ToolBook | undefined): boolean {
  if (book !== undefined) return true;
  return (
    body.kind === 'model.answered' &&
    typeof body.message === 'object' &&
    body.message !== null &&
    'calls' in body.message
  );
}

/** Of calls. */
const ends: ReadonlySet<EventBody['kind']> = new Set<EventBody['kind']>([
  'model.answered',
  'model.failed',
  'tool.answered',
  'node.done',
  'node.failed',
  'node.cancelled',
]);

export function addUp(a: Usage, b: Usage | undefined): Usage {
  if (b === undefined) return a;
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = { ...a };
  for (const key of ['inputTokens', 'outputTokens', 'cost'] as const) {
    if (b[key] !== undefined) sum[key] = (sum[key] ?? 0) + b[key];
  }
  return sum;
}
