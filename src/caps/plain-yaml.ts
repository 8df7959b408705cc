/**
 * The YAML that nearly all caps have, read without the YAML parser, which costs as much as all the rest of a check:
 * `[A, B]`, `- A` lines and `Key: value` lines of plain words. Whatever is not surely plain is left to the parser; a
 * test holds that both give the same.
 */
import { type Span, span } from '../text/index.ts';
import type { Line } from './lines.ts';
import type { CapPropertyItem } from './property.ts';
import type { YamlValue } from './yaml-value.ts';

const LIST = /^\[ *[A-Za-z_][A-Za-z0-9_]*(?: *, *[A-Za-z_][A-Za-z0-9_]*)* *\]$/;
const ITEM = /^- +([A-Za-z_][A-Za-z0-9_.-]*)$/;
const ENTRY = /^([A-Za-z][A-Za-z0-9_-]*): +([A-Za-z0-9$][A-Za-z0-9$ {}_./=+-]*)$/;

/** `text` is what stands on the line of the key, `first` its place; `lines` are those below it. */
export function readPlainYaml(text: string, first: Span | undefined, lines: readonly Line[]): YamlValue | undefined {
  if (first) return lines.length === 0 && LIST.test(text) ? flowList(text, first) : undefined;
  const [head] = lines;
  if (!head || head.text === '' || lines.some((line) => line.tab || line.indent !== head.indent)) return undefined;
  return head.text.startsWith('- ') ? blockList(lines) : blockMap(lines);
}

function flowList(text: string, at: Span): YamlValue {
  const items: CapPropertyItem[] = [];
  for (const found of text.matchAll(/[A-Za-z0-9_]+/g)) {
    const start = at.start + found.index;
    items.push({ value: found[0], span: span(start, start + found[0].length) });
  }
  return { shape: 'list', value: items.map((item) => item.value), valueSpan: at, items };
}

function blockList(lines: readonly Line[]): YamlValue | undefined {
  const items: CapPropertyItem[] = [];
  for (const line of lines) {
    const value = ITEM.exec(line.text)?.[1];
    if (value === undefined) return undefined;
    items.push({ value, span: span(line.end - value.length, line.end) });
  }
  return { shape: 'list', value: items.map((item) => item.value), valueSpan: whole(lines), items };
}

function blockMap(lines: readonly Line[]): YamlValue | undefined {
  const items: CapPropertyItem[] = [];
  const value: Record<string, string> = {};
  for (const line of lines) {
    const [, key, text] = ENTRY.exec(line.text) ?? [];
    if (key === undefined || text === undefined || Object.hasOwn(value, key) || key === '__proto__') return undefined;
    value[key] = text;
    items.push({
      key,
      keySpan: span(line.start, line.start + key.length),
      value: text,
      span: span(line.end - text.length, line.end),
    });
  }
  return { shape: 'map', value, valueSpan: whole(lines), items };
}

function whole(lines: readonly Line[]): Span {
  return span(lines[0]?.start ?? 0, lines.at(-1)?.end ?? 0);
}
