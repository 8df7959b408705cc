/** `docs/config.md`, made from the schema. */
import { keyText } from './key-path.ts';
import { configSchema, type NumberSchema, type Schema, type TableSchema } from './schema.ts';

export function describeConfig(): string {
  const parts = [
    '# config.toml',
    '<!-- Made from the schema that checks the file. -->',
    `${configSchema.doc} It lies in \`\${TOOLANG_ROOT}\`, in a resident agent's home, and in \`.toolang/\` of every other home. Unknown keys are errors.`,
    ['```toml', ...exampleLines(), '```'].join('\n'),
  ];
  for (const [name, schema] of Object.entries<Schema>(configSchema.keys)) parts.push(...section([name], schema));
  return `${parts.join('\n\n')}\n`;
}

function section(path: readonly string[], schema: Schema): string[] {
  if (schema.kind === 'map') {
    const inner = [...path, 'NAME'];
    if (schema.value.kind !== 'table') {
      return [heading(path), schema.doc, table([row('NAME', schema.value)])];
    }
    return Object.keys(schema.value.keys).length === 1
      ? [heading(path), schema.doc, table(rows(schema.value, ''))]
      : [heading(inner), schema.doc, table(rows(schema.value, ''))];
  }
  if (schema.kind !== 'table') return [];
  const isNested = (inner: Schema) => inner.kind === 'map' || inner.kind === 'table';
  const plain = Object.entries(schema.keys).filter(([, inner]) => !isNested(inner));
  const nested = Object.entries(schema.keys).filter(([, inner]) => isNested(inner));
  return [
    heading(path),
    schema.doc,
    ...(plain.length > 0 ? [table(plain.map(([name, inner]) => row(name, inner)))] : []),
    ...nested.flatMap(([name, inner]) => section([...path, name], inner)),
  ];
}

function heading(path: readonly string[]): string {
  return `## \`[${keyText(path)}]\``;
}

function rows(schema: TableSchema, prefix: string): string[] {
  return Object.entries(schema.keys).map(([name, inner]) => row(prefix + name, inner));
}

function table(lines: readonly string[]): string {
  return ['| key | type | default | meaning |', '|---|---|---|---|', ...lines].join('\n');
}

function row(name: string, schema: Schema): string {
  const cells = [`\`${name}\``, typeOf(schema), defaultOf(schema), schema.doc];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function typeOf(schema: Schema): string {
  switch (schema.kind) {
    case 'text':
      return schema.values ? schema.values.map((v) => `\`"${v}"\``).join(' or ') : 'text';
    case 'number':
      return `${schema.integer ? 'whole number' : 'number'}, ${rangeOf(schema)}`;
    case 'list':
      return 'list of texts';
    default:
      return 'table';
  }
}

function rangeOf(schema: NumberSchema): string {
  return schema.max === undefined ? `${schema.min} or more` : `${schema.min} to ${schema.max}`;
}

function defaultOf(schema: Schema): string {
  if (schema.required) return 'required';
  if (schema.kind === 'number') return schema.default === undefined ? (schema.unset ?? '') : `\`${schema.default}\``;
  if (schema.kind === 'list') return `\`${JSON.stringify(schema.default)}\``;
  return schema.kind === 'text' && schema.default !== undefined ? `\`"${schema.default}"\`` : '';
}

/** A file that shows each table once; a test loads it. */
function exampleLines(): string[] {
  const lines: string[] = [];
  const add = (path: readonly string[], schema: Schema) => {
    if (schema.kind === 'map') {
      const value = schema.value;
      if (value.kind === 'table' && Object.keys(value.keys).length > 1) add([...path, 'local'], value);
      else
        lines.push('', `[${keyText(path)}]`, `${schema.name === 'header' ? 'X-Name' : 'name'} = ${valueText(value)}`);
    } else if (schema.kind === 'table') {
      const inner = Object.entries(schema.keys);
      const plain = inner.filter(([, s]) => s.kind !== 'map' && s.kind !== 'table');
      if (plain.length > 0)
        lines.push('', `[${keyText(path)}]`, ...plain.map(([name, s]) => `${name} = ${valueText(s)}`));
      for (const [name, s] of inner) if (s.kind === 'map' || s.kind === 'table') add([...path, name], s);
    }
  };
  for (const [name, schema] of Object.entries<Schema>(configSchema.keys)) add([name], schema);
  return lines.slice(1);
}

function valueText(schema: Schema): string {
  switch (schema.kind) {
    case 'text':
      return JSON.stringify(schema.example);
    case 'number':
      return String(schema.default ?? schema.example ?? Math.max(schema.min, 100));
    case 'list':
      return `[${JSON.stringify(schema.default[0] ?? schema.item.example)}]`;
    case 'map':
      return '{}';
    case 'table':
      return `{ ${Object.entries(schema.keys)
        .map(([name, inner]) => `${name} = ${valueText(inner)}`)
        .join(', ')} }`;
  }
}
