/** Built-in tools, what they may do, and services: the tools of others. */
export * from './bounded-text.ts';
export { childEnv, isCommonVariable } from './child-env.ts';
export * from './names.ts';
export * from './permission/index.ts';
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
export * from './tool.ts';
export { type WorkspaceSecrets, workspaceSecrets } from './workspace-secrets.ts';
