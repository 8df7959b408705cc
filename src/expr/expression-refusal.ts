/** The parts of JavaScript that acorn reads and expressions leave out, each with its reason. */
import type * as acorn from 'acorn';
import type { ExpressionProblem } from './expression.ts';

const callable = new Set(['String', 'Number', 'Boolean']);

export function refusal(
  node: acorn.Expression | acorn.Pattern | acorn.PrivateIdentifier,
  text: string,
  base: number,
): ExpressionProblem {
  const start = node.start + base;
  const end = node.end + base;
  const written = (part: acorn.Node) => text.slice(part.start + base, part.end + base);
  const left = (message: string, help: string, replacement?: string): ExpressionProblem => {
    return { code: 'TOO3215', start, end, message, help, ...(replacement !== undefined && { replacement }) };
  };
  switch (node.type) {
    case 'ArrowFunctionExpression': {
      const help =
        node.params.length === 1 && node.params[0]?.type === 'Identifier'
          ? 'Give it to a method: "items.map(x => …)". To compare write ">=".'
          : 'Give it to a method: "items.map(x => …)".';
      return { code: 'TOO3214', start, end, message: 'an arrow may only be an argument of a call', help };
    }
    case 'NewExpression': {
      const name = written(node.callee);
      const plain = callable.has(name) && node.end > node.callee.end;
      return left(
        `"new ${name}" is left out: an expression computes values that are JSON, and only Date and RegExp can be made`,
        plain ? `Write "${name}(…)".` : 'Write a list, a record or a string instead.',
        plain ? text.slice(node.callee.start + base, end) : undefined,
      );
    }
    case 'UnaryExpression': {
      const message = '"delete" is left out: an expression changes nothing';
      return { code: 'TOO3211', start, end, message, help: 'Write a new record with the fields that shall stay.' };
    }
    case 'BinaryExpression': {
      const array = node.operator === 'instanceof' && written(node.right) === 'Array';
      return left(
        '"instanceof" is left out: values of a workflow have fields, not classes',
        array ? 'Write "Array.isArray(…)".' : 'Compare a field, or use "typeof".',
        array ? `Array.isArray(${written(node.left)})` : undefined,
      );
    }
    case 'TaggedTemplateExpression':
      return left(
        'a template with a tag is left out: the tag would be a function of your own',
        'Take the tag away, or call a method with the template.',
      );
    case 'ThisExpression':
      return left('"this" is left out: an expression belongs to no object', 'Name the step, or write "input".');
    case 'AssignmentExpression': {
      const message = 'an expression cannot assign';
      return { code: 'TOO3211', start, end, message, help: 'Write "===" to compare.' };
    }
    case 'MemberExpression':
    case 'PrivateIdentifier':
      return left('there are no private members here', 'Members of a value are read as ".name".');
    default:
      return left(`${plainName(node.type)} is left out of expressions`, 'Use "run" or "handler" for code.');
  }
}

function plainName(type: string): string {
  return `"${type.replace(/(?:Expression|Pattern)$/, '').toLowerCase()}"`;
}
