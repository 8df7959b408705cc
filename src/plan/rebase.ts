/** Names the modules and files of a plan from another folder: that of the file which calls it. */
import { join, relative } from 'node:path';
import { fieldsFrom } from './agents.ts';
import type { WorkflowPlan } from './node.ts';
import { pathFrom } from './specifier.ts';

export function rebase(plan: WorkflowPlan, from: string, to: string): WorkflowPlan {
  if (from === to) return plan;
  const text = JSON.stringify(plan, (key, value: unknown) => {
    if (key !== 'module' || typeof value !== 'string' || !/^\.{1,2}\//.test(value)) return value;
    const path = relative(to, join(from, value)).replaceAll('\\', '/');
    return path.startsWith('.') ? path : `./${path}`;
  });
  return agentsFrom(to, from, JSON.parse(text) as WorkflowPlan);
}

function agentsFrom(to: string, from: string, plan: WorkflowPlan): WorkflowPlan {
  const agents = Object.entries(plan.agents).map(([name, agent]) => {
    const fields = fieldsFrom(to, from, agent.type, agent.fields);
    const { workflow } = agent;
    const moved = workflow === undefined ? undefined : { workflow: pathFrom(to, from, workflow) };
    return [name, { ...agent, fields, ...moved }] as const;
  });
  const inner = Object.entries(plan.workflows).map(([name, each]) => [name, agentsFrom(to, from, each)] as const);
  return { ...plan, agents: Object.fromEntries(agents), workflows: Object.fromEntries(inner) };
}
