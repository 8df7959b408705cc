/**
 * Every diagnostic code, once. A code never changes its meaning; a code that is no longer given is not used again.
 * 1xxx `.too` syntax, 2xxx program, 3xxx `.toon` syntax, 4xxx workflow, 5xxx files, caps and config, 6xxx runs,
 * 7xxx models and tools, 8xxx server and cluster, 9xxx a bug of ours. `docs/errors/` has a page for each.
 */
import type { Severity } from './diagnostic.ts';

const table = {
  // Lines and characters
  TOO1001: ['error', 'Control character'],
  TOO1002: ['error', 'Carriage return without a line feed'],
  TOO1003: ['warning', 'Tabs and blanks mixed in one block'],
  TOO1004: ['warning', 'Character that changes the direction of text'],
  TOO1005: ['warning', 'Text cut off by a comment'],
  TOO1006: ['warning', 'Comment without a blank before it'],
  TOO1007: ['warning', 'Line indented differently from those above'],
  // Layout
  TOO1101: ['error', 'Unknown declaration'],
  TOO1102: ['error', 'Declaration not in the first column'],
  TOO1103: ['error', 'Body not indented'],
  TOO1104: ['error', 'Line that belongs to nothing'],
  TOO1105: ['error', 'Name missing or malformed'],
  TOO1106: ['error', 'Colon missing'],
  TOO1107: ['error', 'Text after the end of a declaration'],
  // Fences
  TOO1201: ['error', 'Fence never closed'],
  TOO1202: ['error', 'Fence with an unknown language'],
  TOO1203: ['error', 'Frontmatter never closed'],
  // Types and structs
  TOO1301: ['error', 'Type missing or malformed'],
  TOO1302: ['error', 'Optional marker in the wrong place'],
  TOO1303: ['error', 'Struct without fields'],
  TOO1304: ['error', 'Line that is not a field'],
  // Use
  TOO1401: ['error', 'Unknown kind of cap'],
  TOO1402: ['error', 'Reference missing or malformed'],
  // Caps
  TOO1501: ['error', 'Directive operator in a cap property'],
  TOO1502: ['error', 'Property without a value'],
  TOO1503: ['error', 'Body on the header line'],
  // Thunks
  TOO1601: ['error', 'Unknown directive'],
  TOO1602: ['error', 'Directive without a value'],
  TOO1603: ['error', 'Empty item in a list'],
  TOO1604: ['error', 'Malformed directive value'],
  TOO1605: ['error', 'Line out of order'],
  TOO1606: ['error', 'Second context or instruct'],
  TOO1607: ['error', 'Text outside a block'],
  TOO1608: ['error', 'Unknown block'],
  TOO1609: ['error', 'Value on the header line and below it'],
  TOO1610: ['error', 'Malformed parameters'],
  TOO1611: ['error', 'Wrong operator'],
} as const satisfies Record<string, readonly [Severity, string]>;

export type Code = keyof typeof table;

export const codes: Readonly<Record<Code, readonly [Severity, string]>> = table;

export function severityOf(code: Code): Severity {
  return table[code][0];
}

export function titleOf(code: Code): string {
  return table[code][1];
}
