/** What the nodes of a builder program lead to: schemas, components, sub-workflows and functions. */
import { functionModule } from '../../plan/index.ts';
import { ToolangError } from '../../text/index.ts';
import { type ComponentData, componentOf } from './component-data.ts';
import { pathOf } from './expression.ts';
import { childrenOf, dataOf, listOf, type Node, nameInside, type StepContext, type StepFunction } from './node.ts';
import { type WorkflowData, workflowOf } from './workflow-data.ts';

export interface Reached {
  readonly schemas: ReadonlySet<unknown>;
  readonly components: ReadonlySet<ComponentData>;
  readonly workflows: ReadonlySet<WorkflowData>;
  /** The functions of steps, by their names in the plan. */
  readonly functions: ReadonlyMap<string, StepFunction>;
}

/** As in files. */
const maxNesting = 64;

export function reach(
  nodes: readonly Node<unknown>[],
  firstSchemas: Iterable<unknown>,
  firstComponents: Iterable<ComponentData> = [],
): Reached {
  const schemas = new Set(firstSchemas);
  const components = new Set(firstComponents);
  const workflows = new Set<WorkflowData>();
  const functions = new Map<string, StepFunction>();
  visit(nodes, undefined, 1);
  // A set goes on over what is added while it is walked.
  for (const found of components) {
    if (found.kind === 'file') continue;
    if (found.params !== undefined) schemas.add(found.params);
    visit(found.nodes, found.name, 1);
  }
  return { schemas, components, workflows, functions };

  function visit(list: readonly Node<unknown>[], component: string | undefined, depth: number): void {
    if (depth > maxNesting) throw new ToolangError('TOO4216', `nodes nest more than ${maxNesting} levels deep`);
    for (const node of listOf(list)) {
      const data = dataOf(node);
      if (data === undefined) continue;
      if (data.kind === 'step') {
        if (data.output !== undefined) schemas.add(data.output);
        if (typeof data.run === 'function') functions.set(functionName(data.id, component), withRead(data.run));
      }
      const used = data.kind === 'component' ? componentOf(data.use) : undefined;
      if (used) components.add(used);
      const called = data.kind === 'workflow' ? workflowOf(data.use) : undefined;
      if (called) workflows.add(called);
      visit(childrenOf(data), component, depth + 1);
    }
  }
}

/** Its own, and those of its sub-workflows, which the modules in their names tell apart. */
export function functionsOf(name: string, { functions, workflows }: Reached): ReadonlyMap<string, StepFunction> {
  const all = new Map([...functions].map(([key, run]) => [functionModule(name, key), run]));
  for (const called of workflows) {
    if (called.kind !== 'built') continue;
    for (const [key, run] of called.functions) {
      const other = all.get(key);
      if (other !== undefined && other !== run) {
        throw new ToolangError('TOO4212', `two workflows have the same name, and functions of the same name: ${key}`);
      }
      all.set(key, run);
    }
  }
  return all;
}

/** The id of the step, behind the name of its component. */
export function functionName(id: string, component: string | undefined): string {
  return component === undefined ? nameInside(id) : `${component}/${nameInside(id)}`;
}

function withRead(run: StepFunction): StepFunction {
  const read = (reference: unknown, context: StepContext): unknown => {
    const path = pathOf(reference);
    if (path === undefined) throw new TypeError('read takes a reference: the input, a step, or something in them');
    const [name = '', ...members] = path;
    const own = context as unknown as Readonly<Record<string, unknown>>;
    let value = ['input', 'params', 'loop', 'id'].includes(name) ? own[name] : context.steps[name];
    for (const member of members) {
      if (value === undefined || value === null) return undefined;
      value = Object.hasOwn(Object(value), member) ? (value as Record<string, unknown>)[member] : undefined;
    }
    return value;
  };
  const reading: StepFunction = (context) =>
    run({ ...context, read: (reference) => read(reference, context) as never });
  written.set(reading, run);
  return reading;
}

const written = new WeakMap<StepFunction, StepFunction>();

/** A function as the program has it: it is called with a `read`. */
export function writtenFunction(run: StepFunction): StepFunction {
  return written.get(run) ?? run;
}
