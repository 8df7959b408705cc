/**
 * Turns the parts of an answer in which calls stand as text into those that the SDK knows. Answers that come as a whole and
 * answers that stream go through here, so both give the same parts.
 *
 * Only at the end of an answer is it known whether its calls may run: an answer that reached its length limit runs none.
 * The SDK and what is built on it act on a `tool-call` part as soon as it comes, and nothing can be taken back. So, from the
 * first call on, parts wait for the end, in their order. What does not wait: the arguments of calls as they are written
 * (`tool-input-…`), and what has no place in the order.
 */
import { type AnswerText, createAnswerText } from './answer-text.ts';
import { type ReadCall, settleCall } from './call-verdict.ts';
import type { Finish, Part, TextDelta, TextEnd, TextStart } from './sdk.ts';
import type { Session } from './session.ts';

export interface ResponseReader {
  /** What is certain after this part of the model's answer. */
  readonly read: (part: Part) => Part[];
  /** The answer is over; without a `finish` part it broke off. */
  readonly end: () => Part[];
}

/** A call that waits for the end of the answer. */
interface HeldCall {
  readonly type: 'held-call';
  readonly call: () => ReadCall;
}

/** Parts that have no place in the order of an answer. */
const unordered = new Set([
  'stream-start',
  'response-metadata',
  'raw',
  'ping',
  'error',
  'tool-input-start',
  'tool-input-delta',
  'tool-input-end',
]);

export function createResponseReader(session: Session): ResponseReader {
  let out: Part[] = [];
  let held: (Part | HeldCall)[] | undefined;
  const texts = new Map<string, AnswerText>();
  let pieces = 0;
  let isCut = false;

  const outlet = {
    tell,
    tellNow: (part: Part) => void out.push(part),
    hold(call: () => ReadCall) {
      held ??= [];
      held.push({ type: 'held-call', call });
    },
    newTextId: () => `text-${pieces++}`,
  };

  return {
    read(part) {
      switch (part.type) {
        case 'text-start':
          startText(part as TextStart);
          break;
        case 'text-delta':
          addText(part as TextDelta);
          break;
        case 'text-end':
          endText(part as TextEnd);
          break;
        case 'finish':
          finish(part as Finish);
          break;
        default:
          if (unordered.has(part.type)) out.push(part);
          else tell(part);
      }
      return taken();
    },
    end() {
      endTexts();
      settle('error');
      return taken();
    },
  };

  function taken(): Part[] {
    const parts = out;
    out = [];
    return parts;
  }

  function tell(part: Part): void {
    (held ?? out).push(part);
  }

  function startText({ id, providerMetadata }: TextStart): void {
    // Some providers use an id again without ending its text first.
    const before = texts.get(id);
    if (before !== undefined) close(before);
    texts.set(id, createAnswerText(session, outlet, providerMetadata));
  }

  function addText(part: TextDelta): void {
    const text = texts.get(part.id);
    // It has no start: the SDK says so.
    if (text === undefined) tell(part);
    else text.add(part.delta, part.providerMetadata);
  }

  function endText(part: TextEnd): void {
    const text = texts.get(part.id);
    texts.delete(part.id);
    if (text === undefined) tell(part);
    else close(text, part);
  }

  function close(text: AnswerText, part?: TextEnd): void {
    text.end(part?.providerMetadata);
    isCut ||= text.isCut();
  }

  function endTexts(): void {
    for (const text of texts.values()) close(text);
    texts.clear();
  }

  function finish(part: Finish): void {
    endTexts();
    const { unified, raw } = part.finishReason;
    // What came behind a made-up result does not count, so neither does that it was cut off.
    const mayRun = settle(isCut && unified === 'length' ? 'stop' : unified);
    tell(mayRun ? withReason(part, { unified: 'tool-calls', raw }) : part);
  }

  /** Tells what waited; whether a call may run. */
  function settle(reason: Finish['finishReason']['unified']): boolean {
    const parts = held ?? [];
    held = undefined;
    let mayRun = false;
    for (const part of parts) {
      if (!('call' in part)) {
        out.push(part);
        continue;
      }
      const settled = settleCall(part.call(), reason, session);
      if (settled === undefined) continue;
      out.push(settled.part);
      mayRun ||= settled.mayRun;
    }
    return mayRun;
  }
}

function withReason(part: Finish, finishReason: Finish['finishReason']): Finish {
  return { ...part, finishReason };
}
