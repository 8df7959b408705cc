/** Built-in tools. */
export { type Bounded, boundedText, createBounded, leftOutMark, mostText } from './bounded-text.ts';
export {
  defineTool,
  failed,
  failureResult,
  type OwnTool,
  type Parameter,
  signatureOf,
  ToolFailure,
  type ToolSpec,
} from './define-tool.ts';
export { guardOf } from './filesystem/guard.ts';
export { type Guard, noGuard } from './filesystem/off-limits.ts';
export { filesystemTools } from './filesystem/tools.ts';
export * from './names.ts';
export { type LoadableSkill, skillLoadTool } from './skill/load.ts';
export * from './tool.ts';
export { fetchTool, type WebOptions } from './web/fetch.ts';
