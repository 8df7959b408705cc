/** What goes wrong while an expression is evaluated. The expression itself cannot catch it: it ends the evaluation. */
import type { Code } from '../../text/index.ts';

export interface ExpressionError extends Error {
  readonly name: 'ExpressionError';
  readonly code: Code;
  /** The part of the expression at fault, in offsets of the text that was parsed. */
  readonly start: number;
  readonly end: number;
  /** What to write instead, in one sentence. */
  readonly help?: string;
}

/** A failure that does not know its place yet; only `evaluate` sees it. */
export interface Fault extends Error {
  readonly name: 'Fault';
  readonly code: Code;
  readonly help?: string;
}

export function isExpressionError(value: unknown): value is ExpressionError {
  return value instanceof Error && value.name === 'ExpressionError';
}

export function isFault(value: unknown): value is Fault {
  return value instanceof Error && value.name === 'Fault';
}

export function fail(code: Code, message: string, help?: string): never {
  throw Object.assign(new Error(message), { name: 'Fault', code, ...(help !== undefined && { help }) });
}

export function placed(fault: Fault, place: { readonly start: number; readonly end: number }): ExpressionError {
  const { code, help } = fault;
  const { start, end } = place;
  const name = 'ExpressionError' as const;
  return Object.assign(new Error(fault.message), { name, code, start, end, ...(help !== undefined && { help }) });
}

/** Runs a built-in of the machine on values it may refuse. */
export function native<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (isFault(error) || isStackOverflow(error)) throw error;
    return fail('TOO6105', `${what}: ${lower(error instanceof Error ? error.message : String(error))}`);
  }
}

export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

export function clip(text: string, most = 60): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

function lower(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1, 200);
}
