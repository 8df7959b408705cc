/** Facts to events and back: what the journal keeps of a command's result is all that a machine is given again. */
import type { EventBody, FactBody, JournalEvent } from '../journal/index.ts';
import {
  cancelFact,
  type Effect,
  type Fact,
  factAs,
  type Json,
  type Outcome,
  steerFact,
  type Usage,
} from '../machine/index.ts';
import type { Reads } from './execute.ts';

/** Calls that have come to something, by what was called. */
export type Calls = Readonly<Record<'model' | 'tool', number>>;

/** A call that was not made cost nothing, and does not count; nor does one for which somebody is asked first. */
export function addCall(calls: Calls, body: EventBody): Calls {
  if (body.kind === 'model.answered' || (body.kind === 'model.failed' && body.error.code !== 'limit')) {
    return { ...calls, model: calls.model + 1 };
  }
  return body.kind === 'tool.answered' && !isAsk({ ok: body.result }) ? { ...calls, tool: calls.tool + 1 } : calls;
}

/** A tool step that says that somebody must allow the call: it was not made. */
export function isAsk(outcome: Outcome): boolean {
  return 'ok' in outcome && typeof outcome.ok === 'object' && outcome.ok !== null && 'ask' in outcome.ok;
}

/** The event that keeps the fact of a command. */
export function factEvent(effect: Effect, outcome: Outcome, usage: Usage | undefined, reads?: Reads): FactBody {
  switch (effect.op) {
    case 'step': {
      const event = stepEvent(effect.spec.kind, outcome, usage);
      return reads === undefined || event.kind !== 'node.done' ? event : { ...event, reads };
    }
    case 'timer':
      return 'err' in outcome ? { kind: 'node.cancelled', error: outcome.err } : { kind: 'timer.fired' };
    case 'signal': {
      if ('err' in outcome) return { kind: 'node.cancelled', error: outcome.err };
      return decided(effect.kind === 'limit', 'ok' in outcome ? outcome.ok : null);
    }
    default:
      throw new Error('a cancel has no fact of its own');
  }
}

/** The fact that an event keeps; undefined for notes, frames, and the ends of children, which follow from other facts. */
export function factOf({ at, node = '', body }: JournalEvent): Fact | undefined {
  switch (body.kind) {
    case 'node.done': {
      const fact = factAs(node, at, resultOf(body.output), body.usage);
      return body.from === undefined ? fact : { ...fact, from: body.from };
    }
    case 'model.answered':
      return { id: node, at, ok: body.message, usage: body.usage };
    case 'tool.answered':
      return { id: node, at, ok: body.result };
    case 'node.failed':
    case 'model.failed':
      return factAs(node, at, { err: body.error }, body.usage);
    case 'node.cancelled':
      return { id: node, at, err: body.error };
    case 'approval.decided':
      return { id: node, at, ok: body.value };
    case 'limit.answered':
      return { id: node, at, ok: answer(body) };
    case 'timer.fired':
      return { id: node, at, ok: null };
    case 'run.cancel':
      return { id: cancelFact, at, ok: { by: body.by, reason: body.reason } };
    case 'run.steered':
      return { id: steerFact, at, ok: { message: body.message } };
    default:
      return undefined;
  }
}

/** What an event of a result says came of its command. */
export function outcomeOf(body: EventBody): Outcome {
  switch (body.kind) {
    case 'node.done':
      return resultOf(body.output);
    case 'model.answered':
      return { ok: body.message };
    case 'tool.answered':
      return { ok: body.result };
    case 'approval.decided':
      return { ok: body.value };
    case 'child.ended':
      return body.outcome;
    default:
      throw new Error(`${body.kind} is no result`);
  }
}

function stepEvent(of: string, outcome: Outcome, usage: Usage | undefined): FactBody {
  const isModel = of === 'model';
  if (of === 'tool' && 'ok' in outcome) return { kind: 'tool.answered', result: outcome.ok };
  if (isModel && !('err' in outcome)) {
    return { kind: 'model.answered', message: 'ok' in outcome ? outcome.ok : null, usage: usage ?? {} };
  }
  if ('ok' in outcome && usage === undefined) return { kind: 'node.done', output: outcome.ok };
  const spent = usage && { usage };
  if ('err' in outcome) return { kind: isModel ? 'model.failed' : 'node.failed', error: outcome.err, ...spent };
  return 'ok' in outcome ? { kind: 'node.done', output: outcome.ok, ...spent } : { kind: 'node.done', ...spent };
}

/** What was decided, as the machine is given it: `{ approved, note?, decidedBy, decidedAt }`. */
function decided(isLimit: boolean, value: Json): FactBody {
  const { approved, note, decidedBy, add } = (value ?? {}) as {
    readonly approved?: boolean;
    readonly note?: string;
    readonly decidedBy?: string;
    readonly add?: number;
  };
  const by = decidedBy ?? '';
  if (isLimit) return { kind: 'limit.answered', approved: approved === true, by, ...(add !== undefined && { add }) };
  const shown = note === undefined ? {} : { note };
  return { kind: 'approval.decided', approved: approved === true, ...shown, by, value };
}

function answer({ approved, add, by }: Extract<EventBody, { kind: 'limit.answered' }>): Json {
  return { approved, decidedBy: by, ...(add !== undefined && { add }) };
}

function resultOf(output: Json | undefined): { readonly ok: Json } | { readonly none: true } {
  return output === undefined ? { none: true } : { ok: output };
}
