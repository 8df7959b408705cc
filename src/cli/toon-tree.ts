/** Prints the tree of a TOON document, for people: one value a line, with its place. */
import { positionAt, printable, type Source } from '../text/index.ts';
import type { ToonDocument, ToonHeader, ToonValue } from '../toon/index.ts';

/** Nesting is capped by the parser, so the stack holds. */
export function printDocument({ source, root, comments }: ToonDocument): string {
  const lines = ['document'];
  const visit = (value: ToonValue, name: string, depth: number) => {
    const place = placeText(source, value.span.start);
    lines.push(`${'  '.repeat(depth)}${name}${value.kind} ${place}${detailOf(value, source)}`);
    if (value.kind === 'object')
      for (const { key, value: inner } of value.entries) visit(inner, `${keyText(key.text)}: `, depth + 1);
    if (value.kind === 'array') for (const item of value.items) visit(item, '- ', depth + 1);
  };
  visit(root, '', 1);
  for (const { span, text } of comments) lines.push(`  comment ${placeText(source, span.start)} ${quoted(text)}`);
  return `${lines.join('\n')}\n`;
}

function detailOf(value: ToonValue, source: Source): string {
  switch (value.kind) {
    case 'string':
      return ` ${quoted(value.text)}`;
    case 'number':
    case 'boolean':
      return ` ${value.value}`;
    case 'union':
      return ` ${printable(source.text.slice(value.span.start, value.span.end))}`;
    case 'array':
      return value.header ? ` ${headerText(value.header)}` : '';
    default:
      return '';
  }
}

function headerText({ form, length, fields }: ToonHeader): string {
  const columns = fields.length > 0 ? ` {${fields.map((field) => keyText(field.text)).join(', ')}}` : '';
  return `${form} [${length.value}]${columns}`;
}

function keyText(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

function placeText(source: Source, offset: number): string {
  const { line, column } = positionAt(source, offset);
  return `${line}:${column}`;
}
