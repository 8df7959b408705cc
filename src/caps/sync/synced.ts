/** A cap that was synced: what the runtime and the lists know of it, without parsing anything again. Plain data. */
import type { CapKind } from '../../too/index.ts';
import type { CheckedCap, HttpService, Prompt, Psyche, Skill, StdioService } from '../checked-cap.ts';
import type { Target } from '../resolve/target.ts';
import type { Form, Scope } from '../scope/scope.ts';

export interface SyncedCap {
  readonly kind: CapKind;
  readonly name: string;
  readonly scope: Scope;
  readonly form: Form;
  /** Where it is written, with the line and column there, from 1. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Of a remote one: as it is written, and what it came to. */
  readonly ref?: string;
  readonly target?: Target;
  /** Where it lies for the runtime: a Markdown file, or the directory of a skill. */
  readonly path: string;
  /** The sha256 of each file there. */
  readonly files: Readonly<Record<string, string>>;
  readonly facts: CapFacts;
}

type Written = 'form' | 'file' | 'nameSpan' | 'body';

/** What its properties say. The text is in its file. */
export type CapFacts =
  | Omit<Psyche, Written>
  | Omit<Prompt, Written>
  | Omit<Skill, Written>
  | Omit<HttpService, Written>
  | Omit<StdioService, Written>;

export function factsOf(cap: CheckedCap): CapFacts {
  const { form: _form, file: _file, nameSpan: _nameSpan, body: _body, ...facts } = cap;
  return facts;
}

/** Where a cap lies below the sync root of its scope. */
export function placeOf({ form, kind, name }: Pick<SyncedCap, 'form' | 'kind' | 'name'>): readonly string[] {
  return [form, `${kind}s`, kind === 'skill' ? name : `${name}.md`];
}
