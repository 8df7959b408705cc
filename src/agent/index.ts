/** Thunks: so far prompts, one model call with an answer of a wanted type. */
export { createPromptThunk, thunkMaker } from './prompt-thunk.ts';
