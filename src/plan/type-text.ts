/** Prints a type in the words of workflow files. */
import type { ResultType } from './node.ts';

/** `string`, `Review[]`, `"ok" | "bad"`, `{ path: string, line: number? }`; of results also `[Note, number]`, `(Note | number)?`. */
export function typeText(type: ResultType): string {
  switch (type.kind) {
    case 'text':
      return 'string';
    case 'json':
      return 'any';
    case 'literal':
      return type.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'array': {
      const item = typeText(type.item);
      return type.item.kind === 'literal' && type.item.values.length > 1 ? `(${item})[]` : `${item}[]`;
    }
    case 'struct':
      if (type.fields.length === 0) return '{}';
      return `{ ${type.fields.map((field) => `${field.name}: ${typeText(field.type)}${field.optional ? '?' : ''}`).join(', ')} }`;
    case 'tuple':
      return `[${type.items.map(typeText).join(', ')}]`;
    case 'union': {
      const some = type.members.filter(({ kind }) => kind !== 'nothing');
      const text = some.map(typeText).join(' | ');
      if (some.length === type.members.length) return text;
      return some.length === 1 && some[0]?.kind !== 'literal' ? `${text}?` : `(${text})?`;
    }
    case 'ref':
      return type.name;
    default:
      return type.kind;
  }
}

/** More letters than this are not read by anybody. */
const mostLetters = 1000;

/** Of the types of long files, since each of them may be told of at every step. */
const shortTexts = new WeakMap<ResultType, string>();

/** The same for messages: long ones are cut. */
export function shortTypeText(type: ResultType): string {
  let text = shortTexts.get(type);
  if (text === undefined) {
    const whole = typeText(type);
    text = whole.length > mostLetters ? `${whole.slice(0, mostLetters)}…` : whole;
    shortTexts.set(type, text);
  }
  return text;
}
