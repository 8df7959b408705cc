/** Built-in tools, the services that are tools of others, and what they may do. */
export { type Bounded, boundedText, createBounded, leftOutMark, mostText } from './bounded-text.ts';
export { type BuiltInOptions, builtInSources } from './built-in.ts';
export { childEnv, isCommonVariable } from './child-env.ts';
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
export { programOf } from './service/child-transport.ts';
export {
  type HttpDefinition,
  type ServiceDefinition,
  type ServiceLimits,
  type StdioDefinition,
  serviceLimits,
} from './service/definition.ts';
export { addressOf, hasAuthorization } from './service/http-transport.ts';
export { createJsonLines, type JsonLines, noIdScan } from './service/json-lines.ts';
export { listLogins, readLogin, removeLogins } from './service/oauth/credentials.ts';
export { type LoginOptions, logIn } from './service/oauth/login.ts';
export { missingVariables } from './service/secrets.ts';
export {
  openServices,
  type ServiceOptions,
  type ServiceStatus,
  type Services,
  type ServiceTools,
} from './service/services.ts';
export { isTrouble, type ServiceTrouble } from './service/trouble.ts';
export { type ShellOptions, shellTool } from './shell/shell-tool.ts';
export { createTerminalText } from './shell/terminal-text.ts';
export { type LoadableSkill, skillLoadTool } from './skill/load.ts';
export * from './tool.ts';
export * from './toolbox.ts';
export { fetchTool, type WebOptions } from './web/fetch.ts';
export { type WorkspaceSecrets, workspaceSecrets } from './workspace-secrets.ts';
