/** `import()` in the code of steps: found by the parser, which is loaded for code that has one. */
import { type Node, parse } from 'acorn';

/**
 * `import()` of compiled text would be Node's own, which knows neither TypeScript nor the folder of the workflow: a function
 * takes its place, with a name of the same length, so that no column moves.
 */
export function ownImport(code: string, load: string): string {
  const tree = parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'script',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
  });
  const starts = importsIn(tree).sort((a, b) => a - b);
  const parts: string[] = [];
  let at = 0;
  for (const start of starts) {
    parts.push(code.slice(at, start), load);
    at = start + 'import'.length;
  }
  return parts.join('') + code.slice(at);
}

function importsIn(tree: Node): number[] {
  const starts: number[] = [];
  const todo: unknown[] = [tree];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const node = next as Node;
    if (node.type === 'ImportExpression') starts.push(node.start);
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) todo.push(value);
  }
  return starts;
}
