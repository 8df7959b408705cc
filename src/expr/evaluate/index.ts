/** The safe evaluator of expressions. */
export { type Budget, createBudget, defaultLimit } from './budget.ts';
export { type Env, evaluate, isTrue } from './evaluate.ts';
export { type ExpressionError, isExpressionError } from './failure.ts';
export { globalNames, statics } from './globals.ts';
export { renderInterpolated, valueOfInterpolated } from './interpolate.ts';
export { anyMethodNames, fieldNames, methodNames, type Receiver } from './methods.ts';
export type { Lookup } from './walk.ts';
