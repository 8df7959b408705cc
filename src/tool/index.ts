/** Built-in tools, and what they may do. */
export * from './bounded-text.ts';
export * from './names.ts';
export * from './permission/index.ts';
export { type ProbeHost, type SandboxProbe, type SandboxSettings, sandboxProbe } from './sandbox/sandbox.ts';
export { type ShellOptions, shellTool } from './shell/shell-tool.ts';
export * from './tool.ts';
export * from './toolbox.ts';
export { type WorkspaceSecrets, workspaceSecrets } from './workspace-secrets.ts';
