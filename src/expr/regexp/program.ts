/**
 * What a tree is compiled to: numbers, each instruction followed by its operands.
 * 1. Registers stand in pairs, called slots. The first are the groups' starts and ends (0 is the whole match); then
 *    come the loops' (count, start of this round) and the lookarounds' (height of the stack, position).
 * 2. An instruction that changes a slot first keeps its old values on the stack, but for those of lookarounds.
 */
import type { CharSet } from './char-set.ts';

export interface Program {
  readonly code: Int32Array;
  readonly sets: readonly CharSet[];
  /** How many groups, with the whole match. */
  readonly groups: number;
  readonly slots: number;
  readonly unicode: boolean;
  readonly ignoreCase: boolean;
  readonly word: CharSet;
  readonly start: Start;
  /** A stack for the next search, as a new one takes longer than most matches; undefined while one is under way. */
  spare: Int32Array | undefined;
}

/** What is known of the place where a match starts. */
export interface Start {
  /** Only at the very start of the text. */
  readonly anchored: boolean;
  /** Text that each match starts with; may be empty. */
  readonly prefix: string;
  /** The characters that a match can start with; undefined when it can be empty. */
  readonly first: CharSet | undefined;
}

/** The numbers of the instructions. `match.ts` writes them out: V8 makes a jump table of literal numbers only. */
export const op = {
  match: 0,
  /** unit */
  char: 1,
  /** unit: before the position */
  charBefore: 2,
  /** set: one code unit */
  set: 3,
  /** set, mode: one character */
  take: 4,
  /** later: goes on here, and tries `later` when that fails */
  split: 5,
  /** now: goes on there, and tries what follows here when that fails */
  splitBack: 6,
  /** to */
  jump: 7,
  /** slot, side: 0 start, 1 end */
  save: 8,
  /** first, last: no group of these has matched */
  clear: 9,
  start: 10,
  end: 11,
  lineStart: 12,
  lineEnd: 13,
  word: 14,
  notWord: 15,
  /** group, before: 0 or 1 */
  back: 16,
  /** slot, first group, last group */
  look: 17,
  /** slot, first group, last group, to when the body fails */
  notLook: 18,
  /** slot: the body of a lookaround has matched */
  found: 19,
  /** slot: the body of a negative lookaround has matched */
  notFound: 20,
  /** slot */
  count: 21,
  /** slot, min, max, lazy, exit */
  round: 22,
  /** slot: a counted round starts */
  enter: 23,
  /** slot, min: a round past the least number must not be empty */
  leave: 24,
  /** slot: an uncounted round starts */
  mark: 25,
  /** slot: no round may be empty */
  moved: 26,
  /** set, min, max, mode, hint: as many characters as there are; the next instruction is its `retry` */
  run: 27,
  retry: 28,
  /** set, min, max, mode, hint: as few characters as do; the next instruction is its `retryLazy` */
  runLazy: 29,
  retryLazy: 30,
} as const;

/** Of `take` and the runs. */
export const modeBefore = 1;
export const modeUnicode = 2;
