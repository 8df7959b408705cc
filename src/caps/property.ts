/** One property of a cap, whatever syntax it was written in. */
import type { Span } from '../text/index.ts';

/**
 * `deep` is a structure that no property of ours has (its value is its text), `broken` one that could not be read and
 * has been reported.
 */
export type CapPropertyShape = 'text' | 'list' | 'map' | 'deep' | 'broken';

export interface CapProperty {
  readonly key: string;
  readonly keySpan: Span;
  readonly shape: CapPropertyShape;
  readonly value: string | readonly string[] | Readonly<Record<string, string>>;
  /** Without the quotes' inside being counted: it covers the value as it is written. */
  readonly valueSpan: Span;
  /** The parts of a list or of a map, in written order. */
  readonly items: readonly CapPropertyItem[];
  /** The whole lines it takes, with their end: what a fix that removes it removes. */
  readonly lines: Span;
}

export interface CapPropertyItem {
  /** Of a map. */
  readonly key?: string;
  readonly keySpan?: Span;
  readonly value: string;
  readonly span: Span;
}
