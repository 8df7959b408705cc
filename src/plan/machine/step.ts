/** Steps: attempts, and the waits between them. What they give fits their output: whoever does a step has looked. */
import type { Fact, RunError } from '../../machine/index.ts';
import type { PluginNode, StepNode } from '../node.ts';
import { backoffMs } from './backoff.ts';
import { placed } from './errors.ts';
import type { Frame } from './frame.ts';
import { holds } from './scope.ts';
import { stepCommand } from './step-command.ts';
import type { Kind, OpenCommand, Work } from './work.ts';

export const stepKind: Kind<StepNode> = {
  begin: (frame, node, work) => {
    frame.attempt = 1;
    if (node.skipIf && holds(node.skipIf, 'skipIf', frame, work)) work.settle(frame, undefined);
    else work.queue(frame);
  },
  admit: (frame, node, work) => work.open(frame, stepCommand(frame, node, work)),
  fact: attemptFact,
};

type Attempted = StepNode | PluginNode;

/** The fact of an attempt, or of the wait for the next one. */
export function attemptFact(frame: Frame, node: Attempted, fact: Fact, command: OpenCommand, work: Work): void {
  if (command.op === 'timer') waited(frame, fact, work);
  else if ('err' in fact) attemptFailed(frame, node, fact.err, command, work);
  else work.settle(frame, 'ok' in fact ? fact.ok : undefined);
}

function attemptFailed(frame: Frame, node: Attempted, error: RunError, command: OpenCommand, work: Work): void {
  const told = placed(error, work.nameOf(frame), node);
  const { retry } = node;
  if (retry === undefined || !error.retryable || frame.attempt >= retry.maxAttempts || work.isStopped()) {
    work.fail(frame, told);
    return;
  }
  frame.error = told;
  const id = `${command.id}.wait`;
  const ms = backoffMs(retry, frame.attempt, work.init.runId, id);
  if (ms > 0) work.open(frame, { op: 'timer', id, ms });
  else tryAgain(frame, work);
}

function waited(frame: Frame, fact: Fact, work: Work): void {
  if (!work.isStopped() && !('err' in fact)) tryAgain(frame, work);
  // There will be no other attempt, so the last one counts.
  else if (frame.error) work.fail(frame, frame.error);
}

function tryAgain(frame: Frame, work: Work): void {
  frame.attempt++;
  work.queue(frame);
}
