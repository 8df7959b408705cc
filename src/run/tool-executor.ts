/**
 * Runs the steps of tools: `tools` says what there is to offer, `tool` makes one call. It decides by the policy of now, and
 * does nothing that somebody must be asked about first.
 * 1. What is denied is denied whatever was granted before; what must be asked for is not done before it was granted. A grant is for
 *    what the call was about when it was asked for: where a link has come to lead elsewhere since, it is asked again.
 * 2. What a tool comes to is a result for the model, never a failure of the step: that is only an abort.
 * 3. That a call was begun, and what it saved, is noted once, however often it is begun.
 * 4. Nothing that goes to a model or into the journal holds a secret that the redactor knows.
 */
import { hash } from 'node:crypto';
import type { Json, RunError, StepCommand } from '../machine/index.ts';
import type { Clock, Redactor } from '../sys/index.ts';
import {
  type Policy,
  permissionRequest,
  type Tool,
  type ToolArgs,
  type Toolbox,
  type ToolContext,
  type ToolResult,
} from '../tool/index.ts';
import { isRecord } from '../type/index.ts';
import { abortError } from './abort-error.ts';
import type { Execute, StepContext, StepResult } from './execute.ts';
import type { StandIn } from './stand-in.ts';

export interface ToolExecutorOptions {
  /** The tools that a step can have: those of its thunk, or of the home. */
  readonly toolboxOf: (command: StepCommand) => Promise<Toolbox>;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly env: ToolContext['env'];
  /** Where steps work that say nothing else. */
  readonly home: string;
  /** For what is read or run in a folder. */
  readonly redactorOf: (workspace: string) => Promise<Redactor | undefined>;
  /** Of our own environment alone: for what people are asked. Files of the folder could say that any part of a call is secret. */
  readonly ownRedactor?: Redactor | undefined;
  readonly standIn?: StandIn | undefined;
  /** A service of the step whose variables are not set: people were told when the run began. */
  readonly isUnset?: (service: string, command: StepCommand) => boolean;
}

export interface ToolExecutors {
  readonly tools: Execute;
  readonly tool: Execute;
}

export function createToolExecutors(options: ToolExecutorOptions): ToolExecutors {
  return {
    tools(command, context) {
      const { handoff } = command.spec;
      if (isHandoff(handoff) && !context.notes.some(({ kind }) => kind === 'handoff')) {
        context.note({ kind: 'handoff', from: handoff.from, to: handoff.to });
      }
      return unlessAborted(context.signal, () => offer(command, context, options));
    },
    tool(command, context) {
      const { tool: name, call: id } = command.spec;
      if (typeof name !== 'string' || typeof id !== 'string' || !isRecord(command.args)) {
        throw new Error(`the tool step ${command.id} has no call`);
      }
      const args: ToolArgs = command.args;
      const isNoted = context.notes.some(({ kind }) => kind === 'tool.asked');
      if (!isNoted) context.note({ kind: 'tool.asked', tool: name, call: id });
      const { signal } = context;
      return unlessAborted(signal, async () => {
        try {
          return await call(name, args, command, context, options);
        } catch (error) {
          signal.throwIfAborted();
          return broken(error);
        }
      });
    },
  };
}

async function offer(
  command: StepCommand,
  context: StepContext,
  { toolboxOf, isUnset }: ToolExecutorOptions,
): Promise<StepResult> {
  const { names, optional } = command.spec;
  const toolbox = await toolboxOf(command);
  const offered = await toolbox.offer(namesIn(names), context.signal, new Set(namesIn(optional)));
  if (!offered.ok) return failed({ code: 'tools', message: offered.problems.join('\n'), retryable: false });
  const tools = offered.tools.map(offeredJson);
  const unavailable = offered.unavailable.map(({ name, reason }): Json => ({ name, reason }));
  const left = new Map(offered.unavailable.map(({ name, reason }) => [name.split('/', 1)[0] ?? name, reason]));
  for (const [service, reason] of left) {
    const isKnown = context.notes.some((each) => each.kind === 'service.left' && each.service === service);
    if (!isKnown && !isUnset?.(service, command)) context.note({ kind: 'service.left', service, reason });
  }
  return { outcome: { ok: unavailable.length === 0 ? { tools } : { tools, unavailable } } };
}

function isHandoff(value: Json | undefined): value is { readonly from: string; readonly to: string } {
  return isRecord(value) && typeof value.from === 'string' && typeof value.to === 'string';
}

async function call(
  name: string,
  args: ToolArgs,
  command: StepCommand,
  context: StepContext,
  { toolboxOf, policy, clock, env, home, redactorOf, ownRedactor, standIn }: ToolExecutorOptions,
): Promise<StepResult> {
  const { signal, idempotencyKey, spawned, ended } = context;
  const toolbox = await toolboxOf(command);
  const found = await toolbox.find(name, signal);
  if (!found.ok) return told({ ok: false, error: { code: 'unavailable', message: found.message } }, undefined);
  const { tool } = found;
  const workspace = command.cwd ?? home;
  const redactor = await redactorOf(workspace);
  const decision = policy.decide(tool, args, { workspace });
  if (decision.verdict === 'deny') {
    return told({ ok: false, error: { code: 'denied', message: decision.message } }, redactor);
  }
  if (decision.verdict === 'ask') {
    const about = digestOf(tool.subjects(args, { workspace }));
    if (command.spec.granted !== about) {
      const request = permissionRequest(tool, args, decision, { workspace, redactor: ownRedactor });
      return { outcome: { ok: { ask: { ...request, about } as unknown as Json } } };
    }
  }
  const { permission } = policy;
  const saved: ToolContext['saved'] = ({ id, text }) => {
    const isNoted = context.notes.some((note) => note.kind === 'memory.saved' && note.id === id);
    if (!isNoted) context.note({ kind: 'memory.saved', id, text });
  };
  const at: ToolContext = { workspace, signal, clock, env, idempotencyKey, permission, spawned, ended, saved };
  return told(standIn?.tool(name, args, command) ?? (await tool.run(args, at)), redactor);
}

function digestOf(subjects: readonly string[]): string {
  return hash('sha256', JSON.stringify(subjects), 'hex').slice(0, 16);
}

/** As the model is told. */
function told(result: ToolResult, redactor: Redactor | undefined): StepResult {
  const clean = (text: string) => redactor?.text(text) ?? text;
  if (result.ok) return { outcome: { ok: { text: clean(result.text) } } };
  const { code, message, text } = result.error;
  const words = `${code}: ${message}`;
  const all = text === undefined || text === '' ? words : `${words}\n${text}`;
  return { outcome: { ok: { text: clean(all), isError: true, code } } };
}

/** Whatever was not foreseen is told too, and the model goes on without. */
function broken(error: unknown): StepResult {
  const words = (error instanceof Error ? error.message : String(error)).split(/[\r\n]/, 1)[0] ?? '';
  return told({ ok: false, error: { code: 'failed', message: `the tool broke: ${words}` } }, undefined);
}

function offeredJson({ name, description, parameters, readOnly }: Tool): Json {
  return { name, description, parameters: parameters as Json, readOnly };
}

function namesIn(names: Json | undefined): readonly string[] {
  return Array.isArray(names) ? names.map(String) : [];
}

async function unlessAborted(signal: AbortSignal, work: () => Promise<StepResult>): Promise<StepResult> {
  if (signal.aborted) return failed(abortError(signal));
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return failed(abortError(signal));
    throw error;
  }
}

function failed(err: RunError): StepResult {
  return { outcome: { err } };
}
