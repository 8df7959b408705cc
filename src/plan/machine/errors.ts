/** The errors of nodes: what is wrong, which node it is, and where that was written. */
import { isExpressionError } from '../../expr/index.ts';
import type { RunError } from '../../machine/index.ts';
import type { ReadError } from '../../type/index.ts';
import type { Place, WorkflowNode } from '../node.ts';

export interface Cause {
  /** The place of its node in the document. */
  readonly number: number;
  readonly error: RunError;
}

export function nodeError(
  name: string,
  { at }: WorkflowNode,
  code: string,
  message: string,
  retryable = false,
): RunError {
  const error = { code, message, retryable, node: name };
  return at ? { ...error, at: placeText(at) } : error;
}

/** An error that came from outside, with its place where it says none. */
export function placed(error: RunError, name: string, { at }: WorkflowNode): RunError {
  const named = error.node === undefined ? { ...error, node: name } : error;
  return named.at === undefined && at ? { ...named, at: placeText(at) } : named;
}

interface NodeFailure extends Error {
  readonly name: 'NodeFailure';
  readonly error: RunError;
}

/** Leaves what a node is doing; the machine fails it. */
export function throwError(error: RunError): never {
  throw Object.assign(new Error(error.message), { name: 'NodeFailure', error });
}

/** Anything else that is thrown is a mistake of ours. */
export function thrownError(thrown: unknown): RunError {
  if (thrown instanceof Error && thrown.name === 'NodeFailure') return (thrown as NodeFailure).error;
  throw thrown;
}

/** What an expression of the node threw; anything else that is thrown is a mistake of ours. */
export function expressionError(
  thrown: unknown,
  name: string,
  node: WorkflowNode,
  what: string,
  text: string,
): RunError {
  if (!isExpressionError(thrown)) throw thrown;
  const part = shortened(text.slice(thrown.start, thrown.end));
  const where = part === '' ? '' : `, in "${part}"`;
  const help = thrown.help === undefined ? '' : `. ${thrown.help}`;
  return nodeError(name, node, 'expression', `${what}: ${thrown.message}${where}${help}`);
}

export function misfit(errors: readonly ReadError[]): string {
  const shown = errors.slice(0, 5).map(({ message }) => message);
  if (errors.length > shown.length) shown.push(`And ${errors.length - shown.length} more.`);
  return shown.join(' ');
}

/** One failure is itself; several are one error that lists them in the order of the document. */
export function combined(causes: readonly Cause[]): RunError {
  const sorted = [...causes].sort((a, b) => a.number - b.number).map(({ error }) => error);
  const [first] = sorted;
  if (first === undefined) throw new Error('there is no failure without a cause');
  if (sorted.length === 1) return first;
  const lines = sorted.map(({ node, message }) => (node === undefined ? message : `${node}: ${message}`));
  return { ...first, message: `${sorted.length} steps failed: ${lines.join('; ')}`, retryable: false, causes: sorted };
}

export function placeText({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

function shortened(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
