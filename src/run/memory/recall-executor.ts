/**
 * Runs the steps of memory: `recall` finds what an agent remembers, `turn` keeps what was said.
 * 1. What a recall found is its result, so a run that goes on after a crash goes on with the same.
 * 2. The run's own turn is no history.
 * 3. Nothing is kept that holds a secret which `clean` knows.
 * 4. A file that cannot be used is a failure of the step, in words.
 */
import type { Recalled } from '../../agent/index.ts';
import { StoreFailure, type StoreReason } from '../../journal/index.ts';
import type { Json, RunError, StepCommand } from '../../machine/index.ts';
import type { ModelMessage } from '../../model/index.ts';
import type { Clock } from '../../sys/index.ts';
import { abortError } from '../abort-error.ts';
import type { Clean } from '../clean.ts';
import type { Execute, StepResult } from '../execute.ts';
import { type Memory, openMemory } from './memory.ts';
import { turnProblem } from './turn.ts';

export interface MemoryExecutorOptions {
  readonly clock: Clock;
  readonly clean: Clean;
}

export interface MemoryExecutors {
  readonly recall: Execute;
  readonly turn: Execute;
  /** The memory in a file, opened once for all steps: for the tool that saves. */
  readonly memoryIn: (file: string) => Memory;
  readonly close: () => void;
}

/** Where turns and memories are looked for. Nothing is looked for in a thread that is not named. */
export type RecallSource = 'history' | 'memory';

export function createMemoryExecutors({ clock, clean }: MemoryExecutorOptions): MemoryExecutors {
  const memories = new Map<string, Memory>();

  function memoryIn(file: string): Memory {
    const known = memories.get(file);
    if (known) return known;
    const memory = openMemory(file);
    memories.set(file, memory);
    return memory;
  }

  return {
    memoryIn,
    recall: async (command, { runId, signal }) =>
      unlessFailed(signal, () => {
        return { outcome: { ok: recallFrom(command, memoryIn, runId) as unknown as Json } };
      }),
    turn: async (command, { runId, signal }) =>
      unlessFailed(signal, () => {
        const { agent, file } = placeOf(command);
        const { thread } = command.spec;
        if (typeof thread !== 'string' || !Array.isArray(command.args)) throw lacking(command, 'turn');
        const messages = clean(command.args as unknown as readonly ModelMessage[]);
        const problem = turnProblem(messages);
        if (problem !== undefined) return failed('memory', `the turn cannot be kept: ${problem}`);
        memoryIn(file).addTurn({ agent, thread, run: runId, at: clock.now(), messages });
        return { outcome: { ok: null } };
      }),
    close() {
      for (const memory of memories.values()) memory.close();
      memories.clear();
    },
  };
}

/** What a step of kind `recall` finds; `run`: whose own turn is no history. */
export function recallFrom(
  command: Pick<StepCommand, 'id' | 'spec'>,
  memoryIn: (file: string) => Memory,
  run?: string,
): Recalled {
  const { sources, thread, query, budget, most } = recallOf(command);
  const { agent, file } = placeOf(command);
  const memory = memoryIn(file);
  const isAsked = (source: RecallSource) => sources.includes(source);
  const history = thread !== undefined && isAsked('history') ? memory.turns(agent, thread, budget, run) : [];
  const found = isAsked('memory') ? memory.search(agent, query, most) : [];
  return { history, memories: found.map(({ text, at, run: from, thunk }) => ({ text, at, run: from, thunk })) };
}

interface Recall {
  readonly sources: readonly Json[];
  readonly thread: string | undefined;
  readonly query: string;
  /** In tokens, for the history. */
  readonly budget: number;
  /** Of memories. */
  readonly most: number;
}

function recallOf(command: Pick<StepCommand, 'id' | 'spec'>): Recall {
  const { sources, thread, query, budget, most } = command.spec;
  const isWhole = Array.isArray(sources) && typeof query === 'string';
  if (!isWhole || typeof budget !== 'number' || typeof most !== 'number') throw lacking(command, 'recall');
  return { sources, thread: typeof thread === 'string' ? thread : undefined, query, budget, most };
}

function placeOf(command: Pick<StepCommand, 'id' | 'spec'>): { readonly agent: string; readonly file: string } {
  const { agent, file } = command.spec;
  if (typeof agent !== 'string' || typeof file !== 'string') throw lacking(command, 'agent or no file');
  return { agent, file };
}

function lacking({ id, spec }: Pick<StepCommand, 'id' | 'spec'>, what: string): Error {
  return new Error(`the ${spec.kind} step ${id} has no ${what}`);
}

/** What may be otherwise when it is tried again. */
const passing: ReadonlySet<StoreReason> = new Set(['busy', 'full', 'io']);

function unlessFailed(signal: AbortSignal, work: () => StepResult): StepResult {
  if (signal.aborted) return { outcome: { err: abortError(signal) } };
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    return failed('memory', error.message, passing.has(error.reason));
  }
}

function failed(code: string, message: string, retryable = false): StepResult {
  const err: RunError = { code, message, retryable };
  return { outcome: { err } };
}
