/**
 * The value of one property that is written in YAML: a text, a list of texts or a map of texts. Scalars are always
 * text. No anchors, aliases, tags or merges; and what is nested too deep never reaches the parser, which calls itself
 * for each level.
 */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument, visit, type YAMLMap } from 'yaml';
import { type Diagnostic, diagnostic, type Source, type Span, span } from '../text/index.ts';
import type { Line } from './lines.ts';
import type { CapProperty, CapPropertyItem } from './property.ts';
import { yamlProblem } from './yaml-problem.ts';

export type YamlValue = Pick<CapProperty, 'shape' | 'value' | 'valueSpan' | 'items'>;

/** `first` is what stands on the line of the key; `lines` are those below it. */
export function readYaml(
  source: Source,
  first: Span | undefined,
  lines: readonly Line[],
  diagnostics: Diagnostic[],
): YamlValue {
  const piece = gather(source, first, lines);
  const broken: YamlValue = { shape: 'broken', value: '', valueSpan: piece.whole, items: [] };
  const tab = lines.find((line) => line.tab);
  if (tab && piece.text.charAt(0) !== '|' && piece.text.charAt(0) !== '>') {
    const where = span(tab.margin, tab.margin + 1);
    diagnostics.push(
      diagnostic('TOO5205', source, where, 'a tab cannot indent frontmatter.', {
        help: 'Indent with blanks.',
        fix: { title: 'replace the tab by two blanks', edits: [{ span: where, text: '  ' }] },
      }),
    );
    return broken;
  }
  if (isTooDeep(piece.text)) {
    diagnostics.push(
      diagnostic('TOO5210', source, piece.whole, 'this value is nested too deep.', {
        help: 'Write texts, a list of texts, or a map of texts.',
      }),
    );
    return broken;
  }
  const document = parseDocument(piece.text, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const context: Context = { source, piece, diagnostics };
  if (reportErrors(context, document) || reportTricks(context, document)) return broken;
  return valueOfNode(context, document.contents) ?? broken;
}

/** YAML text without margins, and the way back: each line knows where it came from. */
interface Piece {
  readonly text: string;
  readonly whole: Span;
  /** Pairs of offset in `text` and offset in the source, ascending. */
  readonly map: readonly (readonly [number, number])[];
}

interface Context {
  readonly source: Source;
  readonly piece: Piece;
  readonly diagnostics: Diagnostic[];
}

function gather(source: Source, first: Span | undefined, lines: readonly Line[]): Piece {
  const map: [number, number][] = [];
  let text = '';
  if (first) {
    map.push([0, first.start]);
    text = source.text.slice(first.start, first.end);
  }
  for (const line of lines) {
    text += '\n';
    map.push([text.length, line.margin]);
    text += source.text.slice(line.margin, line.end);
  }
  const start = first?.start ?? lines.find((line) => line.text !== '')?.start ?? 0;
  return { text, map, whole: span(start, lines.at(-1)?.end ?? first?.end ?? start) };
}

function back(c: Context, offset: number): number {
  const { map, whole } = c.piece;
  let low = 0;
  let high = map.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((map[middle]?.[0] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const [from, to] = map[low] ?? [0, whole.start];
  return Math.max(whole.start, Math.min(whole.end, to + Math.max(0, offset - from)));
}

function spanOf(c: Context, node: Node): Span {
  const [from, to] = node.range ?? [0, 0];
  const written = c.piece.text.slice(from, to).trimEnd().length;
  return span(back(c, from), back(c, from + written));
}

/** Far beyond what any property needs, far below what the parser's stack holds. */
function isTooDeep(text: string): boolean {
  let brackets = 0;
  const indents: number[] = [];
  const scalar = /^["'|>]/.test(text);
  for (const line of text.split('\n')) {
    for (const c of line) {
      if (c === '[' || c === '{') brackets++;
      else if ((c === ']' || c === '}') && brackets > 0) brackets--;
      if (brackets > 64) return true;
    }
    const compact = /^\s*((?:[-?]\s+)*)/.exec(line)?.[1]?.length ?? 0;
    if (compact > 32 || (!scalar && line.split(': ', 33).length > 32)) return true;
    const indent = line.length - line.trimStart().length;
    if (indent === line.length) continue;
    while (indents.length > 0 && (indents.at(-1) ?? 0) >= indent) indents.pop();
    indents.push(indent);
    if (indents.length > 32) return true;
  }
  return false;
}

function reportErrors(c: Context, document: Document): boolean {
  const [error] = document.errors;
  if (!error) return false;
  const { start, end, message, help, fix } = yamlProblem(c.piece.text, error);
  const from = back(c, start);
  c.diagnostics.push(
    diagnostic('TOO5204', c.source, span(from, Math.max(from, back(c, end))), message, {
      help,
      ...(fix && { fix: { title: fix.title, edits: [{ span: c.piece.whole, text: fix.text }] } }),
    }),
  );
  return true;
}

function reportTricks(c: Context, document: Document.Parsed): boolean {
  let found = false;
  const refuse = (node: Node, what: string) => {
    found = true;
    c.diagnostics.push(
      diagnostic('TOO5207', c.source, spanOf(c, node), `${what} cannot be used in frontmatter.`, {
        help: 'Write the value out.',
      }),
    );
    return visit.BREAK;
  };
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) return refuse(node, 'an alias');
      if (node.anchor) return refuse(node, 'an anchor');
      if (node.tag) return refuse(node, 'a tag');
      return undefined;
    },
    Pair(_, pair) {
      return isScalar(pair.key) && pair.key.value === '<<' ? refuse(pair.key, 'a merge') : undefined;
    },
  });
  return found;
}

function valueOfNode(c: Context, node: Node | null): YamlValue | undefined {
  if (node === null || isScalar(node)) {
    return { shape: 'text', value: textOf(node), valueSpan: node ? spanOf(c, node) : c.piece.whole, items: [] };
  }
  if (isSeq(node)) {
    const items: CapPropertyItem[] = [];
    for (const item of node.items) {
      if (!isScalar(item)) return deep(c);
      items.push({ value: textOf(item), span: spanOf(c, item) });
    }
    return { shape: 'list', value: items.map((item) => item.value), valueSpan: spanOf(c, node), items };
  }
  return isMap(node) ? mapOf(c, node) : deep(c);
}

function mapOf(c: Context, node: YAMLMap): YamlValue | undefined {
  const items = new Map<string, CapPropertyItem & { keySpan: Span }>();
  let twice = false;
  for (const pair of node.items) {
    if (!isScalar(pair.key) || !(pair.value === null || isScalar(pair.value))) return deep(c);
    const key = textOf(pair.key);
    const keySpan = spanOf(c, pair.key);
    const known = items.get(key);
    if (known) {
      twice = true;
      c.diagnostics.push(
        diagnostic('TOO5202', c.source, keySpan, `"${key}" is written twice.`, {
          related: [{ source: c.source, span: known.keySpan, message: `"${key}" is first written here.` }],
          help: 'Keep one of the two.',
        }),
      );
      continue;
    }
    const value = pair.value === null ? '' : textOf(pair.value);
    items.set(key, { key, keySpan, value, span: pair.value === null ? keySpan : spanOf(c, pair.value) });
  }
  if (twice) return undefined;
  const value = Object.fromEntries([...items].map(([key, item]) => [key, item.value]));
  return { shape: 'map', value, valueSpan: spanOf(c, node), items: [...items.values()] };
}

function deep(c: Context): YamlValue {
  return { shape: 'deep', value: c.piece.text.trim(), valueSpan: c.piece.whole, items: [] };
}

function textOf(node: { value: unknown } | null): string {
  return typeof node?.value === 'string' ? node.value : '';
}
