/** Prints the type of a value for messages, in the words of workflow files. */
import type { ValueType } from './value-type.ts';

const mostDepth = 3;
const mostParts = 8;
const mostLetters = 100;

/** `string`, `"ok" | "bad"`, `{ path: string, line?: number }[]`; long and deep ones are cut. */
export function printValueType(type: ValueType): string {
  const printed = print(type, 0);
  return printed.length <= mostLetters ? printed : `${printed.slice(0, mostLetters)}…`;
}

function print(type: ValueType, depth: number): string {
  switch (type.kind) {
    case 'any':
      return 'json';
    case 'never':
      return 'nothing';
    case 'date':
      return 'Date';
    case 'regexp':
      return 'RegExp';
    case 'literal':
      return cut(type.values, ' | ', (value) => JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value));
    case 'array': {
      if (depth >= mostDepth) return '…[]';
      if (type.item.kind === 'never') return '[]';
      const item = print(type.item, depth + 1);
      const several = type.item.kind === 'union' || (type.item.kind === 'literal' && type.item.values.length > 1);
      return several ? `(${item})[]` : `${item}[]`;
    }
    case 'record':
      if (type.name !== undefined) return type.name;
      if (type.fields.size === 0) return '{}';
      if (depth >= mostDepth) return '{ … }';
      return `{ ${cut([...type.fields], ', ', ([name, field]) => {
        return `${name}${field.optional ? '?' : ''}: ${print(field.type, depth + 1)}`;
      })} }`;
    case 'union':
      return cut(type.members, ' | ', (member) => print(member, depth + 1));
    default:
      return type.kind;
  }
}

function cut<T>(parts: readonly T[], separator: string, show: (part: T) => string): string {
  return parts.slice(0, mostParts).map(show).join(separator) + (parts.length > mostParts ? `${separator}…` : '');
}
