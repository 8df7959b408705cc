/** A checked agent program: frozen plain data that the runtime needs no tree for. */
import type { CheckedCap } from '../caps/written/index.ts';
import type { Source, Span } from '../text/index.ts';
import type { BlockKind, CapKind, Directive, MessageKind, TemplateKind, TextNode, Thunk } from '../too/index.ts';
import type { StructType, Type, TypeTable } from '../type/index.ts';

export interface AgentProgram {
  readonly source: Source;
  readonly doc?: string;
  readonly structs: readonly StructType[];
  readonly types: TypeTable;
  readonly templates: { readonly [K in TemplateKind]: ReadonlyMap<string, BlockText> };
  /** Inline caps that are valid. */
  readonly caps: readonly CheckedCap[];
  readonly uses: readonly UsedCap[];
  readonly thunks: ReadonlyMap<string, ThunkProgram>;
}

export interface UsedCap {
  readonly kind: CapKind;
  readonly name: string;
  readonly ref: string;
  readonly span: Span;
}

export interface ThunkProgram {
  readonly name: string;
  readonly doc?: string;
  readonly params: readonly ParamType[];
  readonly output: Type;
  readonly directives: readonly Directive[];
  readonly recall: Recall;
  readonly context: TextChoice;
  readonly instruct: TextChoice;
  readonly messages: readonly MessageText[];
  readonly node: Thunk;
}

export interface ParamType {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
}

export type Recall = 'default' | 'none' | readonly ('history' | 'memory')[];

/** A text as its block means it, with the node that says where it stands. */
export interface BlockText {
  readonly text: string;
  readonly node: TextNode | undefined;
  readonly block: BlockKind;
}

/** Where the context or the instructions of a thunk come from. */
export type TextChoice =
  | { readonly from: 'none'; readonly why: string }
  | { readonly from: 'template'; readonly name: string; readonly why: string; readonly text: BlockText }
  | { readonly from: 'thunk'; readonly why: string; readonly text: BlockText };

export interface MessageText {
  readonly role: MessageKind;
  readonly text: BlockText;
}
