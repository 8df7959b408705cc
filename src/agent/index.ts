/** Agents: the machine of conversations, the calls of thunks, and what a run keeps of a compiled agent. */
export {
  type Assembled,
  assemble,
  type Memory,
  nothingRecalled,
  type Recalled,
  schemaOf,
  type Unavailable,
} from './assembly.ts';
export { noCeiling, type ToolCeiling, toolCeiling } from './ceiling.ts';
export * from './image.ts';
export {
  capBody,
  type ImageOptions,
  type ImageProblem,
  type ImageResult,
  makeImage,
  type NamedHand,
} from './make-image.ts';
export { promptCall } from './prompt-talk.ts';
export { expandSlash, type Slash, type SlashPrompt, slashNames, slashUsage } from './slash-prompt.ts';
export { type Begun, type Talk, toolsOf } from './talk.ts';
export { mostCalls, mostHandoffs, mostRepairs } from './talk-machine.ts';
export { createPromptThunk, createThunk, firstThatHears, thunkMaker } from './thunk-maker.ts';
export { isThunkRef, type ThunkRef } from './thunk-ref.ts';
export { thunkTalk } from './thunk-talk.ts';
