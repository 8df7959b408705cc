/** What this folder throws: a plain Error with a `kind` to decide by. Callers give it a code and a place. */

export interface SysFailure extends Error {
  readonly kind: FailureKind;
}

export type FailureKind =
  | 'missing'
  | 'directory'
  | 'denied'
  | 'not-a-file'
  | 'loop'
  | 'full'
  | 'bad-pid'
  | 'stuck'
  | 'other';

export function failure(kind: FailureKind, message: string, cause?: unknown): SysFailure {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { kind });
}

export function isFailure(error: unknown): error is SysFailure {
  return error instanceof Error && 'kind' in error && typeof error.kind === 'string';
}

/** The code Node gives to errors of the system, as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** A path as people may see it in a message: in quotes, on one line, without control characters. */
export function quotePath(path: string): string {
  const plain = path.replace(/[\p{Cc}\u2028\u2029]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${plain}"`;
}
