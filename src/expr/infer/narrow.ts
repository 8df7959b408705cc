/** What a condition tells of the values in it: `a && a.b`, `typeof a === "string"`, `a != null`. */
import type { Expression } from '../expression.ts';
import { bindingFor, type Context, type Fact, type Facts, type Inferred, keyOf } from './context.ts';
import { findMember, itemAt } from './member.ts';
import { uniteAll } from './unite.ts';
import {
  anyValue,
  isNullish,
  keep,
  literalValue,
  neverValue,
  type RecordValue,
  type ValueType,
  withoutNullish,
} from './value-type.ts';

export interface Path {
  readonly root: number;
  readonly segments: readonly string[];
  /** Without facts. */
  readonly type: ValueType;
  readonly absent: boolean;
}

type Change = (type: ValueType) => ValueType;

const mostSegments = 8;
const mostFacts = 64;
export const noFacts: Facts = { yes: [], no: [] };

/** A name with its members, when it is one: only those can be known better by a condition. */
export function pathOf(expression: Expression, context: Context, left = 2 * mostSegments): Path | undefined {
  if (left === 0) return undefined;
  switch (expression.kind) {
    case 'chain':
      return pathOf(expression.expression, context, left - 1);
    case 'name': {
      const binding = bindingFor(expression.name, context);
      if (binding === undefined) return undefined;
      const { root, segments, type, absent } = binding;
      return known({ root, segments, type, absent }, context);
    }
    case 'member':
      return inside(pathOf(expression.object, context, left - 1), expression.name, context);
    case 'index': {
      const { index } = expression;
      if (index.kind !== 'literal') return undefined;
      return inside(pathOf(expression.object, context, left - 1), String(index.value), context);
    }
    default:
      return undefined;
  }
}

/** The fact in force for a path. */
export function factAt(expression: Expression, context: Context): Fact | undefined {
  if (context.facts.size === 0) return undefined;
  const path = pathOf(expression, context);
  return path && context.facts.get(keyOf(path.root, path.segments));
}

/** What is known when an expression is truthy, and when it is falsy. */
export function factsOf(expression: Expression, inferred: Inferred, context: Context): Facts {
  if (inferred.facts !== undefined) return inferred.facts();
  return {
    yes: [...presence(expression, context), ...about(expression, truthy, true, context)],
    no: about(expression, falsy, false, context),
  };
}

/** That an expression is what `change` leaves of it; `present`: it has a value then. */
export function about(expression: Expression, change: Change, present: boolean, context: Context): Fact[] {
  const path = pathOf(expression, context);
  if (path === undefined) return [];
  return [{ root: path.root, segments: path.segments, type: change(path.type), absent: path.absent && !present }];
}

/** When `a?.b.c()` has a value, so has `a`. */
export function presence(expression: Expression, context: Context): Fact[] {
  const facts: Fact[] = [];
  let next: Expression = expression;
  for (;;) {
    if (next.kind === 'chain') next = next.expression;
    else if (next.kind === 'call') next = next.callee;
    else if (next.kind === 'member' || next.kind === 'index') {
      next = next.object;
      if (facts.length < mostSegments) facts.push(...about(next, withoutNullish, true, context));
    } else return facts.reverse();
  }
}

export function both(a: readonly Fact[], b: readonly Fact[]): readonly Fact[] {
  if (a.length === 0) return b;
  return b.length === 0 ? a : [...a, ...b].slice(-mostFacts);
}

/** What is known when one of several holds: only what all of them tell. */
export function either(sides: readonly (readonly Fact[])[]): Fact[] {
  const [first, ...others] = sides.map(
    (facts) => new Map(facts.map((fact) => [keyOf(fact.root, fact.segments), fact] as const)),
  );
  if (first === undefined || sides.length > mostFacts) return [];
  return [...first].flatMap(([key, fact]) => {
    const facts = others.map((other) => other.get(key));
    if (facts.includes(undefined)) return [];
    return [
      {
        ...fact,
        type: uniteAll([fact.type, ...facts.map((other) => other?.type ?? anyValue)]),
        absent: fact.absent || facts.some((other) => other?.absent),
      },
    ];
  });
}

/** A type with what facts tell of the paths that begin at `root`. */
export function refine(type: ValueType, facts: readonly Fact[], root: number): ValueType {
  let refined = type;
  for (const fact of facts) if (fact.root === root) refined = put(refined, fact.segments, 0, fact.type);
  return refined;
}

export function truthy(type: ValueType): ValueType {
  const kept = keep(type, (member) => !isNullish(member));
  return mapLiteral(kept, (value) => value !== '');
}

export function falsy(type: ValueType): ValueType {
  const kept = keep(type, (member) => !solid.has(member.kind));
  return mapLiteral(kept, (value) => value === '');
}

/** What a value is that equals one text, or does not. */
export function equalTo(value: string): Change {
  return (type) => {
    const kept = mapLiteral(
      keep(type, ({ kind }) => kind === 'string' || kind === 'literal' || kind === 'any'),
      (literal) => literal === value,
    );
    return kept.kind === 'string' ? literalValue(value) : kept;
  };
}

export function otherThan(value: string): Change {
  return (type) => mapLiteral(type, (literal) => literal !== value);
}

/** What a value is whose `typeof` is the word, or is not. */
export function ofTypeof(word: string, is: boolean): Change {
  return (type) => {
    if (type.kind === 'any') return is ? (typed.get(word) ?? anyValue) : type;
    return keep(type, (member) => (typeofKind(member) === word) === is);
  };
}

const typed: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ['string', { kind: 'string' }],
  ['number', { kind: 'number' }],
  ['boolean', { kind: 'boolean' }],
  ['undefined', { kind: 'undefined' }],
]);

export function typeofKind(type: ValueType): string | undefined {
  switch (type.kind) {
    case 'literal':
      return 'string';
    case 'array':
    case 'record':
    case 'date':
    case 'regexp':
    case 'null':
      return 'object';
    case 'any':
    case 'never':
    case 'union':
      return undefined;
    case 'function':
      return type.call === undefined && type.name !== undefined ? 'object' : 'function';
    default:
      return type.kind;
  }
}

const solid = new Set(['array', 'record', 'date', 'regexp', 'function']);

function mapLiteral(type: ValueType, test: (value: string) => boolean): ValueType {
  const change = (member: ValueType): ValueType => {
    if (member.kind !== 'literal') return member;
    const values = member.values.filter(test);
    if (values.length === member.values.length) return member;
    return values.length === 0 ? neverValue : { kind: 'literal', values };
  };
  return type.kind === 'union' ? uniteAll(type.members.map(change)) : change(type);
}

function inside(object: Path | undefined, name: string, context: Context): Path | undefined {
  if (object === undefined || object.segments.length >= mostSegments) return undefined;
  const at = Number(name);
  const type = Number.isNaN(at) ? (findMember(object.type, name).type ?? anyValue) : itemAt(object.type, at);
  return known({ root: object.root, segments: [...object.segments, name], type, absent: object.absent }, context);
}

function known(path: Path, context: Context): Path {
  const fact = context.facts.get(keyOf(path.root, path.segments));
  return fact ? { ...path, type: fact.type, absent: fact.absent } : path;
}

function put(type: ValueType, segments: readonly string[], at: number, value: ValueType): ValueType {
  const name = segments[at];
  if (name === undefined) return value;
  if (type.kind !== 'record') return type;
  const field = type.fields.get(name);
  if (field === undefined) return type;
  const inner = put(field.type, segments, at + 1, value);
  const optional = field.optional && at + 1 < segments.length;
  const record: RecordValue = { ...type, fields: new Map(type.fields).set(name, { type: inner, optional }) };
  return record;
}
