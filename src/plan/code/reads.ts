/** What code takes and gives, as far as it is written out. Offsets are those of the text. */

import type { Read } from '../../expr/index.ts';

/** A step or a word of the context. Of `steps.draft` and `steps["draft"]` the name is `draft`, without its quotes. */
export type CodeRead = Read;

export interface CodeReturn {
  /** Of the value; of a `return` without one, of the word. */
  readonly start: number;
  readonly end: number;
  /** There is no value. */
  readonly empty: boolean;
  /** The fields of an object that is written out, unless it takes some from elsewhere. */
  readonly fields?: readonly { readonly name: string; readonly start: number; readonly end: number }[];
}
