/** A middleware for the AI SDK, `import { bracketTools } from 'toolang/ai'`: tools for models without function calling. */
export {
  type BracketDiagnostic,
  type BracketTools,
  type BracketToolsOptions,
  bracketTools,
  type Instructions,
} from '../model/brackets/index.ts';
