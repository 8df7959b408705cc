/** Why a model cannot be used, and what to do. */
import type { Code } from '../../text/index.ts';
import type { ResolvedModel } from '../resolved.ts';

/**
 * `unknown-model`, `unknown-provider`, `malformed`, `ambiguous`: what is written is wrong. `no-key`, `not-running`: it is right,
 * and cannot be used now. `none`: nothing is named, and nothing can be used.
 */
export type ModelProblemKind =
  | 'unknown-model'
  | 'unknown-provider'
  | 'malformed'
  | 'ambiguous'
  | 'no-key'
  | 'not-running'
  | 'none';

export interface ModelProblem {
  readonly kind: ModelProblemKind;
  readonly code: Code;
  /** As it was written. */
  readonly ref: string;
  readonly message: string;
  readonly help?: string;
  /** What was perhaps meant. */
  readonly meant?: string;
  /** Of one that only cannot be used now. */
  readonly model?: ResolvedModel;
}

/** Whether it may be usable another time: then the next of several models is tried, and this one is told of. */
export function isPassing({ kind }: ModelProblem): boolean {
  return kind === 'no-key' || kind === 'not-running';
}

const codeOf: Readonly<Record<ModelProblemKind, Code>> = {
  'unknown-model': 'TOO7101',
  'unknown-provider': 'TOO7102',
  malformed: 'TOO7103',
  ambiguous: 'TOO7104',
  'no-key': 'TOO7105',
  'not-running': 'TOO7106',
  none: 'TOO7107',
};

export function problem(
  kind: ModelProblemKind,
  ref: string,
  message: string,
  more: Pick<ModelProblem, 'help' | 'meant' | 'model'> = {},
): ModelProblem {
  return { kind, code: codeOf[kind], ref, message, ...more };
}

/** `A, B or C`. */
export function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last;
}
