/** Why a service, or a call of it, cannot go on: thrown inside this folder, and told as a result outside of it. */
import type { ToolErrorCode } from '../tool.ts';

export interface ServiceTrouble extends Error {
  readonly kind: ToolErrorCode;
  /** To try again brings nothing: something has to be set or written first. */
  readonly isFinal: boolean;
}

export function trouble(kind: ToolErrorCode, message: string, options: { final?: boolean; cause?: unknown } = {}) {
  const error = new Error(message, options.cause === undefined ? {} : { cause: options.cause });
  return Object.assign(error, { name: 'ServiceTrouble', kind, isFinal: options.final === true }) as ServiceTrouble;
}

export function isTrouble(error: unknown): error is ServiceTrouble {
  return error instanceof Error && error.name === 'ServiceTrouble';
}
