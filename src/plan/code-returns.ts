/** What inline code returns, as far as it is written out, against the output of its step. */
import { printValueType, type ValueType } from '../expr/index.ts';
import { didYouMean } from '../text/index.ts';
import type { CodeField, CodeValue, ReadCode } from './code/index.ts';
import type { DraftText } from './draft.ts';
import type { Reports } from './reports.ts';
import { someOf, suggest } from './suggest.ts';
import { fixOf, markOf } from './texts.ts';

export function checkReturns(draft: DraftText, read: ReadCode, output: ValueType | undefined, reports: Reports): void {
  if (output === undefined) return;
  const context = { draft, reports, told: new Set(read.problems.map(({ start }) => start)) };
  const todo: Todo[] = [];
  for (const { values } of read.returns) {
    // Without a value is no matter of its type.
    for (const value of values) if (value.kind !== 'null') todo.push({ value, type: output, path: '' });
  }
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) check(next, context, todo);
}

interface Todo {
  readonly value: CodeValue;
  readonly type: ValueType;
  readonly path: string;
}

interface Context {
  readonly draft: DraftText;
  readonly reports: Reports;
  /** Where something was said of the code already. */
  readonly told: ReadonlySet<number>;
}

function check({ value, type, path }: Todo, context: Context, todo: Todo[]): void {
  if (type.kind === 'record' && value.kind === 'object') checkFields(value, type, path, context, todo);
  else if (type.kind === 'array' && value.kind === 'array') {
    for (const item of value.items) todo.push({ value: item, type: type.item, path: `${path}[]` });
  } else if (!fits(value, type)) tellKind(value, type, path, context);
}

function fits(value: CodeValue, type: ValueType): boolean {
  switch (type.kind) {
    case 'string':
      return value.kind === 'text';
    case 'literal':
      return value.kind === 'text' && (value.text === undefined || type.values.includes(value.text));
    case 'number':
    case 'boolean':
      return value.kind === type.kind;
    case 'array':
    case 'record':
      return false;
    default:
      return true;
  }
}

const words: Readonly<Record<CodeValue['kind'], string>> = {
  object: 'an object',
  array: 'a list',
  text: 'a text',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
  function: 'a function',
};

function tellKind(value: CodeValue, type: ValueType, path: string, { draft, reports }: Context): void {
  const what = `${subject(path)} is ${printValueType(type)}`;
  const { start, end } = value;
  if (type.kind === 'literal' && value.kind === 'text' && value.text !== undefined) {
    const inner = { start: start + 1, end: end - 1 };
    const at = markOf(draft, inner.start, inner.end);
    const { hint } = suggest({ ...at, text: value.text }, type.values, 'values');
    const isPlain = hint !== undefined && !/["'\\\n\r]/.test(hint);
    reports.add('TOO3311', at, `${what}, not "${value.text}"${hint === undefined ? '' : `.${didYouMean(hint)}`}`, {
      ...(isPlain && fixOf({ ...inner, replacement: hint }, draft, at)),
    });
    return;
  }
  // Long objects are shown by how they begin.
  const line = draft.text.slice(start, end).search(/[\n\r]/);
  const at = markOf(draft, start, line === -1 ? end : start + line);
  reports.add('TOO3311', at, `${what}, not ${words[value.kind]}`, { help: 'Return a value of that type.' });
}

function checkFields(
  { start, end, fields, isOpen }: Extract<CodeValue, { kind: 'object' }>,
  type: Extract<ValueType, { kind: 'record' }>,
  path: string,
  context: Context,
  todo: Todo[],
): void {
  const given = new Set(fields.map(({ name }) => name));
  const missing = new Set<string>();
  // Each field that is given can mend or excuse one; beyond that they are only counted as more.
  const enough = 2 * fields.length + mostMissing;
  for (const name of requiredOf(type)) {
    if (missing.size > enough) break;
    if (!given.has(name)) missing.add(name);
  }
  /** Names that are wrong by themselves: with the right one they may be the field. */
  let doubtful = 0;
  for (const field of fields) {
    let name: string | undefined = field.name;
    if (!type.fields.has(name)) {
      const isTold = context.told.has(field.start);
      if (isTold) doubtful++;
      // Its value is looked at as that of the field that was meant.
      name = isTold || type.open ? undefined : tellField(field, type, given, path, context);
      if (name !== undefined) missing.delete(name);
    }
    const known = name === undefined ? undefined : type.fields.get(name);
    if (known === undefined) continue;
    const inner = path === '' ? `${name}` : `${path}.${name}`;
    for (const value of field.values) {
      if (value.kind !== 'null' || !known.optional) todo.push({ value, type: known.type, path: inner });
    }
  }
  if (isOpen || missing.size <= doubtful) return;
  const names = [...missing]
    .slice(0, mostMissing)
    .map((name) => `"${name}"`)
    .join(', ');
  const more = missing.size > mostMissing ? ' and more' : '';
  context.reports.add('TOO3311', markOf(context.draft, start, end), `${subject(path)} also needs ${names}${more}`, {
    help: 'Return every field that is not optional.',
  });
}

/** So many are told: each of very many steps may lack all fields of one type. */
const mostMissing = 12;

const required = new WeakMap<ValueType, readonly string[]>();

function requiredOf(type: Extract<ValueType, { kind: 'record' }>): readonly string[] {
  let names = required.get(type);
  if (names === undefined) {
    names = [...type.fields].flatMap(([name, { optional }]) => (optional ? [] : [name]));
    required.set(type, names);
  }
  return names;
}

/** The field that was probably meant. */
function tellField(
  field: CodeField,
  type: Extract<ValueType, { kind: 'record' }>,
  given: ReadonlySet<string>,
  path: string,
  { draft, reports }: Context,
): string | undefined {
  const { name, form, start, end } = field;
  const at = markOf(draft, start, end);
  const { hint } = suggest({ ...at, text: name }, freeOf(type, given), 'fields');
  const isWord = hint !== undefined && (form === 'text' ? !/["'\\\n\r]/.test(hint) : /^[A-Za-z_$][\w$]*$/.test(hint));
  const replacement = isWord ? (form === 'shorthand' ? `${hint}: ${name}` : hint) : undefined;
  const what = `${subject(path)} has no field "${name}"`;
  reports.add('TOO3311', at, hint === undefined ? what : `${what}.${didYouMean(hint)}`, {
    help: type.fields.size === 0 ? 'It has no fields.' : `It has: ${someOf(type.fields.keys())}.`,
    ...(replacement !== undefined && fixOf({ start, end, replacement }, draft, at)),
  });
  return hint;
}

function* freeOf(type: Extract<ValueType, { kind: 'record' }>, given: ReadonlySet<string>): Iterable<string> {
  for (const name of type.fields.keys()) if (!given.has(name)) yield name;
}

function subject(path: string): string {
  if (path === '') return 'the output';
  return /^(?:\[\])+$/.test(path) ? 'an item of the output' : `"${path}" of the output`;
}
