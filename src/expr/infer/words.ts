/** The words of messages: how a value is called, which name was meant, what to write instead. */
import { closest } from '../../text/index.ts';
import type { Expression } from '../expression.ts';
import type { Context } from './context.ts';
import { globals } from './signatures.ts';
import type { ValueType } from './value-type.ts';

const mostSuggestions = 50;
const mostCandidates = 1000;
const mostLetters = 40;

/** `step "draft"`, `"input.tags"`, `'text'`. */
export function subject(expression: Expression, context: Context): string {
  if (expression.kind === 'name') {
    const what = context.names.get(expression.name)?.what;
    return what === undefined || what === expression.name ? expression.name : `${what} "${clip(expression.name)}"`;
  }
  const text = context.text?.slice(expression.start, expression.start + mostLetters + 1);
  if (text === undefined) return 'this value';
  const length = expression.end - expression.start;
  const shown = (length > mostLetters ? clip(text) : text.slice(0, length)).replace(/\s+/g, ' ');
  return expression.kind === 'literal' ? shown : `"${shown}"`;
}

/** Each search walks all names, so there is an end to them. */
export function suggest(word: string, names: Iterable<string>, context: Context): string | undefined {
  if (context.suggestions++ >= mostSuggestions) return undefined;
  const candidates: string[] = [];
  for (const name of names) if (candidates.push(name) >= mostCandidates) break;
  return closest(word, candidates);
}

export function* knownNames(context: Context): Iterable<string> {
  yield* context.names.keys();
  yield* context.scope.keys();
  yield* globals.keys();
}

export function* hyphenated(context: Context): Iterable<string> {
  for (const name of context.scope.keys()) if (name.includes('-')) yield name;
}

/** Without those that several records have twice. */
export function* fieldNames(members: readonly ValueType[]): Iterable<string> {
  const [first, ...others] = members;
  if (first?.kind === 'record') yield* first.fields.keys();
  for (const other of others) {
    if (other.kind !== 'record') continue;
    for (const name of other.fields.keys()) if (first?.kind !== 'record' || !first.fields.has(name)) yield name;
  }
}

/** `path` where `input.path` was meant. */
export function fieldSomewhere(name: string, context: Context): string | undefined {
  if (context.suggestions > mostSuggestions) return undefined;
  let left = mostCandidates;
  for (const outer of context.scope.keys()) {
    if (left-- === 0) break;
    const type = context.scope.get(outer)?.type;
    if (type?.kind === 'record' && type.fields.has(name)) return `${outer}.${name}`;
  }
  return undefined;
}

export function list(names: Iterable<string>): string {
  const shown: string[] = [];
  for (const name of names) {
    if (shown.length === 12) {
      shown.push('…');
      break;
    }
    shown.push(clip(name));
  }
  return shown.join(', ');
}

export function clip(text: string): string {
  return text.length <= mostLetters ? text : `${text.slice(0, mostLetters)}…`;
}

/** A text as it is written in an expression, with the quotes that another one has. */
export function quote(value: string, like: Expression, context: Context): string {
  const first = context.text?.charAt(like.start);
  const mark = first === '"' || first === '`' ? first : "'";
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
  return mark + escaped.replaceAll(mark, `\\${mark}`) + mark;
}
