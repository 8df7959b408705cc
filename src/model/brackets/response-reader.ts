/**
 * Turns the parts of an answer in which calls stand as text into those that the SDK knows. Answers that come as a whole and
 * answers that stream go through here, so both give the same parts.
 *
 * Only at the end of an answer is it known whether its calls may run: an answer that reached its length limit runs none, and
 * neither does one with an error in it. So calls wait for the end; `held-parts.ts` keeps the order. From a made-up result on
 * nothing of the answer counts, whatever part it stands in.
 */
import { type AnswerText, createAnswerText } from './answer-text.ts';
import { type ReadCall, settleCall } from './call-verdict.ts';
import { createHeldParts } from './held-parts.ts';
import { createPartGate } from './part-gate.ts';
import type { Finish, FinishReason, ForeignPart, Part, TextDelta, TextEnd, TextStart } from './sdk.ts';
import type { Session } from './session.ts';

export interface ResponseReader {
  /** What is certain after this part of the model's answer. */
  readonly read: (part: Part) => Part[];
  /** The answer is over; without a `finish` part it broke off. */
  readonly end: () => Part[];
}

/** Parts that have no place in the order of an answer. */
const unordered = new Set(['stream-start', 'response-metadata', 'raw', 'ping', 'error']);
/** What may come in the middle of a text: then servers end it, and begin another. */
const within = new Set(['reasoning', 'reasoning-start', 'reasoning-delta', 'reasoning-end']);
const inputs = new Set(['tool-input-start', 'tool-input-delta', 'tool-input-end']);

export function createResponseReader(session: Session): ResponseReader {
  const parts = createHeldParts();
  const gate = createPartGate();
  const texts = new Map<string, AnswerText>();
  /** A text that ended in the middle of a call: the next goes on with it, if only reasoning stands between. */
  let torn: AnswerText | undefined;
  let isTornByReasoning = false;
  let pieces = 0;
  /** The text with the made-up result; whether all that came later was more of it. */
  let cutText: AnswerText | undefined;
  let isLast = false;
  let hasError = false;
  /** Calls that the server itself understood. */
  let native = 0;
  let leftOut = 0;

  const outlet = {
    tell: parts.tell,
    // Where nothing may be called, nobody must see a call begin.
    hold: (open: Parameters<typeof parts.hold>[1]) => parts.hold(session.mayCall && !hasError, open),
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
          addOther(part);
      }
      return parts.taken();
    },
    end() {
      endTexts();
      settle('error');
      return parts.taken();
    },
  };

  function startText({ id, providerMetadata }: TextStart): void {
    // Some providers use an id again without ending its text first.
    const before = texts.get(id);
    if (before !== undefined) close(before);
    isLast = false;
    if (!isTornByReasoning) closeTorn();
    if (cutText !== undefined) texts.set(id, nothing);
    else if (torn === undefined) texts.set(id, createAnswerText(session, outlet, providerMetadata));
    else {
      torn.resume(providerMetadata);
      texts.set(id, torn);
      torn = undefined;
    }
  }

  function addText(part: TextDelta): void {
    const text = texts.get(part.id);
    if (cutText !== undefined) {
      isLast &&= text === cutText;
      return;
    }
    // It has no start: the SDK says so.
    if (text === undefined) parts.tell(part);
    else {
      text.add(part.delta, part.providerMetadata);
      if (!text.isCut()) return;
      cutText = text;
      isLast = true;
    }
  }

  function endText(part: TextEnd): void {
    const text = texts.get(part.id);
    texts.delete(part.id);
    if (text?.isOpen() && torn === undefined) {
      text.add('', part.providerMetadata);
      torn = text;
      isTornByReasoning = false;
    } else if (text !== undefined) close(text, part);
    else if (cutText === undefined) parts.tell(part);
  }

  function close(text: AnswerText, part?: TextEnd): void {
    text.end(part?.providerMetadata);
    // A result whose header did not end is perhaps none, so the limit may have been reached before it.
    if (text.isCut()) cutText ??= text;
  }

  function closeTorn(): void {
    if (torn !== undefined) close(torn);
    torn = undefined;
  }

  function endTexts(): void {
    closeTorn();
    for (const text of texts.values()) close(text);
    texts.clear();
  }

  function addOther(part: ForeignPart): void {
    if (unordered.has(part.type)) {
      hasError ||= part.type === 'error';
      parts.tellNow(part);
      return;
    }
    if (within.has(part.type)) isTornByReasoning = true;
    else closeTorn();
    if (!part.type.endsWith('-end')) isLast = false;
    if (!gate.lets(part, { cut: cutText !== undefined, error: hasError })) {
      const why = cutText === undefined ? brokeOff : 'A made-up result stands before it';
      if (part.type === 'tool-call') leaveOut(part, why);
      return;
    }
    if (part.type === 'tool-call') native++;
    if (inputs.has(part.type)) parts.tellInput(part);
    else parts.tell(part);
  }

  function leaveOut({ toolName = '', toolCallId = '' }: ForeignPart, why: string): void {
    leftOut++;
    const message = `${why}, so the call of ${JSON.stringify(toolName)} is left out.`;
    session.options.onDiagnostic?.({ code: 'dropped', message, toolName, toolCallId });
  }

  function finish(part: Finish): void {
    endTexts();
    const { unified, raw } = part.finishReason;
    // What came behind a made-up result does not count, so neither does that it was cut off.
    const reason = hasError ? 'error' : isLast && unified === 'length' ? 'stop' : unified;
    const mayRun = settle(reason);
    if (mayRun) parts.tell(withReason(part, { unified: 'tool-calls', raw }));
    else if (unified === 'tool-calls' && leftOut > 0 && native === 0)
      parts.tell(withReason(part, { unified: hasError ? 'error' : 'stop', raw }));
    else parts.tell(part);
  }

  /** Tells what waited; whether a call of ours may run. */
  function settle(reason: FinishReason['unified']): boolean {
    const isBroken = reason === 'error' || reason === 'interrupted';
    let mayRun = false;
    let isDoubtful = false;
    parts.release(settleOne, (part: ForeignPart) => {
      if (!isBroken || part.type !== 'tool-call' || part.providerExecuted) return true;
      native--;
      leaveOut(part, brokeOff);
      return false;
    });
    return mayRun;

    function settleOne(call: ReadCall): Part | undefined {
      isDoubtful ||= call.isDoubtful;
      const settled = settleCall({ ...call, isDoubtful }, reason, session);
      mayRun ||= settled?.mayRun ?? false;
      return settled?.part;
    }
  }
}

const brokeOff = 'The answer broke off';

/** A text behind a made-up result. */
const nothing: AnswerText = { add: () => {}, end: () => {}, resume: () => {}, isOpen: () => false, isCut: () => false };

function withReason(part: Finish, finishReason: FinishReason): Finish {
  return { ...part, finishReason };
}
