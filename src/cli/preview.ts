/** Prints what `explain` knows of a thunk, for people. */
import type { AgentProgram, Preview, SetItem } from '../program/index.ts';
import { setKeys } from '../program/index.ts';
import type { Painter } from '../text/index.ts';
import { type JsonSchema, messageType, toJsonSchema } from '../type/index.ts';

export function printPreview(
  preview: Preview,
  program: AgentProgram,
  others: readonly string[],
  paint: Painter,
): string {
  const out: string[] = [paint.bold(`thunk ${preview.signature}`)];
  if (preview.doc !== undefined) out.push(indent(preview.doc));
  if (others.length > 0) out.push(paint.dim(`  other thunks: ${others.join(', ')}`));
  const section = (title: string, note: string, body: string) => {
    out.push('', paint.bold(title) + (note === '' ? '' : paint.dim(`  ${note}`)));
    if (body !== '') out.push(indent(body));
  };
  section('Sets', '', sets(preview, paint));
  section('Recall', '', typeof preview.recall === 'string' ? preview.recall : preview.recall.join(', '));
  section('Instructions', preview.instructions.why, preview.instructions.text);
  section('Context', preview.context.why, preview.context.text);
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

function printSchema(schema: JsonSchema): string {
  const isMessage = (value: unknown) =>
    typeof value === 'object' && value !== null && 'anyOf' in value && JSON.stringify(value) === messageSchema;
  return JSON.stringify(schema, (_, value: unknown) => (isMessage(value) ? 'a Message' : value), 2);
}

function sets(preview: Preview, paint: Painter): string {
  const lines: string[] = [];
  for (const key of setKeys) {
    const { items, removed } = preview.sets[key];
    if (items.length === 0 && removed.length === 0) {
      lines.push(`${key.padEnd(9)} ${paint.dim(key === 'models' ? 'chosen when it runs' : 'none')}`);
      continue;
    }
    const rows = [...items.map((item) => row(item, '', paint)), ...removed.map((item) => row(item, '- ', paint))];
    for (const [i, text] of rows.entries()) lines.push(`${(i === 0 ? key : '').padEnd(9)} ${text}`);
  }
  return lines.join('\n');
}

function row(item: SetItem, mark: string, paint: Painter): string {
  return `${(mark + item.name).padEnd(24)} ${paint.dim(item.why)}`;
}

function messages(preview: Preview, paint: Painter): string {
  if (preview.messages.length === 0) return 'none';
  return preview.messages
    .map(({ role, text, parts }) => {
      const made = parts.length > 1 || parts[0] !== 'block' ? paint.dim(`  ${parts.join(' + ')}`) : '';
      return `${role}:${made}\n${indent(text)}`;
    })
    .join('\n');
}

function shadowedUses(program: AgentProgram): string[] {
  return program.uses
    .filter((use) => program.caps.some((cap) => cap.kind === use.kind && cap.name === use.name))
    .map((use) => `use ${use.kind} ${use.ref}`);
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
