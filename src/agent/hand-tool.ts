/** Hands: thunks and workflows that a model calls as tools, each a machine of its own. Refused where they would call themselves. */
import { type ChildCommand, type Json, keyed, workAt } from '../machine/index.ts';
import {
  conform,
  field,
  type JsonSchema,
  structOf,
  type Type,
  type TypeTable,
  textType,
  toJsonSchema,
  unwrap,
  wrapForProvider,
} from '../type/index.ts';
import { type AgentImage, type ParamImage, type ThunkImage, typesOf } from './image.ts';
import { reachKey } from './image-key.ts';
import type { HandCall, OwnTool } from './talk.ts';
import { errorTexts, shortHash } from './talk-answer.ts';
import type { ThunkRef } from './thunk-ref.ts';

export function handTool(ref: ThunkRef, thunk: ThunkImage, name: string): OwnTool {
  const { image } = ref.agent;
  const workflow = Object.hasOwn(image.workflows, name) ? image.workflows[name] : undefined;
  if (workflow) {
    const types = new Map(Object.entries(workflow.types));
    const { schema, wrapped } = wrapForProvider(workflow.input, types);
    const description = workflow.doc ?? `Runs the workflow "${workflow.name}".`;
    return {
      tool: { name, description, parameters: schema },
      hand: (call) => {
        const read = conformed((wrapped ? unwrap(call.args) : call.args) as Json, workflow.input, types);
        if (!read.ok) return { refuse: misfit(name, errorTexts(read.errors)) };
        const plan = ref.plan === '' ? workflow.plan : `${ref.plan}/${workflow.plan}`;
        const target = { kind: 'workflow', plan };
        return (
          refusal(ref, thunk, name) ?? {
            command: child(call, name, target, read.value as Json, call.key, { run: { name: workflow.name } }),
          }
        );
      },
    };
  }
  const hand = thunkOf(image, name);
  const table = typesOf(image);
  return {
    tool: {
      name,
      description: hand.doc ?? `Calls "${name}", which answers by itself and sees nothing of this conversation.`,
      parameters: parametersOf(hand.params, table),
    },
    hand: (call) => {
      const read = conformed(call.args as Json, structOf(hand.params.map(asField)), table);
      if (!read.ok) return { refuse: misfit(name, errorTexts(read.errors)) };
      const place = placeOf(ref, name, call.nth);
      const target: Record<string, Json> & { kind: string } = {
        kind: 'thunk',
        form: 'thunk',
        agent: ref.agent as unknown as Json,
        thunk: name,
        for: [place, `${name}[${call.nth}]`, name],
        plan: ref.plan,
        chain: [...ref.chain, thunk.name],
      };
      if (call.timeoutMs !== undefined) target.timeoutMs = call.timeoutMs;
      if (ref.pool !== undefined) target.pool = ref.pool;
      const key = () => shortHash([call.key(), reachKey(image, name)]);
      return refusal(ref, thunk, name) ?? { command: child(call, name, target, read.value as Json, key) };
    },
  };
}

function placeOf(ref: ThunkRef, name: string, nth: number): string {
  return `${ref.names[0] ?? ref.thunk}/${name}[${nth}]`;
}

/** Why a hand is not called, for the model. */
function refusal({ agent, chain }: ThunkRef, thunk: ThunkImage, name: string): { readonly refuse: string } | undefined {
  const active = [...chain, thunk.name];
  if (active.includes(name)) return waitsItself({ chain }, thunk, name);
  const { depth } = agent.image;
  if (active.length <= depth) return undefined;
  return { refuse: `Hands may call hands ${depth} deep, and this would be deeper: do it yourself, or answer without.` };
}

/** Why a thunk does not get what it asked for itself, for the model. */
export function waitsItself(
  { chain }: Pick<ThunkRef, 'chain'>,
  thunk: ThunkImage,
  name: string,
): { readonly refuse: string } {
  const way = [...chain, thunk.name, name].join(' → ');
  return { refuse: `"${name}" waits for this answer itself (${way}): it cannot be called from here.` };
}

function child(
  { nth, prefix, init }: HandCall,
  name: string,
  ref: ChildCommand['ref'],
  input: Json,
  key: () => string,
  more: Partial<ChildCommand> = {},
): ChildCommand {
  const command = keyed<ChildCommand>({ op: 'child', id: `${prefix}${name}[${nth}]#1`, ref, input, ...more }, key);
  workAt(command, init);
  return command;
}

function misfit(name: string, errors: readonly string[]): string {
  return `"${name}" was not called, because its arguments do not fit:\n${errors.map((each) => `- ${each}`).join('\n')}`;
}

/** Models write what is said as text. */
export function asField({ name, type, optional }: ParamImage) {
  return field(name, type.kind === 'message' ? textType : type, { optional });
}

function parametersOf(params: readonly ParamImage[], table: TypeTable): JsonSchema {
  return toJsonSchema(structOf(params.map(asField)), table);
}

/** A value as the type has it. */
export function conformed(value: Json, type: Type, table: TypeTable) {
  const { value: read, errors } = conform(value, type, table, { coerce: true });
  return errors.length === 0 ? ({ ok: true, value: read } as const) : ({ ok: false, errors } as const);
}

export function thunkOf(image: AgentImage, name: string): ThunkImage {
  const thunk = Object.hasOwn(image.thunks, name) ? image.thunks[name] : undefined;
  if (thunk === undefined) throw new Error(`the agent "${image.agent}" has no thunk "${name}"`);
  return thunk;
}
