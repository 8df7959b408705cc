/** Built-in tools. */
export * from './names.ts';
