/** The errors of nodes: what is wrong, which node it is, and where that was written. */
import { isExpressionError } from '../../expr/index.ts';
import type { RunError } from '../../machine/index.ts';
import type { Condition, Place, Text, WorkflowNode } from '../node.ts';
import { codeOffset, placeAt } from '../stretches.ts';

export interface Cause {
  /** The place of its node in the document. */
  readonly number: number;
  readonly error: RunError;
}

export function nodeError(
  name: string,
  { at }: { readonly at?: Place | undefined },
  code: string,
  message: string,
): RunError {
  const error = { code, message, retryable: false, node: name };
  return at ? { ...error, at: placeText(at) } : error;
}

/** An error that came from outside, with its place where it says none: that of what threw, as far as it is known. */
export function placed(error: RunError, name: string, node: WorkflowNode): RunError {
  const named = error.node === undefined ? { ...error, node: name } : error;
  if (named.at !== undefined) return named;
  const at = thrownAt(error, node);
  return at ? { ...named, at: placeText(at) } : named;
}

function thrownAt({ codeAt }: RunError, node: WorkflowNode): Place | undefined {
  if (codeAt === undefined || node.kind !== 'step' || node.action.kind !== 'run') return node.at;
  const { code, edits, at } = node.action;
  return placeAt(at, '', codeOffset(code, edits, codeAt.line, codeAt.column), node);
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
  { text, at }: Text | Condition,
): RunError {
  if (!isExpressionError(thrown)) throw thrown;
  const part = shortened(text.slice(thrown.start, thrown.end));
  const where = part === '' ? '' : `, in "${part}"`;
  const help = thrown.help === undefined ? '' : `. ${thrown.help}`;
  const place = placeAt(at, text, thrown.start, node);
  return nodeError(name, { at: place }, 'expression', `${what}: ${thrown.message}${where}${help}`);
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
