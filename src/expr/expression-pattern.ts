/** The parameters of an arrow, from acorn's tree. */
import type * as acorn from 'acorn';
import type { Pattern, RecordPattern } from './expression.ts';
import { type Converter, checkMember, keyOf, nameOf } from './expression-converter.ts';
import { refusal } from './expression-refusal.ts';

export function convertPattern(node: acorn.Pattern, to: Converter, depth: number): Pattern {
  const place = { start: node.start + to.base, end: node.end + to.base };
  const inner = depth + 1;
  switch (node.type) {
    case 'Identifier':
      return { kind: 'name-pattern', ...place, name: nameOf(node, to) };
    case 'ArrayPattern': {
      const items = node.elements.map((item) => item && convertPattern(item, to, inner));
      return { kind: 'list-pattern', ...place, items };
    }
    case 'RestElement':
      return { kind: 'rest-pattern', ...place, pattern: convertPattern(node.argument, to, inner) };
    case 'AssignmentPattern': {
      const pattern = convertPattern(node.left, to, inner);
      return { kind: 'default-pattern', ...place, pattern, value: to.convert(node.right, to, inner) };
    }
    case 'ObjectPattern':
      return recordPattern(node, to, inner);
    default:
      to.problems.push(refusal(node, to.text, to.base));
      return { kind: 'name-pattern', ...place, name: '' };
  }
}

function recordPattern(node: acorn.ObjectPattern, to: Converter, depth: number): RecordPattern {
  const entries: { key: string; value: Pattern }[] = [];
  let rest: string | undefined;
  for (const entry of node.properties) {
    const start = entry.start + to.base;
    const end = entry.end + to.base;
    if (entry.type === 'RestElement') {
      if (entry.argument.type === 'Identifier') rest = nameOf(entry.argument, to);
      continue;
    }
    if (entry.computed) {
      const message = 'a key in the parameter of an arrow must be a plain name';
      to.problems.push({ code: 'TOO3202', start, end, message, help: 'Take the value out in the body: "x[key]".' });
      continue;
    }
    const key = keyOf(entry.key, to);
    checkMember(key, entry.key.start + to.base, entry.key.end + to.base, to);
    entries.push({ key, value: convertPattern(entry.value, to, depth) });
  }
  const place = { start: node.start + to.base, end: node.end + to.base };
  return { kind: 'record-pattern', ...place, entries, ...(rest !== undefined && { rest }) };
}
