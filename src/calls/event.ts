/**
 * What the scanner tells, as it becomes certain. Offsets are UTF-16 units from the start of the whole text, whatever the
 * chunks were; `end` is the offset after the last unit.
 */
export type CallEvent = TextEvent | CallStartEvent | BodyEvent | CallEndEvent | DiagnosticEvent;

/** A piece of what is no call. Pieces that follow each other belong together. */
export interface TextEvent {
  readonly type: 'text';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A header is complete: from its marker to behind its `]`. */
export interface CallStartEvent {
  readonly type: 'call-start';
  /** The number of the call in this text, from 0. */
  readonly index: number;
  /** As it stands in the header. */
  readonly toolName: string;
  /** The rest of the header without the white space at its ends. */
  readonly rawArgs: string;
  readonly start: number;
  readonly end: number;
  /** Whether the call stands in a Markdown code fence: perhaps an example, not a call. */
  readonly inFence: boolean;
  /** Whether nothing but blanks stands before it on its line. */
  readonly lineStart: boolean;
}

/** A piece of the body, with its escapes as they stand. */
export interface BodyEvent {
  readonly type: 'body';
  readonly index: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Why a call ended: its end marker came; the text ended; the text ended because the model reached its limit; the body
 * was longer than `maxBody`. Only the first makes it complete.
 */
export type EndReason = 'end' | 'unterminated' | 'length' | 'too-long';

/** The call is over; the offsets are those of its end marker, or of the place where it broke off. */
export interface CallEndEvent {
  readonly type: 'call-end';
  readonly index: number;
  readonly complete: boolean;
  readonly reason: EndReason;
  readonly start: number;
  readonly end: number;
}

export type CallDiagnosticCode =
  | 'stray-end'
  | 'empty-header'
  | 'header-too-long'
  | 'header-bracket-suspect'
  | 'nested-start'
  | 'near-miss-end'
  | 'spaced-marker'
  | 'damaged-marker'
  | 'fabricated-result'
  | 'unterminated';

/** Something that was probably meant otherwise. It changes nothing: the text around it was read as it stands. */
export interface DiagnosticEvent {
  readonly type: 'diagnostic';
  readonly code: CallDiagnosticCode;
  readonly start: number;
  readonly end: number;
  /** What is wrong and what to write instead, in words for a model and for a person. */
  readonly hint: string;
}

/** How the text came to its end, where that is known. `length`: the model reached its limit, so the text may be cut. */
export interface FinishInfo {
  readonly reason?: 'stop' | 'length' | 'other';
}

export interface ScanOptions {
  /** Only U+FE0F makes a marker; by default U+FE0E and no selector are read too. */
  readonly strict?: boolean;
  /** The names of the tools, as a list, a set, or the keys of a map: a header with another name is plain text. */
  readonly knownTools?: Iterable<string> | ReadonlyMap<string, unknown>;
  /**
   * With `knownTools`: an unknown name is still a call when it stands at the start of a line, looks like a tool name of
   * at most 256 units, and a line break follows its `]`, so that the model can be told which tools there are.
   */
  readonly unknownCalls?: boolean;
  /** A header may go over several lines. By default a line break makes it plain text. */
  readonly multilineHeader?: boolean;
  /** A start marker inside a header is part of it. By default the earlier marker is plain text. */
  readonly literalHeader?: boolean;
  /** The most units a header may have; 4096. A longer one is plain text. */
  readonly maxHeader?: number;
  /** The most units a body may have; no limit by default. A longer one ends the call, incomplete. */
  readonly maxBody?: number;
  /** Reads damaged markers (U+FFFD, half surrogates, wrong encodings) as if they were whole. */
  readonly repair?: boolean;
}
