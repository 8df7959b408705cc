/**
 * Answers the calls of a run from a recording: the same result, the same notes, and nobody is asked. What answers depends on
 * the request and on who asks, and on nothing that happened before: a run that is resumed goes on as it would have.
 */
import type { NoteBody } from '../../journal/index.ts';
import type { Json, Outcome, RunError, StepCommand } from '../../machine/index.ts';
import {
  type Exchange,
  findExchange,
  type ModelCall,
  missText,
  type Recording,
  requestText,
} from '../../model/index.ts';
import type { StepContext, StepResult } from '../execute.ts';
import { agentOf, modelOf, namesOf } from '../model-step.ts';
import type { StableText } from './stable-text.ts';

export interface ReplayOptions {
  readonly stable: (command: StepCommand) => StableText;
  /** Of the input of the run. */
  readonly input: string;
  /** How it is recorded again. */
  readonly again: string;
}

/** What was recorded for a call; a text is why nothing was. */
export function recorded(recording: Recording, command: StepCommand, options: ReplayOptions): Exchange | string {
  const call = command.args as unknown as ModelCall;
  const { input, again } = options;
  const text = requestText(call, modelOf(command), options.stable(command));
  const asker = { call: command.id, case: input };
  const found = findExchange(recording, text.hash, asker);
  if (found !== undefined) return found;
  const { name } = agentOf(command);
  const [who = name] = namesOf(command);
  return missText(recording, { ...asker, ...text, for: who, agent: name, again });
}

/** `asked`: the note of a model that is asked. */
export function replayed(
  exchange: Exchange | string,
  { note, notes }: StepContext,
  asked: (ref: string) => NoteBody,
): StepResult {
  if (typeof exchange === 'string')
    return { outcome: { err: { code: 'replay', message: exchange, retryable: false } } };
  // After a crash it was noted before.
  if (!notes.some(({ kind }) => kind === 'model.asked')) for (const each of notesOf(exchange, asked)) note(each);
  const { result } = exchange;
  const usage = result.usage && { usage: result.usage };
  return { outcome: outcomeOf(result), ...usage };
}

function outcomeOf(result: Exchange['result']): Outcome {
  if ('error' in result) {
    const { more, ...error } = result.error;
    return { err: { ...error, ...more } as RunError };
  }
  const { more, ...answer } = result.answer;
  return { ok: { ...answer, ...more } as unknown as Json };
}

function notesOf({ model, notes }: Exchange, asked: (ref: string) => NoteBody): readonly NoteBody[] {
  if (notes === undefined) return model === undefined ? [] : [asked(model)];
  return notes.map((each) =>
    each.kind === 'model.asked' ? ({ ...asked(String(each.ref)), ...each } as NoteBody) : (each as unknown as NoteBody),
  );
}
