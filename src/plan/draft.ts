/**
 * A workflow as it was written, before its names mean anything: what the reader of `.toon` files and the builder both
 * make, and what `link` turns into a plan. Shapes are checked here (keys, kinds of values); names, types of
 * expressions and order are not.
 */
import type { Source, Span } from '../text/index.ts';
import type { Type } from '../type/index.ts';
import type { Json, WorkflowPlan } from './node.ts';

/** Where something stands. */
export interface Mark {
  readonly source: Source;
  readonly span: Span;
}

/** A name, or another short text. */
export interface Word extends Mark {
  readonly text: string;
}

/** A text that may hold expressions. */
export interface DraftText extends Mark {
  readonly text: string;
  /** From an offset in `text` to one in the source. */
  readonly place: (offset: number) => number;
  /** It is a file of its own, in which nothing needs quotes. */
  readonly isFile?: true;
}

/** A type as written; `ref` types in it are names of schemas, and `names` says where they stand. */
export interface DraftType extends Mark {
  readonly type: Type;
  readonly names: readonly Word[];
}

export interface DraftWorkflow {
  readonly source: Source;
  /** Absent where it was left out; a file that is only imported needs none. */
  readonly name?: Word;
  readonly input?: DraftType;
  readonly agents: readonly DraftAgent[];
  readonly schemas: readonly { readonly name: Word; readonly type: DraftType }[];
  readonly components: readonly DraftComponent[];
  /** Sub-workflows that are no files: a builder program has them beside its components. */
  readonly workflows?: readonly DraftBuilt[];
  readonly imports: DraftImports;
  readonly steps?: DraftList;
}

/** Nodes, and where the key of their list stands. */
export interface DraftList {
  readonly key: Mark;
  readonly nodes: readonly DraftNode[];
}

export interface DraftAgent {
  readonly name: Word;
  readonly type?: Word;
  /** All other fields; the linker knows which ones a type has. */
  readonly fields: readonly DraftField[];
  readonly at: Mark;
}

export interface DraftField {
  readonly key: Word;
  readonly value: Json;
  /** Of the value. */
  readonly at: Mark;
}

export interface DraftComponent {
  readonly name: Word;
  readonly params?: DraftType;
  readonly steps?: DraftList;
  readonly at: Mark;
}

/** A sub-workflow that a builder program made. */
export interface DraftBuilt {
  readonly name: Word;
  /** Absent where it has mistakes, which are told with it. */
  readonly plan?: WorkflowPlan;
  /** The modules of the plan are named from the folder of this file. */
  readonly file: string;
}

export interface DraftImports {
  readonly schemas: readonly DraftImport[];
  readonly services: readonly DraftImport[];
  readonly components: readonly DraftImport[];
  readonly workflows: readonly DraftImport[];
  readonly agents: readonly DraftImport[];
  readonly plugins: readonly DraftPlugin[];
}

/** `{from,use}`, `{from,as}`, `{from,use,as}`; several names of one `use` come as several words. */
export interface DraftImport {
  readonly from: Word;
  readonly use: readonly Word[];
  readonly as?: Word;
  readonly at: Mark;
}

export interface DraftPlugin {
  readonly from: Word;
  readonly use?: Word;
  readonly config: Json;
  readonly at: Mark;
}

export type DraftNode =
  | DraftStep
  | DraftSequence
  | DraftParallel
  | DraftLoop
  | DraftApproval
  | DraftBranch
  | DraftWorktree
  | DraftCall
  | DraftUse
  | DraftOther;

interface DraftBase {
  readonly id?: Word | undefined;
  /** The whole node. */
  readonly at: Mark;
}

export interface DraftStep extends DraftBase {
  readonly kind: 'step';
  readonly agent?: Word | undefined;
  /** Exactly one of the four, unless the reader has reported it; a thunk may need none. */
  readonly prompt?: DraftText | undefined;
  readonly promptFrom?: Word | undefined;
  readonly run?: DraftText | undefined;
  readonly handler?: Word | undefined;
  /** What a thunk takes beside its prompt. */
  readonly with?: DraftValue | undefined;
  readonly output?: DraftType | undefined;
  readonly needs: readonly Word[];
  readonly retry?:
    | {
        readonly maxAttempts?: number | undefined;
        readonly backoff?: 'fixed' | 'linear' | 'exponential' | undefined;
        readonly initialDelayMs?: number | undefined;
      }
    | undefined;
  readonly timeoutMs?: number | undefined;
  readonly cache?: { readonly by: readonly DraftText[]; readonly version?: string | undefined } | undefined;
  readonly skipIf?: DraftText | undefined;
  readonly pool?: string | undefined;
}

export interface DraftSequence extends DraftBase {
  readonly kind: 'sequence';
  readonly children: DraftList;
}

export interface DraftParallel extends DraftBase {
  readonly kind: 'parallel';
  readonly maxConcurrency?: number | undefined;
  readonly children: DraftList;
}

export interface DraftLoop extends DraftBase {
  readonly kind: 'loop';
  readonly until?: DraftText | undefined;
  readonly maxIterations?: number | undefined;
  readonly onMaxReached?: 'return-last' | 'fail' | undefined;
  readonly children: DraftList;
}

export interface DraftApproval extends DraftBase {
  readonly kind: 'approval';
  readonly title?: DraftText | undefined;
  readonly summary?: DraftText | undefined;
  readonly needs: readonly Word[];
  readonly onDeny?: 'fail' | 'continue' | 'skip' | undefined;
}

export interface DraftBranch extends DraftBase {
  readonly kind: 'branch';
  readonly condition?: DraftText | undefined;
  readonly then: DraftList;
  readonly else?: DraftList | undefined;
}

export interface DraftWorktree extends DraftBase {
  readonly kind: 'worktree';
  readonly folder?: DraftText | undefined;
  readonly branch?: DraftText | undefined;
  readonly base?: DraftText | undefined;
  readonly keep?: boolean | undefined;
  readonly children: DraftList;
}

export interface DraftCall extends DraftBase {
  readonly kind: 'workflow';
  readonly use?: Word | undefined;
  readonly input?: DraftValue | undefined;
  readonly needs: readonly Word[];
}

export interface DraftUse extends DraftBase {
  readonly kind: 'component';
  readonly use?: Word | undefined;
  readonly with?: DraftValue | undefined;
}

/** A `kind:` that is none of ours: a plugin's, or a mistake; the linker knows. */
export interface DraftOther extends DraftBase {
  readonly kind: 'other';
  readonly type: Word;
  /** All its keys but those that every node of a plugin may have. */
  readonly fields: readonly { readonly key: Word; readonly value: DraftValue }[];
  readonly needs: readonly Word[];
  readonly retry?: DraftStep['retry'];
  readonly timeoutMs?: number | undefined;
}

/** A value whose texts may hold expressions. */
export type DraftValue = Mark &
  (
    | { readonly kind: 'text'; readonly text: DraftText }
    | { readonly kind: 'json'; readonly value: Json }
    | { readonly kind: 'list'; readonly items: readonly DraftValue[] }
    | { readonly kind: 'record'; readonly fields: readonly { readonly key: Word; readonly value: DraftValue }[] }
  );
