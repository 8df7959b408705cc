/** What `run` is told and what it gives: the words of programs that run workflows. */
import type { JournalEvent } from '../../journal/index.ts';
import type { RunError } from '../../machine/index.ts';
import { isRunId } from '../../sys/index.ts';
import { closest, didYouMean, ToolangError } from '../../text/index.ts';

export interface RunOptions {
  /** The file that keeps the run; it is made where there is none. Left out, or 'memory': nothing outlives this process. */
  readonly store?: string | URL;
  /** Where code, shells and agents work. Left out: the folder of the workflow. */
  readonly cwd?: string;
  /** A file with replies, which answers for every model. */
  readonly script?: string | URL;
  /** The run with this id, begun if it is not there and gone on with if it is. `runIdOf` makes one from any text. */
  readonly runId?: string;
  /** The run with this id, which must be there. */
  readonly resume?: string;
  /** Aborted: what is running is stopped, and the run can be gone on with. */
  readonly signal?: AbortSignal;
  /** Is told what happens, when it is kept. A promise that it gives is awaited in the end. */
  readonly onEvent?: (event: RunEvent) => unknown;
  /** Answers what the run asks; without an answer the run waits. */
  readonly approve?: (question: RunQuestion) => Answer | undefined | Promise<Answer | undefined>;
  readonly limits?: RunLimits;
  /** Go on also where the program or the input was changed since: what does not depend on that is kept. */
  readonly yes?: boolean;
  /** A run that has failed goes on where it failed. */
  readonly retry?: boolean;
  /** Begin steps again that were running each of the last times their process died. */
  readonly again?: boolean;
}

/** What a run, and all inside of it, may use at most. */
export interface RunLimits {
  readonly usd?: number;
  readonly tokens?: number;
  readonly modelCalls?: number;
  readonly toolCalls?: number;
  /** That its steps are at work. */
  readonly minutes?: number;
}

/** Something that the journal of the run has: `body.kind` says what. */
export type RunEvent = JournalEvent;

export interface RunQuestion {
  /** The step that asks. */
  readonly node: string;
  /** `limit`: whether more may be used than was allowed. */
  readonly kind: 'approval' | 'limit';
  readonly title: string;
  readonly summary?: string;
  /** The steps that a yes begins. */
  readonly next?: readonly string[];
  /** Of a limit: what must be added at least, in dollars or tokens. */
  readonly least?: number;
  readonly unit?: 'usd' | 'tokens';
}

export type Answer =
  | boolean
  | {
      readonly approved: boolean;
      readonly note?: string;
      /** Who decided. */
      readonly by?: string;
      /** Of a limit: what is added to it; the least when left out. */
      readonly add?: number;
    };

interface Ran {
  readonly runId: string;
  /** What it has cost in dollars, as far as that is known. */
  readonly cost: number;
}

export type RunResult<R> = Ran &
  (
    | { readonly status: 'done'; readonly output: R }
    | { readonly status: 'failed' | 'cancelled'; readonly error: RunError }
    /** Only people can say how it goes on. */
    | { readonly status: 'waiting'; readonly waiting: readonly RunQuestion[] }
    /** The signal was aborted. */
    | { readonly status: 'stopped' }
  );

/** The input may be left out where no field of it has to be given. */
export type RunArguments<I> = object extends I ? [input?: I, options?: RunOptions] : [input: I, options?: RunOptions];

interface Kind {
  readonly what: string;
  readonly is: (value: unknown) => boolean;
}

const text: Kind = { what: 'a string', is: (value) => typeof value === 'string' };
const path: Kind = {
  what: 'the path or the URL of a file',
  is: (value) => (typeof value === 'string' && value !== '') || value instanceof URL,
};
const callable: Kind = { what: 'a function', is: (value) => typeof value === 'function' };
const flag: Kind = { what: 'a boolean', is: (value) => typeof value === 'boolean' };
const record: Kind = { what: 'an object', is: isObject };
/** One of another realm too. */
const signal: Kind = {
  what: 'an AbortSignal',
  is: (value) =>
    isObject(value) &&
    typeof Reflect.get(value, 'aborted') === 'boolean' &&
    typeof Reflect.get(value, 'addEventListener') === 'function',
};
const amount: Kind = { what: 'a number from 0 on', is: (value) => Number.isFinite(value) && Number(value) >= 0 };
const count: Kind = { what: 'a whole number from 0 on', is: (value) => Number.isInteger(value) && Number(value) >= 0 };

const options: Readonly<Record<keyof RunOptions, Kind>> = {
  store: path,
  cwd: text,
  script: path,
  runId: text,
  resume: text,
  signal,
  onEvent: callable,
  approve: callable,
  limits: record,
  yes: flag,
  retry: flag,
  again: flag,
};

const limits: Readonly<Record<keyof RunLimits, Kind>> = {
  usd: amount,
  tokens: count,
  modelCalls: count,
  toolCalls: count,
  minutes: amount,
};

const answer: Readonly<Record<keyof Exclude<Answer, boolean>, Kind>> = {
  approved: flag,
  note: text,
  by: text,
  add: amount,
};

/** For programs without types. */
export function checkOptions(given: RunOptions): void {
  if (!isObject(given)) throw wrong(`"run" takes its options as an object, not ${shown(given)}`);
  checkKeys(given, options, 'option');
  if (given.limits !== undefined) checkKeys(given.limits, limits, 'limit');
  const { runId, resume } = given;
  if (runId !== undefined && resume !== undefined) throw wrong('"runId" or "resume" is given, not both');
  if (runId !== undefined && !isRunId(runId)) {
    throw wrong(`"${runId}" is no id of a run: make one from it with runIdOf(${JSON.stringify(runId)})`);
  }
}

/** What `approve` gave: a slip in it must not decide the run. */
export function checkAnswer(given: unknown, node: string): asserts given is Answer | undefined {
  if (given === undefined || typeof given === 'boolean') return;
  const who = `"approve" answered the question of "${node}"`;
  if (!isObject(given) || typeof Reflect.get(given, 'approved') !== 'boolean') {
    throw wrong(`${who} with ${shown(given)}: it gives true, false, { approved, note, by, add }, or undefined`);
  }
  checkKeys(given, answer, `${who}, and the key`);
}

function checkKeys(given: object, kinds: Readonly<Record<string, Kind>>, word: string): void {
  const isAnswer = kinds === answer;
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      const meant = didYouMean(closest(name, Object.keys(kinds)));
      throw wrong(isAnswer ? `${word} "${name}" is unknown.${meant}` : `unknown ${word} "${name}".${meant}`);
    }
    if (value === undefined || kind.is(value)) continue;
    throw wrong(`${isAnswer ? word : `the ${word}`} "${name}" takes ${kind.what}, not ${shown(value)}`);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in a few words. */
export function shown(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? `the number ${value}` : String(value);
  if (value === null || typeof value === 'boolean' || value === undefined) return String(value);
  if (typeof value === 'string')
    return `the string ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const keys = Object.keys(value).slice(0, 5);
  return keys.length === 0 ? 'an object' : `an object with ${keys.map((key) => `"${key}"`).join(', ')}`;
}

/** Before anything was begun. */
export function wrong(message: string, cause?: unknown): ToolangError {
  return new ToolangError('TOO6205', message, cause === undefined ? {} : { cause });
}
