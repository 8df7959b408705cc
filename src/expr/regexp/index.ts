/** Regular expressions of JavaScript, matched by steps that a budget counts and can stop. */
export { patternDepth } from './depth.ts';
export * from './error.ts';
export type { RegExpBudget } from './match.ts';
export { type CompiledRegExp, compileRegExp, type RegExpMatch } from './regexp.ts';
