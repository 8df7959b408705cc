/** What is known of models from published data, and how many tokens calls have. */
export * from './catalog.ts';
export { hasName } from './match.ts';
export type { CatalogRow } from './row.ts';
export * from './tokens.ts';
