/** The replies of a scripted model, as a file `NAME.script.toon` has them. Plain data; `read-script.ts` reads it. */
import type { Span } from '../text/index.ts';
import type { Finish, JsonRecord, Reasoning } from './model.ts';

export interface Script {
  /** How messages name the file. */
  readonly name: string;
  readonly replies: readonly Reply[];
  /** The same, by what they are for, each list in document order. */
  readonly lists: ReadonlyMap<string, readonly Reply[]>;
}

export interface Reply {
  /** The id of a step, an agent, a thunk, or the id of a node: `fan/b`, `polish[2]/review`. */
  readonly for: string;
  /** Where it stands, as `file:line:column`. */
  readonly at: string;
  readonly answer: ReplyAnswer;
  /** What it thinks before it answers. */
  readonly reasoning?: string;
  /** The tools that it calls, behind its text. */
  readonly calls?: readonly ReplyCall[];
  /** They are written as text, as by a model without an interface for tools. */
  readonly bracket?: true;
  /** Between two words. */
  readonly paceMs?: number;
  /** What is not said is estimated. */
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  /** In dollars. */
  readonly price?: number;
  /** The stream ends after what is written, though the answer has not ended. */
  readonly cut: boolean;
  /** With what it ends, where it does not merely stop. */
  readonly cutBy?: ReplyFailure;
  /** Of a recording: what was asked, and what a script has no words for. */
  readonly request?: ReplyRequest;
  readonly about?: ReplyAbout;
}

/** What a recorded reply was the answer to. */
export interface ReplyRequest {
  readonly call: string;
  readonly hash: string;
  readonly case?: string;
  readonly agent?: string;
  readonly model?: string;
  /** The call whose request and answer it begins with, and how many lines of those. */
  readonly after?: string;
  readonly same?: number;
  /** The others. */
  readonly lines: readonly string[];
  readonly span: Span;
}

/** What else was known of a recorded answer, or of the error in its place. */
export interface ReplyAbout {
  readonly finish?: Finish;
  readonly code?: string;
  readonly retryable?: boolean;
  readonly message?: string;
  readonly meta?: JsonRecord;
  readonly more?: JsonRecord;
  readonly reasoning?: readonly Reasoning[];
  readonly notes?: readonly JsonRecord[];
}

export type ReplyAnswer =
  | { readonly kind: 'text'; readonly text: string }
  /** A file, from the folder of the script. */
  | { readonly kind: 'file'; readonly path: string }
  | ReplyFailure;

export type ReplyFailure =
  | { readonly kind: 'error'; readonly status: number }
  | { readonly kind: 'failure'; readonly message: string };

export interface ReplyCall {
  /** As files name it, or whatever the model is to write. */
  readonly tool: string;
  readonly id?: string;
  /** The arguments as they are sent: JSON, or what a model writes in its place. */
  readonly args: string;
  /** Of a recording: why it could not be done, and what its provider wants to see again. */
  readonly problem?: string;
  readonly meta?: JsonRecord;
}

export function createScript(name: string, replies: readonly Reply[]): Script {
  const lists = new Map<string, Reply[]>();
  for (const reply of replies) {
    const list = lists.get(reply.for);
    if (list) list.push(reply);
    else lists.set(reply.for, [reply]);
  }
  return { name, replies, lists };
}
