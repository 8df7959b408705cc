/** The names that code has without anyone declaring them. */

/** The globals of the Node that checks are those of the Node that runs; `arguments` is part of every function. */
export function isGlobal(name: string): boolean {
  return name === 'arguments' || Object.hasOwn(globalThis, name);
}

/** Names that other programs have, and what to write here. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['__dirname', 'Write "cwd": the folder in which the step runs.'],
  ['__filename', 'Write "cwd": the folder in which the step runs.'],
  ['module', 'A step gives its value with "return".'],
  ['exports', 'A step gives its value with "return".'],
  ['window', 'Steps run in Node, which has "globalThis".'],
  ['self', 'Steps run in Node, which has "globalThis".'],
  ['document', 'Steps run in Node, where there is no page.'],
  ['context', 'What a step has is in scope by name: "input", "steps", "cwd", "signal" and so on.'],
  ['ctx', 'What a step has is in scope by name: "input", "steps", "cwd", "signal" and so on.'],
]);

export function helpForGlobal(name: string): string | undefined {
  return elsewhere.get(name);
}
