/** Whose thunk a run is of: such a run has a plan with one step, which asks an agent that is written in `.too`. */
import type { WorkflowPlan } from '../plan/index.ts';

export interface RunThunk {
  readonly agent: string;
  readonly thunk: string;
}

export function thunkOf({ name, children, agents, activation }: WorkflowPlan): RunThunk | undefined {
  // An agent that lives here is called by its name, and its file "agent.too".
  if (activation?.thunk !== undefined) return { agent: name, thunk: activation.thunk };
  const [step, ...more] = children;
  if (step?.kind !== 'step' || more.length > 0 || step.action.kind !== 'prompt') return undefined;
  const agent = agents[step.action.agent];
  if (agent?.type !== 'too') return undefined;
  const { use } = agent.fields;
  const [file = '', named = ''] = typeof use === 'string' ? use.split('#') : [];
  const stem = file.slice(file.lastIndexOf('/') + 1).replace(/\.too$/, '');
  return { agent: stem === '' ? agent.name : stem, thunk: named === '' ? (step.id ?? step.action.agent) : named };
}

/** `reviewer › review`, unless the run has a name of its own. */
export function runTitle(name: string, run: RunThunk | undefined): string {
  if (run === undefined) return name;
  const { agent, thunk } = run;
  const own = new Set([agent, thunk, `${agent}#${thunk}`, `${agent}.too`, `${agent}.too#${thunk}`]);
  return own.has(name.slice(name.lastIndexOf('/') + 1)) ? `${agent} › ${thunk}` : name;
}
