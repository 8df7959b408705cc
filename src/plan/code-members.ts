/**
 * The fields and methods that inline code reads, against the types of the values. TypeScript looks at more, but only
 * where there is a TypeScript; here only what cannot be right is told: a value has no other fields than those of its type.
 */
import { printValueType, uniteAll, type ValueType } from '../expr/index.ts';
import { didYouMean } from '../text/index.ts';
import type { CodeMember, CodeRead } from './code/index.ts';
import type { DraftText } from './draft.ts';
import type { Reports } from './reports.ts';
import { suggest } from './suggest.ts';
import { fixOf, markOf } from './texts.ts';

export interface MembersContext {
  readonly draft: DraftText;
  /** Fields that the code itself adds to values or asks for. */
  readonly tested: ReadonlySet<string>;
  readonly reports: Reports;
}

/** Reads of `read`, whose type is given. */
export function checkMembers(read: Pick<CodeRead, 'name' | 'members'>, type: ValueType, context: MembersContext): void {
  const todo: Todo[] = [];
  const add = (members: readonly CodeMember[], of: ValueType, path: Path) => {
    for (const member of members) todo.push({ member, type: of, path });
  };
  add(read.members, type, { text: read.name });
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { member, path } = next;
    let found = memberIn(next.type, member);
    if (found.kind === 'unknown') {
      const meant = context.tested.has(member.name) ? undefined : tell(member, next.type, path, context);
      if (meant === undefined) continue;
      // What is read of it is looked at as if that had been written.
      found = memberIn(next.type, { ...member, name: meant });
    }
    const items = itemsOf(next.type);
    if (member.ofItems.length > 0 && items) add(member.ofItems, items, { text: '[]', up: path });
    if (found.kind === 'known') {
      const text = member.isItem ? `[${member.name}]` : `.${member.name}${member.isCalled ? '()' : ''}`;
      add(member.members, found.type, { text, up: path });
    }
  }
}

interface Todo {
  readonly member: CodeMember;
  readonly type: ValueType;
  readonly path: Path;
}

/** What was read so far, from its end. */
interface Path {
  readonly text: string;
  readonly up?: Path;
}

/** `open`: it may be there, and nothing is known of it. */
type Found = { readonly kind: 'known'; readonly type: ValueType } | { readonly kind: 'open' | 'unknown' };

const open: Found = { kind: 'open' };
const unknown: Found = { kind: 'unknown' };

/** One that any of the values may have is no mistake. */
function memberIn(type: ValueType, member: CodeMember): Found {
  const types: ValueType[] = [];
  const values = type.kind === 'union' ? type.members : [type];
  let lacking = 0;
  for (const value of values) {
    // A value that is missing is not looked into: whether it is there is a matter of what the code asks before.
    if (value.kind === 'null' || value.kind === 'undefined') continue;
    const found = memberOf(value, member);
    if (found.kind === 'open') return open;
    if (found.kind === 'known') types.push(found.type);
    else lacking++;
  }
  if (types.length > 0) return { kind: 'known', type: uniteAll(types) };
  return lacking > 0 ? unknown : open;
}

function memberOf(value: ValueType, member: CodeMember): Found {
  const { name, isItem, isCalled } = member;
  switch (value.kind) {
    case 'record': {
      const field = value.fields.get(name);
      if (field && !isCalled) return { kind: 'known', type: field.type };
      return field || value.open || isItem || name in {} ? open : unknown;
    }
    case 'array': {
      if (isItem || /^\d+$/.test(name)) {
        return { kind: 'known', type: value.tuple?.[name === '' ? -1 : Number(name)] ?? value.item };
      }
      if (isCalled && itemMethods.has(name)) return { kind: 'known', type: value.item };
      if (isCalled && listMethods.has(name)) return { kind: 'known', type: { kind: 'array', item: value.item } };
      return value.match || name in Array.prototype ? open : unknown;
    }
    case 'string':
    case 'literal':
      return isItem || /^\d+$/.test(name) || name in String.prototype ? open : unknown;
    case 'number':
      return isItem || name in Number.prototype ? open : unknown;
    case 'boolean':
      return isItem || name in Boolean.prototype ? open : unknown;
    default:
      return open;
  }
}

/** Methods of lists that give an item, or a list of the same items. */
const itemMethods = new Set(['find', 'findLast', 'at', 'pop', 'shift']);
const listMethods = new Set(['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toReversed']);

function itemsOf(type: ValueType): ValueType | undefined {
  const values = type.kind === 'union' ? type.members : [type];
  const lists = values.flatMap((value) => (value.kind === 'array' ? [value.item] : []));
  return lists.length === values.length ? uniteAll(lists) : undefined;
}

/** The name that was probably meant. */
function tell(member: CodeMember, type: ValueType, path: Path, { draft, reports }: MembersContext): string | undefined {
  const { name, form, start, end } = member;
  const values = type.kind === 'union' ? type.members : [type];
  const isRecord = values.some(({ kind }) => kind === 'record');
  const at = markOf(draft, start, end);
  const { hint, help } = suggest({ ...at, text: name }, isRecord ? fieldsOf(values) : methodsOf(values), 'fields');
  const replacement = hint === undefined ? undefined : written(hint, name, form);
  const fix = replacement === undefined ? {} : fixOf({ start, end, replacement }, draft, at);
  const what = isRecord
    ? `"${printPath(path)}" has no field "${name}"`
    : `"${printPath(path)}" is ${printValueType(type)}, which has no "${name}"`;
  reports.add(isRecord ? 'TOO3252' : 'TOO3253', at, hint === undefined ? what : `${what}.${didYouMean(hint)}`, {
    ...(isRecord && { help }),
    ...fix,
  });
  return hint;
}

/** A variable keeps its name; what is no plain name stands in quotes only. */
function written(hint: string, name: string, form: CodeMember['form']): string | undefined {
  if (form === 'text') return /["'`\\\n\r$]/.test(hint) ? undefined : hint;
  if (!/^[A-Za-z_$][\w$]*$/.test(hint)) return undefined;
  return form === 'shorthand' ? `${hint}: ${name}` : hint;
}

function* fieldsOf(values: readonly ValueType[]): Iterable<string> {
  for (const value of values) if (value.kind === 'record') yield* value.fields.keys();
}

function* methodsOf(values: readonly ValueType[]): Iterable<string> {
  for (const { kind } of values) {
    if (kind === 'array') yield* Object.getOwnPropertyNames(Array.prototype);
    else if (kind === 'number') yield* Object.getOwnPropertyNames(Number.prototype);
    else if (kind !== 'boolean') yield* Object.getOwnPropertyNames(String.prototype);
  }
}

const mostPath = 8;

function printPath(path: Path): string {
  const parts: string[] = [];
  for (let at: Path | undefined = path; at !== undefined; at = at.up) {
    if (parts.length === mostPath) return `…${parts.reverse().join('')}`;
    parts.push(at.text);
  }
  return parts.reverse().join('');
}
