/** Prints our types as TypeScript writes them. Iterates, so any nesting prints. */
import type { Type } from '../../type/index.ts';

/**
 * `read`: what code is given. `write`: what code may return, where a null stands for an absent field, and Json is
 * whatever the reader of the value will look at.
 */
export type Direction = 'read' | 'write';

/** `nameOf` gives the name that a struct has in the generated file, if it is in there. */
export function printTs(type: Type, direction: Direction, nameOf: (name: string) => string | undefined): string {
  const parts: string[] = [];
  const todo: (Type | string)[] = [type];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next === 'string') parts.push(next);
    else if (next.kind === 'array') todo.push('>', next.item, 'Array<');
    else if (next.kind === 'struct') {
      todo.push(' }');
      for (let i = next.fields.length - 1; i >= 0; i--) {
        const field = next.fields[i];
        if (!field) continue;
        const absent = field.optional ? (direction === 'write' ? ' | null | undefined' : ' | undefined') : '';
        todo.push(`${absent};`, field.type, ` ${keyOf(field.name)}${field.optional ? '?' : ''}: `);
      }
      todo.push('{');
    } else if (next.kind === 'ref') parts.push(nameOf(next.name) ?? unknownType);
    else if (next.kind === 'literal')
      parts.push(next.values.map((value) => JSON.stringify(value)).join(' | ') || 'never');
    else if (next.kind === 'json') parts.push(direction === 'read' ? unknownType : 'unknown');
    else parts.push(scalars[next.kind]);
  }
  return parts.join('');
}

/** What nothing is known of may be used in any way. */
export const unknownType = 'any';

const scalars = { text: 'string', number: 'number', boolean: 'boolean', message: '$Message' } as const;

export const messageDeclaration = `type $Message = string | { role: 'user' | 'assistant' | 'system' | 'tool'; content: string | Array<{ type: 'text'; text: string } | { type: 'file'; mediaType: string; url: string; name?: string }> };`;

export function isPlainName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && !reserved.has(name);
}

export function keyOf(name: string): string {
  return isPlainName(name) ? name : JSON.stringify(name);
}

const reserved: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);
