/**
 * The tree of a regular expression.
 * Groups are numbered from 1; `firstGroup` to `lastGroup` are those inside (none when the last is less than the first).
 */
import type { CharSet } from './char-set.ts';

export interface CharNode {
  readonly kind: 'char';
  /** A code point with the flag u or v, else a code unit. It has no other case, or case counts. */
  readonly code: number;
}

export interface SetNode {
  readonly kind: 'set';
  readonly set: CharSet;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly nodes: readonly Node[];
}

export interface ChoiceNode {
  readonly kind: 'choice';
  readonly nodes: readonly Node[];
}

export interface GroupNode {
  readonly kind: 'group';
  readonly index: number;
  readonly body: Node;
}

export interface LoopNode {
  readonly kind: 'loop';
  readonly body: Node;
  /** Whether the body can match nothing. */
  readonly empty: boolean;
  readonly min: number;
  /** `unlimited` when there is no end. */
  readonly max: number;
  readonly lazy: boolean;
  readonly firstGroup: number;
  readonly lastGroup: number;
}

export interface LookNode {
  readonly kind: 'look';
  readonly body: Node;
  readonly behind: boolean;
  readonly negative: boolean;
  readonly firstGroup: number;
  readonly lastGroup: number;
}

export interface EdgeNode {
  readonly kind: 'start' | 'end' | 'lineStart' | 'lineEnd' | 'word' | 'notWord';
}

export interface BackNode {
  readonly kind: 'back';
  /** A name is resolved when all groups are known. */
  group: number;
}

export type Node =
  | CharNode
  | SetNode
  | SequenceNode
  | ChoiceNode
  | GroupNode
  | LoopNode
  | LookNode
  | EdgeNode
  | BackNode;

/** Counts are clamped to it, as in V8. */
export const unlimited = 0x7fffffff;

/** False when every match of the node is longer than nothing. */
export function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'char':
    case 'set':
      return false;
    case 'sequence':
      return node.nodes.every(canBeEmpty);
    case 'choice':
      return node.nodes.some(canBeEmpty);
    case 'group':
      return canBeEmpty(node.body);
    case 'loop':
      return node.min === 0 || node.empty;
    default:
      return true;
  }
}
