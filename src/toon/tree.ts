/**
 * The tree of a TOON document: frozen plain data tagged by `kind`, every node with its span.
 * It says how a value was written (quotes, the header of an array), because messages and the formatter need it;
 * `toPlain` gives the JSON value alone.
 */
import type { Source, Span } from '../text/index.ts';

export interface ToonDocument {
  readonly kind: 'document';
  readonly source: Source;
  readonly root: ToonValue;
  /** Full-line comments, in order. */
  readonly comments: readonly ToonComment[];
}

export interface ToonComment {
  readonly span: Span;
  /** Without the `#` and one blank after it. */
  readonly text: string;
}

export type ToonValue = ToonObject | ToonArray | ToonString | ToonNumber | ToonBoolean | ToonNull | ToonUnion;

export interface ToonObject {
  readonly kind: 'object';
  readonly span: Span;
  /** In written order; of a key that is written twice the second is reported and left out. */
  readonly entries: readonly ToonEntry[];
  /** A line or a cell of it could not be read, which was reported: what it lacks may have stood there. */
  readonly partial?: true;
}

export interface ToonEntry {
  readonly key: ToonKey;
  readonly value: ToonValue;
  /** From the key to the end of the value. */
  readonly span: Span;
}

export interface ToonKey {
  readonly text: string;
  readonly span: Span;
  readonly quoted: boolean;
}

export interface ToonArray {
  readonly kind: 'array';
  readonly span: Span;
  readonly items: readonly ToonValue[];
  /** Absent only for the relaxed `- field: type` under a bare key. */
  readonly header?: ToonHeader;
}

/** `[3]`, `[3|]`, `[2]{a,b}`. */
export interface ToonHeader {
  readonly span: Span;
  readonly form: 'inline' | 'list' | 'table' | 'keyed';
  readonly length: { readonly value: number; readonly span: Span };
  readonly delimiter: ',' | '\t' | '|';
  /** Of tables: the names of the columns, those of nested groups with their path. */
  readonly fields: readonly ToonKey[];
}

export interface ToonString {
  readonly kind: 'string';
  /** With its quotes. */
  readonly span: Span;
  readonly text: string;
  readonly quoted: boolean;
  /** Its quotes are wrong, which was reported: the text is what may have been meant. */
  readonly broken?: true;
}

export interface ToonNumber {
  readonly kind: 'number';
  readonly span: Span;
  readonly value: number;
}

export interface ToonBoolean {
  readonly kind: 'boolean';
  readonly span: Span;
  readonly value: boolean;
}

export interface ToonNull {
  readonly kind: 'null';
  readonly span: Span;
}

/** Relaxed: `"a" | "b"`, `"a"?` or `"a" | "b"?` after a key, which plain TOON has to quote as one text. */
export interface ToonUnion {
  readonly kind: 'union';
  readonly span: Span;
  readonly members: readonly ToonString[];
  /** The `?` at its end. */
  readonly optional?: Span;
}
