/** For tests: agents as runs keep them, and their machines driven by hand. */
import { expect } from 'vitest';
import {
  type Command,
  createNest,
  type Effect,
  type Fact,
  type Json,
  type Machine,
  type MachineRef,
  type Nest,
  type StepCommand,
} from '../machine/index.ts';
import type { ModelCall, ModelMessage } from '../model/index.ts';
import { messageType, textType } from '../type/index.ts';
import type { AgentImage, ParamImage, ThunkImage } from './image.ts';
import { createThunk, thunkMaker } from './thunk-maker.ts';

export const init = { runId: 'r', path: 'go#1', input: null, at: 1000, cwd: '/w' };

export const takesInput: ParamImage = { name: 'input', type: messageType, optional: true };

export function thunk(name: string, more: Partial<ThunkImage> = {}): ThunkImage {
  return {
    name,
    params: [takesInput],
    output: textType,
    models: ['scripted'],
    tools: [],
    optional: [],
    skills: [],
    services: [],
    psyches: [],
    hands: [],
    handoffs: [],
    recall: [],
    messages: [],
    ...more,
  };
}

export function image(thunks: readonly ThunkImage[], more: Partial<AgentImage> = {}): AgentImage {
  return {
    agent: 'helper',
    types: {},
    thunks: Object.fromEntries(thunks.map((each) => [each.name, each])),
    skills: {},
    services: {},
    workflows: {},
    depth: 8,
    cwd: '/w',
    memory: '/w/memory.db',
    ...more,
  };
}

export function refOf(of: AgentImage, name: string, more: Record<string, Json> = {}): MachineRef {
  const agent = { name: of.agent, fields: {}, image: of as unknown as Json };
  return { kind: 'thunk', form: 'thunk', agent, thunk: name, types: {}, for: ['go', of.agent], plan: '', ...more };
}

export type Answered = { ok: Json } | { none: true } | { err: { code: string; message: string; retryable: boolean } };

export interface Calls {
  readonly tool: string;
  readonly args?: Record<string, Json>;
  readonly id?: string;
  readonly problem?: string;
}

/** Each with an id of its own. */
export function calls(...made: readonly (string | Calls)[]): { ok: Json } {
  const all = made.map((each, at) => {
    const { tool, args = {}, id = `c${at + 1}`, problem } = typeof each === 'string' ? { tool: each } : (each as Calls);
    return { id, tool, args, ...(problem !== undefined && { problem }) };
  });
  return { ok: { text: 'I will.', finish: 'calls', calls: all } };
}

export const answer = (text: string): { ok: Json } => ({ ok: { text, finish: 'stop' } });
export const done = (text: string): { ok: Json } => ({ ok: { text } });
export const failed = (code = 'model', message = 'm'): Answered => ({ err: { code, message, retryable: true } });

export function tool(name: string, readOnly = true): Json {
  return { name, description: `does ${name}`, parameters: { type: 'object', properties: {} }, readOnly };
}

export const offer: Json = { tools: [tool('filesystem/read'), tool('filesystem/grep'), tool('shell/run', false)] };

type OpenCommand = Exclude<Command, { op: 'cancel' | 'proceed' }>;

export interface Harness {
  readonly machine: Machine;
  readonly open: ReadonlyMap<string, OpenCommand>;
  /** Of what is open, behind the path. */
  readonly ids: () => string[];
  /** `after`: how many milliseconds after the last one. */
  readonly send: (id: string, outcome: Answered, after?: number) => readonly Command[];
  readonly say: (message: string) => readonly Command[];
  readonly command: <T extends OpenCommand = StepCommand>(id: string) => T;
  readonly call: (id: string) => ModelCall;
  /** What the model is told last. */
  readonly told: (id: string) => string;
}

/** One machine by itself: its hands are commands. `open` has what was emitted and not answered. */
export function harness(
  of: AgentImage,
  name = 'default',
  { input = { input: 'Hello.' } as Json, ...more }: Record<string, Json> = {},
): Harness {
  const machine = createThunk(refOf(of, name, more), { ...init, input });
  const open = new Map<string, OpenCommand>();
  const all = new Set<string>();
  let at = init.at;
  const full = (id: string) => (id.startsWith('@') ? id : `${init.path}/${id}`);
  const take = (commands: readonly Command[]) => {
    for (const command of commands) {
      if (command.op === 'cancel' || command.op === 'proceed') continue;
      expect(all).not.toContain(command.id);
      all.add(command.id);
      open.set(command.id, command);
    }
    return commands;
  };
  take(machine.start());
  const command = <T extends OpenCommand>(id: string) => {
    const found = open.get(full(id));
    if (found === undefined) throw new Error(`${id} is not open: ${[...open.keys()].join(', ')}`);
    return found as T;
  };
  const send: Harness['send'] = (id, outcome, after = 1) => {
    if (!id.startsWith('@') && !open.delete(full(id))) throw new Error(`${id} is not open`);
    at += after;
    return take(machine.deliver({ id: full(id), at, ...outcome } as Fact));
  };
  const call = (id: string) => checkedCall(command<StepCommand>(id));
  return {
    machine,
    open,
    ids: () => [...open.keys()].map((id) => id.slice(init.path.length + 1)),
    send,
    say: (message) => send('@steer', { ok: { message } }),
    command,
    call,
    told: (id) => String(call(id).messages.at(-1)?.content),
  };
}

export interface NestHarness {
  readonly nest: Nest;
  readonly open: ReadonlyMap<string, Effect>;
  /** Of all that was begun, in order. */
  readonly begun: readonly string[];
  /** `after`: how many milliseconds after the last one; `took`: so long it was at work, of a step. */
  readonly send: (id: string, outcome: Answered, after?: number, took?: number) => void;
  readonly call: (id: string) => ModelCall;
}

/** A thunk with all that is inside of it. */
export function nested(of: AgentImage, name = 'default', more: Record<string, Json> = {}): NestHarness {
  const { input = { input: 'Hello.' }, ...rest } = more;
  const nest = createNest({ make: thunkMaker(3), ref: refOf(of, name, rest), runId: 'r', input });
  const open = new Map<string, Effect>();
  const begun: string[] = [];
  let at = 1000;
  const take = (emissions: ReturnType<Nest['start']>) => {
    for (const emission of emissions) {
      if (emission.kind !== 'effect') continue;
      const { effect } = emission;
      if (effect.op === 'cancel') {
        expect(open.has(effect.target)).toBe(true);
        continue;
      }
      expect(begun).not.toContain(effect.id);
      begun.push(effect.id);
      open.set(effect.id, effect);
      if (effect.op === 'step' && effect.spec.kind === 'model') checkedCall(effect);
    }
  };
  take(nest.start(at));
  return {
    nest,
    open,
    begun,
    send(id, outcome, after = 1, took = 1) {
      const effect = open.get(id);
      if (!id.startsWith('@') && !open.delete(id)) throw new Error(`${id} is not open: ${[...open.keys()].join(', ')}`);
      at += after;
      const began = effect?.op === 'step' ? { began: at - took } : {};
      take(nest.deliver({ id, at, ...began, ...outcome } as Fact));
    },
    call: (id) => checkedCall(open.get(id) as StepCommand),
  };
}

/** A call as services take it: behind each answer with calls stand their results, in that order, and nothing else before them. */
export function checkedCall({ args }: StepCommand): ModelCall {
  const made = args as unknown as ModelCall;
  const { messages, tools = [] } = made;
  expect(messages.filter(({ role }) => role === 'system').length).toBeLessThanOrEqual(1);
  expect(messages.findIndex(({ role }) => role === 'system')).toBeLessThanOrEqual(0);
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(message.call).toBe(open.shift());
      continue;
    }
    expect(open).toEqual([]);
    open = callsOf(message);
  }
  expect(open).toEqual([]);
  expect(messages.at(-1)?.role).not.toBe('assistant');
  return made;
}

function callsOf(message: ModelMessage): string[] {
  return message.role === 'assistant' ? (message.calls ?? []).map(({ id }) => id) : [];
}
