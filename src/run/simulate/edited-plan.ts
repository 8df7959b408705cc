/** Random edits of plans, for the simulator: what people do to a workflow between two tries. */
import { parseInterpolated } from '../../expr/index.ts';
import type { Text, WorkflowNode, WorkflowPlan } from '../../plan/index.ts';

type Plain = Record<string, unknown>;

/** `chance`: from 0 to 1. `used`: ids that steps of it had before. */
export function editedPlan(plan: WorkflowPlan, chance: () => number, used: readonly string[] = []): WorkflowPlan {
  const copy = JSON.parse(JSON.stringify(plan)) as WorkflowPlan & Plain;
  const nodes = allNodes(copy);
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(chance() * items.length)];
  const children = copy.children as WorkflowNode[];
  const ids = idsOf(copy);
  switch (Math.floor(chance() * 13)) {
    case 0: {
      const node = pick(nodes.filter(({ kind }) => kind === 'step'));
      if (node) changeAction(node);
      return copy;
    }
    case 1: {
      const request = pick(nodes.filter(({ kind }) => kind === 'approval'))?.request as { title: Text } | undefined;
      if (request) request.title = longer(request.title);
      return copy;
    }
    case 2: {
      const id = pick(ids);
      return id === undefined ? copy : renamed(copy, id, `${id}r`);
    }
    case 7: {
      // A name that others had, or that it had itself.
      const [id, name] = [pick(ids), pick(used.filter((each) => !ids.includes(each)))];
      return id === undefined || name === undefined ? copy : renamed(copy, id, name);
    }
    case 8: {
      const [id, other] = [pick(ids), pick(ids)];
      if (id === undefined || other === undefined || id === other) return copy;
      return renamed(renamed(renamed(copy, id, 'swapped'), other, id), 'swapped', other);
    }
    case 9: {
      const action = pick(nodes.filter(isPrompt))?.action as { prompt: Text } | undefined;
      if (action) action.prompt = longer(action.prompt, '{Date.now()}');
      return copy;
    }
    case 10: {
      const step = pick(nodes.filter(({ kind }) => kind === 'step'));
      if (step) cached(step, chance);
      return copy;
    }
    case 3: {
      const at = Math.floor(chance() * children.length);
      const child = children[at];
      const kind = chance() < 0.5 ? 'sequence' : 'parallel';
      if (child) children[at] = { kind, path: `wrap${nodes.length}`, children: [child] } as unknown as WorkflowNode;
      return copy;
    }
    case 4:
      if (children.length > 1) children.pop();
      return copy;
    case 5: {
      const loop = pick(nodes.filter(({ kind }) => kind === 'loop'));
      if (loop) loop.maxIterations = 1 + (Number(loop.maxIterations) % 4);
      return copy;
    }
    case 6: {
      const step = pick(nodes.filter(({ kind }) => kind === 'step'));
      if (step) step.timeoutMs = 90_000;
      return copy;
    }
    case 11: {
      // The same once more, before it.
      const at = children.findIndex(({ kind }) => kind === 'step');
      const id = `copy${nodes.length}`;
      if (at >= 0) children.splice(at, 0, { ...children[at], id, path: id } as WorkflowNode);
      return copy;
    }
    default: {
      const id = `new${nodes.length}`;
      const at = Math.floor(chance() * (children.length + 1));
      const model = nodes.find(({ kind }) => kind === 'step');
      const action = { kind: 'run', code: 'return fresh()', edits: [], reads: [] };
      // What behaves as before: it gives its list no other end.
      if (model && at < children.length) {
        const { skipIf: _, ...rest } = model;
        children.splice(at, 0, { ...rest, id, path: id, action, needs: [] } as unknown as WorkflowNode);
      }
      return copy;
    }
  }
}

function changeAction(node: Plain): void {
  const action = node.action as Plain;
  if (action.kind === 'prompt') action.prompt = longer(action.prompt as Text);
  else if (action.kind === 'run') action.code = `${String(action.code)} + 1`;
  else action.name = `${String(action.name)}2`;
}

function longer(text: Text, more = 'more'): Text {
  return { ...parseInterpolated(`${text.text} ${more}`).value, reads: text.reads };
}

function isPrompt({ kind, action }: Plain): boolean {
  return kind === 'step' && (action as Plain).kind === 'prompt';
}

/** With all that it reads in the key of its slot, or without. */
function cached(step: Plain, chance: () => number): void {
  if (step.cache && chance() < 0.3) delete step.cache;
  else step.cache = { by: [], version: String(Math.floor(chance() * 3)) };
}

/** A plan whose steps share their results with other runs. */
export function cachedPlan(plan: WorkflowPlan, chance: () => number): WorkflowPlan {
  const copy = JSON.parse(JSON.stringify(plan)) as WorkflowPlan;
  for (const node of allNodes(copy)) if (node.kind === 'step' && chance() < 0.5) cached(node, chance);
  return copy;
}

export function idsOf(plan: WorkflowPlan): string[] {
  return allNodes(plan).flatMap(({ kind, id }) => (kind === 'step' && typeof id === 'string' ? [id] : []));
}

/** Ids are words of their own wherever they stand. Code that reads a step by its name is other code then. */
function renamed(plan: WorkflowPlan, id: string, name: string): WorkflowPlan {
  const text = JSON.stringify(plan).replace(new RegExp(`\\b${id}\\b`, 'g'), name);
  const copy = JSON.parse(text, (_, value: unknown) => {
    const { kind, code, reads } = (value ?? {}) as {
      kind?: unknown;
      code?: unknown;
      reads?: readonly { name: string }[];
    };
    if (kind !== 'run' || !reads?.some((read) => read.name === name)) return value;
    return { ...(value as object), code: `${String(code)} // ${name}` };
  });
  return copy as WorkflowPlan;
}

function allNodes(plan: WorkflowPlan): Plain[] {
  const found: Plain[] = [];
  const visit = (nodes: readonly WorkflowNode[]) => {
    for (const node of nodes) {
      found.push(node as unknown as Plain);
      if ('children' in node) visit(node.children);
      if (node.kind === 'branch') visit([...node.then, ...node.else]);
    }
  };
  visit(plan.children);
  return found;
}
