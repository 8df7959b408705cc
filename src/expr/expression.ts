/**
 * Expressions: the part of JavaScript that may stand in `{}`. Frozen plain data (JSON, so that a plan can be stored);
 * `start` and `end` are offsets into the text that was parsed, and whoever knows the file maps them.
 */
import type { Code } from '../text/index.ts';

export type Expression =
  | LiteralExpression
  | RegExpExpression
  | NameExpression
  | MemberExpression
  | IndexExpression
  | ChainExpression
  | CallExpression
  | NewExpression
  | UnaryExpression
  | BinaryExpression
  | LogicalExpression
  | ConditionalExpression
  | TemplateExpression
  | ListExpression
  | RecordExpression
  | ArrowExpression
  | SequenceExpression;

interface Placed {
  readonly start: number;
  readonly end: number;
}

export interface LiteralExpression extends Placed {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null;
}

export interface RegExpExpression extends Placed {
  readonly kind: 'regexp';
  readonly pattern: string;
  readonly flags: string;
}

/** A step (its hyphens included), a word of the context, a global like `Math`, `undefined`, or a parameter of an arrow. */
export interface NameExpression extends Placed {
  readonly kind: 'name';
  readonly name: string;
}

/** `object.name`, `object?.name` */
export interface MemberExpression extends Placed {
  readonly kind: 'member';
  readonly object: Expression;
  readonly name: string;
  readonly nameStart: number;
  readonly optional: boolean;
}

/** `object[index]`, `object?.[index]` */
export interface IndexExpression extends Placed {
  readonly kind: 'index';
  readonly object: Expression;
  readonly index: Expression;
  readonly optional: boolean;
}

/** How far a `?.` inside reaches when it finds nothing. */
export interface ChainExpression extends Placed {
  readonly kind: 'chain';
  readonly expression: Expression;
}

export interface CallExpression extends Placed {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: readonly (Expression | Spread)[];
  readonly optional: boolean;
}

export interface NewExpression extends Placed {
  readonly kind: 'new';
  readonly callee: 'Date' | 'RegExp';
  readonly args: readonly (Expression | Spread)[];
}

export interface UnaryExpression extends Placed {
  readonly kind: 'unary';
  readonly op: '!' | '-' | '+' | '~' | 'typeof' | 'void';
  readonly operand: Expression;
}

export type BinaryOp =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '**'
  | '=='
  | '!='
  | '==='
  | '!=='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>'
  | '>>>'
  | 'in';

export interface BinaryExpression extends Placed {
  readonly kind: 'binary';
  readonly op: BinaryOp;
  readonly left: Expression;
  readonly right: Expression;
}

export interface LogicalExpression extends Placed {
  readonly kind: 'logical';
  readonly op: '&&' | '||' | '??';
  readonly left: Expression;
  readonly right: Expression;
}

export interface ConditionalExpression extends Placed {
  readonly kind: 'conditional';
  readonly test: Expression;
  readonly then: Expression;
  readonly else: Expression;
}

/** A template literal: one more text than expressions. */
export interface TemplateExpression extends Placed {
  readonly kind: 'template';
  readonly texts: readonly string[];
  readonly expressions: readonly Expression[];
}

/** A hole (`[1,,2]`) is null here and undefined when read. */
export interface ListExpression extends Placed {
  readonly kind: 'list';
  readonly items: readonly (Expression | Spread | null)[];
}

export interface RecordExpression extends Placed {
  readonly kind: 'record';
  readonly entries: readonly (RecordEntry | Spread)[];
}

export interface RecordEntry {
  readonly kind: 'entry';
  readonly key: string | Expression;
  readonly value: Expression;
}

export interface Spread extends Placed {
  readonly kind: 'spread';
  readonly expression: Expression;
}

/** Only as an argument of a call. */
export interface ArrowExpression extends Placed {
  readonly kind: 'arrow';
  readonly params: readonly Pattern[];
  readonly body: Expression;
}

export interface SequenceExpression extends Placed {
  readonly kind: 'sequence';
  readonly expressions: readonly Expression[];
}

/** What a parameter of an arrow may look like. */
export type Pattern = NamePattern | ListPattern | RecordPattern | RestPattern | DefaultPattern;

export interface NamePattern extends Placed {
  readonly kind: 'name-pattern';
  readonly name: string;
}

export interface ListPattern extends Placed {
  readonly kind: 'list-pattern';
  readonly items: readonly (Pattern | null)[];
}

export interface RecordPattern extends Placed {
  readonly kind: 'record-pattern';
  readonly entries: readonly { readonly key: string; readonly value: Pattern }[];
  /** `...rest` takes the keys that are not named. */
  readonly rest?: string;
}

export interface RestPattern extends Placed {
  readonly kind: 'rest-pattern';
  readonly pattern: Pattern;
}

export interface DefaultPattern extends Placed {
  readonly kind: 'default-pattern';
  readonly pattern: Pattern;
  readonly value: Expression;
}

/** A text with `{expression}` in it, in order; literal pieces have their `{{` and `}}` already read as single braces. */
export interface Interpolated {
  readonly text: string;
  readonly parts: readonly InterpolatedPart[];
}

export type InterpolatedPart =
  | { readonly kind: 'text'; readonly start: number; readonly end: number; readonly text: string }
  | { readonly kind: 'hole'; readonly start: number; readonly end: number; readonly expression: Expression };

/** What is wrong with an expression, in offsets of its text. */
export interface ExpressionProblem {
  readonly code: Code;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** What to write instead, in one sentence. */
  readonly help?: string;
  /** What to put from `start` to `end` to mend it. */
  readonly replacement?: string;
}

/** A free name that an expression reads, with the members read through it: `{a.b.c}` is `a` with `b`, `c`. */
export interface Read {
  readonly name: string;
  readonly path: readonly string[];
  /** Of the name alone. */
  readonly start: number;
  readonly end: number;
}
