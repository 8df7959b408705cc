/** The types of expressions. */
export { assignableValue, type Fit } from './assignable-value.ts';
export type { Scope, ScopeName } from './context.ts';
export { type InferOptions, type InferredExpression, inferExpression } from './infer.ts';
export { printValueType } from './print-value-type.ts';
export { textProblems } from './text-problems.ts';
export { orUndefined, unite, uniteAll } from './unite.ts';
export {
  anyValue,
  booleanValue,
  fromType,
  listOf,
  literalValue,
  nullValue,
  numberValue,
  recordOf,
  stringValue,
  toType,
  undefinedValue,
  type ValueField,
  type ValueType,
} from './value-type.ts';
