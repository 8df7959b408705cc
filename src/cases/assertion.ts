/** Conditions over what came of a run: checked against the types of its target, and looked at when it is over. */
import {
  anyValue,
  fromType,
  inferExpression,
  isExpressionError,
  isTrue,
  listOf,
  literalValue,
  numberValue,
  parseCondition,
  readsOf,
  recordOf,
  type Scope,
  type ScopeName,
  stringValue,
  undefinedValue,
  uniteAll,
  type ValueType,
} from '../expr/index.ts';
import type { Json } from '../machine/index.ts';
import { approvalType, nodesOf, type ResultType, type WorkflowPlan } from '../plan/index.ts';
import { type Diagnostic, type DiagnosticExtra, diagnostic, type Source, type Span } from '../text/index.ts';
import type { TypeTable } from '../type/index.ts';
import type { Assertion } from './case.ts';
import type { Outcome } from './outcome.ts';

/** What is known of a target before it runs. */
export interface TargetTypes {
  readonly input: ValueType;
  readonly output: ValueType;
  /** Of each step, by its id; without them anything may be read. */
  readonly steps?: ReadonlyMap<string, ValueType>;
}

export function typesOfPlan(plan: WorkflowPlan): TargetTypes {
  const table: TypeTable = new Map(Object.entries(plan.types));
  const steps = new Map<string, ValueType>();
  for (const { node, plan: own, prefix } of nodesOf(plan)) {
    // Those of sub-workflows have names of their own.
    if (node.id === undefined || prefix !== '') continue;
    const types: TypeTable = own === plan ? table : new Map(Object.entries(own.types));
    if (node.kind === 'step') steps.set(node.id, fromType(node.output, types));
    else steps.set(node.id, node.kind === 'approval' ? fromType(approvalType, types) : anyValue);
  }
  return { input: fromType(plan.input, table), output: resultValue(plan.result, table), steps };
}

export function resultValue(result: ResultType, table: TypeTable): ValueType {
  switch (result.kind) {
    case 'tuple': {
      const tuple = result.items.map((item) => resultValue(item, table));
      return { kind: 'array', item: uniteAll(tuple), tuple };
    }
    case 'union':
      return uniteAll(result.members.map((member) => resultValue(member, table)));
    case 'nothing':
      return undefinedValue;
    default:
      return fromType(result, table);
  }
}

const sure = (type: ValueType) => ({ type, optional: false });

const call = recordOf([
  ['tool', sure(stringValue)],
  ['args', sure(anyValue)],
  ['step', sure(stringValue)],
  ['status', sure(literalValue('done', 'failed', 'denied', 'asked', 'running'))],
]);

export function scopeFor({ input, output, steps }: TargetTypes): Scope {
  const name = (type: ValueType, what: string): ScopeName => ({ type, absent: false, what });
  const record = steps && recordOf([...steps].map(([id, type]) => [id, sure(type)] as const));
  return new Map([
    ['input', name(input, 'input')],
    ['output', name(output, 'output')],
    ['steps', name(record ?? anyValue, 'steps')],
    ['calls', name(listOf(call), 'calls')],
    ['handoffs', name(listOf(stringValue), 'handoffs')],
    ['error', name(anyValue, 'error')],
    ['status', name(stringValue, 'status')],
    ...['modelCalls', 'inputTokens', 'outputTokens', 'cost'].map(
      (each) => [each, name(numberValue, 'number')] as const,
    ),
  ]);
}

/** What is surely wrong with an assertion, whatever comes of the run. */
export function checkAssertion(assertion: Assertion, source: Source, types: TargetTypes): Diagnostic[] {
  const { expression, problems } = parseCondition(assertion.text);
  const inferred = expression === undefined || problems.length > 0 ? [] : infer();
  return [...problems, ...inferred].map(({ code, start, end, message, help }) => {
    const extra: DiagnosticExtra = help === undefined ? {} : { help };
    return diagnostic(code, source, spanIn(assertion, start, end), message, extra);
  });

  function infer() {
    if (expression === undefined) return [];
    return inferExpression(expression, scopeFor(types), { text: assertion.text, condition: true }).problems;
  }
}

function spanIn({ place }: Assertion, start: number, end: number): Span {
  const from = place(start);
  return { start: from, end: Math.max(from, place(end)) };
}

export interface Broken {
  readonly span: Span;
  readonly message: string;
  /** What it reads, and what that was: `output.title`, `"Bees"`. */
  readonly reads: readonly { readonly name: string; readonly value: Json | undefined }[];
}

/** Undefined where it holds. */
export function brokenAssertion(assertion: Assertion, outcome: Outcome): Broken | undefined {
  const { expression, problems } = parseCondition(assertion.text);
  const [problem] = problems;
  if (expression === undefined || problem) {
    const message = problem?.message ?? 'this is no condition';
    return { span: spanIn(assertion, problem?.start ?? 0, problem?.end ?? assertion.text.length), message, reads: [] };
  }
  const values = valuesOf(outcome);
  const reads = readsOf(expression).flatMap(({ name, path }) => {
    return values.has(name) ? [reach(name, values.get(name), path)] : [];
  });
  const unique = [...new Map(reads.map((read) => [read.name, read])).values()];
  try {
    const lookup = (name: string) => ({ found: values.has(name), value: values.get(name) });
    // The same each time, whenever it is looked at.
    if (isTrue(expression, { lookup, now: 0 })) return undefined;
  } catch (error) {
    if (!isExpressionError(error)) throw error;
    return {
      span: spanIn(assertion, error.start, error.end),
      message: `it cannot be looked at: ${error.message}`,
      reads: unique,
    };
  }
  return { span: assertion.span, message: 'this does not hold', reads: unique };
}

function valuesOf(outcome: Outcome): ReadonlyMap<string, Json | undefined> {
  const { input, output, steps, calls, handoffs, error, status, modelCalls, inputTokens, outputTokens, cost } = outcome;
  const results: Record<string, Json> = {};
  for (const [name, value] of steps) if (value !== undefined) results[name] = value;
  return new Map<string, Json | undefined>([
    ['input', input],
    ['output', output],
    ['steps', results],
    ['calls', calls.map(({ tool, args, step, status: how }) => ({ tool, args, step, status: how }))],
    ['handoffs', handoffs],
    ['error', error && { code: error.code, message: error.message }],
    ['status', status],
    ['modelCalls', modelCalls],
    ['inputTokens', inputTokens],
    ['outputTokens', outputTokens],
    ['cost', cost],
  ]);
}

/** As far down the path as there are fields: the length of a text is seen from the text. */
function reach(name: string, value: Json | undefined, path: readonly string[]): Broken['reads'][number] {
  let [at, way] = [value, name];
  for (const key of path) {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) break;
    way = `${way}.${key}`;
    at = Object.hasOwn(at, key) ? (at as { readonly [key: string]: Json })[key] : undefined;
  }
  return { name: way, value: at };
}
