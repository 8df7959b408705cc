/** Prints a type as `.too` writes it; what `.too` cannot write (literals, unnamed structs) in the same spirit. */
import type { Type } from './type.ts';

/** `ReviewFinding[]`, `"a" | "b"`, `{ path: Text, line?: Number }`. Iterates, so any nesting prints. */
export function printType(type: Type): string {
  const parts: string[] = [];
  const todo: (Type | string)[] = [type];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next === 'string') parts.push(next);
    else expand(next, todo, parts);
  }
  return parts.join('');
}

/** Bad input can ask for the same type once per error. */
const short = new WeakMap<Type, string>();
const shortLength = 120;

/** For messages, where a type of many lines would hide what is wrong. */
export function printTypeShort(type: Type): string {
  let printed = short.get(type);
  if (printed === undefined) {
    printed = printType(type);
    if (printed.length > shortLength) printed = `${printed.slice(0, shortLength)}…`;
    short.set(type, printed);
  }
  return printed;
}

function expand(type: Type, todo: (Type | string)[], parts: string[]): void {
  switch (type.kind) {
    case 'text':
      parts.push('Text');
      return;
    case 'number':
      parts.push('Number');
      return;
    case 'boolean':
      parts.push('Boolean');
      return;
    case 'json':
      parts.push('Json');
      return;
    case 'message':
      parts.push('Message');
      return;
    case 'ref':
      parts.push(type.name);
      return;
    case 'literal':
      parts.push(type.values.map((value) => JSON.stringify(value)).join(' | '));
      return;
    case 'array':
      if (type.item.kind === 'literal' && type.item.values.length > 1) todo.push(')[]', type.item, '(');
      else todo.push('[]', type.item);
      return;
    case 'struct': {
      if (type.name !== undefined || type.fields.length === 0) {
        parts.push(type.name ?? '{}');
        return;
      }
      todo.push(' }');
      for (let i = type.fields.length - 1; i >= 0; i--) {
        const field = type.fields[i];
        if (field) todo.push(field.type, `${i === 0 ? '{ ' : ', '}${field.name}${field.optional ? '?' : ''}: `);
      }
    }
  }
}
