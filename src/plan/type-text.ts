/** Prints a type in the words of workflow files. */
import type { Type } from '../type/index.ts';

/** `string`, `Review[]`, `"ok" | "bad"`, `{ path: string, line: number? }`. */
export function typeText(type: Type): string {
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
    case 'ref':
      return type.name;
    default:
      return type.kind;
  }
}
