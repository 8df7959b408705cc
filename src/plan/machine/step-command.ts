/**
 * The command of a step: what is done, with which values, and the key that its result depends on. A key is made when it is
 * asked for: a run that is resumed makes all its commands again, and begins few of them.
 */
import type { Json } from '../../machine/index.ts';
import { hashOf } from '../hash.ts';
import { keyOf, keyParts } from '../key.ts';
import type { HandlerAction, PromptAction, RunAction, StepNode } from '../node.ts';
import { placeText } from './errors.ts';
import type { Frame } from './frame.ts';
import { namesIn, render, targetValue, valueRead } from './scope.ts';
import { typesIn } from './types-in.ts';
import { readsAllSteps, visibleLoop, visibleSteps } from './visible.ts';
import { frameOf, type OpenCommand, type Work } from './work.ts';

export function stepCommand(frame: Frame, node: StepNode, work: Work): OpenCommand {
  const { action } = node;
  if (action.kind === 'prompt') return promptCommand(frame, node, action, work);
  return codeCommand(frame, node, action, work);
}

function promptCommand(frame: Frame, node: StepNode, action: PromptAction, work: Work): OpenCommand {
  const name = work.nameOf(frame);
  const prompt = render(action.prompt, 'prompt', frame, work);
  const agent = work.plan.agents[action.agent];
  if (agent === undefined) throw new Error(`the plan "${work.plan.name}" has no agent "${action.agent}"`);
  const fields: Record<string, Json> = {
    form: 'prompt',
    agent: plain(agent),
    output: plain(node.output),
    types: typesIn(node.output, work.plan.types),
    prompt,
    // The most specific first.
    for: [...new Set([name, node.id, action.agent])],
  };
  if (node.timeoutMs !== undefined) fields.timeoutMs = node.timeoutMs;
  if (node.pool !== undefined) fields.pool = node.pool;
  if (node.at) fields.at = placeText(node.at);
  return {
    op: 'child',
    id: `${name}#${frame.attempt}`,
    ref: { kind: 'thunk', ...fields },
    input: null,
    get key() {
      return keyOf(keyParts(node, work.plan, { prompt }) ?? {});
    },
  };
}

function codeCommand(frame: Frame, node: StepNode, action: RunAction | HandlerAction, work: Work): OpenCommand {
  const { args, values } =
    action.kind === 'run' && !readsAllSteps(action) ? codeArgs(frame, action, work) : allArgs(frame, work);
  return {
    op: 'step',
    id: `${work.nameOf(frame)}#${frame.attempt}`,
    spec: specOf(node, action, work),
    args,
    get key() {
      return keyOf(keyParts(node, work.plan, { values }) ?? {});
    },
    ...(node.timeoutMs !== undefined && { timeoutMs: node.timeoutMs }),
    ...(node.pool !== undefined && { pool: node.pool }),
  };
}

function specOf(node: StepNode, action: RunAction | HandlerAction, work: Work) {
  const at = node.at && { at: placeText(node.at) };
  if (action.kind === 'handler') return { kind: 'handler', module: action.module, name: action.name, ...at };
  return { kind: 'run', code: action.code, edits: action.edits, names: namesIn(action.reads, work), ...at };
}

interface Args {
  readonly args: Json;
  /** What the result depends on. */
  readonly values: Json;
}

/** What the plan says that the code reads. */
function codeArgs(frame: Frame, { reads }: RunAction, work: Work): Args {
  const steps: [string, Json][] = [];
  const rest: [string, Json][] = [];
  const values: [string, Json][] = [];
  for (const [name, target] of work.layout.targets(reads)) {
    const value = targetValue(target, frame, work);
    if (value !== undefined) (target.kind === 'node' ? steps : rest).push([name, value]);
  }
  for (const read of reads) {
    const value = valueRead(read, frame, work);
    if (value !== undefined) values.push([[read.name, ...read.path].join('.'), value]);
  }
  const args = Object.fromEntries([...rest, ['steps', Object.fromEntries(steps)]]);
  return { args, values: Object.fromEntries(values) };
}

/** All that can be seen from there. */
function allArgs(frame: Frame, work: Work): Args {
  const { component } = frame.spot;
  const loop = visibleLoop(frame.spot);
  const args: Record<string, Json> = { input: work.init.input };
  if (component) {
    args.params = frameOf(component, work).params;
    args.id = component.node.id ?? '';
  }
  if (loop) args.loop = { iteration: frameOf(loop, work).iteration };
  const steps: [string, Json][] = [];
  const hashes: [string, Json][] = [];
  for (const [name, spot] of visibleSteps(frame.spot)) {
    const seen = frameOf(spot, work);
    if (seen.latest === undefined) continue;
    // Many handlers may see the same value.
    seen.hash ??= hashOf(seen.latest);
    steps.push([name, seen.latest]);
    hashes.push([name, seen.hash]);
  }
  const values = { ...args, steps: Object.fromEntries(hashes) };
  args.steps = Object.fromEntries(steps);
  return { args, values };
}

/** Plans are frozen plain data, which TypeScript does not know to be JSON. */
function plain(value: object): Json {
  return value as unknown as Json;
}
