/** Operators: what they give, and operands that cannot be meant. */
import { closest, didYouMean } from '../../text/index.ts';
import type { BinaryExpression, BinaryOp, Expression, UnaryExpression } from '../expression.ts';
import { neverEqual, noNumber } from './compare.ts';
import { type Context, type Facts, type Inferred, report, whole } from './context.ts';
import { needValue } from './missing.ts';
import { about, both, equalTo, factsOf, noFacts, ofTypeof, otherThan, presence } from './narrow.ts';
import { printValueType } from './print-value-type.ts';
import {
  anyValue,
  booleanValue,
  isNullish,
  keep,
  literalValue,
  membersOf,
  numberValue,
  stringValue,
  undefinedValue,
  type ValueType,
  withoutUndefined,
} from './value-type.ts';
import { quote, subject } from './words.ts';

const typeofWords = literalValue('string', 'number', 'boolean', 'undefined', 'object', 'function', 'bigint', 'symbol');
const orders: ReadonlySet<BinaryOp> = new Set(['<', '<=', '>', '>=']);
const equals: ReadonlySet<BinaryOp> = new Set(['==', '!=', '===', '!==']);

export function inferUnary(node: UnaryExpression, context: Context): Inferred {
  const operand = context.infer(node.operand);
  switch (node.op) {
    case '!':
      return { type: booleanValue, facts: () => opposite(factsOf(node.operand, operand, context)) };
    case 'typeof':
      return { type: typeofWords };
    case 'void':
      return { type: undefinedValue };
    default:
      needNumber(node.operand, whole(operand), node.op, context);
      return { type: numberValue };
  }
}

/** The left side has been inferred: long sums lean to the left, and are walked without recursion. */
export function inferBinary(node: BinaryExpression, leftInferred: Inferred, context: Context): Inferred {
  const left = whole(leftInferred);
  const right = whole(context.infer(node.right));
  const { op } = node;
  if (equals.has(op)) {
    checkEquality(node, left, right, context);
    return { type: booleanValue, facts: () => equality(node, context) };
  }
  if (orders.has(op)) {
    checkOrder(node, left, right, context);
    const facts = () => ({
      yes: [...defined(node.left, right, context), ...defined(node.right, left, context)],
      no: [],
    });
    return { type: booleanValue, facts };
  }
  if (op === 'in') {
    checkIn(node, right, context);
    return { type: booleanValue };
  }
  if (op === '+') return { type: plus(node, left, right, context) };
  needNumber(node.left, left, op, context);
  needNumber(node.right, right, op, context);
  return { type: numberValue };
}

/** A record or a function in a text says "[object Object]", or its own source. */
export function needText(expression: Expression, type: ValueType, context: Context): void {
  const members = membersOf(type);
  const wrong = members.filter(({ kind }) => kind === 'record' || kind === 'function');
  if (wrong.length === 0 || wrong.length < members.length) return;
  const { start, end } = expression;
  const text = context.text?.slice(start, end);
  const record = wrong.some(({ kind }) => kind === 'record');
  report(context, {
    code: 'TOO3263',
    start,
    end,
    message: `${subject(expression, context)} is ${printValueType(type)}, which gives no useful text`,
    help: record ? 'Write "JSON.stringify(…)", or read one of its fields.' : 'Call it, or read something else.',
    ...(record && text !== undefined && { replacement: `JSON.stringify(${text})` }),
  });
}

function plus(node: BinaryExpression, left: ValueType, right: ValueType, context: Context): ValueType {
  needText(node.left, left, context);
  needText(node.right, right, context);
  if ([left, right].some((type) => membersOf(type).length > 0 && membersOf(type).every(isTexty))) return stringValue;
  if ([left, right].every((type) => membersOf(type).every(({ kind }) => numeric.has(kind)))) return numberValue;
  return anyOf(left, right) ? anyValue : { kind: 'union', members: [stringValue, numberValue] };
}

const numeric = new Set(['number', 'boolean', 'null', 'undefined']);

function isTexty({ kind }: ValueType): boolean {
  return !numeric.has(kind) && kind !== 'any';
}

function anyOf(...types: readonly ValueType[]): boolean {
  return types.some(({ kind }) => kind === 'any' || kind === 'never');
}

function needNumber(expression: Expression, type: ValueType, op: string, context: Context): void {
  if (!noNumber(type)) return;
  const listed = membersOf(type).every(({ kind }) => kind === 'array');
  report(context, {
    code: 'TOO3258',
    start: expression.start,
    end: expression.end,
    message: `"${op}" needs numbers, and ${subject(expression, context)} is ${printValueType(type)}`,
    ...(listed && { help: 'Write ".length" for the number of its items.' }),
  });
}

function checkOrder(node: BinaryExpression, left: ValueType, right: ValueType, context: Context): void {
  for (const [side, type, other] of [
    [node.left, left, right],
    [node.right, right, left],
  ] as const) {
    const members = membersOf(type);
    if (members.length === 0) continue;
    const objects = members.every(
      ({ kind }) => kind === 'record' || kind === 'array' || kind === 'function' || kind === 'regexp',
    );
    const word = members.every(({ kind }) => kind === 'literal') && other.kind === 'number';
    if (objects || word) needNumber(side, type, node.op, context);
  }
}

function checkIn(node: BinaryExpression, right: ValueType, context: Context): void {
  const type = needValue(node.right, right, '{}', context);
  const wrong = membersOf(type).filter(({ kind }) => ['string', 'literal', 'number', 'boolean'].includes(kind));
  if (wrong.length === 0) return;
  const texts = wrong.every(({ kind }) => kind === 'string' || kind === 'literal');
  report(context, {
    code: 'TOO3261',
    start: node.right.start,
    end: node.right.end,
    message: `"in" looks for a field of an object, and ${subject(node.right, context)} is ${printValueType(type)}`,
    ...(texts && { help: 'Write ".includes(…)" to look into a text.' }),
  });
}

function checkEquality(node: BinaryExpression, left: ValueType, right: ValueType, context: Context): void {
  const always = node.op.startsWith('!') ? 'always true' : 'never true';
  const fresh = [node.left, node.right].find(({ kind }) => kind === 'list' || kind === 'record');
  if (
    fresh &&
    [left, right].every((type) => membersOf(type).every(({ kind }) => kind === 'array' || kind === 'record'))
  ) {
    report(context, {
      code: 'TOO3259',
      start: node.start,
      end: node.end,
      message: `this comparison is ${always}: a new ${fresh.kind} equals no other`,
      help: fresh.kind === 'list' ? 'Compare ".length", or the items.' : 'Compare the fields.',
    });
    return;
  }
  if (!neverEqual(left, right, node.op.length === 3)) return;
  const swap = node.left.kind === 'literal' && node.right.kind !== 'literal';
  const [value, known] = swap ? [node.left, right] : [node.right, left];
  const other = swap ? node.right : node.left;
  const literal = membersOf(known).find((member) => member.kind === 'literal');
  const word = value.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
  const meant = word !== undefined && literal?.kind === 'literal' ? closest(word, literal.values) : undefined;
  const isNoText = literal === undefined || word === undefined;
  const mend = meant === undefined ? unquoted(word, known) : quote(meant, value, context);
  report(context, {
    code: 'TOO3259',
    start: value.start,
    end: value.end,
    message: `this comparison is ${always}: ${subject(other, context)} is ${printValueType(known)}${
      meant === undefined && !isNoText
        ? `, never ${subject(value, context)}`
        : meant === undefined
          ? `, and ${subject(value, context)} is ${word === undefined ? printValueType(swap ? left : right) : 'a text'}`
          : `.${didYouMean(meant)}`
    }`,
    ...(mend !== undefined && { replacement: mend }),
  });
}

/** `"true"` and `"5"` where a boolean or a number is compared. */
function unquoted(word: string | undefined, known: ValueType): string | undefined {
  if (word === undefined) return undefined;
  const kinds = new Set(membersOf(known).map(({ kind }) => kind));
  if (kinds.has('boolean') && (word === 'true' || word === 'false')) return word;
  return kinds.has('number') && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(word) ? word : undefined;
}

/** A comparison by size holds for no undefined, unless the other side is no number. */
function defined(expression: Expression, other: ValueType, context: Context) {
  if (membersOf(other).some(({ kind }) => kind === 'any')) return [];
  return [...presence(expression, context), ...about(expression, withoutUndefined, true, context)];
}

function opposite({ yes, no }: Facts): Facts {
  return { yes: no, no: yes };
}

function equality(node: BinaryExpression, context: Context): Facts {
  const facts = side(node.left, node.right, node, context) ?? side(node.right, node.left, node, context) ?? noFacts;
  return node.op.startsWith('!') ? opposite(facts) : facts;
}

/** What `expression == value` tells of the expression, where the value is one that is written there. */
function side(expression: Expression, value: Expression, node: BinaryExpression, context: Context): Facts | undefined {
  const strict = node.op.length === 3;
  if (expression.kind === 'unary' && expression.op === 'typeof') {
    if (value.kind !== 'literal' || typeof value.value !== 'string') return undefined;
    const { operand } = expression;
    const there = value.value === 'undefined' ? [] : presence(operand, context);
    const gone = value.value === 'undefined' ? presence(operand, context) : [];
    return {
      yes: both(there, about(operand, ofTypeof(value.value, true), value.value !== 'undefined', context)),
      no: both(gone, about(operand, ofTypeof(value.value, false), value.value === 'undefined', context)),
    };
  }
  const nothing = nothingOf(value);
  if (nothing !== undefined) {
    const is = (type: ValueType) => (strict ? type.kind === nothing : isNullish(type));
    // `=== null` says nothing of undefined.
    const present = !strict || nothing === 'undefined';
    return {
      yes: about(expression, (type) => (type.kind === 'any' ? type : keep(type, is)), false, context),
      no: both(
        present ? presence(expression, context) : [],
        about(expression, (type) => keep(type, (member) => !is(member)), present, context),
      ),
    };
  }
  if (value.kind !== 'literal') return undefined;
  const there = presence(expression, context);
  if (typeof value.value === 'string' && strict) {
    return {
      yes: both(there, about(expression, equalTo(value.value), true, context)),
      no: about(expression, otherThan(value.value), false, context),
    };
  }
  if (typeof value.value === 'string') {
    const word = value.value;
    const loose = (type: ValueType) => keep(otherTexts(type, word), (member) => !isNullish(member));
    return {
      yes: both(there, about(expression, loose, true, context)),
      no: about(expression, otherThan(word), false, context),
    };
  }
  const no = value.value === true ? [] : value.value === false ? [] : about(expression, (type) => type, false, context);
  return {
    yes: both(
      there,
      about(expression, (type) => keep(type, (member) => !isNullish(member)), true, context),
    ),
    no,
  };
}

/** The texts that are not the word go; numbers may still equal it by `==`. */
function otherTexts(type: ValueType, word: string): ValueType {
  const members = membersOf(type);
  if (!members.some(({ kind }) => kind === 'literal')) return type;
  return members.every(({ kind }) => kind === 'literal' || isNullish({ kind } as ValueType))
    ? equalTo(word)(type)
    : type;
}

function nothingOf(value: Expression): 'null' | 'undefined' | undefined {
  if (value.kind === 'literal' && value.value === null) return 'null';
  if (value.kind === 'name' && value.name === 'undefined') return 'undefined';
  return value.kind === 'unary' && value.op === 'void' ? 'undefined' : undefined;
}
