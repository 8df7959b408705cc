/** Built-in tools. */
export * from './names.ts';
export * from './tool.ts';
