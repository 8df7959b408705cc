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
 */
import type { EventBody, JournalEvent } from '../journal/index.ts';
import type { Json, Outcome, RunError, Usage } from '../machine/index.ts';
import { createKeptCalls, isKept } from './kept-calls.ts';
import { type RunRequest, requestWords } from './run-request.ts';
import {
  type AskedTools,
  createToolBook,
  type PassedModel,
  type RunToolCall,
  type ToolBook,
  takeTool,
} from './run-tools.ts';

export interface RunNode {
  readonly name: string;
  status: RunNodeStatus;
  startedAt: number;
  endedAt?: number;
  /** Of a step, from the first. */
  readonly attempts: RunAttempt[];
  usage: Usage;
  /** What was wrong with answers that were sent back. */
  readonly repairs: (readonly string[])[];
  /** Calls of models. */
  calls: number;
  /** The model that was asked last, and those that could not be. */
  model?: string;
  passed?: PassedModel[];
  /** Tools that it called, in order. */
  tools?: RunToolCall[];
  request?: RunRequest;
  decision?: RunDecision;
  /** When it is tried again. */
  until?: number;
  output?: Json;
  error?: RunError;
  why?: string;
  fromCache?: true;
  /** What it printed last. */
  printed?: string;
  /** Of what makes and removes a worktree: what it did, for people. */
  did?: string;
  /** The run of a sub-workflow, and what it was given. */
  run?: string;
  input?: Json;
}

/** As far as events say; whether something was left out follows from the plan. */
export type RunNodeStatus = 'running' | 'waiting' | 'done' | 'failed' | 'skipped' | 'cancelled' | 'kept';

export interface RunAttempt {
  readonly number: number;
  startedAt: number;
  /** More than once when its owner died. */
  begun: number;
  endedAt?: number;
  error?: RunError;
}

export interface RunDecision {
  readonly approved: boolean;
  readonly by: string;
  readonly note?: string;
}

export interface RunNodes {
  readonly nodes: ReadonlyMap<string, RunNode>;
  /** By all of them. */
  readonly spent: () => Usage;
  /** Gives the node that the event is about. */
  readonly add: (event: Pick<JournalEvent, 'at' | 'node' | 'body'>) => RunNode | undefined;
}

export interface NodeId {
  readonly name: string;
  readonly attempt?: number;
  /** What stands behind the attempt: `.wait`, `/model#1`. */
  readonly inner: string;
}

/** `polish[2]/review#1/model#2`: a part of the first attempt of `polish[2]/review`. */
export function readNodeId(id: string): NodeId {
  const hash = id.indexOf('#');
  if (hash === -1) return { name: id, inner: '' };
  const digits = /^\d*/.exec(id.slice(hash + 1))?.[0] ?? '';
  return { name: id.slice(0, hash), attempt: Number(digits), inner: id.slice(hash + 1 + digits.length) };
}

export function createRunNodes(): RunNodes {
  const nodes = new Map<string, RunNode>();
  /** Of prompt steps: their calls that have begun and not ended. */
  const calls = new Map<string, Set<string>>();
  const books = new Map<string, ToolBook>();
  const asked: AskedTools = new Map();
  const keptCalls = createKeptCalls();
  let spent: Usage = {};

  function nodeAt(name: string, at: number): RunNode {
    let node = nodes.get(name);
    if (node === undefined) {
      node = { name, status: 'running', startedAt: at, attempts: [], usage: {}, repairs: [], calls: 0 };
      nodes.set(name, node);
    }
    return node;
  }

  /** Whether a prompt step does something follows from its calls. */
  function follow(node: RunNode, id: string, { inner }: NodeId, body: EventBody, at: number): void {
    if (inner === '') {
      if (body.kind !== 'child.started' || body.child !== undefined) return;
      calls.set(node.name, new Set());
    } else if (inner.startsWith('/')) {
      const open = calls.get(node.name);
      if (body.kind === 'node.started') {
        if (open?.has(id)) beginAgain(node, inner === '/model#1' ? at : undefined);
        open?.add(id);
      } else if (ends.has(body.kind)) open?.delete(id);
    } else return;
    if (node.status === 'running' && calls.get(node.name)?.size === 0) node.status = 'waiting';
    else if (node.status === 'waiting' && body.kind === 'node.started') node.status = 'running';
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
    add({ at, node: id, body }) {
      if (body.kind === 'segment.opened') {
        nodes.clear();
        calls.clear();
        books.clear();
        keptCalls.clear();
        if (body.why === 'fork') spent = {};
      }
      if (id === undefined) return undefined;
      const parts = readNodeId(id);
      const node = nodeAt(parts.name, at);
      if (body.kind !== 'child.ended' && 'usage' in body && body.usage && !isKept(body)) {
        node.usage = addUp(node.usage, body.usage);
        spent = addUp(spent, body.usage);
      }
      if (parts.inner === '') take(node, id, parts.attempt ?? 1, body, at);
      else takeInner(node, id, parts, body, at);
      if (parts.inner.startsWith('/')) takeCall(node, id, parts, body);
      follow(node, id, parts, body, at);
      if (keptCalls.take(parts.name, body) && node.status === 'done') node.status = 'kept';
      return node;
    },
  };
}

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

/** Something of the node itself. */
function take(node: RunNode, id: string, attempt: number, body: EventBody, at: number): void {
  switch (body.kind) {
    case 'node.started':
    case 'child.started':
      begin(node, attempt, at);
      if (body.kind === 'child.started' && body.child !== undefined) {
        node.run = body.child;
        if (body.input !== undefined) node.input = body.input;
      }
      return;
    case 'node.done':
      finish(node, attempt, body.output === undefined ? { none: true } : { ok: body.output }, at);
      if (isKept(body)) node.status = 'kept';
      if (body.from === 'cache' && !isKept(body)) node.fromCache = true;
      return;
    case 'node.failed':
    case 'node.cancelled':
      finish(node, attempt, { err: body.error }, at);
      return;
    case 'child.ended':
      finish(node, attempt, body.outcome, at);
      if (isKept(body)) node.status = 'kept';
      return;
    case 'node.skipped':
      node.status = 'skipped';
      node.why = body.why;
      return;
    case 'approval.decided':
      decide(node, body);
      finish(node, attempt, { ok: body.value }, at);
      if (isKept(body)) node.status = 'kept';
      return;
    default:
      takeShared(node, id, body, at);
  }
}

/** Something within an attempt, or between two. */
function takeInner(node: RunNode, id: string, { attempt = 1, inner }: NodeId, body: EventBody, at: number): void {
  switch (body.kind) {
    case 'node.started':
      // Of what began with the run itself only the calls are noted.
      if (node.attempts.at(-1)?.number !== attempt) begin(node, attempt, at);
      // What it waited before its first call is not how long it took.
      else if (node.calls === 0 && node.attempts[0]) node.attempts[0].startedAt = at;
      if (inner.startsWith('/model#')) node.calls = Math.max(node.calls, Number(inner.slice('/model#'.length)) || 0);
      return;
    case 'timer.set':
      node.status = 'waiting';
      node.until = body.until;
      return;
    case 'timer.fired':
      // What it waited for is noted when it begins.
      node.status = 'waiting';
      delete node.until;
      return;
    case 'node.cancelled':
      if (node.until !== undefined) node.status = 'failed';
      delete node.until;
      return;
    case 'approval.decided':
      // About a call of a tool: the step itself decides nothing by it.
      delete node.request;
      node.status = 'running';
      return;
    default:
      takeShared(node, id, body, at);
  }
}

function takeShared(node: RunNode, id: string, body: EventBody, at: number): void {
  switch (body.kind) {
    case 'approval.requested':
    case 'limit.reached': {
      const kind = body.kind === 'limit.reached' ? 'limit' : body.permission ? 'permission' : 'approval';
      const again = kind === 'limit' && node.decision?.approved === true;
      node.request = {
        node: id,
        kind,
        ...requestWords(body.request),
        hash: body.hash,
        ...(again && { again: true as const }),
      };
      delete node.decision;
      if (again) node.startedAt = at;
      node.status = 'waiting';
      return;
    }
    case 'limit.answered':
      node.decision = { approved: body.approved, by: body.by };
      delete node.request;
      node.status = 'done';
      return;
    case 'output.repaired':
      node.repairs.push(body.errors);
      return;
    case 'node.printed':
      node.printed = body.text;
      return;
    case 'worktree.added':
    case 'worktree.removed':
      node.did = worktreeWords(body);
      return;
    default:
  }
}

function begin(node: RunNode, number: number, at: number): void {
  const known = node.attempts.at(-1);
  node.status = 'running';
  delete node.until;
  if (known?.number === number) beginAgain(node, at);
  else node.attempts.push({ number, startedAt: at, begun: 1 });
}

/** What it did before its owner died is lost: how long it took counts from here, where `at` is its beginning. */
function beginAgain(node: RunNode, at: number | undefined): void {
  const attempt = node.attempts.at(-1);
  if (attempt === undefined) return;
  attempt.begun++;
  if (at === undefined) return;
  attempt.startedAt = at;
  if (node.attempts.length === 1) node.startedAt = at;
}

function finish(node: RunNode, number: number, outcome: Outcome, at: number): void {
  node.endedAt = at;
  delete node.until;
  delete node.error;
  const attempt = node.attempts.at(-1);
  const error = 'err' in outcome ? outcome.err : undefined;
  if (attempt?.number === number) {
    attempt.endedAt = at;
    if (error !== undefined) attempt.error = error;
  }
  if (error !== undefined) {
    node.status = error.code === 'cancelled' ? 'cancelled' : 'failed';
    node.error = error;
    return;
  }
  node.status = 'done';
  if ('ok' in outcome) node.output = outcome.ok;
}

function decide(node: RunNode, body: Extract<EventBody, { kind: 'approval.decided' }>): void {
  const { approved, by, note } = body;
  node.decision = note === undefined ? { approved, by } : { approved, by, note };
}

type WorktreeNote = Extract<EventBody, { readonly kind: 'worktree.added' | 'worktree.removed' }>;

/** What counts first: the end of a long line is cut. */
function worktreeWords(body: WorktreeNote): string {
  const folder = body.path.split(/[\\/]/).at(-1) ?? '';
  if (body.kind === 'worktree.removed') {
    return body.kept === undefined ? `removed ${folder}` : `stays: ${body.kept}, in ${body.path}`;
  }
  const on = body.branch === undefined ? 'on no branch' : `on ${body.branch}`;
  return `${folder}, ${on}${body.why === undefined ? '' : `: ${body.why}`}`;
}

/** The last round of each loop, from the names of what ran in it: `outer[1]/inner[3]/x`. */
export function roundsOf(names: Iterable<string>): Map<string, number> {
  const rounds = new Map<string, number>();
  for (const name of names) {
    for (const { index, 1: digits } of name.matchAll(/\[(\d+)\]/g)) {
      const loop = name.slice(0, index);
      rounds.set(loop, Math.max(rounds.get(loop) ?? 0, Number(digits)));
    }
  }
  return rounds;
}
