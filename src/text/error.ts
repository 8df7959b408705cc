/** The one error of the runtime: a stable code and a message a person can act on. */
import type { Code } from './codes.ts';

export class ToolangError extends Error {
  override readonly name = 'ToolangError';
  readonly code: Code;

  constructor(code: Code, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
