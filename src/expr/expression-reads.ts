/** What an expression reads: its free names, and the members that are read through each. */
import type { Expression, Pattern, Read, Spread } from './expression.ts';
import { staticKey } from './static-key.ts';

interface Scope {
  readonly names: ReadonlySet<string>;
  readonly parent: Scope | undefined;
}

/** In the order of the text. The path ends before a method that is called, and before a computed index. */
export function readsOf(expression: Expression): Read[] {
  const reads: Read[] = [];
  walk(expression, undefined, reads);
  return reads;
}

function walk(node: Expression | Spread, scope: Scope | undefined, reads: Read[]): void {
  switch (node.kind) {
    case 'literal':
    case 'regexp':
      return;
    case 'name':
    case 'member':
    case 'index':
    case 'chain':
      path(node, [], scope, reads);
      return;
    case 'spread':
      walk(node.expression, scope, reads);
      return;
    case 'call': {
      const { callee } = node;
      if (callee.kind === 'member') {
        path(callee.object, [], scope, reads);
      } else if (callee.kind === 'index') {
        path(callee.object, [], scope, reads);
        walk(callee.index, scope, reads);
      } else {
        walk(callee, scope, reads);
      }
      walkAll(node.args, scope, reads);
      return;
    }
    case 'new':
      walkAll(node.args, scope, reads);
      return;
    case 'unary':
      walk(node.operand, scope, reads);
      return;
    case 'binary':
    case 'logical':
      walk(node.left, scope, reads);
      walk(node.right, scope, reads);
      return;
    case 'conditional':
      walk(node.test, scope, reads);
      walk(node.then, scope, reads);
      walk(node.else, scope, reads);
      return;
    case 'template':
    case 'sequence':
      walkAll(node.expressions, scope, reads);
      return;
    case 'list':
      walkAll(node.items, scope, reads);
      return;
    case 'record':
      for (const entry of node.entries) {
        if (entry.kind === 'entry' && typeof entry.key !== 'string') walk(entry.key, scope, reads);
        walk(entry.kind === 'entry' ? entry.value : entry, scope, reads);
      }
      return;
    case 'arrow': {
      const names = new Set<string>();
      const defaults: Expression[] = [];
      for (const param of node.params) bind(param, names, defaults);
      const inner: Scope = { names, parent: scope };
      walkAll(defaults, inner, reads);
      walk(node.body, inner, reads);
      return;
    }
  }
}

function walkAll(nodes: readonly (Expression | Spread | null)[], scope: Scope | undefined, reads: Read[]): void {
  for (const node of nodes) if (node !== null) walk(node, scope, reads);
}

/** Goes down a path to its name; `behind` are the members read through `node`, the last one first. */
function path(node: Expression, behind: string[], scope: Scope | undefined, reads: Read[]): void {
  switch (node.kind) {
    case 'name':
      // What was refused has no name.
      if (node.name !== '' && !isBound(node.name, scope)) {
        reads.push({ name: node.name, path: behind.reverse(), start: node.start, end: node.end });
      }
      return;
    case 'chain':
      path(node.expression, behind, scope, reads);
      return;
    case 'member':
      behind.push(node.name);
      path(node.object, behind, scope, reads);
      return;
    case 'index': {
      const key = staticKey(node.index);
      if (key !== undefined) {
        behind.push(key);
        path(node.object, behind, scope, reads);
        return;
      }
      path(node.object, [], scope, reads);
      walk(node.index, scope, reads);
      return;
    }
    default:
      walk(node, scope, reads);
      return;
  }
}

function bind(pattern: Pattern, names: Set<string>, defaults: Expression[]): void {
  switch (pattern.kind) {
    case 'name-pattern':
      names.add(pattern.name);
      return;
    case 'list-pattern':
      for (const item of pattern.items) if (item !== null) bind(item, names, defaults);
      return;
    case 'record-pattern':
      for (const entry of pattern.entries) bind(entry.value, names, defaults);
      if (pattern.rest !== undefined) names.add(pattern.rest);
      return;
    case 'rest-pattern':
      bind(pattern.pattern, names, defaults);
      return;
    case 'default-pattern':
      bind(pattern.pattern, names, defaults);
      defaults.push(pattern.value);
  }
}

function isBound(name: string, scope: Scope | undefined): boolean {
  for (let at = scope; at !== undefined; at = at.parent) if (at.names.has(name)) return true;
  return false;
}
