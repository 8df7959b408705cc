/** Words that would give a parameter: short ones for messages, others that can be pasted. */
import type { ParamType } from '../../program/index.ts';
import { resolve, sampleValue, type TypeTable } from '../../type/index.ts';
import { quoteForShell } from '../shell.ts';

/** Longer JSON says less than the name of a file. */
const mostLetters = 60;

/** `tone=…`, `count=1`, `tags='["<tag>"]'`, `review=@review.json`. */
export function sampleWord({ name, type }: Pick<ParamType, 'name' | 'type'>, types: TypeTable, text = '…'): string {
  const { kind } = resolve(type, types);
  if (kind === 'text' || kind === 'message') return `${name}=${text === '…' ? text : quoteForShell(text)}`;
  const value = sampleJson(type, types, name);
  return `${name}=${value.length > mostLetters ? `@${name}.json` : quoteForShell(value)}`;
}

/** The words of an input. */
export function sampleInput(type: ParamType['type'], types: TypeTable): string {
  const { kind } = resolve(type, types);
  if (kind === 'text' || kind === 'message') return quoteForShell('say here what you want');
  const value = sampleJson(type, types, 'input');
  return value.length > mostLetters ? '@input.json' : quoteForShell(value);
}

function sampleJson(type: ParamType['type'], types: TypeTable, name: string): string {
  const value = sampleValue(type, types, name);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
