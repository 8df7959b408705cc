/**
 * What a tool is to the rest: a name, words for a model, a schema of its arguments, and what it does.
 * 1. `run` never rejects but when its signal is aborted, with the signal's reason; whatever else goes wrong is a result that
 *    the model is told.
 * 2. It settles only when all that it started is gone.
 * 3. What it gives is text of a bounded size, without secrets of the environment.
 */
import type { Clock } from '../sys/index.ts';
import type { JsonSchema } from '../type/index.ts';

export interface Tool {
  /** `set/tool`, as files and config name it. */
  readonly name: string;
  readonly description: string;
  /** Of an object. */
  readonly parameters: JsonSchema;
  /** It changes nothing: several may be done at the same time, and again after a crash. */
  readonly readOnly: boolean;
  /**
   * What the call is about, as patterns of permissions see it: a command line, paths from the workspace, an address. Every
   * one of them must be allowed. Empty: a pattern with an argument fits none of its calls.
   */
  readonly subjects: (args: ToolArgs, context: Pick<ToolContext, 'workspace'>) => readonly string[];
  readonly run: (args: ToolArgs, context: ToolContext) => Promise<ToolResult>;
}

export type ToolArgs = Readonly<Record<string, unknown>>;

export interface ToolContext {
  /** The folder that the tools of files work in and do not leave; absolute, links resolved. */
  readonly workspace: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Of the process that runs us: what of it a child may see is for the tool to say. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The same when the call is made again after a crash. */
  readonly idempotencyKey: string;
  /**
   * What the rules say of something that a call came upon on its way: a file in a folder that is searched, the address that
   * a redirect leads to. Left out: nothing is refused.
   */
  readonly permission?: (tool: string, subject: string) => 'allow' | 'ask' | 'deny';
  /** A process group that it leads was started; known to whoever takes over. */
  readonly spawned?: (pid: number) => void;
  readonly ended?: (pid: number) => void;
  /** Something was put into the memory of the agent that called. */
  readonly saved?: (memory: { readonly id: number; readonly text: string }) => void;
}

export type ToolResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: ToolError };

/**
 * `arguments`: they do not fit. `denied`: somebody or something does not allow it. `missing`: there is no such thing.
 * `timeout`: it took too long, and was ended. `too-large`: more than may be read or answered. `unavailable`: the tool, or
 * the service behind it, cannot be used now. `failed`: it was done, and went wrong.
 */
export type ToolErrorCode = 'arguments' | 'denied' | 'missing' | 'timeout' | 'too-large' | 'unavailable' | 'failed';

export interface ToolError {
  readonly code: ToolErrorCode;
  /** For the model and for people: what is wrong, and what to do instead. */
  readonly message: string;
  /** What came before it went wrong: the output of a command that failed. */
  readonly text?: string;
}
