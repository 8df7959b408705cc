/** Homes and roots, and `config.toml`: one schema, positions, edits that keep comments. */
export * from './describe.ts';
export * from './edit.ts';
export * from './file-problem.ts';
export * from './home.ts';
export * from './homes.ts';
export * from './key-path.ts';
export * from './load.ts';
export * from './merge.ts';
export * from './places.ts';
export * from './read-config.ts';
export type { TomlValue } from './render.ts';
export { builtinSets, isCapName } from './rules.ts';
export * from './schema.ts';
