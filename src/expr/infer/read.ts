/** Names, members and items. */
import { didYouMean } from '../../text/index.ts';
import type { Expression, IndexExpression, MemberExpression, NameExpression } from '../expression.ts';
import { hyphenWordAt } from '../hyphen-names.ts';
import { leftOutMethods, leftOutStatics } from '../left-out.ts';
import { bindingFor, type Context, type Inferred, pass, report } from './context.ts';
import { findMember, itemAt, itemOf } from './member.ts';
import { readThrough } from './missing.ts';
import { factAt } from './narrow.ts';
import { printValueType } from './print-value-type.ts';
import { globals, membersOfKind, ownersOf } from './signatures.ts';
import { uniteAll } from './unite.ts';
import {
  anyValue,
  mayBeNullish,
  membersOf,
  numberValue,
  undefinedValue,
  type ValueType,
  withoutNullish,
} from './value-type.ts';
import { clip, fieldNames, fieldSomewhere, hyphenated, knownNames, list, quote, subject, suggest } from './words.ts';

const constants: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ['undefined', undefinedValue],
  ['NaN', numberValue],
  ['Infinity', numberValue],
]);

export function inferName(node: NameExpression, context: Context): Inferred {
  // What was refused when it was parsed.
  if (node.name === '') return { type: anyValue };
  const binding = bindingFor(node.name, context);
  if (binding !== undefined) {
    const { type, absent } = factAt(node, context) ?? binding;
    return pass(type, absent, false);
  }
  const type = globals.get(node.name) ?? constants.get(node.name);
  if (type !== undefined) return { type };
  unknownName(node, context);
  return { type: anyValue };
}

export function inferMember(node: MemberExpression, callee: boolean, context: Context): Inferred {
  const owner = context.infer(node.object);
  // As most are: a field that the record has.
  if (owner.type.kind === 'record' && context.facts.size === 0) {
    const field = owner.type.fields.get(node.name);
    if (field && !field.optional) return pass(field.type, owner.absent, owner.short);
  }
  const object = reach(node, owner, context);
  if (stopped(object)) return object;
  const fact = factAt(node, context);
  const found = findMember(object.type, node.name);
  if (found.type === undefined) {
    unknownMember(node, node.name, { start: node.nameStart, end: node.end }, object.type, context);
    return { ...object, type: anyValue };
  }
  if (callee && found.without.length > 0) {
    unknownMember(
      node,
      node.name,
      { start: node.nameStart, end: node.end },
      uniteAll(found.without),
      context,
      'may be',
    );
    return { ...object, type: anyValue };
  }
  return known(object, found.type, fact);
}

export function inferIndex(node: IndexExpression, context: Context): Inferred {
  const object = reach(node, context.infer(node.object), context);
  const index = context.infer(node.index);
  if (stopped(object)) return object;
  const { type } = index;
  const name = node.index.kind === 'literal' ? String(node.index.value) : undefined;
  if (
    name !== undefined &&
    (Number.isNaN(Number(name)) || !membersOf(object.type).some(({ kind }) => listed.has(kind)))
  ) {
    const found = findMember(object.type, name);
    if (found.type === undefined) {
      unknownMember(node, name, node.index, object.type, context);
      return { ...object, type: anyValue };
    }
    return known(object, found.type, factAt(node, context));
  }
  if (membersOf(type).length > 0 && membersOf(type).every(({ kind }) => noIndex.has(kind))) {
    report(context, {
      code: 'TOO3257',
      start: node.index.start,
      end: node.index.end,
      message: `an index is a number or a text, and ${subject(node.index, context)} is ${printValueType(type)}`,
    });
    return { ...object, type: anyValue };
  }
  return known(object, item(object.type, node.index, type), factAt(node, context));
}

const listed = new Set(['array', 'string', 'literal']);
const plain = new Set(['number', 'boolean', 'date', 'regexp']);
const noIndex = new Set(['record', 'array', 'function', 'regexp']);

function item(object: ValueType, index: Expression, type: ValueType): ValueType {
  if (index.kind === 'literal' && !Number.isNaN(Number(index.value))) return itemAt(object, Number(index.value));
  return uniteAll(
    membersOf(object).map((member) => {
      if (member.kind === 'array' || member.kind === 'string' || member.kind === 'literal') {
        return membersOf(type).every(({ kind }) => kind === 'number') ? itemOf(member) : anyValue;
      }
      if (plain.has(member.kind)) return undefinedValue;
      if (member.kind !== 'record' || type.kind !== 'literal') return anyValue;
      return uniteAll(type.values.map((name) => findMember(member, name).type ?? undefinedValue));
    }),
  );
}

/** Nothing is read: `?.` finds nothing behind it, or a step is known to have no value here. */
export function stopped({ type, absent, short }: Inferred): boolean {
  return type.kind === 'never' && (absent === true || short === true);
}

/** The object of a member, with `?.` and values that may be missing dealt with; `never` if `?.` always stops. */
function reach(node: MemberExpression | IndexExpression, owner: Inferred, context: Context): Inferred {
  const { type, absent, short } = owner;
  const stops = short || (node.optional && mayBeNullish(type));
  return pass(node.optional ? withoutNullish(type) : readThrough(node, type, context), absent, stops);
}

function known(
  object: Inferred,
  type: ValueType,
  fact: { readonly type: ValueType; readonly absent: boolean } | undefined,
): Inferred {
  return fact === undefined ? pass(type, object.absent, object.short) : pass(fact.type, fact.absent, object.short);
}

function unknownName(node: NameExpression, context: Context): void {
  if (context.told.has(node.start)) return;
  const whole = context.text === undefined ? undefined : hyphenWordAt(context.text, node.start);
  if (whole !== undefined) {
    // The other parts of a word that was reported whole.
    if (context.told.has(whole.start)) return;
    context.words.push(whole);
    const meant = suggest(whole.word, hyphenated(context), context);
    if (meant !== undefined) {
      context.told.add(whole.start);
      unknown(whole.word, whole.start, whole.end, meant, context);
      return;
    }
  }
  const meant = suggest(node.name, knownNames(context), context) ?? fieldSomewhere(node.name, context);
  unknown(node.name, node.start, node.end, meant, context);
}

function unknown(name: string, start: number, end: number, meant: string | undefined, context: Context): void {
  report(context, {
    code: 'TOO3251',
    start,
    end,
    message: `unknown name "${clip(name)}"${meant === undefined ? '' : `.${didYouMean(meant)}`}`,
    ...(meant === undefined &&
      !context.scope.keys().next().done && { help: `The names here are ${list(context.scope.keys())}.` }),
    ...(meant !== undefined && { replacement: meant }),
  });
}

function unknownMember(
  node: MemberExpression | IndexExpression,
  name: string,
  at: { readonly start: number; readonly end: number },
  type: ValueType,
  context: Context,
  is = 'is',
): void {
  const what = subject(node.object, context);
  const members = membersOf(type);
  const written = (meant: string) => (node.kind === 'index' ? quote(meant, node.index, context) : meant);
  if (members.every(({ kind }) => kind === 'record')) {
    if (node.kind === 'member' && hyphenField(node, members, context)) return;
    const meant = suggest(name, fieldNames(members), context);
    const fields = list(fieldNames(members));
    const has = fields === '' ? 'it has none' : `it has ${fields}`;
    report(context, {
      code: 'TOO3252',
      ...span(at),
      message: `${what} has no field "${clip(name)}"; ${has}${meant === undefined ? '' : `.${didYouMean(meant)}`}`,
      ...(meant !== undefined && { replacement: written(meant) }),
    });
    return;
  }
  const reason = leftOut(type, name);
  const meant = reason !== undefined ? undefined : suggest(name, memberNames(members), context);
  const global = node.object.kind === 'name' && type.kind === 'function';
  const owners = ownersOf(name);
  const item = members.length === 1 && type.kind === 'array' ? type.item : undefined;
  const inItems = item?.kind === 'record' && item.fields.has(name);
  const help =
    reason !== undefined
      ? `It is left out: ${reason}.`
      : inItems
        ? `Its items have it: write "[0].${name}" for the first, or ".map(item => item.${name})" for all.`
        : owners.length > 0 && meant === undefined
          ? `Only ${owners.join(' and ')} have "${name}".`
          : undefined;
  report(context, {
    code: 'TOO3253',
    ...span(at),
    message: `${global ? what : `${what} ${is} ${printValueType(type)}, which`} has no "${clip(name)}"${
      meant === undefined ? '' : `.${didYouMean(meant)}`
    }`,
    ...(help !== undefined && { help }),
    ...(meant !== undefined && { replacement: written(meant) }),
  });
}

/** `input.x-y` where the record has a field "x-y": reads as a subtraction, and is told once for the whole word. */
function hyphenField(node: MemberExpression, members: readonly ValueType[], context: Context): boolean {
  const { text } = context;
  if (text?.[node.end] !== '-') return false;
  const [word = ''] = /^[\p{ID_Continue}$-]+/u.exec(text.slice(node.nameStart, node.nameStart + 256)) ?? [];
  const fields = new Set(fieldNames(members));
  let field = word;
  while (field.includes('-') && !fields.has(field)) field = field.slice(0, field.lastIndexOf('-'));
  if (!field.includes('-')) return false;
  const end = node.nameStart + field.length;
  for (let at = node.end; at < end; at++) if (text[at] === '-') context.told.add(at + 1);
  context.words.push({ start: node.start, end });
  const right = `['${field}']`;
  report(context, {
    code: 'TOO3252',
    start: node.object.end,
    end,
    message: `"-" is a minus here: a field with a hyphen is read as ${right}`,
    replacement: node.optional ? `?.${right}` : right,
  });
  return true;
}

function* memberNames(members: readonly ValueType[]): Iterable<string> {
  for (const member of members) yield* membersOfKind(member).keys();
  yield* fieldNames(members);
}

function leftOut(type: ValueType, name: string): string | undefined {
  const reasons =
    type.kind === 'function' && type.name !== undefined
      ? leftOutStatics[type.name]
      : type.kind === 'regexp'
        ? leftOutMethods.regexp
        : type.kind === 'string' || type.kind === 'literal'
          ? leftOutMethods.string
          : undefined;
  return reasons !== undefined && Object.hasOwn(reasons, name) ? reasons[name] : undefined;
}

function span({ start, end }: { readonly start: number; readonly end: number }) {
  return { start, end };
}
