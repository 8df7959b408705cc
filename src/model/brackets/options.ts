/** What `bracketTools` can be told. */
import type { CallDiagnosticCode, ScanOptions, ToolSpec } from '../../calls/index.ts';
import type { ToolChoice } from './sdk.ts';

export interface BracketToolsOptions {
  /** How strictly markers are read; see `ScanOptions`. */
  readonly scan?: Pick<ScanOptions, 'strict' | 'repair' | 'multilineHeader' | 'literalHeader' | 'maxHeader'>;
  /** A call inside a Markdown code fence: `call` (the default) runs it, `text` leaves it in the text as it stands. */
  readonly fences?: 'call' | 'text';
  /** For each tool, the parameter that the body carries; `null` for none. By default it is found by its name. */
  readonly bodies?: Readonly<Record<string, string | null>>;
  /** Where the instructions go: the end of the system message, or the start of the first message of the user. */
  readonly placement?: 'system' | 'user';
  /** Gives the instructions to send instead of those in `text`. */
  readonly instructions?: (given: Instructions) => string;
  /** Whether the string that begins a made-up result is given to the model as a stop sequence; it is by default. */
  readonly stop?: boolean;
  /** Gives the ids of calls, each a new one. */
  readonly generateId?: () => string;
  /** Told of everything that was probably meant otherwise, and of every call that does not run. */
  readonly onDiagnostic?: (diagnostic: BracketDiagnostic) => void;
}

export interface Instructions {
  readonly text: string;
  readonly tools: readonly ToolSpec[];
  readonly toolChoice: ToolChoice;
}

export interface BracketDiagnostic {
  /**
   * `refused`: a call does not run, and the model is told why. `dropped`: a call is left out, because the answer broke off,
   * no tool may be called in it, or a made-up result stands before it. The others are about the text: see
   * `CallDiagnosticCode`.
   */
  readonly code: 'refused' | 'dropped' | CallDiagnosticCode;
  /** What is wrong and what to write instead. */
  readonly message: string;
  readonly toolName?: string;
  readonly toolCallId?: string;
}
