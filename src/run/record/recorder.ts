/**
 * Keeps what agents were asked and what they answered, at the edge of whoever asks them: models, agents of plugins and on the
 * command line alike.
 * 1. An exchange is in the file before its result is in the journal: what was paid is kept, whatever happens next.
 * 2. What nobody was asked is none: no key, no reply of a script, a call that was cancelled before it came to something.
 * 3. A run that went well leaves of its own case only what it asked.
 */
import type { NoteBody } from '../../journal/index.ts';
import type { Json, RunError, StepCommand, Usage } from '../../machine/index.ts';
import {
  type Exchange,
  type ExchangeAnswer,
  type ExchangeError,
  type JsonRecord,
  type ModelCall,
  requestText,
} from '../../model/index.ts';
import { isRecord } from '../../type/index.ts';
import type { Clean } from '../clean.ts';
import type { Execute, StepContext, StepResult } from '../execute.ts';
import { agentOf, modelOf, namesOf } from '../model-step.ts';
import { timeoutError } from '../running.ts';
import type { RecordFile } from './record-file.ts';
import type { StableText } from './stable-text.ts';

export interface RecorderOptions {
  readonly file: RecordFile;
  /** Of the input of the run. */
  readonly input: string;
  readonly stable: (command: StepCommand) => StableText;
  /** Takes secrets out. */
  readonly clean: Clean;
}

export interface Recorder {
  readonly wrap: (execute: Execute) => Execute;
  /** Writes what could not be written before. `asked`: the commands of a run that went well. */
  readonly close: (asked: ReadonlySet<string> | undefined) => Promise<RecordedCount>;
}

export interface RecordedCount {
  readonly added: number;
  /** Those that were recorded before, and are not asked any more. */
  readonly dropped: number;
  /** Why something of it is not in the file. */
  readonly problem?: string;
}

export function createRecorder({ file, input, stable, clean }: RecorderOptions): Recorder {
  let added = 0;
  /** What could not be written yet. */
  let problem: unknown;

  return {
    wrap: (execute) => async (command, context) => {
      const noted: NoteBody[] = [];
      const note = (body: NoteBody) => {
        noted.push(body);
        context.note(body);
      };
      const result = await execute(command, { ...context, note });
      const exchange = exchangeOf(command, context, noted, result);
      if (exchange !== undefined) {
        added++;
        problem = undefined;
        await file.add(exchange).catch((error: unknown) => {
          problem = error;
        });
      }
      return result;
    },
    async close(asked) {
      if (problem === undefined && (asked === undefined || added === 0)) return { added, dropped: 0 };
      try {
        return { added, dropped: await file.keep(input, ({ call }) => asked === undefined || asked.has(call)) };
      } catch (error) {
        return { added, dropped: 0, problem: error instanceof Error ? error.message : String(error) };
      }
    },
  };

  function exchangeOf(
    command: StepCommand,
    { signal }: StepContext,
    noted: readonly NoteBody[],
    result: StepResult,
  ): Exchange | undefined {
    const came = resultOf(command, signal, result);
    const unnamed = sessionsOut(noted);
    if (came === undefined) return undefined;
    const call = clean(command.args) as unknown as ModelCall;
    const { name } = agentOf(command);
    const [who = name] = namesOf(command);
    const text = requestText(call, modelOf(command), stable(command));
    return {
      call: command.id,
      for: who,
      case: input,
      agent: name,
      ...text,
      ...notesOf(unnamed(clean(noted)), call),
      result: { ...unnamed(clean(came)), ...usageOf(result.usage) },
    };
  }
}

/** Errors of nobody who was asked. */
const unasked: ReadonlySet<string> = new Set([
  'script',
  'replay',
  'unsupported',
  'program',
  'bug',
  'model-key',
  'limit',
  'cancelled',
]);

function resultOf(
  command: StepCommand,
  signal: AbortSignal,
  { outcome }: StepResult,
): { readonly answer: ExchangeAnswer } | { readonly error: ExchangeError } | undefined {
  if ('ok' in outcome) return { answer: answerOf(outcome.ok) };
  if (!('err' in outcome)) return undefined;
  // The driver says so of it, whatever it comes to.
  const err = signal.aborted && signal.reason === 'timeout' ? timeoutError(command, outcome.err) : outcome.err;
  return unasked.has(err.code) ? undefined : { error: errorOf(err) };
}

function answerOf(value: Json): ExchangeAnswer {
  const { text, finish, calls, reasoning, meta, ...more } = isRecord(value) ? (value as Record<string, Json>) : {};
  return {
    text: typeof text === 'string' ? text : '',
    finish: (typeof finish === 'string' ? finish : 'stop') as ExchangeAnswer['finish'],
    ...(Array.isArray(calls) && { calls: calls as unknown as NonNullable<ExchangeAnswer['calls']> }),
    ...(Array.isArray(reasoning) && { reasoning: reasoning as unknown as NonNullable<ExchangeAnswer['reasoning']> }),
    ...(isRecord(meta) && { meta: meta as JsonRecord }),
    ...(Object.keys(more).length > 0 && { more: more as JsonRecord }),
  };
}

function errorOf({ code, message, retryable, ...more }: RunError): ExchangeError {
  return {
    code,
    message,
    retryable,
    ...(Object.keys(more).length > 0 && { more: more as unknown as JsonRecord }),
  };
}

function usageOf(usage: Usage | undefined): Pick<Exchange['result'], 'usage'> {
  const { inputTokens, outputTokens, cost } = usage ?? {};
  const known = {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cost !== undefined && { cost }),
  };
  return Object.keys(known).length > 0 ? { usage: known } : {};
}

/** That an answer was sent back, or its calls refused, follows from the call itself; what a program prints meanwhile depends on time, and is for people. */
const own: ReadonlySet<NoteBody['kind']> = new Set(['output.repaired', 'calls.refused', 'node.printed']);

/** Which model answered; and all that was noted, where that says more. */
function notesOf(noted: readonly NoteBody[], call: ModelCall): Pick<Exchange, 'model' | 'notes'> {
  const asked = noted.filter((note) => note.kind === 'model.asked');
  const model = asked.at(-1)?.ref;
  const kept = noted.filter(({ kind }) => !own.has(kind)).map((note) => noteJson(note, call));
  const [only, ...others] = kept;
  const isPlain = others.length === 0 && (only === undefined || Object.keys(only).join() === 'kind,ref');
  return { ...(model !== undefined && { model }), ...(!isPlain && { notes: kept }) };
}

/** Without what a replay knows by itself: which messages were new, and settings that are those of the call. */
function noteJson(note: NoteBody, call: ModelCall): JsonRecord {
  if (note.kind !== 'model.asked') return note as unknown as JsonRecord;
  const { kind, ref, settings } = note;
  const isOwn = JSON.stringify(settings) !== JSON.stringify({ ...call.settings });
  return { kind, ref, ...(isOwn && { settings: settings as unknown as JsonRecord }) };
}

/** A program gives its conversation an id that is another one each time, and that nobody can go on with elsewhere. */
function sessionsOut(noted: readonly NoteBody[]): <T>(value: T) => T {
  const ids = noted.flatMap((note) => (note.kind === 'session' ? [note.id] : []));
  if (ids.length === 0) return (value) => value;
  return <T>(value: T) => {
    let text = JSON.stringify(value);
    for (const id of ids) text = text.replaceAll(JSON.stringify(id), '"session"');
    return JSON.parse(text) as T;
  };
}
