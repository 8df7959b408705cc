/** Arrow functions: their parameters, taken apart as written, and what they give. */

import { didYouMean } from '../../text/index.ts';
import type { ArrowExpression, Pattern } from '../expression.ts';
import { bind, type Context, type Fact, leave, report, whole } from './context.ts';
import { findMember } from './member.ts';
import { mayBe } from './missing.ts';
import { factsOf } from './narrow.ts';
import { printValueType } from './print-value-type.ts';
import { unite, uniteAll } from './unite.ts';
import {
  anyValue,
  listOf,
  mayBeNullish,
  membersOf,
  stringValue,
  undefinedValue,
  type ValueType,
  withoutNullish,
  withoutUndefined,
} from './value-type.ts';
import { fieldNames, list, suggest } from './words.ts';

export interface InferredArrow {
  readonly returns: ValueType;
  /** What is known of the first parameter when the arrow gives true. */
  readonly yes: readonly Fact[];
  readonly root: number;
}

interface Place {
  readonly root: number;
  readonly segments: readonly string[];
}

/** `beyond`: what a parameter gets that comes after `types`. */
export function inferArrow(
  arrow: ArrowExpression,
  types: readonly ValueType[],
  beyond: ValueType,
  context: Context,
): InferredArrow {
  const mark = context.undo.length;
  const first = context.roots;
  arrow.params.forEach((param, i) => {
    const place = { root: context.roots++, segments: [] };
    if (param.kind === 'rest-pattern') {
      const rest = types.slice(i);
      bindPattern(param.pattern, listOf(beyond.kind === 'any' ? anyValue : uniteAll(rest)), place, context);
    } else bindPattern(param, types[i] ?? beyond, place, context);
  });
  const body = context.infer(arrow.body);
  const { yes } = factsOf(arrow.body, body, context);
  leave(context, mark);
  return { returns: whole(body), yes, root: first };
}

function bindPattern(pattern: Pattern, type: ValueType, place: Place, context: Context): void {
  switch (pattern.kind) {
    case 'name-pattern':
      bind(context, pattern.name, { type, absent: false, what: 'parameter' }, place);
      return;
    case 'default-pattern': {
      const value = context.infer(pattern.value);
      bindPattern(pattern.pattern, unite(withoutUndefined(type), value.type), fresh(context), context);
      return;
    }
    case 'rest-pattern':
      bindPattern(pattern.pattern, type, fresh(context), context);
      return;
    case 'list-pattern': {
      const parts = listParts(pattern, present(pattern, type, context), context);
      pattern.items.forEach((item, i) => {
        if (item === null) return;
        if (item.kind === 'rest-pattern') bindPattern(item, listOf(parts.rest), fresh(context), context);
        else bindPattern(item, parts.at(i), { root: place.root, segments: [...place.segments, String(i)] }, context);
      });
      return;
    }
    case 'record-pattern': {
      const value = present(pattern, type, context);
      for (const entry of pattern.entries) {
        const inner = { root: place.root, segments: [...place.segments, entry.key] };
        bindPattern(entry.value, fieldOf(entry.key, entry.value, value, context), inner, context);
      }
      if (pattern.rest !== undefined) {
        bind(context, pattern.rest, { type: anyValue, absent: false, what: 'parameter' });
      }
    }
  }
}

function fresh(context: Context): Place {
  return { root: context.roots++, segments: [] };
}

function present(pattern: Pattern, type: ValueType, context: Context): ValueType {
  if (!mayBeNullish(type)) return type;
  report(context, {
    code: 'TOO3254',
    start: pattern.start,
    end: pattern.end,
    message: `the parameter ${mayBe(type)}, and taking it apart would fail`,
    help: 'Give it a name, and read its fields with "?.".',
  });
  return withoutNullish(type);
}

function listParts(
  pattern: Pattern,
  type: ValueType,
  context: Context,
): { readonly at: (i: number) => ValueType; readonly rest: ValueType } {
  const wrong = membersOf(type).filter((member) => !['array', 'string', 'literal', 'any'].includes(member.kind));
  if (wrong.length > 0) {
    report(context, {
      code: 'TOO3262',
      start: pattern.start,
      end: pattern.end,
      message: `the parameter is ${printValueType(type)}, which is no list to take apart`,
      ...(wrong.some(({ kind }) => kind === 'record') && { help: 'Take a record apart with "({ name }) => …".' }),
    });
    return { at: () => anyValue, rest: anyValue };
  }
  if (type.kind === 'array') {
    // That a list is too short is found out when it runs.
    return { at: (i) => type.tuple?.[i] ?? (type.tuple ? undefinedValue : type.item), rest: type.item };
  }
  const item = type.kind === 'string' || type.kind === 'literal' ? stringValue : anyValue;
  return { at: () => item, rest: item };
}

function fieldOf(key: string, pattern: Pattern, type: ValueType, context: Context): ValueType {
  const found = findMember(type, key).type;
  if (found !== undefined) return found;
  const target = pattern.kind === 'default-pattern' ? pattern.pattern : pattern;
  const names = () => fieldNames(membersOf(type));
  const meant = suggest(key, names(), context);
  const shown = list(names());
  const short = target.kind === 'name-pattern' && target.name === key;
  report(context, {
    code: shown !== '' ? 'TOO3252' : 'TOO3253',
    start: target.start,
    end: target.end,
    message:
      shown !== ''
        ? `the parameter has no field "${key}"; it has ${shown}${meant === undefined ? '' : `.${didYouMean(meant)}`}`
        : `the parameter is ${printValueType(type)}, which has no "${key}"`,
    ...(short && meant !== undefined && { replacement: `${meant}: ${key}` }),
  });
  return anyValue;
}
