/** Test files: read, judged by what came of a run, and what of the files no case reached. */
export * from './assertion.ts';
export type * from './case.ts';
export * from './compare.ts';
export * from './coverage.ts';
export * from './judge.ts';
export * from './outcome.ts';
export { isAgent, readCases, type SuiteRead } from './read-cases.ts';
export { placeIn } from './value-place.ts';
