/**
 * What inference knows at a place of an expression: the names, what conditions around it have told, and the problems
 * found so far. Names and facts are entered and left like brackets, so that nothing is copied on the way down.
 */
import type { Expression, ExpressionProblem } from '../expression.ts';
import { orUndefined } from './unite.ts';
import type { ValueType } from './value-type.ts';

/** A name that an expression may use. */
export interface ScopeName {
  readonly type: ValueType;
  /** A step that may have no value: every path through it may be undefined, and that is no mistake. */
  readonly absent: boolean;
  /** "step", "input", "parameter": how messages call it. */
  readonly what: string;
}

export type Scope = ReadonlyMap<string, ScopeName>;

/** A name in force; `root` and `segments` say what it stands for: `b` of `({ b }) => …` is the `b` of the parameter. */
export interface Binding extends ScopeName {
  readonly root: number;
  readonly segments: readonly string[];
}

/** What a condition tells of a path while it holds. */
export interface Fact {
  readonly root: number;
  readonly segments: readonly string[];
  readonly type: ValueType;
  readonly absent: boolean;
}

export interface Facts {
  readonly yes: readonly Fact[];
  readonly no: readonly Fact[];
}

/** `type` leaves out the undefined that `absent` (up to the end of the path) and `short` (to the end of the chain) add. */
export interface Inferred {
  readonly type: ValueType;
  readonly absent?: boolean;
  readonly short?: boolean;
  /**
   * What is known when it is true, and when it is false, beyond what its own path says: asked for by whoever needs it,
   * before anything else is looked at.
   */
  readonly facts?: () => Facts;
}

export interface Context {
  text: string | undefined;
  /** All that may be read; of it only what the expression reads is bound, because there may be thousands. */
  scope: Scope;
  readonly names: Map<string, Binding>;
  readonly facts: Map<string, Fact>;
  readonly problems: ExpressionProblem[];
  /** Words with hyphens in which a name is unknown: that they cannot be subtracted is not said too. */
  readonly words: { readonly start: number; readonly end: number }[];
  /** Where words begin that were reported whole. */
  readonly told: Set<number>;
  readonly undo: (() => void)[];
  roots: number;
  suggestions: number;
  depth: number;
  /** Inside of the function of a `reduce` that is looked at twice; those within it are not. */
  folding: boolean;
  /** `callee`: the value is called, so its members must be there. */
  readonly infer: (expression: Expression, callee?: boolean) => Inferred;
}

/** The type with all that may be missing. */
export function whole({ type, absent, short }: Inferred): ValueType {
  return absent || short ? orUndefined(type) : type;
}

/** What came through a path that may end before. */
export function pass(type: ValueType, absent: boolean | undefined, short: boolean | undefined): Inferred {
  if (absent) return short ? { type, absent, short } : { type, absent };
  return short ? { type, short } : { type };
}

export function report(context: Context, problem: ExpressionProblem): void {
  context.problems.push(problem);
}

export function keyOf(root: number, segments: readonly string[]): string {
  return segments.length === 0 ? String(root) : `${root}\0${segments.join('\0')}`;
}

export function enter(context: Context, facts: readonly Fact[]): void {
  for (const fact of facts) set(context, context.facts, keyOf(fact.root, fact.segments), fact);
}

/** A name without `place` is a value of its own. */
export function bind(
  context: Context,
  name: string,
  scoped: ScopeName,
  place: { readonly root: number; readonly segments: readonly string[] } = { root: context.roots++, segments: [] },
): void {
  set(context, context.names, name, bindingOf(scoped, place.root, place.segments));
}

/** What a name stands for. Of the scope a name is bound when it is first read, and stays so to the end. */
export function bindingFor(name: string, context: Context): Binding | undefined {
  const bound = context.names.get(name);
  if (bound !== undefined) return bound;
  const scoped = context.scope.get(name);
  if (scoped === undefined) return undefined;
  const binding = bindingOf(scoped, context.roots++, noSegments);
  context.names.set(name, binding);
  return binding;
}

const noSegments: readonly string[] = [];

function bindingOf({ type, absent, what }: ScopeName, root: number, segments: readonly string[]): Binding {
  return { type, absent, what, root, segments };
}

/** Leaves all that was entered since `mark`, which was the length of `undo`. */
export function leave(context: Context, mark: number): void {
  while (context.undo.length > mark) context.undo.pop()?.();
}

function set<V>(context: Context, map: Map<string, V>, key: string, value: V): void {
  const before = map.get(key);
  context.undo.push(() => {
    if (before === undefined) map.delete(key);
    else map.set(key, before);
  });
  map.set(key, value);
}
