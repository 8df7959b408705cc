/** The code of workflow steps: reading it, checking its types, and what handlers' modules export. */
export * from './edits.ts';
export { exportsOf, type ModuleExports } from './exports-of.ts';
export * from './handler-reads.ts';
export * from './problem.ts';
export * from './read-code.ts';
export * from './reads.ts';
export * from './tsc-output.ts';
export * from './types.ts';
