/** What a chat needs of whoever opened an agent for it: inputs to runs, threads, models, files. The rest is the chat's own. */
import type { SlashPrompt } from '../agent/index.ts';
import type { Json } from '../machine/index.ts';
import type { Engine, Thread } from '../run/index.ts';

export interface Problem {
  /** Safe to show, as `help` is. */
  readonly message: string;
  readonly help?: string;
}

/** A run that is ours to drive. */
export interface BegunTurn {
  readonly id: string;
  readonly epoch: number;
  /** What people call it. */
  readonly short: string;
  /** Whether its answer is a text, so that it can be shown while it comes. */
  readonly isText: boolean;
}

/** What is typed, with the files that it names. */
export type ReadInput =
  /** `notes`: what should be known of it. */
  | { readonly ok: true; readonly input: Json; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export interface ModelOffer {
  readonly name: string;
  readonly about?: string;
}

/** What was said before, for who comes back. */
export interface PastTurn {
  readonly said: string;
  readonly answer: string;
}

export interface Conversation {
  /** `reviewer`, or `reviewer › chat`. */
  readonly title: string;
  readonly engine: Engine;
  /** Who is given what models say, as it comes, until what it gives is called. */
  readonly listen: (hear: (call: string, text: string, run: string) => void) => () => void;
  /** Who answers, and what it may cost. */
  readonly about: () => string;
  readonly prompts: ReadonlyMap<string, SlashPrompt>;
  readonly thread: () => string;
  /** Of this agent, the one that was last used first. */
  readonly threads: () => readonly Thread[];
  /** From now on it goes on there. A thread that is not there yet begins with its first turn. */
  readonly goTo: (thread: string | undefined) => void;
  readonly past: (most: number) => readonly PastTurn[];
  /** What may be chosen, as far as it is known. */
  readonly models: () => Promise<readonly ModelOffer[]>;
  /** Undefined: the usual ones again. Gives why it cannot be. */
  readonly choose: (model: string | undefined) => Promise<readonly Problem[]>;
  /** `expand`: what is done with the words when the files were taken from them. */
  readonly read: (text: string, expand: (words: string) => string) => Promise<ReadInput>;
  readonly begin: (
    input: Json,
  ) => Promise<
    | { readonly ok: true; readonly turn: BegunTurn; readonly notes: readonly string[] }
    | { readonly ok: false; readonly problems: readonly Problem[] }
  >;
  /** Keeps a turn that was stopped, so that what was said in it is known to the next. */
  readonly keepStopped: (turn: BegunTurn, input: Json, said: string) => string | undefined;
  /** Files and folders whose paths begin so; folders end with a slash. */
  readonly files: (start: string) => Promise<readonly string[]>;
  /** Who sits here. */
  readonly person: string;
  /** A command line about a run or this conversation, to be pasted. */
  readonly command: (...words: readonly string[]) => string;
}
