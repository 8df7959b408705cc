/**
 * Walks an expression and gives its value.
 * 1. Every node costs one unit and one level of depth; the levels are given back, unless it fails, which is final.
 * 2. `rt.at` is the part to blame: set after the parts of a node have their values, right before something can fail.
 * 3. A step without a value makes its whole chain of members, indices and calls undefined, as if all were written
 *    with `?.`; what stands in the brackets of such a chain is not evaluated. This is the one difference from JavaScript.
 */
import { closest, didYouMean } from '../../text/index.ts';
import type {
  ArrowExpression,
  CallExpression,
  Expression,
  IndexExpression,
  LogicalExpression,
  MemberExpression,
  NameExpression,
  Pattern,
  RecordExpression,
  Spread,
  TemplateExpression,
} from '../expression.ts';
import { arrowDepth, maxDepth, spendText, tooDeep } from './budget.ts';
import { isTruthy, toKey, toText } from './convert.ts';
import { clip, fail } from './failure.ts';
import { globalNames, globalValue, hasGlobal, newDate, newRegExp } from './globals.ts';
import { literalRegExp } from './matching.ts';
import { binary, unary } from './operators.ts';
import { copyInto, iterate, ownKeys, ownValue } from './own.ts';
import { cannotRead, pathOf } from './path.ts';
import { notCallable, readProperty } from './property.ts';
import { describe, functionValue, isFunction, kindOf, newRecord, type Runtime } from './value.ts';

export interface Lookup {
  readonly found: boolean;
  readonly value?: unknown;
  /** Then a value that is undefined is a step that has none. */
  readonly isStep?: boolean;
}

export interface Walk extends Runtime {
  readonly lookup: (name: string) => Lookup;
}

/** The parameters of the arrows around a place, the innermost first. */
interface Scope {
  readonly name: string;
  readonly value: unknown;
  readonly outer: Scope | undefined;
}

/** A step without a value. It leaves a chain as undefined. */
const absent = Symbol('absent');
/** What `?.` found nothing behind: the rest of its chain is skipped. */
const skipped = Symbol('skipped');

export function compute(rt: Walk, node: Expression, scope?: Scope): unknown {
  const value = visit(rt, node, scope);
  return value === absent || value === skipped ? undefined : value;
}

function visit(rt: Walk, node: Expression, scope: Scope | undefined): unknown {
  rt.at = node;
  rt.budget.spend(1);
  if (++rt.depth > maxDepth) tooDeep('the expression and its calls nest');
  const value = visitKind(rt, node, scope);
  rt.depth--;
  return value;
}

function visitKind(rt: Walk, node: Expression, scope: Scope | undefined): unknown {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'name':
      return nameValue(rt, node, scope);
    case 'member':
    case 'index':
      return memberValue(rt, node, scope);
    case 'call':
      return callValue(rt, node, scope);
    case 'chain': {
      const value = visit(rt, node.expression, scope);
      return value === skipped ? undefined : value;
    }
    case 'binary': {
      const left = compute(rt, node.left, scope);
      const right = compute(rt, node.right, scope);
      rt.at = node;
      return binary(rt, node.op, left, right);
    }
    case 'logical':
      return logicalValue(rt, node, scope);
    case 'conditional':
      return compute(rt, isTruthy(compute(rt, node.test, scope)) ? node.then : node.else, scope);
    case 'unary': {
      const { operand } = node;
      if (node.op === 'typeof' && operand.kind === 'name' && !isKnown(rt, operand.name, scope)) return 'undefined';
      const value = compute(rt, operand, scope);
      rt.at = node;
      return unary(rt, node.op, value);
    }
    case 'template':
      return templateValue(rt, node, scope);
    case 'list':
      return listValue(rt, node.items, scope);
    case 'record':
      return recordValue(rt, node, scope);
    case 'arrow':
      return arrowValue(node, scope);
    case 'regexp':
      return literalRegExp(rt, node);
    case 'new': {
      const args = listValue(rt, node.args, scope);
      rt.at = node;
      return node.callee === 'Date' ? newDate(rt, args) : newRegExp(rt, args);
    }
    case 'sequence':
      return node.expressions.reduce((_: unknown, part) => compute(rt, part, scope), undefined);
  }
}

function nameValue(rt: Walk, node: NameExpression, scope: Scope | undefined): unknown {
  const inner = binding(rt, node.name, scope);
  if (inner) return inner.value;
  const outer = rt.lookup(node.name);
  if (outer.found) {
    if (outer.value === undefined && outer.isStep) return absent;
    // Fails for what is not data.
    kindOf(outer.value);
    return outer.value;
  }
  if (hasGlobal(node.name)) return globalValue(node.name);
  return fail('TOO6101', `unknown name "${clip(node.name)}".${didYouMean(closest(node.name, globalNames))}`);
}

function isKnown(rt: Walk, name: string, scope: Scope | undefined): boolean {
  return binding(rt, name, scope) !== undefined || rt.lookup(name).found || hasGlobal(name);
}

function binding(rt: Walk, name: string, scope: Scope | undefined): Scope | undefined {
  for (let at = scope; at !== undefined; at = at.outer) {
    if (at.name === name) return at;
    rt.budget.spend(0.1);
  }
  return undefined;
}

function memberValue(rt: Walk, node: MemberExpression | IndexExpression, scope: Scope | undefined): unknown {
  const object = visit(rt, node.object, scope);
  return object === absent || object === skipped ? object : readMember(rt, node, object, scope);
}

function readMember(
  rt: Walk,
  node: MemberExpression | IndexExpression,
  object: unknown,
  scope: Scope | undefined,
): unknown {
  const nothing = object === undefined || object === null;
  if (nothing && node.optional) return skipped;
  const index = node.kind === 'member' ? node.name : compute(rt, node.index, scope);
  if (nothing) {
    rt.at = node.object;
    return cannotRead(node, object, index);
  }
  rt.at = node;
  if (Array.isArray(object) && typeof index === 'number' && index >= 0 && index < object.length) {
    const item = object[index];
    if (item !== undefined) {
      kindOf(item);
      return item;
    }
  }
  return readProperty(object, toKey(rt, index));
}

function callValue(rt: Walk, node: CallExpression, scope: Scope | undefined): unknown {
  // `(a?.b)()` is a call of a method too, but nothing behind it is skipped.
  const grouped = node.callee.kind === 'chain';
  const callee = node.callee.kind === 'chain' ? node.callee.expression : node.callee;
  let self: unknown;
  let fn: unknown;
  if (callee.kind === 'member' || callee.kind === 'index') {
    self = visit(rt, callee.object, scope);
    fn = self === absent || self === skipped ? self : readMember(rt, callee, self, scope);
  } else {
    fn = visit(rt, callee, scope);
  }
  if (fn === absent || (fn === skipped && !grouped)) return fn;
  if (fn === skipped) fn = undefined;
  if (node.optional && (fn === undefined || fn === null)) return skipped;
  if (!isFunction(fn) || fn.invoke === undefined) {
    rt.at = node.callee;
    if (callee.kind === 'member') return fail('TOO6103', notCallable(self ?? newRecord(), callee.name));
    return fail('TOO6103', `${pathOf(callee) ?? describe(fn)} is not a function`);
  }
  const args = listValue(rt, node.args, scope);
  rt.at = node;
  return fn.invoke(rt, self, args);
}

function logicalValue(rt: Walk, node: LogicalExpression, scope: Scope | undefined): unknown {
  const left = compute(rt, node.left, scope);
  const goOn =
    node.op === '??' ? left === undefined || left === null : node.op === '&&' ? isTruthy(left) : !isTruthy(left);
  return goOn ? compute(rt, node.right, scope) : left;
}

function templateValue(rt: Walk, node: TemplateExpression, scope: Scope | undefined): string {
  const parts: string[] = [];
  let length = 0;
  node.texts.forEach((text, i) => {
    const expression = node.expressions[i];
    const value = expression && compute(rt, expression, scope);
    rt.at = expression ?? node;
    const filled = expression ? toText(rt, value) : '';
    length += text.length + filled.length;
    spendText(rt.budget, filled.length);
    parts.push(text, filled);
  });
  spendText(rt.budget, length);
  return parts.join('');
}

function listValue(rt: Walk, items: readonly (Expression | Spread | null)[], scope: Scope | undefined): unknown[] {
  const out: unknown[] = [];
  for (const item of items) {
    if (item === null) out.push(undefined);
    else if (item.kind === 'spread') {
      const value = compute(rt, item.expression, scope);
      rt.at = item;
      for (const part of iterate(rt, value, pathOf(item.expression) ?? describe(value))) out.push(part);
    } else out.push(compute(rt, item, scope));
  }
  return out;
}

function recordValue(rt: Walk, node: RecordExpression, scope: Scope | undefined): unknown {
  const out = newRecord();
  for (const entry of node.entries) {
    if (entry.kind === 'spread') {
      copyInto(rt, out, compute(rt, entry.expression, scope));
      continue;
    }
    const key = typeof entry.key === 'string' ? entry.key : toKey(rt, compute(rt, entry.key, scope));
    rt.budget.spend(4);
    out[key] = compute(rt, entry.value, scope);
  }
  return out;
}

function arrowValue(node: ArrowExpression, scope: Scope | undefined): unknown {
  return functionValue('=>', (rt, _, args) => {
    // Only the walk that made an arrow ever calls it: functions do not leave.
    const walk = rt as Walk;
    walk.depth += arrowDepth;
    let inner = scope;
    node.params.forEach((pattern, i) => {
      inner =
        pattern.kind === 'rest-pattern'
          ? bind(walk, pattern.pattern, args.slice(i), inner)
          : bind(walk, pattern, args[i], inner);
    });
    const value = compute(walk, node.body, inner);
    walk.depth -= arrowDepth;
    return value;
  });
}

function bind(rt: Walk, pattern: Pattern, value: unknown, scope: Scope | undefined): Scope | undefined {
  rt.budget.spend(1);
  rt.at = pattern;
  switch (pattern.kind) {
    case 'name-pattern':
      return { name: pattern.name, value, outer: scope };
    case 'default-pattern':
      return bind(rt, pattern.pattern, value === undefined ? compute(rt, pattern.value, scope) : value, scope);
    case 'rest-pattern':
      return bind(rt, pattern.pattern, value, scope);
    case 'list-pattern': {
      const items = iterate(rt, value, describe(value));
      return pattern.items.reduce((inner: Scope | undefined, item, i) => {
        if (item === null) return inner;
        return bind(rt, item, item.kind === 'rest-pattern' ? items.slice(i) : items[i], inner);
      }, scope);
    }
    case 'record-pattern': {
      if (value === undefined || value === null) {
        return fail(
          'TOO6102',
          `cannot take ${describe(value)} apart`,
          'Write "({ … } = {}) => …" if it may be missing.',
        );
      }
      let inner = scope;
      for (const entry of pattern.entries) {
        rt.at = entry.value;
        inner = bind(rt, entry.value, readProperty(value, entry.key), inner);
      }
      if (pattern.rest === undefined) return inner;
      const taken = new Set(pattern.entries.map((entry) => entry.key));
      const rest = newRecord();
      for (const key of ownKeys(rt, value)) if (!taken.has(key)) rest[key] = ownValue(value, key);
      return { name: pattern.rest, value: rest, outer: inner };
    }
  }
}
