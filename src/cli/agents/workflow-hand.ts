/** Workflows that thunks call as tools: planned from the source of the agent, with the agents that stand in them. */
import type { WorkflowPlan } from '../../plan/index.ts';
import { displayPath, readTextFile } from '../../sys/index.ts';
import { createSource, hasErrors, positionAt } from '../../text/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { openWorkflows } from '../workflows.ts';
import type { ImageWish } from './agent-image.ts';
import { beyondCeiling } from './hand-ceiling.ts';
import type { OpenAgent } from './open-agent.ts';
import { withImages } from './with-images.ts';

export type PlannedHand =
  | { readonly ok: true; readonly plan: WorkflowPlan }
  | { readonly ok: false; readonly message: string; readonly help: string };

/** The files that are being planned: a workflow that leads to itself through agents has no end. */
const open: string[] = [];

export async function planHand(
  file: string,
  agent: OpenAgent,
  wish: ImageWish,
  args: Args,
  context: Context,
): Promise<PlannedHand> {
  const name = displayPath(file, context.cwd);
  if (open.includes(file)) {
    const way = [...open.slice(open.indexOf(file)), file].map((each) => displayPath(each, context.cwd)).join(' → ');
    return { ok: false, message: `it leads back to itself: ${way}`, help: 'Take one of the hands away.' };
  }
  const read = await readTextFile(file);
  if (!read.ok) return { ok: false, message: read.problem.message, help: 'The path is relative to the agent.' };
  open.push(file);
  const workflows = openWorkflows(args, context);
  try {
    const { plan, diagnostics } = await workflows.plan({ path: file, name }, createSource(name, read.text), agent.file);
    if (plan === undefined) {
      const first = diagnostics.find((each) => hasErrors([each]));
      const { line, column } = first ? positionAt(first.source, first.span.start) : { line: 1, column: 1 };
      const message = first ? `${first.source.name}:${line}:${column} ${first.message}` : 'it has no steps of its own';
      return { ok: false, message, help: `To see all: toolang check ${name}` };
    }
    const beyond = await beyondCeiling(plan, agent, wish, context);
    if (beyond !== undefined)
      return { ok: false, message: beyond, help: 'Let the command line allow it, or take it away there.' };
    const made = await withImages(plan, agent.file, { ...wish }, args, context);
    if (made.ok) return { ok: true, plan: made.plan };
    const [problem] = made.problems;
    return {
      ok: false,
      message: problem?.message ?? 'its agents cannot be used',
      help: problem?.help ?? `toolang check ${name}`,
    };
  } finally {
    open.pop();
    await workflows.close();
  }
}
