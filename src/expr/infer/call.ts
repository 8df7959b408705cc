/** Calls: what is called, whether the arguments fit, what comes back. */
import type { ArrowExpression, CallExpression, Expression, NewExpression, Spread } from '../expression.ts';
import { wrongArgument } from './argument.ts';
import { inferArrow } from './arrow.ts';
import { type Context, type Inferred, pass, report, whole } from './context.ts';
import { itemOf } from './member.ts';
import { callThrough } from './missing.ts';
import { about, noFacts, presence, truthy } from './narrow.ts';
import { printValueType } from './print-value-type.ts';
import { stopped } from './read.ts';
import { type Argument, resultOf, sourceItem, widen } from './result.ts';
import { isCallback, readSignature, type Signature, type Want } from './signature.ts';
import { spreadItem } from './spread.ts';
import { sameType, unite, uniteAll } from './unite.ts';
import {
  anyValue,
  dateValue,
  type FunctionValue,
  functionValue,
  keep,
  listOf,
  mayBeNullish,
  membersOf,
  numberValue,
  regexpValue,
  stringValue,
  undefinedValue,
  type ValueType,
  withoutNullish,
} from './value-type.ts';
import { subject } from './words.ts';

type Args = readonly (Expression | Spread)[];

const news: Readonly<Record<NewExpression['callee'], Signature>> = {
  Date: readSignature('Date', 'any?, number?, number?, number?, number?, number?, number?', 'date'),
  RegExp: readSignature('RegExp', 'pattern, string?', 'regexp'),
};

export function inferCall(node: CallExpression, context: Context): Inferred {
  const callee = context.infer(node.callee, true);
  const { absent } = callee;
  let { type } = callee;
  let short = callee.short ?? false;
  if (node.optional) {
    short ||= mayBeNullish(type);
    type = withoutNullish(type);
  } else type = callThrough(node.callee, type, context);
  if (stopped(pass(type, absent, short))) {
    inferArguments(node.args, undefined, anyValue, context);
    return pass(type, absent, short);
  }
  if (type.kind === 'function' && type.call !== undefined) {
    const given = callOne(node, type.call, type.self ?? anyValue, context);
    const facts = testing(node, context);
    return facts === undefined ? pass(given, absent, short) : { ...pass(given, absent, short), facts };
  }
  const called = membersOf(type);
  const functions = called.filter((member): member is FunctionValue => member.kind === 'function');
  const wrong = called.filter(({ kind }) => kind !== 'function' && kind !== 'any');
  const dead = functions.find((member) => member.call === undefined && member.name !== undefined);
  if (wrong.length > 0 || dead) notCallable(node, dead ?? type, context);
  const [only] = functions;
  if (only?.call === undefined || functions.length !== called.length || wrong.length > 0) {
    inferArguments(node.args, undefined, anyValue, context);
    return pass(anyValue, absent, short);
  }
  // Of several functions it is not said which one is called, so nothing is said of the arguments.
  const args = inferArguments(node.args, undefined, only.self ?? anyValue, context);
  const result = uniteAll(
    functions.map((member) =>
      member.call === undefined ? anyValue : resultOf({ call: member.call, self: member.self ?? anyValue, args }),
    ),
  );
  return pass(result, absent, short);
}

function callOne(node: CallExpression, call: Signature, self: ValueType, context: Context): ValueType {
  const args = inferArguments(node.args, call, self, context);
  checkCount(node, call, context);
  checkArguments(node.args, args, call, self, context);
  return resultOf({ call, self, args });
}

export function inferNew(node: NewExpression, context: Context): Inferred {
  const call = news[node.callee];
  const args = inferArguments(node.args, call, anyValue, context);
  checkCount(node, call, context);
  checkArguments(node.args, args, call, anyValue, context);
  return { type: node.callee === 'Date' ? dateValue : regexpValue };
}

function notCallable(node: CallExpression, type: ValueType, context: Context): void {
  const { callee } = node;
  const { start, end } = callee;
  const what = type.kind === 'function' ? 'a name for its members' : printValueType(type);
  report(context, {
    code: 'TOO3255',
    start: callee.kind === 'member' ? callee.nameStart : start,
    end,
    message: `${subject(callee, context)} is ${what}, not a function`,
    ...(type.kind !== 'function' && { help: 'Leave out the parentheses to read it.' }),
  });
}

function inferArguments(args: Args, call: Signature | undefined, self: ValueType, context: Context): Argument[] {
  if (args.length === 0) return [];
  const wants = args.map((_, i) => call?.params[i]?.want ?? call?.rest);
  // A spread moves all that comes after it.
  const spread = args.findIndex((arg) => arg.kind === 'spread');
  if (spread >= 0) wants.fill(undefined, spread);
  const found: (Argument | undefined)[] = args.map((arg) => {
    if (arg.kind === 'arrow') return undefined;
    if (arg.kind === 'spread') return { type: spreadItem(arg, context), spread: true };
    return { type: whole(context.infer(arg)), spread: false };
  });
  return args.map((arg, i) => {
    const want = wants[i];
    const done = found[i];
    const types = want && callbackTypes(want, self, found);
    if (done !== undefined) return types ? { ...done, returns: returnsOf(done.type, types) } : done;
    return arrowArgument(arg as ArrowExpression, want, types, context);
  });
}

function arrowArgument(
  arrow: ArrowExpression,
  want: Want | undefined,
  types: readonly ValueType[] | undefined,
  context: Context,
): Argument {
  const beyond = types !== undefined && want !== 'replacer' ? undefinedValue : anyValue;
  if (want === 'fold' && types !== undefined)
    return { type: functionValue, spread: false, returns: folded(arrow, types, context) };
  const { returns, yes, root } = inferArrow(arrow, types ?? [], beyond, context);
  return { type: functionValue, spread: false, returns, ...(want === 'each' && { facts: { yes, root } }) };
}

/** What is gathered starts as one type, and may be what the function gives from the second round on. */
function folded(arrow: ArrowExpression, types: readonly ValueType[], context: Context): ValueType {
  const [start = anyValue, ...others] = types;
  const outermost = !context.folding;
  context.folding = true;
  const { returns } = inferArrow(arrow, types, undefinedValue, context);
  const later = unite(start, returns);
  const again = outermost && !sameType(later, start);
  const result = again
    ? unite(returns, inferArrow(arrow, [later, ...others], undefinedValue, context).returns)
    : returns;
  if (outermost) context.folding = false;
  return result;
}

/** What the parameters of a function are that is given where `want` is wanted. */
function callbackTypes(
  want: Want,
  self: ValueType,
  args: readonly (Argument | undefined)[],
): readonly ValueType[] | undefined {
  const item = () => (self.kind === 'any' ? anyValue : itemOf(self));
  switch (want) {
    case 'each':
      return [item(), numberValue, listOf(item())];
    case 'fold':
      return [widen(args.length > 1 ? (args[1]?.type ?? anyValue) : item()), item(), numberValue, listOf(item())];
    case 'order':
      return [item(), item()];
    case 'make':
      return [args[0] === undefined || args[0].spread ? anyValue : sourceItem(args[0].type), numberValue];
    case 'replacer':
      return [stringValue];
    default:
      return undefined;
  }
}

/** What a function gives that was named and not written: `map(String)`. */
function returnsOf(type: ValueType, types: readonly ValueType[]): ValueType {
  const args = types.map((arg) => ({ type: arg, spread: false }));
  return uniteAll(
    membersOf(type).map((member) =>
      member.kind === 'function' && member.call
        ? resultOf({ call: member.call, self: member.self ?? anyValue, args })
        : anyValue,
    ),
  );
}

function checkCount(node: CallExpression | NewExpression, call: Signature, context: Context): void {
  const { args } = node;
  if (args.some((arg) => arg.kind === 'spread')) return;
  const needed = call.params.filter((param) => !param.optional).length;
  const most = call.rest === undefined ? call.params.length : Number.POSITIVE_INFINITY;
  if (args.length >= needed && args.length <= most) return;
  const few = args.length < needed;
  const first = args[most];
  const last = args.at(-1);
  const count = few ? needed : most;
  const name = node.kind === 'new' ? `new ${node.callee}` : subject(node.callee, context);
  report(context, {
    code: 'TOO3256',
    start: few || first === undefined ? node.start : first.start,
    end: few || last === undefined ? node.end : last.end,
    message: `${name} takes ${few && most > needed ? 'at least ' : !few && needed < most ? 'at most ' : ''}${
      count === 0 ? 'no arguments' : count === 1 ? 'one argument' : `${count} arguments`
    }, and gets ${args.length === 0 ? 'none' : args.length}`,
  });
}

function checkArguments(
  nodes: Args,
  args: readonly Argument[],
  call: Signature,
  self: ValueType,
  context: Context,
): void {
  for (const [i, node] of nodes.entries()) {
    const param = call.params[i];
    const want = param?.want ?? call.rest;
    const arg = args[i];
    if (want === undefined || arg === undefined) return;
    if (node.kind === 'spread') {
      // Of the items of a list only what all must be can be said.
      return;
    }
    if (node.kind === 'arrow' && (isCallback(want) || want === 'replacer' || want === 'any')) continue;
    wrongArgument({ node, type: arg.type, want, optional: param?.optional ?? true, name: call.name, self }, context);
  }
}

/** `Boolean(x)` and `Array.isArray(x)` tell what `x` is, and any call that its path is there. */
function testing(node: CallExpression, context: Context): Inferred['facts'] {
  const [arg] = node.args;
  const { callee } = node;
  if (arg === undefined || arg.kind === 'spread' || node.args.length !== 1) return undefined;
  if (callee.kind === 'name' && callee.name === 'Boolean' && !context.names.has('Boolean')) {
    return () => ({ yes: [...presence(arg, context), ...about(arg, truthy, true, context)], no: noFacts.no });
  }
  if (callee.kind !== 'member' || callee.name !== 'isArray' || callee.object.kind !== 'name') return undefined;
  if (callee.object.name !== 'Array' || context.names.has('Array')) return undefined;
  const isList = (type: ValueType) =>
    type.kind === 'any' ? listOf(anyValue) : keep(type, ({ kind }) => kind === 'array');
  const noList = (type: ValueType) => keep(type, ({ kind }) => kind !== 'array');
  return () => ({
    yes: [...presence(arg, context), ...about(arg, isList, true, context)],
    no: about(arg, noList, false, context),
  });
}
