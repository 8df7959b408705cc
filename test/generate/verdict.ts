/** Compares the parser with the grammar, which is the judge of what a program is, and makes what differs small. */
import type { Sexp, WasmTree } from '../../grammar/wasm-tree.ts';
import { createSource, oneLine } from '../../src/text/index.ts';
import { type Parsed, parse, toSexp } from '../../src/too/index.ts';

export type Grammar = (text: string) => WasmTree;

/** Where both must agree and do not; `kind` says how, `report` says more. */
export interface Difference {
  readonly kind: 'only the grammar accepts' | 'only the parser accepts' | 'tree' | 'comments';
  readonly report: string;
}

/** A class of texts that the two may read differently, and why that is right. */
export interface KnownDifference {
  readonly reason: string;
  matches(text: string, difference: Difference): boolean;
}

export interface Verdict {
  readonly grammar: WasmTree;
  readonly parsed: Parsed;
  readonly difference: Difference | undefined;
}

export function compare(grammar: Grammar, text: string): Verdict {
  const wasm = grammar(text);
  const parsed = parse(createSource('program.too', text));
  return { grammar: wasm, parsed, difference: differenceOf(text, wasm, parsed) };
}

/** The smallest part of a text that still `fails`: lines are dropped first, then characters. */
export function shrink(text: string, fails: (text: string) => boolean): string {
  const lines = drop(text.split(/(?<=\n)/), (parts) => fails(parts.join('')));
  if (lines.join('').length > 1500) return lines.join('');
  return drop([...lines.join('')], (parts) => fails(parts.join(''))).join('');
}

function differenceOf(text: string, wasm: WasmTree, parsed: Parsed): Difference | undefined {
  const errors = parsed.diagnostics.filter((d) => d.severity === 'error' && d.code.startsWith('TOO1'));
  const accepts = errors.length === 0;
  if (wasm.ok && !accepts) {
    return { kind: 'only the grammar accepts', report: errors.map((d) => oneLine(d)).join('\n') };
  }
  if (!wasm.ok && accepts) return { kind: 'only the parser accepts', report: JSON.stringify(errorsOf(wasm.tree)) };
  if (!wasm.ok) return undefined;
  const ours = JSON.stringify(toSexp(parsed.program));
  const theirs = JSON.stringify(wasm.tree);
  if (ours !== theirs) return { kind: 'tree', report: `grammar ${theirs}\nparser  ${ours}` };
  const spans = JSON.stringify(commentsOf(parsed));
  const expected = JSON.stringify(wasm.comments);
  if (spans !== expected) return { kind: 'comments', report: `grammar ${expected}\nparser  ${spans}` };
  const joined = parsed.tokens.map((token) => text.slice(token.start, token.end)).join('');
  return joined === text ? undefined : { kind: 'tree', report: 'the tokens joined are not the text' };
}

function commentsOf(parsed: Parsed): [number, number][] {
  return parsed.tokens.flatMap(({ kind, start, end }) => (kind === 'comment' ? [[start, end]] : []));
}

/** The nodes of the grammar's tree that hold an error, without what is right in them. */
function errorsOf(tree: Sexp): Sexp[] {
  const found: Sexp[] = [];
  const walk = (node: Sexp): void => {
    if (node[0] === 'ERROR') found.push(node);
    else for (const child of node.slice(1)) if (typeof child === 'object') walk(child);
  };
  walk(tree);
  return found;
}

/** Drops halves, then quarters and so on down to single parts, as long as what is left fails. */
function drop(parts: readonly string[], fails: (parts: readonly string[]) => boolean): readonly string[] {
  let left = parts;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < left.length; ) {
      const fewer = [...left.slice(0, at), ...left.slice(at + size)];
      if (fails(fewer)) left = fewer;
      else at += size;
    }
  }
  return left;
}
