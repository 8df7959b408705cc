/** Built-in tools. */
export * from './names.ts';
export * from './tool.ts';
export * from './toolbox.ts';
