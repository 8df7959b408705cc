/** Prints a type as a language writes it; what that cannot write (literals, unnamed structs) in the same spirit. */
import type { Type } from './type.ts';

/** Whose words: those of agents (`Text`, `line?: Number`), or those of workflow files (`string`, `line: number?`). */
export type TypeLanguage = 'too' | 'toon';

const words = {
  too: { text: 'Text', number: 'Number', boolean: 'Boolean', json: 'Json', message: 'Message' },
  toon: { text: 'string', number: 'number', boolean: 'boolean', json: 'any', message: 'message' },
} as const;

/** `ReviewFinding[]`, `"a" | "b"`, `{ path: Text, line?: Number }`. Iterates, so any nesting prints. */
export function printType(type: Type, language: TypeLanguage = 'too'): string {
  const parts: string[] = [];
  const todo: (Type | string)[] = [type];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next === 'string') parts.push(next);
    else expand(next, todo, parts, language);
  }
  return parts.join('');
}

/** Bad input can ask for the same type once per error. */
const short = { too: new WeakMap<Type, string>(), toon: new WeakMap<Type, string>() };
const shortLength = 120;

/** For messages, where a type of many lines would hide what is wrong. */
export function printTypeShort(type: Type, language: TypeLanguage = 'too'): string {
  let printed = short[language].get(type);
  if (printed === undefined) {
    printed = printType(type, language);
    if (printed.length > shortLength) printed = `${printed.slice(0, shortLength)}…`;
    short[language].set(type, printed);
  }
  return printed;
}

function expand(type: Type, todo: (Type | string)[], parts: string[], language: TypeLanguage): void {
  switch (type.kind) {
    case 'text':
    case 'number':
    case 'boolean':
    case 'json':
    case 'message':
      parts.push(words[language][type.kind]);
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
        if (field === undefined) continue;
        const mark = field.optional ? '?' : '';
        const start = `${i === 0 ? '{ ' : ', '}${field.name}`;
        if (language === 'too') todo.push(field.type, `${start}${mark}: `);
        else todo.push(mark, field.type, `${start}: `);
      }
    }
  }
}
