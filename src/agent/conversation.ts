/**
 * What was said in a conversation, and the next call of it.
 * 1. Calls and their keys are made when they are asked for: a run that is resumed begins few of its calls again. What is asked
 *    for later is what it was then.
 * 2. What was said is kept once, however many calls have it in them: a conversation of many turns needs no more than it says.
 */
import type { ModelCall, ModelMessage } from '../model/index.ts';
import { laterKey } from './talk-answer.ts';

/** `said`: the user's words, as a later turn is to remember them. */
export type FirstCall = ModelCall & { readonly said?: ModelMessage | undefined };

export interface NextCall {
  readonly call: () => ModelCall;
  readonly key: () => string;
  /** How many messages it has more than the call before; 0 of the first one. */
  readonly added: number;
}

export interface Conversation {
  /** Whether somebody has it: nobody has one that was passed on, until that one begins. */
  readonly isBegun: () => boolean;
  readonly begin: (first: () => FirstCall, keyOf: (call: ModelCall) => string) => void;
  /** It goes on from the last call with these. `passing`: what a later turn is not to remember. */
  readonly add: (messages: readonly ModelMessage[], passing?: 'passing') => void;
  readonly next: () => NextCall;
  /** What the last call depended on. */
  readonly key: () => () => string;
  /** For somebody else: all that was said, without instructions. */
  readonly passOn: () => () => readonly ModelMessage[];
  /** All of it that is to be remembered, as a turn that ends with this answer. */
  readonly whole: (answer: ModelMessage) => () => readonly ModelMessage[];
}

export function createConversation(): Conversation {
  /** Behind the first words, whoever had it. */
  const spoken: ModelMessage[] = [];
  const passed = new Set<ModelMessage>();
  let entry: (() => FirstCall) | undefined;
  let first: (() => FirstCall) | undefined;
  /** Where in `spoken` it begins what the first call of who has it now is followed by. */
  let from = 0;
  let key: () => string = () => '';
  let added = 0;
  let isFirst = true;

  function now(): () => ModelCall {
    const [own, start, end] = [first, from, spoken.length];
    if (own === undefined) throw new Error('nobody has the conversation');
    return once(() => ({ ...own(), messages: [...own().messages, ...spoken.slice(start, end)] }));
  }

  return {
    isBegun: () => first !== undefined,
    begin(make, keyOf) {
      const made = once(make);
      first = made;
      entry ??= made;
      from = spoken.length;
      isFirst = true;
      key = once(() => keyOf(made()));
    },
    add(messages, passing) {
      const before = key;
      added += messages.length;
      for (const message of messages) {
        spoken.push(message);
        if (passing) passed.add(message);
      }
      key = once(() => laterKey(before(), messages));
    },
    next() {
      const made = { call: now(), key, added: isFirst ? 0 : added };
      added = 0;
      isFirst = false;
      return made;
    },
    key: () => key,
    passOn() {
      const call = now();
      first = undefined;
      return () => call().messages.filter(({ role }) => role !== 'system');
    },
    whole(answer) {
      const [own, end] = [entry, spoken.length];
      return once(() => {
        const said = own?.().said;
        const kept = spoken.slice(0, end).filter((message) => !passed.has(message));
        return [...(said ? [said] : []), ...kept, answer];
      });
    },
  };
}

/** Made the first time it is asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
