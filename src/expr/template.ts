/**
 * Templates: text with `{{name}}`, `{{a.path}}`, `{{#x}}…{{/x}}` and `{{^x}}…{{/x}}`. A template is plain data; offsets
 * are into the text it was parsed from, and whoever knows the file maps them.
 */
import type { Code } from '../text/index.ts';
import { field, structOf, type Type, textType } from '../type/index.ts';

export interface Template {
  readonly nodes: readonly TemplateNode[];
}

export type TemplateNode = TemplateText | TemplateValue | TemplateSection;

export interface TemplateText {
  readonly kind: 'text';
  readonly start: number;
  readonly end: number;
  /** What is printed: the text less the backslashes that guard braces. */
  readonly text: string;
}

export interface TemplateValue {
  readonly kind: 'value';
  readonly start: number;
  readonly end: number;
  /** Empty for `{{.}}`, the current item. */
  readonly path: readonly PathPart[];
}

export interface TemplateSection {
  readonly kind: 'section';
  /** From the opening tag to the end of the closing one. */
  readonly start: number;
  readonly end: number;
  /** The end of the opening tag. */
  readonly openEnd: number;
  readonly inverted: boolean;
  readonly path: readonly PathPart[];
  readonly nodes: readonly TemplateNode[];
}

export interface PathPart {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface TemplateProblem {
  readonly code: Code;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** What to write instead, in one sentence. */
  readonly help?: string;
  /** What to put from `start` to `end` to mend it. */
  readonly replacement?: string;
}

/** The names a template may use. */
export type TemplateScope = ReadonlyMap<string, TemplateName>;

export interface TemplateName {
  readonly type: Type;
  readonly optional: boolean;
}

/** Sections may nest this deep. */
export const maxSections = 64;

/** The type of `runtime` in every template of a thunk. */
export const runtimeType: Type = structOf(
  ['agent', 'thunk', 'model', 'run', 'cwd', 'date'].map((name) => field(name, textType)),
  { name: 'runtime' },
);
