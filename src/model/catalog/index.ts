/** What is known of models from published data, and what calls cost. */
export * from './catalog.ts';
export * from './cost.ts';
export { hasName } from './match.ts';
export type { CatalogRow } from './row.ts';
export * from './tokens.ts';
