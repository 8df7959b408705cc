/**
 * Acorn's tree to ours. What expressions leave out is refused here, each with its reason; the rest of the tree is still
 * looked at. The tree may not be deeper than `maxDepth`, so that whatever walks it may call itself.
 */
import type * as acorn from 'acorn';
import type { Expression, ExpressionProblem, RecordEntry, Spread } from './expression.ts';
import { type Converter, checkMember, keyOf, nameOf, type Place } from './expression-converter.ts';
import { convertPattern } from './expression-pattern.ts';
import { refusal } from './expression-refusal.ts';
import { maxNesting, tooDeep } from './scan-state.ts';
import { staticKey } from './static-key.ts';

/** Nesting, and the links of a chain such as `a + b + c` or `a.b.c`, which nest in the tree only. */
export const maxDepth = 2 * maxNesting;

const unaryOps = new Set(['!', '-', '+', '~', 'typeof', 'void']);

export function convertExpression(
  node: acorn.Expression,
  problems: ExpressionProblem[],
  text: string,
  base: number,
): Expression {
  return convert(node, { text, base, problems, deep: false, convert }, 1);
}

function convert(node: acorn.Expression, to: Converter, depth: number): Expression {
  const start = node.start + to.base;
  const end = node.end + to.base;
  const place = { start, end };
  const inner = depth + 1;
  if (depth > maxDepth) {
    if (!to.deep) to.problems.push(tooDeep(start, end));
    to.deep = true;
    return refused(place);
  }
  switch (node.type) {
    case 'ParenthesizedExpression':
      return convert(node.expression, to, depth);
    case 'Literal':
      return literal(node, to, place);
    case 'Identifier':
      return { kind: 'name', ...place, name: nameOf(node, to) };
    case 'TemplateLiteral': {
      const texts = node.quasis.map((piece) => piece.value.cooked ?? piece.value.raw);
      return { kind: 'template', ...place, texts, expressions: node.expressions.map((e) => convert(e, to, inner)) };
    }
    case 'MemberExpression':
      return member(node, to, place, inner);
    case 'ChainExpression':
      return { kind: 'chain', ...place, expression: convert(node.expression, to, inner) };
    case 'CallExpression': {
      if (node.callee.type === 'Super') break;
      const callee = convert(node.callee, to, inner);
      const args = node.arguments.map((arg) => argument(arg, to, inner, true));
      return { kind: 'call', ...place, callee, args, optional: node.optional };
    }
    case 'NewExpression': {
      const args = node.arguments.map((arg) => argument(arg, to, inner, false));
      const callee = node.callee.type === 'Identifier' ? node.callee.name : undefined;
      if (callee === 'Date' || callee === 'RegExp') return { kind: 'new', ...place, callee, args };
      break;
    }
    case 'UnaryExpression': {
      const operand = convert(node.argument, to, inner);
      if (unaryOps.has(node.operator)) return { kind: 'unary', ...place, op: node.operator as '!', operand };
      break;
    }
    case 'BinaryExpression': {
      if (node.left.type === 'PrivateIdentifier' || node.operator === 'instanceof') break;
      const left = convert(node.left, to, inner);
      const right = convert(node.right, to, inner);
      // An assignment, which was reported and given another operator.
      if (node.operator === '%' && to.text.slice(left.end, right.start).includes('='))
        return refused(place, left, right);
      return { kind: 'binary', ...place, op: node.operator as '+', left, right };
    }
    case 'LogicalExpression': {
      const left = convert(node.left, to, inner);
      return { kind: 'logical', ...place, op: node.operator, left, right: convert(node.right, to, inner) };
    }
    case 'ConditionalExpression': {
      const test = convert(node.test, to, inner);
      const then = convert(node.consequent, to, inner);
      return { kind: 'conditional', ...place, test, then, else: convert(node.alternate, to, inner) };
    }
    case 'ArrayExpression':
      return { kind: 'list', ...place, items: node.elements.map((item) => item && argument(item, to, inner, false)) };
    case 'ObjectExpression':
      return { kind: 'record', ...place, entries: node.properties.map((entry) => property(entry, to, inner)) };
    case 'SequenceExpression':
      return { kind: 'sequence', ...place, expressions: node.expressions.map((e) => convert(e, to, inner)) };
    case 'ArrowFunctionExpression': {
      // Those that are arguments were taken before.
      to.problems.push(refusal(node, to.text, to.base));
      return refused(place, arrow({ ...node, async: false }, to, depth));
    }
    default:
  }
  to.problems.push(refusal(node, to.text, to.base));
  return refused(place);
}

/** Stands for what was reported, of any type, behind the parts of it that are still looked at. */
function refused(place: Place, ...parts: readonly Expression[]): Expression {
  const nothing: Expression = { kind: 'name', ...place, name: '' };
  return parts.length === 0 ? nothing : { kind: 'sequence', ...place, expressions: [...parts, nothing] };
}

function literal(node: acorn.Literal, to: Converter, place: Place): Expression {
  if (node.regex) return { kind: 'regexp', ...place, pattern: node.regex.pattern, flags: node.regex.flags };
  const { value, raw = '' } = node;
  const malformed = (message: string, help: string, replacement?: string) =>
    to.problems.push({ code: 'TOO3206', ...place, message, help, ...(replacement !== undefined && { replacement }) });
  if (typeof node.bigint === 'string') {
    // Without the "n" what stands directly behind it would belong to the number.
    const small = Number.isSafeInteger(Number(node.bigint)) && !/[.\w]/.test(to.text[place.end] ?? '');
    const message = 'BigInt is left out: values of a workflow are JSON, which has no such numbers';
    const help = 'Write it without the "n".';
    to.problems.push({ code: 'TOO3215', ...place, message, help, ...(small && { replacement: raw.slice(0, -1) }) });
  } else if (typeof value === 'number' && /^0\d/.test(raw)) {
    malformed('a number does not begin with 0', 'Write it without the 0, or with "0o" for octal digits.');
  } else if (value === Number.POSITIVE_INFINITY) {
    malformed('this number is too large', 'Write "Infinity" if that is meant.', 'Infinity');
  } else if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return { kind: 'literal', ...place, value };
  }
  return refused(place);
}

function member(node: acorn.MemberExpression, to: Converter, place: Place, depth: number): Expression {
  if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') {
    to.problems.push(refusal(node, to.text, to.base));
    return refused(place);
  }
  const object = convert(node.object, to, depth);
  const { optional, property } = node;
  const start = property.start + to.base;
  const end = property.end + to.base;
  if (!node.computed && property.type === 'Identifier') {
    if (checkMember(property.name, start, end, to)) return refused(place, object);
    return { kind: 'member', ...place, object, name: property.name, nameStart: start, optional };
  }
  const index = convert(property, to, depth);
  if (checkMember(staticKey(index) ?? '', start, end, to)) return refused(place, object);
  return { kind: 'index', ...place, object, index, optional };
}

function argument(
  node: acorn.Expression | acorn.SpreadElement,
  to: Converter,
  depth: number,
  ofCall: boolean,
): Expression | Spread {
  const place = { start: node.start + to.base, end: node.end + to.base };
  if (node.type === 'SpreadElement')
    return { kind: 'spread', ...place, expression: convert(node.argument, to, depth + 1) };
  let plain: acorn.Expression = node;
  while (plain.type === 'ParenthesizedExpression') plain = plain.expression;
  return ofCall && plain.type === 'ArrowFunctionExpression' ? arrow(plain, to, depth) : convert(node, to, depth);
}

function arrow(node: acorn.ArrowFunctionExpression, to: Converter, depth: number): Expression {
  const place = { start: node.start + to.base, end: node.end + to.base };
  const params = node.params.map((param) => convertPattern(param, to, depth + 1));
  if (node.async) {
    const message = 'an arrow in an expression cannot be async: every value is already there';
    const end = place.start + 'async'.length;
    to.problems.push({ code: 'TOO3215', start: place.start, end, message, help: 'Take it out.', replacement: '' });
  }
  // A block never gets here: its braces are reported before.
  const body = convert(node.body as acorn.Expression, to, depth + 1);
  return { kind: 'arrow', ...place, params, body };
}

function property(node: acorn.Property | acorn.SpreadElement, to: Converter, depth: number): RecordEntry | Spread {
  const place = { start: node.start + to.base, end: node.end + to.base };
  if (node.type === 'SpreadElement')
    return { kind: 'spread', ...place, expression: convert(node.argument, to, depth + 1) };
  const computed = node.computed ? convert(node.key, to, depth) : undefined;
  const key = computed === undefined ? keyOf(node.key, to) : (staticKey(computed) ?? computed);
  if (key === '__proto__') {
    const message = 'a record cannot have the key "__proto__": it would set the prototype';
    const keyPlace = { start: node.key.start + to.base, end: node.key.end + to.base };
    to.problems.push({ code: 'TOO3216', ...keyPlace, message, help: 'Use another key.' });
  }
  return { kind: 'entry', key, value: convert(node.value, to, depth) };
}
