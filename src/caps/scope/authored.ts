/** A cap as somebody wrote it down in one scope, before anything is fetched. Plain data. */
import type { CapKind } from '../../too/index.ts';
import type { CheckedCap } from '../checked-cap.ts';
import type { Form, Scope } from './scope.ts';

interface Base {
  readonly kind: CapKind;
  readonly name: string;
  readonly scope: Scope;
  readonly form: Form;
  /** Where it is written: the absolute path of the file, and the line and column there, from 1. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Declared in the `.too` itself. */
export interface InlineCap extends Base {
  readonly form: 'inline';
  readonly scope: 'here';
  readonly cap: CheckedCap;
}

/** A `use` line of a `.too` or an `agents.too`, or an entry of a `config.toml`. */
export interface RemoteCap extends Base {
  readonly form: 'ref' | 'wired';
  /** As it is written. */
  readonly ref: string;
}

/** A file or directory in a cap folder. */
export interface FileCap extends Base {
  readonly form: 'file';
  readonly scope: 'home' | 'root';
  readonly cap: CheckedCap;
  /** The Markdown file, or the directory of a skill. */
  readonly path: string;
  /** All files of it with their paths relative to `path`; of a single file, its base name. Sorted. */
  readonly files: readonly string[];
}

export type AuthoredCap = InlineCap | RemoteCap | FileCap;
