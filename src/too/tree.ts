/**
 * The syntax tree of a `.too` file: frozen plain data tagged by `kind`, every node with its span.
 * Node kinds are the words of the Tree-sitter grammar in `grammar/`, which must give the same tree.
 */
import type { Source, Span } from '../text/index.ts';

export interface Word {
  readonly text: string;
  readonly span: Span;
}

export type CapKind = 'psyche' | 'skill' | 'service' | 'prompt';
export type TemplateKind = 'context' | 'instruct';
export type MessageKind = 'user' | 'assistant' | 'tool';
export type BlockKind = TemplateKind | MessageKind;
export type DirectiveKey = 'models' | 'tools' | 'skills' | 'services' | 'psyches' | 'hands' | 'handoffs' | 'recall';
export type DirectiveOp = '=' | '+=' | '-=';

export interface Program {
  readonly kind: 'program';
  readonly source: Source;
  readonly span: Span;
  readonly items: readonly Item[];
  /** The text of the `##!` lines. */
  readonly doc?: string;
}

export type Item = Use | Struct | Cap | Template | Thunk;

export interface Use {
  readonly kind: 'use';
  readonly span: Span;
  readonly capKind: CapKind;
  readonly kindSpan: Span;
  readonly ref: Word;
  readonly doc?: string;
}

export interface Struct {
  readonly kind: 'struct';
  readonly span: Span;
  readonly name: Word;
  readonly fields: readonly Field[];
  /** Some of its lines could not be read as fields. */
  readonly partial?: true;
  readonly doc?: string;
}

export interface Field {
  readonly kind: 'field';
  readonly span: Span;
  readonly name: Word;
  readonly optional?: Span;
  readonly type: TypeNode;
  readonly doc?: string;
}

/** `Name[][]`: `arrays` counts the suffixes. */
export interface TypeNode {
  readonly kind: 'type';
  readonly span: Span;
  readonly name: Word;
  readonly arrays: readonly Span[];
}

export interface Cap {
  readonly kind: CapKind;
  readonly span: Span;
  readonly name: Word;
  /** The leading `key = value` lines of an indented body. */
  readonly properties: readonly Property[];
  /** Inline only where it stands on the header line by mistake. */
  readonly body?: Inline | Indented | Fenced;
  readonly doc?: string;
}

export interface Property {
  readonly kind: 'property';
  readonly span: Span;
  readonly key: Word;
  readonly value: Word;
}

/** A top-level, reusable text. Without a name it is `default`. */
export interface Template {
  readonly kind: TemplateKind;
  readonly span: Span;
  readonly name?: Word;
  /** Inline only where it stands on the header line by mistake. */
  readonly body?: Inline | Indented | Fenced;
  readonly doc?: string;
}

/** Without a name it is `default`; without `params` it has `(input: Message)`; without `output`, `Message`. */
export interface Thunk {
  readonly kind: 'thunk';
  readonly span: Span;
  /** From the keyword to the colon. */
  readonly header: Span;
  readonly name?: Word;
  readonly params?: readonly Param[];
  readonly output?: TypeNode;
  readonly directives: readonly Directive[];
  readonly blocks: readonly Block[];
  readonly doc?: string;
}

export interface Param {
  readonly kind: 'param';
  readonly span: Span;
  readonly name: Word;
  readonly optional?: Span;
  readonly type: TypeNode;
}

export interface Directive {
  readonly kind: 'directive';
  readonly span: Span;
  readonly key: DirectiveKey;
  readonly keySpan: Span;
  readonly op: DirectiveOp;
  readonly opSpan: Span;
  readonly values: readonly Word[];
}

/** `context:`, `instruct:`, `user:`, `assistant:` or `tool:` in a thunk, in written order. */
export interface Block {
  readonly kind: 'block';
  readonly span: Span;
  readonly block: BlockKind;
  readonly key: Span;
  readonly value?: Reference | Inline | Indented | Fenced;
}

/** `context: word` and `instruct: word`: `none`, `default` or a template's name. */
export interface Reference {
  readonly kind: 'reference';
  readonly span: Span;
  readonly text: string;
}

/** Text on the header line. */
export interface Inline {
  readonly kind: 'inline';
  readonly span: Span;
  readonly text: string;
}

/** Lines deeper than their header, as written. `text` has the smallest indent stripped and LF line ends. */
export interface Indented {
  readonly kind: 'indented';
  readonly span: Span;
  readonly text: string;
}

export interface Fenced {
  readonly kind: 'fenced';
  readonly span: Span;
  readonly open: Span;
  readonly language?: Word;
  /** Of a cap only: from the opening `---` to the end of the closing `---` line. */
  readonly frontmatter?: Span;
  /** What lies between the fences (after the frontmatter), as written. */
  readonly content?: Span;
  /** Missing when the fence is never closed. */
  readonly close?: Span;
  /** The content less the closing fence's indent, with LF line ends. */
  readonly text: string;
}
