/** What a returned value may be, as far as it is written out: objects, lists and plain values, in every arm of it. */
import type { AnyNode, ObjectExpression } from 'acorn';
import { type Follower, keyOf } from './members.ts';
import type { CodeField, CodeValue } from './reads.ts';

type Place = Pick<Follower, 'text' | 'shift'>;

export function valuesOf(f: Place, node: AnyNode): readonly CodeValue[] {
  const found: CodeValue[] = [];
  const todo: Todo[] = [{ node, into: found }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) read(f, next, todo);
  return found;
}

interface Todo {
  readonly node: AnyNode;
  readonly into: CodeValue[];
}

const truths = new Set(['===', '!==', '==', '!=', '<', '>', '<=', '>=', 'in', 'instanceof']);

function read(f: Place, { node, into }: Todo, todo: Todo[]): void {
  const place = { start: node.start - f.shift, end: node.end - f.shift };
  switch (node.type) {
    case 'ObjectExpression':
      into.push({ kind: 'object', ...place, ...objectOf(f, node, todo) });
      return;
    case 'ArrayExpression': {
      const items: CodeValue[] = [];
      into.push({ kind: 'array', ...place, items });
      for (const item of node.elements.toReversed()) {
        if (item && item.type !== 'SpreadElement') todo.push({ node: item, into: items });
      }
      return;
    }
    case 'ConditionalExpression':
      todo.push({ node: node.alternate, into }, { node: node.consequent, into });
      return;
    case 'LogicalExpression':
      todo.push({ node: node.right, into });
      return;
    case 'SequenceExpression': {
      const last = node.expressions.at(-1);
      if (last) todo.push({ node: last, into });
      return;
    }
    case 'AwaitExpression':
      todo.push({ node: node.argument, into });
      return;
    case 'TemplateLiteral':
      into.push({ kind: 'text', ...place });
      return;
    case 'Literal':
      literal(f, node.value, place, into);
      return;
    case 'UnaryExpression':
      if (node.operator === '!') into.push({ kind: 'boolean', ...place });
      else if (node.operator === 'typeof') into.push({ kind: 'text', ...place });
      return;
    case 'BinaryExpression':
      if (truths.has(node.operator)) into.push({ kind: 'boolean', ...place });
      return;
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      into.push({ kind: 'function', ...place });
  }
}

function objectOf(
  f: Place,
  { properties }: ObjectExpression,
  todo: Todo[],
): { readonly fields: readonly CodeField[]; readonly isOpen: boolean } {
  const fields: CodeField[] = [];
  let isOpen = false;
  for (const property of properties) {
    const key = property.type === 'Property' ? keyOf(f, property) : undefined;
    // `__proto__: x` is no field.
    if (key === undefined || property.type !== 'Property' || key.name === '__proto__') {
      isOpen = true;
      continue;
    }
    const values: CodeValue[] = [];
    fields.push({ ...key, values });
    if (property.kind === 'init') todo.push({ node: property.value, into: values });
  }
  return { fields, isOpen };
}

function literal(f: Place, value: unknown, place: { start: number; end: number }, into: CodeValue[]): void {
  if (typeof value === 'string') {
    const text = f.text.slice(place.start + 1, place.end - 1);
    into.push({ kind: 'text', ...place, ...(!text.includes('\\') && { text }) });
  } else if (typeof value === 'number') into.push({ kind: 'number', ...place });
  else if (typeof value === 'boolean') into.push({ kind: 'boolean', ...place });
  else if (value === null && f.text.startsWith('null', place.start)) into.push({ kind: 'null', ...place });
}
