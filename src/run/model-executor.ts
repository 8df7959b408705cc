/**
 * Runs `model` steps: with the script that answers for an agent, with the models of providers that it names, or with the
 * program that it is.
 * 1. What a call took of a script is noted before it is played, so a call that is begun again after a crash gets the same
 *    reply.
 * 2. Which model is asked is noted, and each that could not be, before the next one is.
 * 3. An aborted call is an error here; what it is called (a timeout, a cancel) the driver knows.
 */
import { hash } from 'node:crypto';
import type { NoteBody } from '../journal/index.ts';
import type { Json, RunError, StepCommand, Usage } from '../machine/index.ts';
import {
  createScriptedModel,
  type Model,
  type ModelCall,
  type ModelResult,
  type ModelUsage,
  scriptProblem,
  takeReply,
} from '../model/index.ts';
import type { PluginImport } from '../plan/index.ts';
import type { Clock } from '../sys/index.ts';
import { isRecord } from '../type/index.ts';
import { abortError } from './abort-error.ts';
import type { AgentModels } from './agent-models.ts';
import { asksProgram, asksProvider } from './agent-type.ts';
import type { Execute, StepContext, StepResult } from './execute.ts';
import { createIdleWatch } from './idle-watch.ts';
import { agentOf, namesOf, type StepAgent } from './model-step.ts';
import { type ReplayOptions, recorded, replayed } from './record/replay.ts';
import type { ScriptAgent, ScriptFor, ScriptFound } from './scripts.ts';
import type { StandIn } from './stand-in.ts';
import { askedNote, askedReply, createTakenReplies, listKey, type TakenReplies, takenIn } from './taken-replies.ts';

export interface ModelExecutorOptions {
  readonly scriptFor: ScriptFor;
  readonly clock: Clock;
  /** What the calls of runs have taken. Without a journal behind it, that is known as long as the process lives. */
  readonly replies?: TakenReplies;
  /** Without it they are refused. */
  readonly plugins?: PluginAgents;
  /** Without them they are refused. */
  readonly programs?: ProgramAgents;
  /** Those of providers; without them they are refused. */
  readonly models?: AgentModels;
  /** For runs that are answered from a recording. */
  readonly replay?: ReplayOptions;
  /** Is given the answers as they come. */
  readonly onText?: (command: StepCommand, text: string, runId: string) => void;
  /** In tests nobody is asked but scripts, and the code of plugins. */
  readonly standIn?: Pick<StandIn, 'refuseModel' | 'retell'> | undefined;
}

/** Who answers for agents that are programs of others. */
export type ProgramAgents = (agent: ScriptAgent) => Execute;

/** Who answers for the agents of plugins. */
export type PluginAgents = (agent: ScriptAgent, plugin: PluginImport) => Execute;

export function createModelExecutor(options: ModelExecutorOptions): Execute {
  const { scriptFor, clock, onText, plugins, programs, models, replay, standIn } = options;
  const { replies = createTakenReplies(undefined) } = options;

  return async (command, context) => {
    const agent = agentOf(command);
    const call = command.args as unknown as ModelCall;
    const found = await scriptFor(agent, context.runId);
    if (context.signal.aborted) return failed(abortError(context.signal));
    noteWhy(command, context);
    const retold = standIn?.retell?.(command);
    if (retold) {
      if (retold.ref !== undefined) context.note(askedOf(retold.ref, call, command));
      return retold.result;
    }
    if (found.kind === 'problem') return failed({ code: 'script', message: found.message, retryable: false });
    if (found.kind === 'recording') {
      if (replay === undefined) throw new Error('a recording answers, and nobody says how it is asked');
      const exchange = recorded(found.recording, command, replay);
      const result = replayed(exchange, context, (ref) => askedOf(ref, call, command));
      const { outcome } = result;
      const text = 'ok' in outcome && isRecord(outcome.ok) ? outcome.ok.text : undefined;
      if (typeof text === 'string' && text !== '') onText?.(command, text, context.runId);
      return result;
    }
    if (found.kind === 'none' && agent.plugin && plugins) return plugins(agent, agent.plugin)(command, context);
    if (found.kind === 'none' && standIn)
      return failed({ code: 'offline', message: standIn.refuseModel(agent.name), retryable: false });
    if (found.kind === 'none' && programs && asksProgram(agent)) {
      context.note(askedOf(String(command.spec.model), call, command));
      return programs(agent)(command, context);
    }
    const model =
      found.kind === 'script'
        ? scriptedModel(found, replies, command, call, context, clock)
        : models && asksProvider(agent)
          ? await models.open(agent, (ref) => context.note(askedOf(ref, call, command)))
          : unsupported(agent);
    if (!('generate' in model)) return failed(model);
    const { idleTimeoutMs } = agent.fields;
    let lost: ModelUsage | undefined;
    const idle = createIdleWatch(clock, typeof idleTimeoutMs === 'number' ? idleTimeoutMs : undefined, context.signal);
    try {
      const result = await model.generate(call, {
        signal: idle.signal,
        idempotencyKey: context.idempotencyKey,
        onSkip({ ref, error: { code, message, retryable } }) {
          context.note({ kind: 'model.skipped', ref, error: { code, message, retryable } });
        },
        onLost(spent) {
          lost = spent;
        },
        onPart(part) {
          idle.alive();
          if (part.kind === 'text') onText?.(command, part.text, context.runId);
        },
      });
      return stepResult(result);
    } catch (error) {
      if (idle.isIdle()) {
        const message = `"${agent.name}" gave no sign of life for ${idleTimeoutMs} ms`;
        return failed({ code: 'timeout', message, retryable: true }, lost);
      }
      if (context.signal.aborted) return failed(abortError(context.signal), lost);
      throw error;
    } finally {
      idle.stop();
      replies.ended(context.runId, command.id);
    }
  };
}

function askedOf(ref: string, call: ModelCall, command: StepCommand): NoteBody {
  return { kind: 'model.asked', ref, settings: { ...call.settings }, add: addedHashes(call, command) };
}

/** Of the messages that the call before did not have: a long conversation is not told anew with every call. */
function addedHashes({ messages }: ModelCall, { spec: { added } }: StepCommand): readonly string[] {
  return (typeof added === 'number' ? messages.slice(-added) : messages).map(messageHash);
}

/** The model that gives the reply for this call, or why there is none. */
function scriptedModel(
  { script, key, readText }: Extract<ScriptFound, { kind: 'script' }>,
  replies: TakenReplies,
  command: StepCommand,
  call: ModelCall,
  context: StepContext,
  clock: Clock,
): Model | RunError {
  const ledger = replies.of(context.runId);
  for (const note of context.notes) {
    const before = askedReply(note);
    if (before) ledger.add(command.id, before);
  }
  const names = namesOf(command);
  const taken = takenIn(ledger, key, names);
  const take = takeReply(script, taken, command.id, names);
  if (take.kind !== 'reply') return scriptProblem(take, script, call, names);
  if (taken.of(command.id) === undefined) {
    context.note(askedNote(key, take.taken, addedHashes(call, command)));
    ledger.add(command.id, { list: listKey(key, take.taken.list), nth: take.taken.nth });
  }
  return createScriptedModel({ reply: take.reply, clock, readText });
}

function stepResult(result: ModelResult): StepResult {
  if (!result.ok) {
    const { code, message, retryable } = result.error;
    return { outcome: { err: { code, message, retryable } }, ...usage(result.usage) };
  }
  const { text, finish, calls, reasoning, meta, usage: spent } = result.answer;
  const message: Record<string, Json> = { text, finish };
  if (calls !== undefined && calls.length > 0) message.calls = calls as unknown as Json;
  if (reasoning !== undefined) message.reasoning = reasoning as unknown as Json;
  if (meta !== undefined) message.meta = meta;
  return { outcome: { ok: message }, ...usage(spent) };
}

/** That an answer was sent back, or what it called refused, is known to the journal once, however often the call is begun. */
function noteWhy({ spec }: StepCommand, { notes, note }: StepContext): void {
  const { repairs, refused } = spec;
  const isNew = (kind: NoteBody['kind']) => !notes.some((each) => each.kind === kind);
  if (Array.isArray(repairs) && isNew('output.repaired'))
    note({ kind: 'output.repaired', errors: repairs.map(String) });
  if (!Array.isArray(refused) || !isNew('calls.refused')) return;
  const calls = refused.flatMap((each: Json) =>
    isRecord(each) ? [{ call: String(each.call), text: String(each.text) }] : [],
  );
  note({ kind: 'calls.refused', calls });
}

function unsupported({ name, type, at }: StepAgent): RunError {
  const place = at !== undefined && { at };
  if (type === 'too') {
    const message = `the agent "${name}" is a thunk, and this run was begun without it: "toolang run FILE.toon" compiles thunks, programs do not. "script" answers for it from a file.`;
    return { code: 'unsupported', message, retryable: false, ...place };
  }
  const message = `the agent "${name}" is of type ${type}, and nothing here can ask it. "--script FILE" answers for every model of the run from a file, and "type: scripted" for this agent.`;
  return { code: 'unsupported', message, retryable: false, ...place };
}

function messageHash(message: ModelCall['messages'][number]): string {
  return hash('sha256', JSON.stringify(message), 'hex').slice(0, 32);
}

function usage(given: ModelUsage | undefined): { readonly usage?: Usage } {
  if (given === undefined) return {};
  const { inputTokens, outputTokens, cost } = given;
  return { usage: { inputTokens, outputTokens, ...(cost !== undefined && { cost }) } };
}

function failed(err: RunError, spent?: ModelUsage): StepResult {
  return { outcome: { err }, ...usage(spent) };
}
