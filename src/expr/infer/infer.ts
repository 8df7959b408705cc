/**
 * The types of expressions, and what is surely wrong with them.
 * 1. What JavaScript accepts and somebody may mean is no problem; what throws, or cannot be meant, is one.
 * 2. A mistake is told once: its value is `any` from there on.
 * 3. That a list has the item asked for (`items[0]`, `at`, `pop`) is taken on trust; `find` and `match` are not.
 * 4. Each node is looked at once, or twice in the outermost `reduce`, whatever the nesting: the time is linear.
 */
import type { Expression, ExpressionProblem } from '../expression.ts';
import { inferArrow } from './arrow.ts';
import { inferCall, inferNew } from './call.ts';
import { alwaysTrue } from './condition.ts';
import { type Context, type Inferred, pass, report, type Scope, whole } from './context.ts';
import { inferConditional, inferLogical } from './logical.ts';
import { inferBinary, inferUnary, needText } from './operator.ts';
import { plainType } from './plain-type.ts';
import { inferIndex, inferMember, inferName } from './read.ts';
import { merged } from './result.ts';
import { spreadList } from './spread.ts';
import { orUndefined, uniteAll } from './unite.ts';
import {
  anyValue,
  booleanValue,
  literalValue,
  membersOf,
  nullValue,
  numberValue,
  regexpValue,
  stringValue,
  undefinedValue,
  type ValueType,
} from './value-type.ts';

export interface InferOptions {
  /** The text that was parsed: messages quote it, and words with hyphens are read from it. */
  readonly text?: string;
  /** It decides something (`until`, `skipIf`, `condition`): one that is always true is then told. */
  readonly condition?: boolean;
  /** False: which name was meant is not looked for. A file in which every name is wrong would take long. */
  readonly hints?: boolean;
}

export interface InferredExpression {
  readonly type: ValueType;
  readonly problems: readonly ExpressionProblem[];
}

/** Trees may nest this deep; the parser lets none through that do. */
const mostDepth = 600;
const mostTuple = 32;

export function inferExpression(expression: Expression, scope: Scope, options: InferOptions = {}): InferredExpression {
  const plain = options.condition ? undefined : plainType(expression, scope);
  if (plain !== undefined) return { type: plain, problems: [] };
  const context = idle ?? createContext();
  idle = undefined;
  context.text = options.text;
  context.scope = scope;
  context.suggestions = options.hints === false ? Number.POSITIVE_INFINITY : 0;
  const type = whole(context.infer(expression));
  if (options.condition) alwaysTrue(expression, type, context);
  if (context.problems.length > 0) return { type, problems: ordered(context) };
  if (context.names.size > 0) context.names.clear();
  context.roots = 0;
  idle = context;
  return { type, problems: none };
}

/** A file holds thousands of expressions, most of them without a problem: one context serves them one after the other. */
let idle: Context | undefined;
const none: readonly ExpressionProblem[] = [];

function createContext(): Context {
  const context: Context = {
    text: undefined,
    scope: new Map(),
    names: new Map(),
    facts: new Map(),
    problems: [],
    words: [],
    told: new Set(),
    undo: [],
    roots: 0,
    suggestions: 0,
    depth: 0,
    folding: false,
    infer: (node, callee = false) => {
      if (context.depth >= mostDepth) return tooDeep(node, context);
      context.depth++;
      const inferred = inferNode(node, callee, context);
      context.depth--;
      return inferred;
    },
  };
  return context;
}

function inferNode(node: Expression, callee: boolean, context: Context): Inferred {
  switch (node.kind) {
    case 'literal':
      return { type: literal(node.value) };
    case 'regexp':
      return { type: regexpValue };
    case 'name':
      return inferName(node, context);
    case 'member':
      return inferMember(node, callee, context);
    case 'index':
      return inferIndex(node, context);
    case 'chain': {
      const { type, absent, short } = context.infer(node.expression, callee);
      return pass(short ? orUndefined(type) : type, absent, false);
    }
    case 'call':
      return inferCall(node, context);
    case 'new':
      return inferNew(node, context);
    case 'unary':
      return inferUnary(node, context);
    case 'binary': {
      const spine = [node];
      let left = node.left;
      for (; left.kind === 'binary'; left = left.left) spine.push(left);
      let inferred = context.infer(left);
      for (let next = spine.pop(); next !== undefined; next = spine.pop())
        inferred = inferBinary(next, inferred, context);
      return inferred;
    }
    case 'logical':
      return inferLogical(node, context);
    case 'conditional':
      return inferConditional(node, context);
    case 'template':
      for (const part of node.expressions) needText(part, whole(context.infer(part)), context);
      return { type: stringValue };
    case 'list':
      return { type: inferList(node, context) };
    case 'record':
      return { type: inferRecord(node, context) };
    case 'arrow':
      inferArrow(node, [], anyValue, context);
      return { type: { kind: 'function' } };
    case 'sequence': {
      let last: Inferred = { type: undefinedValue };
      for (const part of node.expressions) last = context.infer(part);
      return last;
    }
  }
}

function literal(value: string | number | boolean | null): ValueType {
  if (value === null) return nullValue;
  if (typeof value === 'string') return literalValue(value);
  return typeof value === 'number' ? numberValue : booleanValue;
}

function inferList(node: Extract<Expression, { kind: 'list' }>, context: Context): ValueType {
  const items: ValueType[] = [];
  let tuple: ValueType[] | undefined = [];
  for (const item of node.items) {
    if (item === null) {
      items.push(undefinedValue);
      tuple?.push(undefinedValue);
    } else if (item.kind === 'spread') {
      const spread = spreadList(item, context);
      const own: readonly ValueType[] | undefined = spread.kind === 'array' ? spread.tuple : undefined;
      for (const member of membersOf(spread)) {
        items.push(member.kind === 'array' ? member.item : member.kind === 'any' ? anyValue : stringValue);
      }
      tuple = own && tuple?.concat(own);
    } else {
      const type = whole(context.infer(item));
      items.push(type);
      tuple?.push(type);
    }
    if (tuple && tuple.length > mostTuple) tuple = undefined;
  }
  return { kind: 'array', item: uniteAll(items), ...(tuple && { tuple }) };
}

function inferRecord(node: Extract<Expression, { kind: 'record' }>, context: Context): ValueType {
  const parts: ValueType[] = [];
  for (const entry of node.entries) {
    if (entry.kind === 'spread') {
      parts.push(whole(context.infer(entry.expression)));
      continue;
    }
    let key = typeof entry.key === 'string' ? entry.key : undefined;
    if (typeof entry.key !== 'string') {
      const { type } = context.infer(entry.key);
      if (type.kind === 'literal' && type.values.length === 1) [key] = type.values;
    }
    const type = whole(context.infer(entry.value));
    if (key === undefined) parts.push(anyValue);
    else parts.push({ kind: 'record', fields: new Map([[key, { type, optional: false }]]) });
  }
  return merged(parts);
}

/** By place. Of a word with hyphens that has an unknown name in it, only that is told. */
function ordered(context: Context): ExpressionProblem[] {
  const words = context.words.sort((a, b) => a.start - b.start);
  let next = 0;
  const seen = new Set<string>();
  return context.problems
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .filter(({ code, start, end }) => {
      // What is looked at twice is told once.
      const key = `${code} ${start} ${end}`;
      if (seen.has(key)) return false;
      seen.add(key);
      while ((words[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
      const word = words[next];
      return code === 'TOO3251' || code === 'TOO3252' || word === undefined || word.start >= end;
    });
}

function tooDeep(node: Expression, context: Context): Inferred {
  if (!context.problems.some(({ code }) => code === 'TOO3207')) {
    report(context, {
      code: 'TOO3207',
      start: node.start,
      end: node.end,
      message: `this expression nests deeper than ${mostDepth} levels`,
      help: 'Let a step of its own work out a part of it.',
    });
  }
  return { type: anyValue };
}
