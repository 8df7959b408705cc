/** What stands in braces: `{expressions}` and `{{templates}}`. */
export * from './evaluate/index.ts';
export * from './expression.ts';
export {
  type ParsedExpression,
  type ParseOptions,
  parseCondition,
  parseExpression,
} from './expression-parse.ts';
export * from './expression-reads.ts';
export { type HyphenWord, hyphenWordAt } from './hyphen-names.ts';
export * from './infer/index.ts';
export * from './interpolation.ts';
export * from './left-out.ts';
export { patternDepth } from './regexp/index.ts';
export * from './template.ts';
export * from './template-check.ts';
export * from './template-parse.ts';
export * from './template-render.ts';
