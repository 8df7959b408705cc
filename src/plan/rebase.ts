/** Names the modules of a plan from another folder: that of the file which calls it. */
import { join, relative } from 'node:path';
import type { WorkflowPlan } from './node.ts';

export function rebase(plan: WorkflowPlan, from: string, to: string): WorkflowPlan {
  if (from === to) return plan;
  const text = JSON.stringify(plan, (key, value: unknown) => {
    if (key !== 'module' || typeof value !== 'string' || !/^\.{1,2}\//.test(value)) return value;
    const path = relative(to, join(from, value)).replaceAll('\\', '/');
    return path.startsWith('.') ? path : `./${path}`;
  });
  return JSON.parse(text) as WorkflowPlan;
}
