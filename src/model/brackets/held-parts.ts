/**
 * The order of the parts of an answer: which are told at once, which wait for the end. The SDK and what is built on it act
 * on a `tool-call` as soon as it comes, and UIs place a call where its arguments begin. So from the first call on parts wait,
 * in their order; but the arguments of calls (`tool-input-…`) are told as they are written as long as nothing but calls
 * waits, which they could overtake.
 */
import type { ReadCall } from './call-verdict.ts';
import type { OpenCall } from './open-call.ts';
import type { ForeignPart, Part } from './sdk.ts';

export interface HeldParts {
  /** In its order. */
  readonly tell: (part: Part) => void;
  readonly tellNow: (part: Part) => void;
  /** Arguments of a call that is not ours. */
  readonly tellInput: (part: ForeignPart) => void;
  /** A call of ours takes its place; without `isShown` its arguments wait in any case, and are told only with it. */
  readonly hold: (isShown: boolean, open: (tell: (part: Part) => void) => OpenCall) => OpenCall;
  /** What waited is told; each call as what it became, other parts unless they are left out. */
  readonly release: (settle: (call: ReadCall) => Part | undefined, lets: (part: Part) => boolean) => void;
  /** What was told since it was asked for. */
  readonly taken: () => Part[];
}

/** A call that waits for the end of the answer, and those of its arguments that wait with it. */
interface HeldCall {
  readonly type: 'held-call';
  readonly call: () => ReadCall;
  readonly inputs: readonly Part[];
}

export function createHeldParts(): HeldParts {
  let out: Part[] = [];
  let held: (Part | HeldCall)[] | undefined;
  /** Something waits that is no call of ours. */
  let isBlocked = false;
  /** Calls that are not ours and whose arguments are told at once. */
  const live = new Set<string | undefined>();

  function tell(part: Part): void {
    if (held === undefined) out.push(part);
    else {
      held.push(part);
      isBlocked = true;
    }
  }

  return {
    tell,
    tellNow: (part) => void out.push(part),
    tellInput(part) {
      if (part.type === 'tool-input-start' && !isBlocked) live.add(part.id);
      if (live.has(part.id)) out.push(part);
      else tell(part);
    },
    hold(isShown, open) {
      held ??= [];
      const inputs: Part[] = [];
      const to = isShown && !isBlocked ? undefined : inputs;
      const call = open((part) => void (to ?? out).push(part));
      held.push({ type: 'held-call', call: call.call, inputs });
      return call;
    },
    release(settle, lets) {
      const parts = held ?? [];
      held = undefined;
      isBlocked = false;
      for (const part of parts) {
        if (!('inputs' in part)) {
          if (lets(part)) out.push(part);
          continue;
        }
        const settled = settle(part.call());
        if (settled === undefined) continue;
        for (const input of part.inputs) out.push(input);
        out.push(settled);
      }
    },
    taken() {
      const parts = out;
      out = [];
      return parts;
    },
  };
}
