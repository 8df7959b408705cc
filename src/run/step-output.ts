/**
 * Whether what a step gave fits its output: looked at where the result arrives, before it becomes a fact, so that whoever
 * follows the journal never sees a step done that has failed.
 */
import type { Json, Outcome, StepSpec } from '../machine/index.ts';
import { misfit } from '../plan/machine/index.ts';
import { type StructType, type Type, type TypeTable, validate } from '../type/index.ts';

const noTypes: TypeTable = new Map();

/** The outcome with the value as its type reads it: null for an optional field is absent. A spec without an output takes all. */
export function fitting(outcome: Outcome, { output, types }: StepSpec): Outcome {
  if (!('ok' in outcome) || output === undefined) return outcome;
  const type = output as unknown as Type;
  const table = types === undefined ? noTypes : new Map(Object.entries(types as unknown as Record<string, StructType>));
  const read = validate(outcome.ok, type, table);
  if (read.ok) return { ok: read.value as Json };
  const message = `what it gave does not fit its output: ${misfit(read.errors, type, table)}`;
  // Code may give something else the next time.
  return { err: { code: 'schema', message, retryable: true } };
}
