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
  /** Is told what happens, when it is kept. */
  readonly onEvent?: (event: RunEvent) => void;
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

const known: Readonly<Record<keyof RunOptions, readonly string[]>> = {
  store: ['string', 'object'],
  cwd: ['string'],
  script: ['string', 'object'],
  runId: ['string'],
  resume: ['string'],
  signal: ['object'],
  onEvent: ['function'],
  approve: ['function'],
  limits: ['object'],
  yes: ['boolean'],
  retry: ['boolean'],
  again: ['boolean'],
};

/** For programs without types. */
export function checkOptions(options: RunOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const kinds = Object.hasOwn(known, name) ? known[name as keyof RunOptions] : undefined;
    if (kinds === undefined) throw wrong(`unknown option "${name}".${didYouMean(closest(name, Object.keys(known)))}`);
    if (value !== undefined && (value === null || !kinds.includes(typeof value))) {
      throw wrong(`the option "${name}" takes a ${kinds[0]}, not ${value === null ? 'null' : `a ${typeof value}`}`);
    }
  }
  const { runId, resume } = options;
  if (runId !== undefined && resume !== undefined) throw wrong('"runId" or "resume" is given, not both');
  if (runId !== undefined && !isRunId(runId)) {
    throw wrong(`"${runId}" is no id of a run: make one from it with runIdOf(${JSON.stringify(runId)})`);
  }
}

/** Before anything was begun. */
export function wrong(message: string, cause?: unknown): ToolangError {
  return new ToolangError('TOO6205', message, cause === undefined ? {} : { cause });
}
