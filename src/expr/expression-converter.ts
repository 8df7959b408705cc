/** What the conversion of acorn's tree carries along, and the words in it: names, keys, members. */
import type * as acorn from 'acorn';
import type { Expression, ExpressionProblem } from './expression.ts';
import { refusal } from './expression-refusal.ts';
import { isHiddenMember } from './left-out.ts';

export interface Converter {
  readonly text: string;
  /** Where the text that acorn was given begins. */
  readonly base: number;
  readonly problems: ExpressionProblem[];
  readonly convert: (node: acorn.Expression, to: Converter, depth: number) => Expression;
  deep: boolean;
}

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** The name as it is written: acorn was given another word of that length for an id with hyphens. */
export function nameOf(node: acorn.Identifier, to: Converter): string {
  const written = to.text.slice(node.start + to.base, node.end + to.base);
  return written.includes('-') ? written : node.name;
}

/** A key that is not computed. */
export function keyOf(node: acorn.Expression | acorn.PrivateIdentifier, to: Converter): string {
  if (node.type === 'Identifier') return nameOf(node, to);
  if (node.type === 'Literal' && typeof node.value !== 'bigint') return String(node.value);
  to.problems.push(refusal(node, to.text, to.base));
  return '';
}

/** Reports a member that leads to a prototype; true if it does. */
export function checkMember(name: string, start: number, end: number, to: Converter): boolean {
  if (!isHiddenMember(name)) return false;
  const message = `"${name}" cannot be read: it leads from the value to how it is made`;
  to.problems.push({ code: 'TOO3216', start, end, message, help: 'Read the fields of the value itself.' });
  return true;
}
