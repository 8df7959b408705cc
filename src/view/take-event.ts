/** What an event changes of the node that it is about. */
import type { EventBody } from '../journal/index.ts';
import type { Outcome } from '../machine/index.ts';
import { isKept } from './kept-calls.ts';
import type { NodeId } from './node-id.ts';
import type { RunNode } from './run-node.ts';
import { takeRemark } from './run-remark.ts';
import { requestWords } from './run-request.ts';

/** Something of the node itself. */
export function take(node: RunNode, id: string, attempt: number, body: EventBody, at: number): void {
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
export function takeInner(
  node: RunNode,
  id: string,
  { attempt = 1, inner }: NodeId,
  body: EventBody,
  at: number,
): void {
  switch (body.kind) {
    case 'node.started':
      // Of what began with the run itself only the calls are noted.
      if (node.attempts.at(-1)?.number !== attempt) begin(node, attempt, at);
      // What it waited before its first call is not how long it took.
      else if (node.calls === 0 && node.attempts[0]) node.attempts[0].startedAt = at;
      countCall(node, inner);
      return;
    case 'model.answered':
      // What was kept was not begun here.
      countCall(node, inner);
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

function countCall(node: RunNode, inner: string): void {
  if (inner.startsWith('/model#')) node.calls = Math.max(node.calls, Number(inner.slice('/model#'.length)) || 0);
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
    case 'handoff':
    case 'memory.saved':
    case 'service.left':
      node.remarks = takeRemark(node.remarks, body);
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
export function beginAgain(node: RunNode, at: number | undefined): void {
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
