/** Thunks: so far prompts, one model call with an answer of a wanted type. */
export { firstCall } from './prompt-call.ts';
export { createPromptThunk, mostCalls, mostRepairs, thunkMaker } from './prompt-thunk.ts';
export { expandSlash, type Slash, type SlashPrompt, slashUsage } from './slash-prompt.ts';
