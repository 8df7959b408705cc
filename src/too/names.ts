/** The words of the language, and how a malformed name would be written right. */
import type { BlockKind, CapKind, DirectiveKey, MessageKind, TemplateKind } from './tree.ts';

export const capKinds: readonly CapKind[] = ['psyche', 'skill', 'service', 'prompt'];
export const templateKinds: readonly TemplateKind[] = ['context', 'instruct'];
export const messageKinds: readonly MessageKind[] = ['user', 'assistant', 'tool'];
export const blockKinds: readonly BlockKind[] = [...templateKinds, ...messageKinds];
export const directiveKeys: readonly DirectiveKey[] = [
  'models',
  'tools',
  'skills',
  'services',
  'psyches',
  'hands',
  'handoffs',
  'recall',
];
export const itemKeywords = ['use', 'struct', ...capKinds, ...templateKinds, 'thunk'] as const;
export type ItemKeyword = (typeof itemKeywords)[number];

export const builtinTypes = ['Text', 'Number', 'Boolean', 'Json', 'Message'] as const;

/** What people from other languages write for the built-in types. */
const foreignTypes: Readonly<Record<string, string>> = {
  string: 'Text',
  str: 'Text',
  text: 'Text',
  number: 'Number',
  num: 'Number',
  int: 'Number',
  integer: 'Number',
  float: 'Number',
  double: 'Number',
  bool: 'Boolean',
  boolean: 'Boolean',
  any: 'Json',
  json: 'Json',
  object: 'Json',
  dict: 'Json',
  unknown: 'Json',
  message: 'Message',
};

export function isOneOf<T extends string>(word: string, list: readonly T[]): word is T {
  return (list as readonly string[]).includes(word);
}

export function isValueName(text: string): boolean {
  return /^[a-z](?:[a-z0-9_-]*[a-z0-9_])?$/.test(text);
}

export function isTypeName(text: string): boolean {
  return /^[A-Z][A-Za-z0-9]*$/.test(text);
}

/** `ReviewAll` → `review-all`; undefined when nothing usable is left. */
export function toValueName(text: string): string | undefined {
  const name = folded(text)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  return isValueName(name) ? name : undefined;
}

/** `review_result` → `ReviewResult`; undefined when nothing usable is left. */
export function toTypeName(text: string): string | undefined {
  const name = folded(text)
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
    .replace(/^[0-9]+/, '');
  return isTypeName(name) ? name : undefined;
}

/** Letters without their accents. */
function folded(text: string): string {
  return text.replaceAll('ß', 'ss').normalize('NFKD').replace(/\p{M}/gu, '');
}

/** The built-in type that a word of another language stands for. */
export function foreignType(word: string): string | undefined {
  const key = word.toLowerCase();
  return Object.hasOwn(foreignTypes, key) ? foreignTypes[key] : undefined;
}
