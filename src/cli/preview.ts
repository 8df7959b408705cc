/** Prints what `explain` knows of a thunk, for people. */
import type { AgentProgram, Preview, SetItem } from '../program/index.ts';
import { setKeys } from '../program/index.ts';
import { type Painter, printable } from '../text/index.ts';
import { type JsonSchema, messageType, toJsonSchema } from '../type/index.ts';

export function printPreview(preview: Preview, program: AgentProgram, paint: Painter): string {
  const out: string[] = [paint.bold(`thunk ${preview.signature}`)];
  if (preview.doc !== undefined) out.push(indent(shown(preview.doc)));
  const others = [...program.thunks.keys()].filter((name) => name !== preview.thunk);
  if (others.length > 0) out.push(paint.dim(`  other thunks: ${others.join(', ')}`));
  const section = (title: string, note: string, body: string) => {
    out.push('', paint.bold(title) + (note === '' ? '' : paint.dim(`  ${note}`)));
    if (body !== '') out.push(indent(body));
  };
  section('Sets', '', sets(preview, paint));
  section('Recall', '', typeof preview.recall === 'string' ? preview.recall : preview.recall.join(', '));
  section('Tools', 'beside those of the sets', tools(preview, paint));
  section('Instructions', preview.instructions.why, instructions(preview, paint));
  section('Context', preview.context.why, shown(preview.context.text));
  section(
    'Messages',
    `with sample values${preview.recall === 'none' ? '' : ', after what is recalled'}`,
    messages(preview, paint),
  );
  section('Parameters', 'JSON Schema', printSchema(preview.parameters));
  section('Output', 'JSON Schema', printSchema(preview.output));
  const shadowed = shadowedUses(program);
  if (shadowed.length > 0) section('Shadowed', 'an inline cap of the same name wins', shadowed.join('\n'));
  return `${out.join('\n')}\n`;
}

/** The schema of a Message is long and always the same: its name says more. */
const messageSchema = JSON.stringify(toJsonSchema(messageType, new Map()));
const lineLength = 76;

function printSchema(schema: JsonSchema): string {
  const isMessage = (value: unknown) =>
    typeof value === 'object' && value !== null && 'anyOf' in value && JSON.stringify(value) === messageSchema;
  const short: unknown = JSON.parse(JSON.stringify(schema, (_, v: unknown) => (isMessage(v) ? 'a Message' : v)));
  return printJson(short, '', 0);
}

/** On one line what fits there; what does not, one entry a line. `before` is what stands before it on its line. */
function printJson(value: unknown, margin: string, before: number): string {
  const flat = printable(flatJson(value));
  if (typeof value !== 'object' || value === null || margin.length + before + flat.length <= lineLength) return flat;
  const inner = `${margin}  `;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([key, item]) => {
    const name = isList ? '' : `${printable(JSON.stringify(key))}: `;
    return `${inner}${name}${printJson(item, inner, name.length)}`;
  });
  return `${isList ? '[' : '{'}\n${entries.join(',\n')}\n${margin}${isList ? ']' : '}'}`;
}

function flatJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`;
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flatJson(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function sets(preview: Preview, paint: Painter): string {
  const lines: string[] = [];
  for (const key of setKeys) {
    const { items, removed, idle } = preview.sets[key];
    if (items.length + removed.length + idle.length === 0) {
      lines.push(`${key.padEnd(9)} ${paint.dim(key === 'models' ? 'chosen when it runs' : 'none')}`);
      continue;
    }
    const gone = [...removed, ...idle].map((item) => row(item, '- ', paint));
    const rows = [...items.map((item) => row(item, '', paint)), ...gone];
    for (const [i, text] of rows.entries()) lines.push(`${(i === 0 ? key : '').padEnd(9)} ${text}`);
  }
  return lines.join('\n');
}

function tools(preview: Preview, paint: Painter): string {
  if (preview.tools.length === 0) return 'none';
  const lines = preview.tools.map(({ name, why, description = '' }) => {
    const line = row({ name, why }, '', paint);
    return description === '' ? line : `${line}\n${indent(shown(description))}`;
  });
  return lines.join('\n');
}

/** The template, then what each cap adds: a psyche its text, a skill or service its description. */
function instructions(preview: Preview, paint: Painter): string {
  const caps = preview.caps.map(({ kind, name, text }) => {
    const body = text === undefined ? paint.dim('read when it runs') : shown(text);
    return `${paint.dim(`${kind} ${printable(name)}:`)}\n${indent(body)}`;
  });
  return [shown(preview.instructions.text), ...caps].filter((part) => part !== '').join('\n');
}

function row(item: SetItem, mark: string, paint: Painter): string {
  return `${printable(mark + item.name).padEnd(24)} ${paint.dim(printable(item.why))}`;
}

function messages(preview: Preview, paint: Painter): string {
  if (preview.messages.length === 0) return 'none';
  return preview.messages
    .map(({ role, text, parts }) => {
      const made = parts.length > 1 || parts[0] !== 'block' ? paint.dim(`  ${parts.join(' + ')}`) : '';
      return `${role}:${made}\n${indent(shown(text))}`;
    })
    .join('\n');
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

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
