/**
 * Names of tools that the runtime itself brings: hands, which are tools too, cannot have them. A test of `src/agent` compares
 * them with those that it offers.
 */
const skillTool = 'skill';
const memoryTool = 'memory_save';
const handoffPrefix = 'handoff_to_';

/** Whether a hand of a thunk with these handoffs would be taken for one of them. */
export function isOwnTool(name: string, handoffs: Iterable<string>): boolean {
  if (name === skillTool || name === memoryTool) return true;
  for (const to of handoffs) if (name === `${handoffPrefix}${to}`) return true;
  return false;
}
