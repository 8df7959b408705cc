/** Workflows in TypeScript, `import { … } from 'toolang/workflow'`: the graph that workflow files give, and runs of it. `docs/builder.md` shows it. */
export type { EventBody } from '../journal/index.ts';
export type { RunError } from '../machine/index.ts';
export type { Json, Planned, WorkflowNode, WorkflowPlan } from '../plan/index.ts';
export { type Agent, type AgentFields, agent } from './workflow/agent.ts';
export { type Component, component } from './workflow/component.ts';
export { describeBuilder } from './workflow/described.ts';
export { type Expr, expr, type Given, type Ref, type Text, type TextLike, text } from './workflow/expression.ts';
export { type LoadedWorkflow, load } from './workflow/load.ts';
export type { Described } from './workflow/marker.ts';
export type { Condition, Duration, NamedNode, Needs, Node, ResultOf, StepContext } from './workflow/node.ts';
export {
  type Approval,
  approval,
  branch,
  call,
  loop,
  node,
  parallel,
  ref,
  sequence,
  step,
  worktree,
} from './workflow/nodes.ts';
export { run, runIdOf } from './workflow/run.ts';
export type { Answer, RunEvent, RunLimits, RunOptions, RunQuestion, RunResult } from './workflow/run-options.ts';
export type { AnySchema, ValueOf } from './workflow/schema.ts';
export { type Workflow, type WorkflowOptions, workflow } from './workflow/workflow.ts';
