/**
 * Agents that are programs of others, run without a terminal: what each has to say about itself. One file for each type, pure
 * but for `probe`; to start and to end them, time and notes are the executor's job (`run/cli/`).
 */
import type { JsonSchema } from '../../type/index.ts';

export interface CliAgent {
  /** As files name it. */
  readonly type: string;
  /** On the PATH. */
  readonly program: string;
  /** A command, or a place, for who does not have it. */
  readonly install: string;
  /** What to do where its login is not taken. */
  readonly login: string;
  /** `lines`: JSON, a value each line. `text`: all that it prints is the answer. */
  readonly prints: 'lines' | 'text';
  /**
   * Whether a conversation can be gone on with: the program tells its id; it takes one that is given to it, and makes the
   * conversation where there is none; or it cannot.
   */
  readonly sessions: 'told' | 'given' | 'none';
  /** Whether it is known afterwards what was used. */
  readonly tells: { readonly tokens: boolean; readonly cost: boolean };
  /** Variables that it sees beside those of every child; `NAME_*` are all that begin so. */
  readonly env: readonly string[];
  /** Whether it does what its model wants without asking, whatever a file says. */
  readonly asksNobody?: true;
  readonly command: (request: CliRequest) => CliCommand;
  /** What a line says; nothing for what does not matter. Of a line that is none of its own, undefined. */
  readonly read: (line: string) => readonly CliEvent[] | undefined;
  /** Why it came to no answer, in words. */
  readonly explain: (end: CliEnd) => CliFailure;
  readonly probe: (host: CliHost) => Promise<CliProbe>;
}

export interface CliRequest {
  readonly prompt: string;
  /** What stands before the prompt; with the schema in words, where there is one. */
  readonly instructions?: string | undefined;
  readonly model?: string | undefined;
  /** Of the program, as the file names them; undefined where it says nothing. */
  readonly tools?: readonly string[] | undefined;
  readonly output?: JsonSchema | undefined;
  /** The conversation that goes on, or of `given` ones the new one. */
  readonly session?: string | undefined;
  /** Whether something was said in that conversation. */
  readonly isLater: boolean;
  /** Where `files` will lie, with a separator at its end. */
  readonly folder: string;
  /** All of the agent. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface CliCommand {
  /** Without the program. No prompt, no instructions: others can read them there. */
  readonly argv: readonly string[];
  readonly stdin: string;
  /** Texts by their names in the folder of the request. */
  readonly files?: Readonly<Record<string, string>>;
  /** Variables that it must not see, though it is one of its own. */
  readonly without?: readonly string[];
}

export type CliEvent =
  /** As it comes; put together, and behind the last tool, they are the answer where nothing else says it. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly args?: unknown }
  /** Added up; `session`: of the whole conversation, so only what came since counts. */
  | CliUsage
  | { readonly kind: 'session'; readonly id: string }
  /** A whole answer, or that it has ended well; the last one counts. What went wrong before did not matter. */
  | { readonly kind: 'final'; readonly text?: string }
  /** `isEnd`: it may go on trying for long, and to no end. */
  | { readonly kind: 'error'; readonly message: string; readonly isEnd?: true };

export interface CliUsage {
  readonly kind: 'usage';
  readonly of: 'call' | 'session';
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** In dollars. */
  readonly cost?: number;
}

/** How it ended, and what it said about that. */
export interface CliEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Its errors, or where it told none, what it wrote last. */
  readonly said: string;
}

/** `session`: the conversation is not there any more. The others are codes of models. */
export type CliFailureCode =
  | 'model'
  | 'model-auth'
  | 'model-rate'
  | 'model-unknown'
  | 'model-connection'
  | 'model-empty'
  | 'session';

export interface CliFailure {
  readonly code: CliFailureCode;
  readonly message: string;
  readonly retryable: boolean;
}

export interface CliHost {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface CliProbe {
  /** The file that would be run; undefined where there is none. */
  readonly found?: string;
  readonly version?: string;
  /** What to do: to install it, or that it does not even say its version. */
  readonly hint?: string;
}
