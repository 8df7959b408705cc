/** What users' code threw, as data: in words, whether to try again, and where in the code. Runs in hosts only. */
import type { CodePlace, Thrown } from './host-protocol.ts';

/** The name of `run` code in stack traces. */
export const codeFile = 'run code';

const longestMessage = 4000;
const mostCauses = 5;

/** `where`: what is said behind the message, for those whose place is a file. */
export function thrownOf(error: unknown, where: (error: unknown) => string = () => '', depth = 0): Thrown {
  const place = placeIn(error);
  const cause = safely(() => (error instanceof Error ? error.cause : undefined), undefined);
  return {
    message: messageOf(error) + safely(() => where(error), ''),
    retryable: safely(() => Reflect.get(Object(error), 'retryable') !== false, true),
    ...(place && { place }),
    ...(cause !== undefined && cause !== null && depth < mostCauses && { cause: thrownOf(cause, where, depth + 1) }),
  };
}

export function messageOf(error: unknown): string {
  const text = safely(() => wordsOf(error), 'something that cannot be shown').trim();
  return text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;
}

function wordsOf(error: unknown): string {
  if (typeof error === 'string') return error === '' ? 'an empty text was thrown' : error;
  if (typeof error !== 'object' || error === null) return `${String(error)} was thrown`;
  const { name, _tag, message, code } = error as Partial<Record<'name' | '_tag' | 'message' | 'code', unknown>>;
  const kind = [name, _tag].find((each) => typeof each === 'string' && each !== '' && each !== 'Error');
  const said = [message, code].find((each) => typeof each === 'string' && each !== '');
  if (said !== undefined) return kind === undefined ? String(said) : `${kind}: ${said}`;
  if (error instanceof Error) return `${kind ?? 'an Error'} without a message`;
  return `${JSON.stringify(error)} was thrown`;
}

/** The innermost place in `run` code. */
function placeIn(error: unknown): CodePlace | undefined {
  const stack = safely(() => (error instanceof Error ? error.stack : undefined), undefined);
  if (typeof stack !== 'string') return undefined;
  for (const line of stack.slice(0, 50_000).split('\n')) {
    const [, row, column] = /^\s+at .*\brun code:(\d+):(\d+)/.exec(line) ?? [];
    if (row !== undefined) return { line: Number(row), column: Number(column) };
  }
  return undefined;
}

/** Makes an error whose stack is that of this call: later, it would not lead to the code that asked any more. */
export function failureAt(): (message: string, details?: object) => Error {
  const error = new Error();
  return (message, details) => {
    error.message = message;
    error.stack = (error.stack ?? '').replace(/^.*\n/, () => `Error: ${message}\n`);
    return Object.assign(error, details);
  };
}

/** Getters and proxies of the thrown value may throw too. */
function safely<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
