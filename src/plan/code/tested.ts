/** Fields that code adds to values or asks for: reading them is no mistake, whatever the type of the value says. */
import type { AnyNode, CallExpression, Expression, SpreadElement } from 'acorn';
import { memberOf, textIn } from './member.ts';

export function testedBy(node: AnyNode, isWritten: boolean): readonly string[] {
  switch (node.type) {
    case 'MemberExpression':
      return isWritten ? fieldOf(node) : [];
    case 'UnaryExpression':
      return node.operator === 'delete' ? fieldOf(node.argument) : [];
    case 'BinaryExpression': {
      const asked = node.operator === 'in' ? textIn(node.left) : undefined;
      return asked === undefined ? [] : [asked];
    }
    case 'CallExpression':
      return ofCall(node);
    default:
      return [];
  }
}

/** `value.field`, of whatever value. */
function fieldOf(node: AnyNode): readonly string[] {
  if (node.type === 'ChainExpression') return fieldOf(node.expression);
  const name = node.type === 'MemberExpression' ? memberOf(node, undefined, undefined)?.name : undefined;
  return name === undefined ? [] : [name];
}

const askers = new Set(['hasOwn', 'hasOwnProperty', 'has', 'defineProperty', 'set']);

function ofCall({ callee, arguments: values }: CallExpression): readonly string[] {
  const [method] = fieldOf(callee);
  if (method === undefined) return [];
  if (method === 'assign') return values.slice(1).flatMap(keysOf);
  return askers.has(method) ? values.flatMap((value) => textIn(value) ?? []) : [];
}

function keysOf(node: Expression | SpreadElement): string[] {
  if (node.type !== 'ObjectExpression') return [];
  return node.properties.flatMap((property) => {
    if (property.type !== 'Property') return [];
    return property.key.type === 'Identifier' ? property.key.name : (textIn(property.key) ?? []);
  });
}
