/** A thunk that is run by itself, as a plan of one step: so it is a run like any other. */
import { basename } from 'node:path';
import type { AgentImage } from '../agent/index.ts';
import type { Activation, AgentSpec, Json, Text, WorkflowPlan } from '../plan/index.ts';
import { field, structOf, type Type, textType } from '../type/index.ts';

export interface ThunkPlanOptions {
  readonly image: AgentImage;
  readonly thunk: string;
  /** The `.too` file. */
  readonly file: string;
  readonly activation: Activation;
  /** Of hands that are workflows. */
  readonly workflows?: WorkflowPlan['workflows'];
}

export function thunkPlan({ image, thunk, file, activation, workflows = {} }: ThunkPlanOptions): WorkflowPlan {
  const own = image.thunks[thunk];
  if (own === undefined) throw new Error(`the agent "${image.agent}" has no thunk "${thunk}"`);
  const output: Type = own.output.kind === 'message' ? textType : own.output;
  const agent: AgentSpec = {
    name: image.agent,
    type: 'too',
    fields: { use: `./${basename(file)}#${thunk}` },
    image: image as unknown as Json,
  };
  return {
    kind: 'plan',
    name: image.agent,
    input: structOf(own.params.map(({ name, type, optional }) => field(name, type, { optional }))),
    types: image.types,
    agents: { [image.agent]: agent },
    services: [],
    plugins: [],
    workflows,
    children: [
      {
        kind: 'step',
        id: thunk,
        path: thunk,
        action: { kind: 'prompt', agent: image.agent, prompt: nothing, with: { kind: 'text', text: everything } },
        output,
        needs: [],
        retry: { maxAttempts: 1, backoff: 'fixed', initialDelayMs: 1000 },
      },
    ],
    result: output,
    activation: { ...activation, thunk },
  };
}

const nothing: Text = { text: '', parts: [], reads: [] };

/** What the run was given is what the thunk is given. */
const everything: Text = {
  text: '{input}',
  parts: [{ kind: 'hole', start: 0, end: 7, expression: { kind: 'name', start: 1, end: 6, name: 'input' } }],
  reads: [{ name: 'input', target: { kind: 'input' }, path: [] }],
};
