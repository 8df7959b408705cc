/** Thunks: so far prompts, one model call with an answer of a wanted type. */
export { firstCall } from './prompt-call.ts';
export { createPromptThunk, mostCalls, mostRepairs, thunkMaker } from './prompt-thunk.ts';
