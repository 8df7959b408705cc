/**
 * Approvals: a question to people, asked when it is reached. Denied, it fails, or goes on with `approved: false`, or
 * skips the rest of its list and all that needs it; who reads it elsewhere sees the decision. One that is itself skipped, because an approval that it needs was
 * denied, was not given either: unless it says `continue`, what it guards is skipped too.
 */
import type { Fact, Json } from '../../machine/index.ts';
import type { ApprovalNode } from '../node.ts';
import { nodeError, placed } from './errors.ts';
import type { Frame } from './frame.ts';
import { nextSteps } from './next-steps.ts';
import { render } from './scope.ts';
import type { Kind, Work } from './work.ts';

export const approvalKind: Kind<ApprovalNode> = {
  begin: (frame, node, work) => {
    const { title, summary } = node.request;
    const request: Record<string, Json> = { title: render(title, 'title', frame, work) };
    if (summary) request.summary = render(summary, 'summary', frame, work);
    const { steps, more } = nextSteps(frame, work);
    // biome-ignore lint/suspicious/noThenProperty: what a yes starts; nobody awaits it.
    request.then = steps;
    if (more) request.more = true;
    work.open(frame, { op: 'signal', id: work.nameOf(frame), kind: 'approval', request });
  },
  fact: (frame, node, fact, _, work) => {
    if ('err' in fact) {
      // When all stops, the question is taken back: that is no failure of its own.
      if (!work.isStopped()) work.fail(frame, placed(fact.err, work.nameOf(frame), node));
      return;
    }
    const decision = decisionOf(fact);
    if (decision === undefined) {
      const message = `this is no decision: ${JSON.stringify('ok' in fact ? fact.ok : null).slice(0, 200)}`;
      work.fail(frame, nodeError(work.nameOf(frame), node, 'input', message));
    } else if (decision.approved || node.onDeny === 'continue') work.settle(frame, decision);
    else if (node.onDeny === 'fail') work.fail(frame, denial(frame, node, decision, work));
    else {
      frame.denied = true;
      work.settle(frame, decision);
    }
  },
};

/** It needs an approval that was denied. */
export function skipApproval(frame: Frame, { onDeny }: ApprovalNode): void {
  frame.denied = onDeny !== 'continue';
}

interface Decision {
  readonly [field: string]: Json;
  readonly approved: boolean;
}

function decisionOf(fact: Fact): Decision | undefined {
  if (!('ok' in fact) || typeof fact.ok !== 'object' || fact.ok === null || Array.isArray(fact.ok)) return undefined;
  const { approved, note, decidedBy, decidedAt } = fact.ok as { readonly [field: string]: Json };
  if (typeof approved !== 'boolean') return undefined;
  return {
    approved,
    ...(typeof note === 'string' && { note }),
    ...(typeof decidedBy === 'string' && { decidedBy }),
    decidedAt: typeof decidedAt === 'string' ? decidedAt : new Date(fact.at).toISOString(),
  };
}

function denial(frame: Frame, node: ApprovalNode, { note, decidedBy }: Decision, work: Work) {
  const by = decidedBy === undefined ? '' : ` by ${decidedBy}`;
  const why = note === undefined ? '' : `: ${note}`;
  return nodeError(work.nameOf(frame), node, 'denied', `it was denied${by}${why}`);
}
