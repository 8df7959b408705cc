/** What a program may name besides what it declares. A part that is missing is not checked, and a note says so. */
import type { CapKind } from '../too/index.ts';

export interface Host {
  /** Built-in tool sets and their tools. */
  readonly tools?: ReadonlyMap<string, readonly string[]>;
  /** Every name a `models` directive may use. */
  readonly models?: readonly string[];
  /** In its place: what is wrong with the names of models that the program has; `unknown`, where nobody can say. */
  readonly modelProblems?: ReadonlyMap<string, ModelNameProblem | 'unknown'>;
  /** Caps of the home and of the root. */
  readonly caps?: readonly HostCap[];
  /** Short names of workflows that may be hands. */
  readonly hands?: readonly string[];
  /** Whether a file named relative to the source exists. */
  readonly hasFile?: (path: string) => boolean;
  readonly defaults?: { readonly tools?: readonly string[]; readonly models?: readonly string[] };
}

export interface ModelNameProblem {
  readonly message: string;
  readonly help?: string;
  /** What was perhaps meant. */
  readonly meant?: string;
}

export interface HostCap {
  readonly kind: CapKind;
  readonly name: string;
  readonly scope: 'home' | 'root';
}
