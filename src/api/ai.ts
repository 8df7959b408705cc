/** A middleware for the AI SDK, `import { bracketTools } from 'toolang/ai'`: tools for models without function calling. */
export { type BracketTools, bracketTools } from './ai/bracket-tools.ts';
export type { BracketDiagnostic, BracketToolsOptions, Instructions } from './ai/options.ts';
