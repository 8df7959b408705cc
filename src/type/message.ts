/**
 * The value of a Message: plain text, or `{ role, content }` where content is text or a list of parts. A part is
 * `{ type: "text", text }` or `{ type: "file", mediaType, url, name? }`; the url may be a `data:` url.
 */
import { closest, didYouMean } from '../text/index.ts';
import { missing, pointTo, type ReadError, wrongType } from './read-error.ts';
import { textType } from './type.ts';

export type MessageRole = 'user' | 'assistant' | 'system' | 'tool';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface FilePart {
  readonly type: 'file';
  readonly mediaType: string;
  readonly url: string;
  readonly name?: string;
}

export type MessagePart = TextPart | FilePart;

export interface MessageObject {
  readonly role: MessageRole;
  readonly content: string | readonly MessagePart[];
}

export type MessageValue = string | MessageObject;

export const messageRoles: readonly MessageRole[] = ['user', 'assistant', 'system', 'tool'];

export function isMessage(value: unknown): value is MessageValue {
  return messageErrors(value, '').length === 0;
}

/** What a message says; its files say nothing. */
export function messageText(message: MessageValue): string {
  if (typeof message === 'string') return message;
  if (typeof message.content === 'string') return message.content;
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

export function messageErrors(value: unknown, pointer: string): ReadError[] {
  if (typeof value === 'string') return [];
  if (!isRecord(value)) return [wrongType(pointer, 'Message', value)];
  const errors: ReadError[] = [];
  onlyKeys(value, ['role', 'content'], pointer, 'a Message', errors);
  const role = value.role;
  if (role === undefined) errors.push(missing(pointTo(pointer, 'role'), textType));
  else if (!messageRoles.some((known) => known === role)) {
    errors.push(wrongType(pointTo(pointer, 'role'), messageRoles.map((r) => `"${r}"`).join(' | '), role));
  }
  const content = value.content;
  const at = pointTo(pointer, 'content');
  if (content === undefined) errors.push(missing(at, textType));
  else if (Array.isArray(content)) {
    for (let i = 0; i < content.length; i++) partErrors(content[i], pointTo(at, i), errors);
  } else if (typeof content !== 'string') errors.push(wrongType(at, 'Text or a list of parts', content));
  return errors;
}

function partErrors(part: unknown, pointer: string, errors: ReadError[]): void {
  if (!isRecord(part)) {
    errors.push(wrongType(pointer, 'a part such as { "type": "text", "text": "…" }', part));
    return;
  }
  if (part.type !== 'text' && part.type !== 'file') {
    errors.push(wrongType(pointTo(pointer, 'type'), '"text" | "file"', part.type));
    return;
  }
  const required = part.type === 'text' ? ['text'] : ['mediaType', 'url'];
  const optional = part.type === 'text' ? [] : ['name'];
  onlyKeys(part, ['type', ...required, ...optional], pointer, `a ${part.type} part`, errors);
  for (const key of required) {
    if (part[key] === undefined) errors.push(missing(pointTo(pointer, key), textType));
    else if (typeof part[key] !== 'string') errors.push(wrongType(pointTo(pointer, key), textType, part[key]));
  }
  for (const key of optional) {
    if (part[key] !== undefined && typeof part[key] !== 'string') {
      errors.push(wrongType(pointTo(pointer, key), textType, part[key]));
    }
  }
}

function onlyKeys(
  value: Record<string, unknown>,
  known: readonly string[],
  pointer: string,
  what: string,
  errors: ReadError[],
): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) errors.push(unknownKey(pointTo(pointer, key), key, known, what, value[key]));
  }
}

export function unknownKey(
  pointer: string,
  key: string,
  known: Iterable<string>,
  what: string,
  value: unknown,
): ReadError {
  const names = [...known];
  const meant = didYouMean(closest(key, names));
  const error = wrongType(pointer, 'no such field', value);
  const has = names.length === 0 ? 'It has no fields.' : `Its fields are ${names.slice(0, 12).join(', ')}.`;
  return { ...error, message: `"${pointer}" is not a field of ${what}.${meant === '' ? ` ${has}` : meant}` };
}

/** An object that stands for a record: no list, and nothing like a Date or a Map. Instances of classes count. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.prototype.toString.call(value) === '[object Object]'
  );
}
