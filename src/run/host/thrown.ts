/** What users' code threw, as data: in words, whether to try again, and where in the code. */
import { inspect } from 'node:util';
import type { CodePlace, Thrown } from './protocol.ts';

/** The name of `run` code in stack traces. */
export const codeFile = 'run code';

const longestMessage = 4000;
const mostCauses = 5;
/** Of an error of several. */
const mostErrors = 10;

/** `where`: what is said behind the message, for those whose place is a file. */
export function thrownOf(error: unknown, where: (error: unknown) => string = () => ''): Thrown {
  /** Those above it: an error may be its own cause. */
  const above = new Set<unknown>();
  return told(error);

  function told(thrown: unknown): Thrown {
    const place = placeIn(thrown);
    above.add(thrown);
    const cause = causeOf(thrown);
    above.delete(thrown);
    return {
      message: messageOf(thrown) + safely(() => where(thrown), ''),
      retryable: safely(() => Reflect.get(Object(thrown), 'retryable') !== false, true),
      ...(place && { place }),
      ...(cause && { cause }),
    };
  }

  /** Several errors in one are its cause, all of them. */
  function causeOf(thrown: unknown): Thrown | undefined {
    if (!(thrown instanceof Error) || above.size > mostCauses) return undefined;
    const next = safely(() => thrown.cause, undefined);
    const cause = next === undefined || next === null || above.has(next) ? undefined : told(next);
    const errors = safely(() => (thrown instanceof AggregateError ? [...thrown.errors] : []), []);
    if (errors.length === 0) return cause;
    const causes = errors
      .slice(0, mostErrors)
      .filter((each) => !above.has(each))
      .map(told);
    const lines = causes.map(({ message }) => `- ${message}`);
    if (errors.length > causes.length) lines.push(`- and ${errors.length - causes.length} more`);
    return {
      message: `each of these:\n${lines.join('\n')}`,
      retryable: true,
      causes,
      ...(cause && { cause }),
    };
  }
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
  if (error instanceof Error) {
    const fields = fieldsOf(error);
    return fields === undefined ? `${kind ?? 'an Error'} without a message` : `${kind ?? 'an Error'}: ${fields}`;
  }
  return `${shown(error)} was thrown`;
}

/** What JSON cannot write is shown as Node shows it. */
function shown(value: object): string {
  const text = safely(() => JSON.stringify(value), undefined);
  return text ?? inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY });
}

/** What an error that has no message says: errors of Effect often have fields only. */
function fieldsOf(error: Error): string | undefined {
  const fields = Object.entries(error).filter(([name]) => !shared.has(name));
  if (fields.length === 0) return undefined;
  return shown(Object.fromEntries(fields));
}

const shared: ReadonlySet<string> = new Set(['name', '_tag', 'message', 'stack', 'cause', 'errors', 'retryable']);

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
