/** For the tests of inference: a workflow's names, and a short way to infer a text. */
import {
  arrayOf,
  booleanType,
  field,
  jsonType,
  literalOf,
  numberType,
  refTo,
  type StructType,
  structOf,
  type TypeTable,
  textType,
} from '../../type/index.ts';
import type { ExpressionProblem } from '../expression.ts';
import { parseExpression } from '../expression-parse.ts';
import type { Scope, ScopeName } from './context.ts';
import { type InferOptions, inferExpression } from './infer.ts';
import { printValueType } from './print-value-type.ts';
import { fromType } from './value-type.ts';

export const tree: StructType = structOf(
  [
    field('value', numberType),
    field('left', refTo('Tree'), { optional: true }),
    field('children', arrayOf(refTo('Tree'))),
  ],
  { name: 'Tree' },
);

export const table: TypeTable = new Map([['Tree', tree]]);

const finding = structOf([
  field('path', textType),
  field('line', numberType, { optional: true }),
  field('level', literalOf('low', 'high')),
]);

export const inputType: StructType = structOf([
  field('repo', textType),
  field('since', textType, { optional: true }),
  field('count', numberType),
  field('fast', booleanType),
  field('tags', arrayOf(textType)),
  field('more', arrayOf(textType), { optional: true }),
  field('scores', arrayOf(numberType)),
  field('data', jsonType),
  field('meta', structOf([field('title', textType), field('size', numberType)])),
  field('owner', structOf([field('name', textType), field('mail', textType, { optional: true })]), { optional: true }),
  field('findings', arrayOf(finding)),
  field('tree', refTo('Tree')),
  field('max-age', numberType),
]);

const draft = structOf([
  field('text', textType),
  field('title', textType),
  field('note', textType, { optional: true }),
]);
const lint = structOf([field('level', literalOf('ok', 'bad')), field('findings', arrayOf(finding))]);

export const scope: Scope = new Map<string, ScopeName>([
  ['input', { type: fromType(inputType, table), absent: false, what: 'input' }],
  ['draft', { type: fromType(draft, table), absent: false, what: 'step' }],
  ['facts', { type: fromType(draft, table), absent: true, what: 'step' }],
  ['lint', { type: fromType(lint, table), absent: false, what: 'step' }],
  ['research-web', { type: fromType(draft, table), absent: false, what: 'step' }],
]);

export interface Told {
  readonly type: string;
  readonly problems: readonly ExpressionProblem[];
}

export function infer(text: string, options: InferOptions = {}): Told {
  const parsed = parseExpression(text, { names: new Set(scope.keys()) });
  if (parsed.expression === undefined) throw new Error(`${text}: ${parsed.problems[0]?.message ?? 'no expression'}`);
  const { type, problems } = inferExpression(parsed.expression, scope, { text, ...options });
  return { type: printValueType(type), problems };
}
