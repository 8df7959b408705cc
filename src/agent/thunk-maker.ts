/** Makes machines of `kind: "thunk"`: prompts of workflows, thunks of agents, and hands. */
import type { Machine, MachineInit, MachineRef, MakeMachine } from '../machine/index.ts';
import { valuesIn } from './assembly.ts';
import { readPromptRef } from './prompt-ref.ts';
import { promptTalk } from './prompt-talk.ts';
import { createTalk } from './talk-machine.ts';
import { isThunkRef, readThunkRef } from './thunk-ref.ts';
import { thunkTalk } from './thunk-talk.ts';

/** The first machine knew no tools, the second heard nobody: what they have begun goes on so. */
const firstWithTools = 2;
export const firstThatHears = 3;

/** `number`: that of the machine which began the run. */
export function thunkMaker(number: number): MakeMachine {
  return (ref, init) =>
    isThunkRef(ref)
      ? createThunk(ref, init)
      : createPromptThunk(ref, init, number >= firstWithTools, number >= firstThatHears);
}

export function createPromptThunk(ref: MachineRef, init: MachineInit, withTools = true, hears = true): Machine {
  const made = readPromptRef(ref);
  const { timeoutMs, pool } = made;
  return createTalk(promptTalk(made, withTools), init, { timeoutMs, pool, hears });
}

export function createThunk(ref: MachineRef, init: MachineInit): Machine {
  const made = readThunkRef(ref);
  const { timeoutMs, pool, chain } = made;
  const isHand = chain.length > 0;
  return createTalk(thunkTalk(made, valuesIn(init.input), init), init, { timeoutMs, pool, hears: true, isHand });
}
