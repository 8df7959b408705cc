/** Built-in tools, and what they may do. */
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
export { describedTools } from './described.ts';
export { guardOf } from './filesystem/guard.ts';
export { type Guard, noGuard } from './filesystem/off-limits.ts';
export { filesystemTools } from './filesystem/tools.ts';
export * from './names.ts';
export * from './permission/index.ts';
export { namesTool, parseRule } from './permission/rule.ts';
export { type ProbeHost, type SandboxProbe, type SandboxSettings, sandboxProbe } from './sandbox/sandbox.ts';
export { type ShellOptions, shellTool } from './shell/shell-tool.ts';
export { type LoadableSkill, skillLoadTool } from './skill/load.ts';
export * from './tool.ts';
export { fetchTool, type WebOptions } from './web/fetch.ts';
export { type WorkspaceSecrets, workspaceSecrets } from './workspace-secrets.ts';
