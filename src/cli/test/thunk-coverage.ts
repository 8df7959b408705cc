/** Which thunks of agent files a run came to, and where they stand. */
import { dirname, resolve } from 'node:path';
import { type CoveredPart, type Outcome, thunksReached } from '../../cases/index.ts';
import { nodesOf, type WorkflowPlan } from '../../plan/index.ts';
import { type AgentProgram, checkSource } from '../../program/index.ts';
import { readTextFile } from '../../sys/index.ts';
import { createSource, type Position, positionAt } from '../../text/index.ts';

/** The thunks of each agent file, absolute, by their names. */
export type ThunkPlaces = ReadonlyMap<string, ReadonlyMap<string, Position>>;

export function placesIn({ thunks, source }: Pick<AgentProgram, 'thunks' | 'source'>): ReadonlyMap<string, Position> {
  return new Map([...thunks.values()].map(({ name, node }) => [name, positionAt(source, node.span.start)]));
}

/** Of the agent files that the steps of a workflow use; `file`: the workflow. */
export async function thunkPlaces(plan: WorkflowPlan, file: string): Promise<ThunkPlaces> {
  const places = new Map<string, ReadonlyMap<string, Position>>();
  for (const { use } of thunkSteps(plan).values()) {
    const agent = resolve(dirname(file), use.split('#', 1).join(''));
    if (places.has(agent)) continue;
    const read = await readTextFile(agent);
    // It was read a moment ago: the plan has its program.
    if (read.ok) places.set(agent, placesIn(checkSource(createSource(agent, read.text)).program));
  }
  return places;
}

/** A thunk counts in every file that has one of its name, where several agents work in one workflow. */
export function coveredThunks(plan: WorkflowPlan, places: ThunkPlaces, outcome: Outcome): CoveredPart[] {
  const steps = thunkSteps(plan);
  const reached = thunksReached(outcome, (path) => steps.get(path)?.thunk);
  return [...places].flatMap(([file, thunks]) =>
    [...thunks].map(
      ([name, place]): CoveredPart => ({ file, ...place, kind: 'thunk', name, reached: reached.has(name) }),
    ),
  );
}

/** The steps that ask a thunk, by their paths. */
function thunkSteps(plan: WorkflowPlan): ReadonlyMap<string, { readonly use: string; readonly thunk: string }> {
  const steps = new Map<string, { use: string; thunk: string }>();
  for (const { node, plan: own, path } of nodesOf(plan)) {
    const agent = node.kind === 'step' && node.action.kind === 'prompt' ? own.agents[node.action.agent] : undefined;
    const { use } = agent?.fields ?? {};
    if (agent?.type !== 'too' || typeof use !== 'string') continue;
    const hash = use.indexOf('#');
    steps.set(path, { use, thunk: hash === -1 ? 'default' : use.slice(hash + 1) });
  }
  return steps;
}
