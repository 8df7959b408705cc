/** The first line of a text that is another: as it was, as it is, and where both stand. */
import {
  type CodeEdit,
  type KeyPart,
  originalOffset,
  type Place,
  type Stretches,
  type WorkflowNode,
} from '../plan/index.ts';

/** A text of a node that its result depends on. */
export interface Written {
  /** The key that it is written under. */
  readonly key: string;
  readonly text: string;
  readonly at?: Stretches;
  /** Of code: what was rewritten in it, since its places are those of what was written. */
  readonly edits?: readonly CodeEdit[];
}

/** Something as it was, and as it is. */
export interface Dated<T> {
  readonly was: T;
  readonly is: T;
}

/** What is known of a segment beside its plan. */
export interface Defined {
  /** Hashes of modules with the local modules that they import, by their names in the plan. */
  readonly modules: Readonly<Record<string, string>>;
  /** The line of a text under a key, of what stands at a place. */
  readonly findLine: (at: Place, key: string, text: string, index: number) => number | undefined;
  /** Where a plugin of this module is given a value. */
  readonly findConfig: (module: string, key: string, text: string) => Place | undefined;
}

export interface LineChange {
  readonly old: string;
  readonly new: string;
  readonly wasAt: Place | undefined;
  readonly at: Place | undefined;
}

/** The texts of a node that are this part of it. */
export function textsOf(node: WorkflowNode, part: KeyPart): Written[] {
  if (node.kind === 'approval' && part === 'request') {
    const { title, summary } = node.request;
    return [
      { ...title, key: 'title' },
      { text: '', ...summary, key: 'summary' },
    ];
  }
  if (node.kind !== 'step') return [];
  const { action } = node;
  if (action.kind === 'prompt') return part === 'prompt' ? [{ ...action.prompt, key: 'prompt' }] : [];
  if (action.kind !== 'run' || part !== 'code') return [];
  const { code: text, edits, at } = action;
  return [{ key: 'run', text, edits, ...(at !== undefined && { at }) }];
}

export function lineChange(
  old: Written,
  now: Written,
  nodes: Dated<WorkflowNode>,
  defined: Dated<Defined>,
): LineChange | undefined {
  if (old.text === now.text) return undefined;
  const { index, old: before, new: after } = differingLine(old.text, now.text);
  return {
    old: before,
    new: after,
    wasAt: placeOfLine(old, index, nodes.was.at, defined.was),
    at: placeOfLine(now, index, nodes.is.at, defined.is),
  };
}

/** The first line in which two texts differ. */
export function differingLine(old: string, now: string): { index: number; old: string; new: string } {
  const [before, after] = [old.split('\n'), now.split('\n')];
  let index = 0;
  while (index < before.length && index < after.length && before[index] === after[index]) index++;
  return { index, old: before[index] ?? '', new: after[index] ?? '' };
}

/** Where a line of a text stands; where that is not known, the node. */
function placeOfLine(written: Written, index: number, node: Place | undefined, defined: Defined): Place | undefined {
  const { text, at, key } = written;
  if (typeof at === 'string') return { file: at, line: index + 1, column: 1 };
  if (node === undefined) return node;
  const line = lineFromStretches(written, index) ?? defined.findLine(node, key, text, index);
  return line === undefined ? node : { file: node.file, line, column: 1 };
}

/** Of a line in which something has its place. */
function lineFromStretches({ text, at = [], edits = [] }: Written, index: number): number | undefined {
  if (typeof at === 'string' || at.length === 0) return undefined;
  let start = 0;
  for (let line = 0; line < index; line++) {
    const next = text.indexOf('\n', start);
    // It was added at the end, or taken away there.
    if (next === -1) return undefined;
    start = next + 1;
  }
  const newline = text.indexOf('\n', start);
  const from = originalOffset(edits, start);
  const to = originalOffset(edits, newline === -1 ? text.length : newline);
  for (let i = 0; i < at.length; i += 3) {
    const [offset = 0, line] = at.slice(i, i + 3);
    if (offset >= from) return offset <= to ? line : undefined;
  }
  return undefined;
}

/** As it is told: `file:line`. */
export function placeOf<K extends 'at' | 'wasAt'>(key: K, place: Place | undefined): Partial<Record<K, string>> {
  return place === undefined ? {} : ({ [key]: `${place.file}:${place.line}` } as Partial<Record<K, string>>);
}
