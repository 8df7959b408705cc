/** Prints what `explain` knows of a thunk and its call, for people. */
import type { ModelMessage } from '../../model/index.ts';
import { type AgentProgram, type SetItem, setKeys } from '../../program/index.ts';
import { displayWidth, type Painter, printable, wrap } from '../../text/index.ts';
import { type JsonSchema, messageType, toJsonSchema } from '../../type/index.ts';
import type { ShownThunk } from './agent.ts';
import type { ExplainedCall, ExplainedTool } from './call.ts';

export interface ExplainedAgent {
  readonly preview: ShownThunk;
  readonly call: ExplainedCall;
  readonly remarks: readonly string[];
}

export interface AgentTextOptions {
  readonly paint: Painter;
  readonly columns: number;
}

export function agentText(
  { preview, call, remarks }: ExplainedAgent,
  program: AgentProgram,
  options: AgentTextOptions,
): string {
  const { paint, columns } = options;
  const out: string[] = wrapped(`thunk ${preview.signature}`, columns).map((line) => paint.bold(line));
  if (preview.doc !== undefined) out.push(...indented(shown(preview.doc).split('\n'), columns));
  const others = [...program.thunks.keys()].filter((name) => name !== preview.thunk);
  if (others.length > 0) {
    out.push(...indented([`other thunks: ${others.join(', ')}`], columns).map((line) => paint.dim(line)));
  }
  const section = (title: string, note: string, lines: readonly string[]) => {
    const isShort = title.length + 2 + displayWidth(note) <= columns;
    out.push('', paint.bold(title) + (note === '' || !isShort ? '' : paint.dim(`  ${note}`)));
    if (!isShort) out.push(...indented([note], columns).map((line) => paint.dim(line)));
    out.push(...lines);
  };
  section('Sets', '', setLines(preview, options));
  section('Models', 'in the order in which they are asked', modelLines(call, options));
  section('Tools', 'as they are offered', toolLines(call, options));
  const [system, ...messages] = call.messages;
  const texts = [preview.instructions.why, `context: ${preview.context.why}`].join('; ');
  section('Instructions', texts, system ? messageBody(system, options) : []);
  section('Messages', preview.isSample ? 'with sample values' : '', [
    ...call.recalled.flatMap((words) => indented([`before them: ${words}`], columns)).map((line) => paint.dim(line)),
    ...messages.flatMap((message) => [`  ${headOf(message)}`, ...messageBody(message, options)]),
  ]);
  section('Parameters', 'JSON Schema', schemaLines(preview.parameters, '  ', columns));
  section('Output', call.output ? 'JSON Schema' : 'text', call.output ? schemaLines(call.output, '  ', columns) : []);
  const shadowed = shadowedUses(program);
  if (shadowed.length > 0) section('Shadowed', 'an inline cap of the same name wins', indented(shadowed, columns));
  if (remarks.length > 0) section('Remarks', '', indented(remarks.map(printable), columns, '- '));
  return `${out.join('\n')}\n`;
}

function setLines({ sets }: ShownThunk, options: AgentTextOptions): string[] {
  const lines: string[] = [];
  for (const key of setKeys) {
    const { items, removed, idle, leftOut } = sets[key];
    const gone = [...removed, ...idle, ...leftOut].map(({ name, why }) => ({ name: `- ${name}`, why }));
    const rows = [...items, ...gone];
    if (rows.length === 0) lines.push(`  ${key.padEnd(9)} ${options.paint.dim('none')}`);
    for (const [i, item] of rows.entries()) lines.push(...row((i === 0 ? key : '').padEnd(9), item, options));
  }
  return lines;
}

/** What it is, and why; the reason goes on below itself. */
function row(label: string, { name, why }: SetItem, { paint, columns }: AgentTextOptions): string[] {
  const head = `  ${label} ${padded(printable(name), 22)} `;
  const room = Math.max(20, columns - Math.min(displayWidth(head), 36));
  const [first = '', ...more] = wrap(printable(why), Math.max(20, columns - displayWidth(head)), room);
  return [head + paint.dim(first), ...more.map((line) => ' '.repeat(36) + paint.dim(line))].map((line) =>
    line.trimEnd(),
  );
}

function modelLines({ models }: ExplainedCall, { paint, columns }: AgentTextOptions): string[] {
  if (models.length === 0) return ['  none'];
  return models.flatMap(({ name, ref, why, usable, problem }, i) => {
    const other = ref === undefined || ref === name ? '' : ` (${ref})`;
    const told = `${i + 1}. ${printable(name + other)}  ${paint.dim(printable(why))}`;
    if (usable) return [`  ${told}`];
    return [`  ${told}`, ...indented([`${problem ?? 'it cannot be used'}`], columns - 3).map((line) => `   ${line}`)];
  });
}

function toolLines({ tools, pending }: ExplainedCall, options: AgentTextOptions): string[] {
  const { paint, columns } = options;
  if (tools.length + pending.length === 0) return ['  none'];
  const later = pending.map((name) => {
    const words = name.includes('/') ? name : `${name}/…`;
    return `  ${printable(words)} ${paint.dim('(known when it is connected: --connect)')}`;
  });
  return [...tools.flatMap((tool) => toolText(tool, paint, columns)), ...later];
}

function toolText({ name, wire, description, parameters }: ExplainedTool, paint: Painter, columns: number): string[] {
  const onWire = wire === name ? '' : paint.dim(`  ${wire} on the wire`);
  return [
    `  ${printable(name)}${onWire}`,
    ...indented(shown(description).split('\n'), columns, '    '),
    ...schemaLines(parameters, '    ', columns),
  ];
}

function headOf(message: ModelMessage): string {
  return message.role === 'tool' ? `tool: the result of ${printable(message.tool)}` : `${message.role}:`;
}

/** A line begins with a bar; what goes on from the line above with a broken one. */
function messageBody(message: ModelMessage, { paint, columns }: AgentTextOptions): string[] {
  return partsOf(message).flatMap((text) =>
    shown(text)
      .split('\n')
      .flatMap((line) => {
        const [first = '', ...more] = wrap(line, columns - 6);
        return [`    ${paint.dim('│')} ${first}`.trimEnd(), ...more.map((rest) => `    ${paint.dim('┆')} ${rest}`)];
      }),
  );
}

function partsOf(message: ModelMessage): readonly string[] {
  const { content } = message;
  const texts =
    typeof content === 'string'
      ? [content]
      : content.map((part) => {
          if (part.type === 'text') return part.text;
          const named = part.name === undefined ? '' : ` ${part.name}`;
          return `(file${named}: ${part.mediaType})`;
        });
  const calls = message.role === 'assistant' ? (message.calls ?? []) : [];
  const called = calls.map(({ tool, args }) => `(calls ${tool} with ${JSON.stringify(args)})`);
  return [...texts.filter((text) => text !== '' || called.length === 0), ...called];
}

/** The schema of a Message is long and always the same: its name says more. */
const messageSchema = JSON.stringify(toJsonSchema(messageType, new Map()));

function schemaLines(schema: JsonSchema, margin: string, columns: number): string[] {
  const isMessage = (value: unknown) =>
    typeof value === 'object' && value !== null && 'anyOf' in value && JSON.stringify(value) === messageSchema;
  const short: unknown = JSON.parse(JSON.stringify(schema, (_, v: unknown) => (isMessage(v) ? 'a Message' : v)));
  return printJson(short, '', 0, columns - margin.length)
    .split('\n')
    .flatMap((line) => {
      const own = margin + (/^ */.exec(line)?.[0] ?? '');
      const [first = '', ...more] = wrap(line.trimStart(), columns - own.length, columns - own.length - 4);
      return [own + first, ...more.map((rest) => `${own}    ${rest}`)];
    });
}

/** On one line what fits there; what does not, one entry a line. `before` is what stands before it on its line. */
function printJson(value: unknown, margin: string, before: number, columns: number): string {
  const flat = printable(flatJson(value));
  if (typeof value !== 'object' || value === null || margin.length + before + flat.length < columns) return flat;
  const inner = `${margin}  `;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([key, item]) => {
    const name = isList ? '' : `${printable(JSON.stringify(key))}: `;
    return `${inner}${name}${printJson(item, inner, name.length, columns)}`;
  });
  return `${isList ? '[' : '{'}\n${entries.join(',\n')}\n${margin}${isList ? ']' : '}'}`;
}

function flatJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`;
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flatJson(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function shadowedUses(program: AgentProgram): string[] {
  return program.uses
    .filter((use) => program.caps.some((cap) => cap.kind === use.kind && cap.name === use.name))
    .map((use) => printable(`use ${use.kind} ${use.ref}`));
}

/** Tabs and line ends as they are; what a terminal would obey or hide as a picture. */
function shown(text: string): string {
  return text.replace(/[^\t\n]+/g, printable);
}

function wrapped(text: string, columns: number): readonly string[] {
  return wrap(text, columns, columns - 2).map((line, i) => (i === 0 ? line : `  ${line}`));
}

/** Each line with a margin, or a mark; what goes on stands below what it begins with. */
function indented(lines: readonly string[], columns: number, mark = ''): string[] {
  const margin = /^ *$/.test(mark) ? mark || '  ' : `  ${mark}`;
  return lines.flatMap((line) =>
    wrap(line, columns - margin.length).map((part, i) => (i === 0 ? margin : ' '.repeat(margin.length)) + part),
  );
}

function padded(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - displayWidth(text)));
}
