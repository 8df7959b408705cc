/**
 * The line break before the end marker. It belongs to the body like everything else; but who writes `fast` on a line of its
 * own, where only `fast` or `slow` is allowed, means no line break. So it is taken away from a body that is limited by its
 * schema, if the body fits without it and does not fit with it.
 */
import type { ToolPlan } from './plan.ts';
import { partsOf } from './schema.ts';
import { getOwn, isRecord } from './value.ts';

/** What can make a text fit without a line break, and not with it. */
const limits = ['enum', 'const', 'pattern', 'maxLength', 'anyOf', 'oneOf', 'not', 'if'];

/** Whether the body of this tool is a text that a line break can make wrong. */
export function isLimitedBody({ body, schema: root }: ToolPlan): boolean {
  if (body === undefined) return false;
  const properties = partsOf(root, root).map((part) => (isRecord(part.properties) ? part.properties : {}));
  const parts = properties.flatMap((table) => partsOf(getOwn(table, body.name), root));
  return parts.some((part) => limits.some((keyword) => Object.hasOwn(part, keyword)));
}

/** The line break that the text ends with, or nothing. */
export function lastBreak(text: string): '' | '\n' | '\r\n' {
  if (!text.endsWith('\n')) return '';
  return text.endsWith('\r\n') ? '\r\n' : '\n';
}
