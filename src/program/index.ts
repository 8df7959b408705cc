/** Trees and caps → a checked agent program. */
export { type Checked, checkProgram, checkSource } from './check.ts';
export type { Host, HostCap, ModelNameProblem } from './host.ts';
export * from './own-tools.ts';
export * from './packed.ts';
export * from './preview.ts';
export * from './program.ts';
export * from './sets.ts';
export * from './signatures.ts';
