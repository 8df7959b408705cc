/** The world of the simulator: what steps come to, what they cost, and chance, all from a seed. */
import { createPromptThunk, createThunk, isThunkRef } from '../../agent/index.ts';
import type { Command, End, Json, Machine, MakeMachine, Outcome, StepCommand } from '../../machine/index.ts';
import type { WorkflowPlan } from '../../plan/index.ts';
import { workflowMaker } from '../../plan/machine/index.ts';
import { hash8 } from './hash.ts';
import { isLastAttempt } from './limits.ts';
import { type Plant, plantedMachine } from './planted.ts';
import { thunkOutcome } from './thunks.ts';
import { callsTools, toolOutcome } from './tools.ts';

/** Sub-workflows and thunks as they are, and prompts that call tools; any other prompt is one step. */
export function makerOf(plan: WorkflowPlan, plant?: Plant): MakeMachine {
  const workflows = workflowMaker(plan);
  const make: MakeMachine = (ref, init) => {
    if (ref.kind === 'workflow') return workflows(ref, init);
    if (isThunkRef(ref)) return createThunk(ref, init);
    return callsTools(ref) ? createPromptThunk(ref, init) : oneCall(init.path);
  };
  return (ref, init) => plantedMachine(make(ref, init), plant);
}

function oneCall(path: string): Machine {
  let end: End | undefined;
  const command: Command = { op: 'step', id: `${path}/model#1`, spec: { kind: 'model' }, args: null, key: path };
  return {
    start: () => [command],
    deliver(fact) {
      if (fact.id === command.id)
        end = 'ok' in fact ? { ok: fact.ok } : 'err' in fact ? { err: fact.err } : { none: true };
      else if (fact.id === '@cancel') return [{ op: 'cancel', target: command.id }];
      return [];
    },
    get end() {
      return end;
    },
  };
}

/**
 * The same for the same command, whoever does it. Where it is not rough no step fails for good: only attempts do that are
 * not the last.
 */
export function answer(command: StepCommand, plan: WorkflowPlan, seed: number, isRough: boolean): Outcome {
  const { id, spec } = command;
  const number = hash8(`${seed} ${id}`);
  if (isRough && number % 9 === 0) {
    return { err: { code: 'code', message: 'it failed', retryable: number % 2 === 0 } };
  }
  const isTool = ['tool', 'tools', 'recall', 'turn'].includes(spec.kind);
  if (!isRough && number % 4 === 0 && !isTool && !isLastAttempt(plan, id)) {
    return { err: { code: 'code', message: 'it failed once', retryable: true } };
  }
  const value: Json = { text: `t${number % 100}`, score: number % 10, flag: number % 3 !== 0 };
  const of = `${seed} ${id}`;
  return thunkOutcome(command, of, value) ?? toolOutcome(command, of, value) ?? { ok: value };
}

/** Calls of models cost something, and some of them nothing. */
export function costOf({ id, spec }: StepCommand): number {
  return spec.kind === 'model' ? (hash8(id) % 8) / 10 : 0;
}

export function random(seed: number, purpose: string): () => number {
  let state = hash8(`${seed} ${purpose}`);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
