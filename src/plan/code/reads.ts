/** What code takes and gives, as far as it is written out. Offsets are those of the text. */

import type { Read } from '../../expr/index.ts';

/** A step or a word of the context. Of `steps.draft` and `steps["draft"]` the name is `draft`, without its quotes. */
export interface CodeRead extends Read {
  /** What is read of it, wherever that is sure. */
  readonly members: readonly CodeMember[];
}

/** A field, a method or an item that is read of a value. */
export interface CodeMember extends CodeKey {
  /** An item of a list by its index; without a name, any of them. */
  readonly isItem: boolean;
  /** It is called: its members are read of its result. */
  readonly isCalled: boolean;
  readonly members: readonly CodeMember[];
  /** What a function that it is called with reads of each item. */
  readonly ofItems: readonly CodeMember[];
}

/** A name, without its quotes. */
export interface CodeKey {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** `shorthand`: it is a variable too. */
  readonly form: 'plain' | 'text' | 'shorthand';
}

export interface CodeReturn {
  /** Of the value; of a `return` without one, of the word. */
  readonly start: number;
  readonly end: number;
  /** There is no value. */
  readonly empty: boolean;
  /** What it may be, as far as that is written out. */
  readonly values: readonly CodeValue[];
}

export type CodeValue = { readonly start: number; readonly end: number } & (
  | {
      readonly kind: 'object';
      readonly fields: readonly CodeField[];
      /** It has more fields than are written out. */
      readonly isOpen: boolean;
    }
  | { readonly kind: 'array'; readonly items: readonly CodeValue[] }
  /** Its value, where it is written without escapes. */
  | { readonly kind: 'text'; readonly text?: string }
  | { readonly kind: 'number' | 'boolean' | 'null' | 'function' }
);

export interface CodeField extends CodeKey {
  readonly values: readonly CodeValue[];
}
