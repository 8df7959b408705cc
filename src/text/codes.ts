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
  TOO1008: ['error', 'Comment of another language'],
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
  TOO1204: ['warning', 'Declaration inside a fence'],
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
  // Names and types of a program
  TOO2001: ['error', 'Declared twice'],
  TOO2002: ['error', 'Unknown type'],
  TOO2003: ['error', 'Built-in type declared'],
  TOO2004: ['error', 'Struct that contains itself'],
  TOO2005: ['error', 'Type nested too deeply'],
  // Directives
  TOO2101: ['error', 'Operator that the directive does not take'],
  TOO2102: ['error', 'Wrong value for recall'],
  TOO2103: ['warning', 'Directive replaced by a later one'],
  TOO2104: ['warning', 'Value listed twice'],
  TOO2105: ['error', 'Unknown cap'],
  TOO2106: ['error', 'Unknown tool'],
  TOO2107: ['error', 'Unknown hand'],
  TOO2108: ['error', 'Thunk that calls itself'],
  TOO2109: ['error', 'Unknown model'],
  TOO2110: ['error', 'Unknown handoff'],
  // Texts of a thunk
  TOO2201: ['error', 'Unknown template'],
  TOO2202: ['error', 'Template named "none"'],
  TOO2203: ['error', 'Nothing to send'],
  TOO2204: ['warning', 'Text that looks like the name of a template'],
  // Parameters
  TOO2301: ['error', 'Input not first'],
  TOO2302: ['error', 'Optional input'],
  TOO2303: ['error', 'Reserved parameter name'],
  // What was not looked at
  TOO2901: ['note', 'Not checked here'],
  // Templates
  TOO2401: ['error', 'Tag never closed'],
  TOO2402: ['error', 'Empty tag'],
  TOO2403: ['error', 'Malformed name in a tag'],
  TOO2404: ['error', 'Section never closed'],
  TOO2405: ['error', 'Closing tag that fits no section'],
  TOO2406: ['error', 'Tag that templates do not have'],
  TOO2407: ['error', 'Sections nested too deeply'],
  TOO2411: ['error', 'Unknown name in a template'],
  TOO2412: ['error', 'Unknown field in a template'],
  TOO2413: ['error', 'Path through a value without fields'],
  TOO2414: ['error', 'Current item outside a section'],
  // A bug of ours
  TOO9001: ['error', 'A bug of ours'],
  // Files
  TOO5001: ['error', 'File not found'],
  TOO5002: ['error', 'Not a file'],
  TOO5003: ['error', 'File may not be read'],
  TOO5004: ['error', 'File too large'],
  TOO5005: ['error', 'File is not text'],
  TOO5006: ['error', 'Text is not UTF-8'],
  TOO5007: ['error', 'File cannot be read'],
  // Config
  TOO5101: ['error', 'Config is not TOML'],
  TOO5102: ['error', 'Config key written twice'],
  TOO5103: ['error', 'Unknown config key'],
  TOO5104: ['error', 'Config value of the wrong type'],
  TOO5105: ['error', 'Config value is none of the allowed ones'],
  TOO5106: ['error', 'Config number out of range'],
  TOO5107: ['error', 'Malformed name in config'],
  TOO5108: ['error', 'Malformed permission pattern'],
  TOO5109: ['error', 'Empty or malformed config text'],
  TOO5110: ['error', 'Config key missing'],
  TOO5111: ['error', 'Config entry cannot be edited'],
  TOO5120: ['error', 'Home would be the root'],
  TOO5121: ['error', 'Home or root is not a directory'],
  TOO5122: ['error', 'Malformed agent name'],
  // Frontmatter
  TOO5201: ['error', 'Malformed frontmatter line'],
  TOO5202: ['error', 'Property written twice'],
  TOO5203: ['error', 'Malformed property name'],
  TOO5204: ['error', 'Frontmatter value is not YAML'],
  TOO5205: ['error', 'Tab in the indentation of frontmatter'],
  TOO5206: ['error', 'Property value of the wrong shape'],
  TOO5207: ['error', 'YAML anchor, alias, tag or merge'],
  TOO5208: ['error', 'Frontmatter of a file never closed'],
  TOO5209: ['error', 'Frontmatter missing'],
  TOO5210: ['error', 'Frontmatter too large'],
  TOO5211: ['warning', 'Property value cut off by a comment'],
  TOO5212: ['warning', 'Frontmatter read as text'],
  // Caps
  TOO5220: ['error', 'Unknown property of a cap'],
  TOO5221: ['error', 'Property that a local skill does not have'],
  TOO5222: ['error', 'Name written in frontmatter'],
  TOO5223: ['error', 'Property missing'],
  TOO5224: ['warning', 'Inline service without a description'],
  TOO5225: ['error', 'Empty property of a cap'],
  TOO5226: ['error', 'Skill without instructions'],
  TOO5227: ['error', 'Unknown transport'],
  TOO5228: ['error', 'Target is not an HTTP address'],
  TOO5229: ['error', 'Target is not a command line'],
  TOO5230: ['error', 'Headers of a service that has none'],
  TOO5231: ['error', 'Malformed header'],
  TOO5232: ['error', 'Malformed environment variable name'],
  TOO5233: ['error', 'Malformed cap name'],
  TOO5234: ['warning', 'Command line that expects a shell'],
  TOO5235: ['warning', 'Cap without text'],
  TOO5236: ['error', 'Name in a remote skill differs from its directory'],
  TOO5237: ['warning', 'Unknown property of a remote skill'],
  // References
  TOO5301: ['error', 'Reference empty or with blanks'],
  TOO5302: ['error', 'Local reference in a use line'],
  TOO5303: ['error', 'Reference of one word'],
  TOO5304: ['error', 'Reference that begins with @'],
  TOO5305: ['error', 'GitHub reference without a revision'],
  TOO5306: ['error', 'Reference of an unknown scheme'],
  TOO5307: ['error', 'Empty or leaving path segment in a reference'],
  TOO5308: ['error', 'Malformed reference'],
  TOO5309: ['error', 'Reference that gives no usable name'],
  TOO5310: ['error', 'Declaration in agents.too'],
} as const satisfies Record<string, readonly [Severity, string]>;

export type Code = keyof typeof table;

export const codes: Readonly<Record<Code, readonly [Severity, string]>> = table;

export function severityOf(code: Code): Severity {
  return table[code][0];
}

export function titleOf(code: Code): string {
  return table[code][1];
}
