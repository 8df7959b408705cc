/** What a tree says about the place where a match starts, so that most places need not be tried. */
import { type CharSet, charSet, has } from './char-set.ts';
import type { Node } from './node.ts';
import type { Start } from './program.ts';

/** Characters; a longer one is not found faster, and may be slower. */
const maxPrefix = 32;

export function startOf(node: Node): Start {
  const prefix: number[] = [];
  addPrefix(node, prefix);
  const sets: CharSet[] = [];
  const first = addFirst(node, sets) === 'full' ? union(sets) : undefined;
  return { anchored: isAnchored(node), prefix: prefix.map((code) => String.fromCodePoint(code)).join(''), first };
}

function isAnchored(node: Node): boolean {
  switch (node.kind) {
    case 'start':
      return true;
    case 'sequence':
      return node.nodes[0] !== undefined && isAnchored(node.nodes[0]);
    case 'choice':
      return node.nodes.every(isAnchored);
    case 'group':
      return isAnchored(node.body);
    default:
      return false;
  }
}

/** True when the node is nothing but what was added, so that what follows it can be added too. */
function addPrefix(node: Node, prefix: number[]): boolean {
  switch (node.kind) {
    case 'char':
      prefix.push(node.code);
      return prefix.length < maxPrefix;
    case 'sequence':
      return node.nodes.every((part) => addPrefix(part, prefix));
    case 'group':
      return addPrefix(node.body, prefix);
    case 'loop':
      if (node.min > 0) addPrefix(node.body, prefix);
      return false;
    default:
      return false;
  }
}

/**
 * Adds the characters that the node can start with. "full": it always starts with one of them; "open": it can be
 * empty, so that what follows it counts too; "unknown": it can start with any.
 */
function addFirst(node: Node, sets: CharSet[]): 'full' | 'open' | 'unknown' {
  switch (node.kind) {
    case 'char':
      sets.push(charSet((code) => code === node.code));
      return 'full';
    case 'set':
      sets.push(node.set);
      return 'full';
    case 'sequence':
      for (const part of node.nodes) {
        const found = addFirst(part, sets);
        if (found !== 'open') return found;
      }
      return 'open';
    case 'choice': {
      const found = node.nodes.map((part) => addFirst(part, sets));
      return found.includes('unknown') ? 'unknown' : found.includes('open') ? 'open' : 'full';
    }
    case 'group':
      return addFirst(node.body, sets);
    case 'loop': {
      if (node.max === 0) return 'open';
      const found = addFirst(node.body, sets);
      return found === 'full' && node.min === 0 ? 'open' : found;
    }
    case 'back':
      return 'unknown';
    default:
      return 'open';
  }
}

function union(sets: readonly CharSet[]): CharSet | undefined {
  return sets.length === 1 ? sets[0] : charSet((code) => sets.some((set) => has(set, code)));
}
