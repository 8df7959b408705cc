/**
 * Follows a value of the workflow through code: into its members, into the variables that it is put in, and into the
 * functions that methods of lists call with its items. What is not sure is not followed: a variable that is assigned
 * to, a parameter with a type of its own, `(value as any).field`.
 */
import type { AnyNode, Identifier, Pattern } from 'acorn';
import { type Member, type Taken, textIn } from './member.ts';
import type { CodeKey, CodeMember } from './reads.ts';

/** As it is while it is being made. */
export interface OpenMember extends CodeMember {
  readonly members: OpenMember[];
  readonly ofItems: OpenMember[];
}

export interface Follower {
  /** The code as it was written. */
  readonly text: string;
  readonly shift: number;
  /** What is read of the variables that hold a value of the workflow, by where they are declared. */
  readonly variables: Map<Identifier, OpenMember[]>;
}

/** Adds what the chain and the variables behind it read to what is read of a value. */
export function follow(f: Follower, value: OpenMember[], path: Member | undefined, taken: Taken | undefined): void {
  let into = value;
  let last = taken;
  for (let member = path; member !== undefined; member = member.next) {
    if (member.kind !== 'implied' && !isPlain(f, member)) return;
    const made = memberFrom(f, member);
    into.push(made);
    for (const items of member.items) take(f, made.ofItems, items);
    into = made.members;
    last = member.taken;
  }
  if (last) take(f, into, last);
}

/** A key of a pattern or an object, if it is written out. */
export function keyOf(
  f: Pick<Follower, 'text' | 'shift'>,
  property: { readonly key: AnyNode; readonly computed: boolean; readonly shorthand: boolean },
): CodeKey | undefined {
  const { key, computed, shorthand } = property;
  if (key.type === 'Identifier') {
    if (computed) return undefined;
    return { ...plain(f, key), form: shorthand ? 'shorthand' : 'plain' };
  }
  if (textIn(key) !== undefined) return { ...quoted(f, key, textIn(key) ?? ''), form: 'text' };
  if (key.type !== 'Literal' || typeof key.value !== 'number') return undefined;
  return { ...plain(f, key), name: String(key.value), form: 'plain' };
}

function memberFrom(f: Follower, member: Member): OpenMember {
  const { node, kind, called: isCalled } = member;
  const isItem = kind === 'item' || kind === 'implied';
  const place = kind === 'text' ? quoted(f, node, member.name ?? '') : plain(f, node);
  const name = isItem ? (member.name ?? '') : place.name;
  const { start, end } = place;
  return { name, start, end, form: kind === 'text' ? 'text' : 'plain', isItem, isCalled, members: [], ofItems: [] };
}

function take(f: Follower, value: OpenMember[], taken: Taken): void {
  if (isUntyped(f, taken)) takePattern(f, value, taken.pattern);
}

/** Variables hold the value, or parts of it. */
export function takePattern(f: Follower, value: OpenMember[], whole: Pattern): void {
  const todo: { readonly pattern: Pattern; readonly into: OpenMember[] }[] = [{ pattern: whole, into: value }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { pattern, into } = next;
    if (pattern.type === 'Identifier') f.variables.set(pattern, into);
    else if (pattern.type === 'ArrayPattern') {
      pattern.elements.forEach((element, index) => {
        if (element) todo.push({ pattern: element, into: add(into, itemAt(f, element, index)) });
      });
    } else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties) {
        const key = property.type === 'Property' ? keyOf(f, property) : undefined;
        if (key === undefined || property.type !== 'Property') continue;
        const made = add(into, { ...key, isItem: false, isCalled: false, members: [], ofItems: [] });
        todo.push({ pattern: property.value, into: made });
      }
    } else if (pattern.type === 'AssignmentPattern' && pattern.left.type === 'ObjectPattern') {
      // `{ a } = {}` is what is given, as far as it has anything.
      const { left, right } = pattern;
      const isEmpty = right.type === 'ObjectExpression' && right.properties.length === 0;
      if (isEmpty) todo.push({ pattern: left, into });
    }
  }
}

function add(into: OpenMember[], member: OpenMember): OpenMember[] {
  into.push(member);
  return member.members;
}

function itemAt(f: Follower, node: AnyNode, index: number): OpenMember {
  return {
    ...plain(f, node),
    name: String(index),
    form: 'plain',
    isItem: true,
    isCalled: false,
    members: [],
    ofItems: [],
  };
}

/** Nothing but a dot or a bracket between a value and its member: no type that says what the value is. */
export function isPlain({ text, shift }: Follower, { node, objectEnd }: Member): boolean {
  return /^[\s)!]*(?:\?\.|\.|\[|\?\.\s*\[)\s*$/.test(text.slice(objectEnd - shift, node.start - shift));
}

const typeBehind = /[\s)!]*(?:(?:as|satisfies)\b|\/[/*])/y;
const parameterEnd = /\s*(?:[,)]|=>)/y;

/** No type of the variables or of the value that says something else. */
function isUntyped({ text, shift }: Follower, { pattern, by, value }: Taken): boolean {
  if (by === 'default') return false;
  if (value) {
    typeBehind.lastIndex = value.end - shift;
    if (typeBehind.test(text)) return false;
  }
  if (by === 'parameter') {
    parameterEnd.lastIndex = pattern.end - shift;
    return parameterEnd.test(text);
  }
  const between = text.slice(pattern.end - shift, value === undefined ? 0 : value.start - shift);
  return (by === '=' ? /^\s*=[\s(]*$/ : /^\s*of[\s(]*$/).test(between);
}

function plain({ text, shift }: Pick<Follower, 'text' | 'shift'>, node: AnyNode) {
  const start = node.start - shift;
  const end = node.end - shift;
  return { name: text.slice(start, end), start, end };
}

/** Ids were masked in texts too: they are read as they were written. */
function quoted({ text, shift }: Pick<Follower, 'text' | 'shift'>, node: AnyNode, value: string) {
  const start = node.start - shift + 1;
  const end = node.end - shift - 1;
  const written = text.slice(start, end);
  return { name: written.includes('\\') ? value : written, start, end };
}
