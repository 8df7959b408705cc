/** What is known of a thunk by its file alone: its signature, its schemas, its sets, and where its texts come from. */
import { field, type JsonSchema, printType, sampleValue, structOf, toJsonSchema } from '../type/index.ts';
import type { Host } from './host.ts';
import type { AgentProgram, Recall, TextChoice, ThunkProgram } from './program.ts';
import { type EffectiveSet, effectiveSets, type SetKey } from './sets.ts';

export interface Preview {
  readonly thunk: string;
  readonly doc?: string;
  readonly signature: string;
  readonly parameters: JsonSchema;
  readonly output: JsonSchema;
  readonly sets: Readonly<Record<SetKey, EffectiveSet>>;
  readonly recall: Recall;
  readonly instructions: TextOrigin;
  readonly context: TextOrigin;
}

export interface TextOrigin {
  readonly from: TextChoice['from'];
  readonly why: string;
}

export function previewThunk(program: AgentProgram, thunk: ThunkProgram, host: Host): Preview {
  const { types } = program;
  const parameters = structOf(thunk.params.map((p) => field(p.name, p.type, { optional: p.optional })));
  return {
    thunk: thunk.name,
    ...(thunk.doc !== undefined && { doc: thunk.doc }),
    signature: signatureOf(thunk),
    parameters: toJsonSchema(parameters, types),
    output: toJsonSchema(thunk.output, types),
    sets: effectiveSets(program, thunk, host),
    recall: thunk.recall,
    instructions: originOf(thunk.instruct),
    context: originOf(thunk.context),
  };
}

export function signatureOf(thunk: ThunkProgram): string {
  const params = thunk.params.map((p) => `${p.name}${p.optional ? '?' : ''}: ${printType(p.type)}`);
  return `${thunk.name}(${params.join(', ')}) -> ${printType(thunk.output)}`;
}

/** A value for each parameter, where nobody gives one. */
export function sampleArguments({ types }: AgentProgram, { params }: ThunkProgram): Readonly<Record<string, unknown>> {
  return Object.fromEntries(params.map(({ name, type }) => [name, sampleValue(type, types, name)]));
}

function originOf({ from, why }: TextChoice): TextOrigin {
  return { from, why };
}
