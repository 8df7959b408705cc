/** Whether a model may, or must, call a tool. */
import { closestNames } from '../map/closest.ts';
import { showName } from '../map/value.ts';
import type { ToolSpec } from '../tool.ts';

export type ToolChoice = 'auto' | 'required' | { readonly tool: string };

/** Throws a TypeError for a choice that these tools do not leave. */
export function checkToolChoice(choice: ToolChoice, tools: readonly ToolSpec[]): void {
  if (choice === 'auto') return;
  if (choice === 'required') {
    if (tools.length > 0) return;
    throw new TypeError('toolChoice is "required", but there are no tools; pass some, or leave it out');
  }
  const name: unknown = choice?.tool;
  if (typeof name !== 'string') {
    throw new TypeError('toolChoice must be "auto", "required" or { tool: "name" }');
  }
  const names = tools.map((tool) => tool.name);
  if (names.includes(name)) return;
  const near = closestNames(name, names).map(showName).join(' or ');
  const help = near === '' ? `there are ${names.map(showName).join(', ') || 'none'}` : `did you mean ${near}?`;
  throw new TypeError(`toolChoice asks for the tool ${showName(name)}, which is not there; ${help}`);
}
