/** Built-in tools, and what they may do. */
export * from './bounded-text.ts';
export * from './names.ts';
export * from './permission/index.ts';
export * from './tool.ts';
export * from './toolbox.ts';
