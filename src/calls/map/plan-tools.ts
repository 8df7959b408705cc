/** The plans of tools that stand together. */

import type { ToolSpec } from '../tool.ts';
import { planTool, type ToolPlan } from './plan.ts';
import { showName } from './value.ts';

/** Throws a TypeError for a tool that no call can name, and for two of the same name. */
export function planTools(tools: readonly ToolSpec[]): ToolPlan[] {
  const names = new Set<string>();
  return tools.map((tool) => {
    const plan = planTool(tool);
    if (names.has(plan.name)) {
      throw new TypeError(`there are two tools with the name ${showName(plan.name)}; rename one of them`);
    }
    names.add(plan.name);
    return plan;
  });
}
