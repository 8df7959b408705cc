/** How a part of an expression was written, for messages. */
import type { Expression, IndexExpression, MemberExpression } from '../expression.ts';
import { clip, fail } from './failure.ts';
import { describe } from './value.ts';

/** Undefined if it is no plain path. */
export function pathOf(node: Expression): string | undefined {
  switch (node.kind) {
    case 'name':
      return clip(node.name);
    case 'chain':
      return pathOf(node.expression);
    case 'member': {
      const object = pathOf(node.object);
      return object && clip(`${object}${node.optional ? '?.' : '.'}${node.name}`, 80);
    }
    case 'index': {
      const object = pathOf(node.object);
      const index = node.index.kind === 'literal' ? JSON.stringify(node.index.value) : '…';
      return object && clip(`${object}[${index}]`, 80);
    }
    case 'call': {
      const callee = pathOf(node.callee);
      return callee && clip(`${callee}(${node.args.length > 0 ? '…' : ''})`, 80);
    }
    default:
      return undefined;
  }
}

/** `object` is null or undefined. */
export function cannotRead(node: MemberExpression | IndexExpression, object: unknown, index: unknown): never {
  const what = pathOf(node.object);
  const key = typeof index === 'string' || typeof index === 'number' ? `"${clip(String(index))}"` : 'a property';
  const nothing = describe(object);
  const why = what === undefined ? '' : `: ${what} is ${nothing}`;
  const path = what ?? '…';
  const written = node.kind === 'member' ? `${path}?.${node.name}` : `${path}?.[…]`;
  return fail('TOO6102', `cannot read ${key} of ${nothing}${why}`, `Write "${written}" if it may be missing.`);
}
