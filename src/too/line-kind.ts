/** What a line is, judged by how it begins: the one place where recovery tells headers, lines of bodies and prose apart. */
import type { Line } from './line.ts';
import { capKinds, directiveKeys, messageKinds, templateKinds } from './names.ts';

const _ = '[ \\t\\f]';
const name = '[a-z][a-z0-9_-]*';
const any = (words: readonly string[]) => `(?:${words.join('|')})`;
const caps = any(capKinds);
const templates = any(templateKinds);

const HEADER = new RegExp(
  `^(?:use${_}+${caps}${_}|struct${_}+[A-Za-z]|${caps}${_}+${name}${_}*:|${templates}(?:${_}+${name})?${_}*:|thunk(?:${_}+${name})?${_}*(?:\\(|->|:))`,
);
const NAMED_HEADER = new RegExp(
  `^(?:use${_}+${caps}${_}+[A-Za-z0-9]|struct${_}+[A-Z][A-Za-z0-9]*${_}*:|(?:${caps}|${templates})${_}+${name}${_}*:|thunk${_}+${name}${_}*(?:\\(|->|:))`,
);
/** `thunk Review:`, `skill my skill:`, `struct finding`: what a person would call a header. */
const ROUGH_HEADER = new RegExp(
  `^(?:struct|${caps}|${templates}|thunk)(?:${_}+[^\\s:]+){0,3}${_}*(?:\\(.*|->.*)?[:{]${_}*(?:#.*|\`{3}.*)?$|^(?:struct|skill|thunk)${_}+\\w+${_}*$|^use${_}+${caps}s?${_}+\\S+${_}*(?:#.*)?$`,
);
const DIRECTIVE = new RegExp(`^${any(directiveKeys)}${_}*[-+]?=`);
const BLOCK = new RegExp(`^${any([...templateKinds, ...messageKinds])}${_}*:`);
/** Without a name and a text, `context:` is the header of a template. */
const OWN_BLOCK = new RegExp(`^(?:${any(messageKinds)}${_}*:|${templates}${_}*:${_}*[^\\s#\`])`);
const FIELD = new RegExp(`^${name}${_}*\\??${_}*:${_}*[A-Za-z]`);
const PARAMETER = new RegExp(`^${name}${_}*\\??${_}*:${_}*[A-Za-z][^,()#]*${_}*,?${_}*(?:#|$)`);
const LAST_PARAMETER = new RegExp(`^(?:[^:#]*|${name}${_}*\\??${_}*:${_}*[A-Za-z][^,()#]*)\\)`);
const LONG_HEADER = new RegExp(`^(?:use|struct|${caps}|${templates}|thunk)${_}`);
const LONG_ENOUGH = 200;

/** As much of a line's text as it takes to tell what it is. */
export function startOf(text: string, line: Line): string {
  return text.slice(line.text, Math.min(line.end, line.text + LONG_ENOUGH));
}

/** A line in the first column that would be read as the header of an item. */
export function isItemHeader(text: string, line: Line): boolean {
  return line.indent === 0 && isHeaderText(text, line);
}

/** A line that would be the header of an item if it stood in the first column. */
export function isHeaderText(text: string, line: Line): boolean {
  const start = startOf(text, line);
  // Of a very long name nobody has seen the end.
  return HEADER.test(start) || (start.length === LONG_ENOUGH && LONG_HEADER.test(start));
}

/** A line that, however deep, can only be meant as the header of an item. */
export function isNamedHeader(text: string, line: Line): boolean {
  return NAMED_HEADER.test(startOf(text, line));
}

/** A line in the first column that is meant as the header of an item, with a mistake in it or not. */
export function isRoughHeader(text: string, line: Line): boolean {
  return line.start === line.text && (isHeaderText(text, line) || ROUGH_HEADER.test(startOf(text, line)));
}

/** Text that stands in a thunk as a directive or a block. */
export function isThunkLine(start: string): boolean {
  return DIRECTIVE.test(start) || BLOCK.test(start);
}

/** Text that in the first column can only be a line of the thunk above it. */
export function isLostThunkLine(start: string): boolean {
  return DIRECTIVE.test(start) || OWN_BLOCK.test(start);
}

/** Text that in the first column can only be a field of the struct above it. */
export function isLostField(start: string): boolean {
  return FIELD.test(start);
}

/** What a line can be where parameters go on below the header. */
export function parameterLine(start: string): 'last' | 'more' | 'no' {
  if (DIRECTIVE.test(start)) return 'no';
  if (LAST_PARAMETER.test(start)) return 'last';
  return start === '' || /^[#,]/.test(start) || PARAMETER.test(start) ? 'more' : 'no';
}
