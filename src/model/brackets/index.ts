/** Tools for models without an interface for them: calls as text. It stands alone, so that `toolang/ai` is nothing else. */
export { type BracketTools, bracketTools } from './bracket-tools.ts';
export { inText, type StreamModel } from './in-text.ts';
export type { BracketDiagnostic, BracketToolsOptions, Instructions } from './options.ts';
export { type WrittenCall, writeAnswer } from './write-answer.ts';
