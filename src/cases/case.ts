/**
 * A test file `NAME.test.toon` as it is read: what each case runs, who answers, what people decide, and what must come of it.
 * Everything keeps its place in the file: whatever differs is told there.
 */
import type { Json } from '../machine/index.ts';
import type { Source, Span } from '../text/index.ts';
import type { ToonEntry, ToonValue } from '../toon/index.ts';

export interface Suite {
  readonly source: Source;
  readonly cases: readonly Case[];
}

/** A text, and where it stands. */
export interface Word {
  readonly text: string;
  readonly span: Span;
}

/** A value, as it was written. */
export interface Given {
  readonly value: Json;
  readonly tree: ToonValue;
  readonly entry: ToonEntry;
}

export interface Case {
  readonly name: Word;
  readonly target: Target;
  /** The folder that is copied, from that of the test file. */
  readonly workspace?: Word;
  readonly input?: Given;
  /** Of a thunk: its other arguments by name. */
  readonly with?: Given;
  /** Who answers for its models; left out, the script beside its target. */
  readonly answers?: CaseAnswers;
  /** What tools answer, in the place of what they would do. */
  readonly tools: readonly ToolAnswer[];
  /** Tools that are really called, though they reach beyond the copy: sets, or single ones. */
  readonly real: readonly Word[];
  readonly decisions: readonly Decision[];
  readonly env: Readonly<Record<string, string>>;
  /** Why it is not run. */
  readonly skip?: string;
  readonly timeoutMs?: number;
  readonly expect: Expect;
}

/** `./release.toon`, `./reviewer.too#review`: paths are from the folder of the test file. */
export interface Target extends Word {
  readonly file: string;
  readonly thunk?: string;
}

export type CaseAnswers =
  | ({ readonly kind: 'script' | 'recording' } & Word)
  /** Written in the case; `script`: as a file of its own would have them, with the lines where they stand here. */
  | { readonly kind: 'replies'; readonly script: string; readonly span: Span };

/** The first that fits answers. */
export interface ToolAnswer {
  readonly tool: string;
  readonly args?: Given;
  readonly result: { readonly text: string; readonly isError: boolean };
  readonly span: Span;
}

export interface Decision {
  /** The id of what asks, as `show` has it, or the end of it; `limit` is the run itself. */
  readonly for: Word;
  readonly approve: boolean;
  /** Who decides; `test` where nothing is said. */
  readonly by?: string;
  readonly note?: string;
  readonly value?: Json;
  /** Of a limit: how much more. */
  readonly add?: number;
}

export interface Expect {
  /** Where it is told what none of its keys is about. */
  readonly span: Span;
  readonly output?: Given;
  readonly outputHas?: Given;
  /** A file with a JSON Schema that the output fits. */
  readonly schema?: Word;
  /** Results by the ids of steps or nodes. */
  readonly steps?: Given;
  /** All of them, in order. */
  readonly calls?: ExpectedCalls;
  /** Some of them, in order. */
  readonly callsHave?: ExpectedCalls;
  /** Tools that are not called. */
  readonly neverCalls: readonly Word[];
  readonly error?: ExpectedError;
  /** What it ends with is a question, of this node. */
  readonly waitsFor?: Word;
  readonly modelCalls?: { readonly count: number; readonly span: Span };
  readonly assert: readonly Assertion[];
}

export interface ExpectedCalls {
  readonly span: Span;
  readonly calls: readonly ExpectedCall[];
}

export interface ExpectedCall {
  readonly tool: Word;
  /** What it is given has at least these; `*` in a text stands for any letters. */
  readonly args?: Given;
  /** The step that calls it. */
  readonly step?: Word;
}

export interface ExpectedError {
  readonly code?: Word;
  /** A part of it. */
  readonly message?: Word;
  readonly span: Span;
}

/** A condition over what came of the run. */
export interface Assertion {
  readonly text: string;
  readonly span: Span;
  /** From an offset in the text to one in the file. */
  readonly place: (offset: number) => number;
}
