/**
 * Makes a tool of its words, its parameters and what it does.
 * 1. Arguments are checked before anything is done, all mistakes at once, in words for a model; a number or a boolean may be
 *    written as a text.
 * 2. Whatever is thrown becomes a result, but an abort, which is the signal's reason.
 * 3. No result is longer than `mostText`.
 */
import { isFailure } from '../sys/index.ts';
import {
  conform,
  type FieldType,
  field,
  isRecord,
  type StructType,
  structOf,
  type Type,
  toJsonSchema,
} from '../type/index.ts';
import { boundedText } from './bounded-text.ts';
import type { Tool, ToolArgs, ToolContext, ToolErrorCode, ToolResult } from './tool.ts';

export interface Parameter {
  readonly name: string;
  readonly type: Type;
  readonly doc: string;
  readonly optional?: true;
  /** Of a number, which is a whole one: the least and the most that it may be. */
  readonly range?: readonly [least: number, most: number];
}

export interface ToolSpec<Args> {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly readOnly: boolean;
  /** Of arguments that fit. */
  readonly subjects: (args: Args, workspace: string) => readonly string[];
  /** Gives the text of the result, or throws a `ToolFailure`. */
  readonly run: (args: Args, context: ToolContext) => Promise<string>;
}

/** A tool of ours: its parameters are known as types too. */
export interface OwnTool extends Tool {
  readonly type: StructType;
}

/** Thrown inside of tools: the error of a result. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: ToolErrorCode;
  /** What came before it went wrong. */
  readonly text: string | undefined;

  constructor(code: ToolErrorCode, message: string, text?: string) {
    super(message);
    this.code = code;
    this.text = text;
  }
}

/** `Args` is what the parameters say, as TypeScript says it. */
export function defineTool<Args>(spec: ToolSpec<Args>): OwnTool {
  const type = structOf(spec.parameters.map(fieldOf));
  return {
    name: spec.name,
    description: spec.description,
    type,
    parameters: toJsonSchema(type, new Map()),
    readOnly: spec.readOnly,
    subjects(args, { workspace }) {
      const read = readArgs<Args>(spec.parameters, type, args);
      // A call that does not fit is never done, whatever it is about.
      return read.ok ? spec.subjects(read.args, workspace) : [];
    },
    async run(args, context) {
      context.signal.throwIfAborted();
      const read = readArgs<Args>(spec.parameters, type, args);
      if (!read.ok) return failed('arguments', argumentsProblem(spec.name, type, read.problems));
      try {
        const text = await spec.run(read.args, context);
        context.signal.throwIfAborted();
        return { ok: true, text: boundedText(text) };
      } catch (error) {
        if (context.signal.aborted) throw context.signal.reason;
        return failureResult(error);
      }
    },
  };
}

export function failed(code: ToolErrorCode, message: string, text?: string): ToolResult {
  const error = { code, message: boundedText(message, mostMessage) };
  return { ok: false, error: text === undefined ? error : { ...error, text: boundedText(text) } };
}

/** What was thrown, as a result. */
export function failureResult(error: unknown): ToolResult {
  if (error instanceof ToolFailure) return failed(error.code, error.message, error.text);
  const message = (error instanceof Error ? error.message : String(error)).split(/[\r\n]/, 1)[0] ?? '';
  if (isFailure(error)) {
    const code = error.kind === 'missing' ? 'missing' : error.kind === 'denied' ? 'denied' : 'failed';
    return failed(code, message);
  }
  return failed('failed', message);
}

/** `filesystem/read(path, line?)`, as messages and lists show a tool. */
export function signatureOf(name: string, type: StructType): string {
  return `${name}(${type.fields.map((each) => `${each.name}${each.optional ? '?' : ''}`).join(', ')})`;
}

const mostMessage = 8 * 1024;
/** More of them say nothing new. */
const mostProblems = 20;

type ReadArgs<Args> =
  | { readonly ok: true; readonly args: Args }
  | { readonly ok: false; readonly problems: readonly string[] };

function readArgs<Args>(parameters: readonly Parameter[], type: StructType, args: ToolArgs): ReadArgs<Args> {
  const read = conform(args, type, new Map(), { coerce: true });
  const problems = read.errors.map((error) => error.message);
  if (isRecord(read.value)) {
    for (const { name, range } of parameters) {
      const value = read.value[name];
      if (range === undefined || typeof value !== 'number') continue;
      const [least, most] = range;
      if (Number.isInteger(value) && value >= least && value <= most) continue;
      problems.push(`"/${name}" must be a whole number from ${least} to ${most}, but it is ${value}.`);
    }
  }
  // `conform` has checked every field against the type that `Args` repeats.
  return problems.length === 0 ? { ok: true, args: read.value as Args } : { ok: false, problems };
}

function argumentsProblem(name: string, type: StructType, problems: readonly string[]): string {
  const shown = problems.slice(0, mostProblems).map((problem) => `- ${problem}`);
  if (problems.length > shown.length) shown.push(`- and ${problems.length - shown.length} more`);
  const head = problems.length === 1 ? 'an argument does not fit' : `${problems.length} arguments do not fit`;
  return [`${head}; nothing was done. The tool is ${signatureOf(name, type)}.`, ...shown].join('\n');
}

function fieldOf({ name, type, doc, optional }: Parameter): FieldType {
  return field(name, type, { doc, optional: optional === true });
}
