/** Reads `.too` text with the built grammar and gives a tree as nested arrays, to compare other parsers with. */
import { readFile } from 'node:fs/promises';
import { Language, type Node, Parser, type TreeCursor } from 'web-tree-sitter';

/** `[kind, start, end]` with UTF-16 offsets. */
export type SexpLeaf = readonly [kind: string, start: number, end: number];
/** Without offsets: where an inner node ends is a matter of trailing blanks and comments. */
export type SexpInner = readonly [kind: string, ...children: Sexp[]];
export type Sexp = SexpLeaf | SexpInner;

export interface WasmTree {
  /** Neither errors nor missing tokens. */
  readonly ok: boolean;
  /** Without comments. When not `ok`, with nodes of the kind `ERROR`. */
  readonly tree: Sexp;
  readonly comments: readonly (readonly [start: number, end: number])[];
}

/** The kinds of node that are only text. */
export const leafKinds: ReadonlySet<string> = new Set([
  'bare_value',
  'block_name',
  'cap_kind',
  'cap_shorthand',
  'cap_uri',
  'comment',
  'directive_key',
  'directive_op',
  'fence_close',
  'fence_content',
  'fence_open',
  'frontmatter',
  'inline_text',
  'language',
  'message_kind',
  'optional_marker',
  'property_key',
  'property_value',
  'raw_text',
  'type_name',
  'type_suffix',
  'value_name',
]);

/** The language as built. Its memory lives as long as the process. */
export async function loadLanguage(): Promise<Language> {
  await Parser.init();
  return Language.load(await readFile(new URL('./tree-sitter-toolang.wasm', import.meta.url)));
}

export async function loadGrammar(): Promise<(text: string) => WasmTree> {
  const language = await loadLanguage();
  const parser = new Parser();
  parser.setLanguage(language);
  return (text) => {
    const tree = parser.parse(text);
    if (tree === null) throw new Error('the grammar gave no tree, which happens only without a language');
    try {
      return readTree(tree.rootNode);
    } finally {
      tree.delete();
    }
  };
}

function readTree(root: Node): WasmTree {
  const comments: [number, number][] = [];
  const cursor = root.walk();
  try {
    return { ok: !root.hasError, tree: readNode(cursor, comments), comments };
  } finally {
    cursor.delete();
  }
}

function readNode(cursor: TreeCursor, comments: [number, number][]): Sexp {
  const kind = cursor.nodeType;
  if (leafKinds.has(kind)) return [kind, cursor.startIndex, cursor.endIndex];
  const children: Sexp[] = [];
  if (cursor.gotoFirstChild()) {
    do {
      if (!cursor.nodeIsNamed) continue;
      if (cursor.nodeType === 'comment') comments.push([cursor.startIndex, cursor.endIndex]);
      else if (!isEmptyContent(cursor)) children.push(readNode(cursor, comments));
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return [kind, ...children];
}

/** A fence around one empty line has content without a character: nothing to compare, so it is left out. */
function isEmptyContent(cursor: TreeCursor): boolean {
  return cursor.nodeType === 'fence_content' && cursor.startIndex === cursor.endIndex;
}
