/** What others leave for a run while it is driven: decisions, answers, a cancel. And what follows for what only waits. */
import { firstThatHears } from '../agent/index.ts';
import type { InboxItem } from '../journal/index.ts';
import type { Json, RunError, StepCommand } from '../machine/index.ts';
import type { Clean } from './clean.ts';
import type { Applied, RunState } from './state.ts';

export const cancelled: RunError = { code: 'cancelled', message: 'it was cancelled', retryable: false };

/** What somebody sent. A decision about something that is not open any more, or has changed, was refused when it was made. */
export function receive(
  { message, by, at }: InboxItem,
  state: RunState,
  now: number,
  into: Applied,
  clean: Clean,
): void {
  switch (message.kind) {
    case 'cancel':
      state.outside({ kind: 'run.cancel', by, reason: clean(message.reason) }, now, into);
      return;
    case 'steer':
      state.outside({ kind: 'run.steered', message: clean(message.message), by }, now, into);
      return;
    default: {
      if (!isOpen(message, state)) return;
      state.settle(message.node, { ok: answerOf(message, by, at, clean) }, undefined, now, into);
    }
  }
}

export type Answer = Extract<InboxItem['message'], { readonly hash: string }>;

/** What is given to whoever asked. */
export function answerOf(message: Answer, by: string, at: number, clean: Clean): Json {
  return {
    approved: message.approved,
    ...('note' in message && message.note !== undefined && { note: clean(message.note) }),
    ...('add' in message && message.add !== undefined && { add: message.add }),
    decidedBy: by,
    decidedAt: new Date(at).toISOString(),
  };
}

export function isOpen({ node, hash }: { readonly node: string; readonly hash: string }, { open }: RunState): boolean {
  const opened = open.get(node);
  return opened !== undefined && 'hash' in opened && opened.hash === hash;
}

/**
 * Whether an agent is asked that can hear what is said: its model, its tools, or a person about them. `machine`: the number
 * of the one that began the run.
 */
export function hears(machine: number, { open }: RunState): boolean {
  if (machine < firstThatHears) return false;
  return Array.from(open.values()).some(({ effect }) => {
    if (effect.op === 'step') return isTalk(effect);
    return effect.op === 'signal' && effect.kind === 'permission';
  });
}

/** Whether it is a step of a conversation: when it ends, the model may be asked again. */
export function isTalk({ spec }: StepCommand): boolean {
  return talkSteps.has(spec.kind);
}

/** An answer that is only kept now is there already. */
const talkSteps: ReadonlySet<string> = new Set(['model', 'tools', 'tool', 'recall']);

/** Timers and questions end as soon as they are cancelled; that may cancel others. */
export function cancelWaits(state: RunState, now: number, into: Applied): void {
  for (let i = 0; i < into.cancelled.length; i++) {
    const id = into.cancelled[i] as string;
    const opened = state.open.get(id);
    if (opened !== undefined && opened.effect.op !== 'step') state.settle(id, { err: cancelled }, undefined, now, into);
  }
}
