/**
 * Effects of users' code, run by the user's own copy of Effect: the one that the module gets which made them. Ours would be
 * a second copy, and two copies refuse each other's values. Runs in hosts only.
 */
import { dirname } from 'node:path';
import type { Thrown } from './protocol.ts';
import { Refusal } from './refusal.ts';
import { thrownOf } from './thrown.ts';
import type { UserLibrary } from './user-library.ts';

export interface EffectCopy {
  /** Where it is: copies are told apart by it. */
  readonly file: string;
  readonly api: EffectPackage;
}

/** What is used of the package. */
export interface EffectPackage {
  readonly Effect: {
    readonly void: unknown;
    readonly provide: (effect: unknown, context: unknown) => unknown;
    readonly runPromiseExit: (effect: unknown, options?: { readonly signal: AbortSignal }) => Promise<Exit>;
  };
  readonly Context: {
    readonly empty: () => unknown;
    readonly merge: (one: unknown, other: unknown) => unknown;
    readonly get: (context: unknown, tag: unknown) => unknown;
  };
  readonly Layer: {
    readonly makeMemoMapUnsafe: () => unknown;
    readonly buildWithMemoMap: (layer: unknown, memoMap: unknown, scope: unknown) => unknown;
  };
  readonly Scope: {
    readonly makeUnsafe: () => unknown;
    readonly close: (scope: unknown, exit: unknown) => unknown;
  };
  readonly Exit: { readonly void: unknown };
}

export type Exit =
  | { readonly _tag: 'Success'; readonly value: unknown }
  | { readonly _tag: 'Failure'; readonly cause: Cause };

export interface Cause {
  readonly reasons: readonly Reason[];
}

type Reason =
  | { readonly _tag: 'Fail'; readonly error: unknown }
  | { readonly _tag: 'Die'; readonly defect: unknown }
  | { readonly _tag: 'Interrupt' };

export function isEffect(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && ('~effect/Effect' in value || Symbol.for('effect/Effect') in value)
  );
}

/** Throws where it was made by Effect 3, whose causes and services are something else. */
export function refuseOldEffect(effect: object): void {
  if ('~effect/Effect' in effect) return;
  throw new Refusal('it returned an Effect of Effect 3; Effects of Effect 4 are understood', false);
}

/** The copy that code in a file gets; undefined where there is none. */
export async function effectFor(file: string, library: UserLibrary): Promise<EffectCopy | undefined> {
  const folder = dirname(file);
  const known = copies.get(library)?.get(folder);
  if (known) return known;
  const found = library.resolve('effect', file);
  if (found === undefined) return undefined;
  const copy: EffectCopy = { file: found, api: (await library.load(found)) as unknown as EffectPackage };
  copies.set(library, (copies.get(library) ?? new Map()).set(folder, copy));
  return copy;
}

/** By folder: to look for a package takes longer than most Effects. */
const copies = new WeakMap<UserLibrary, Map<string, EffectCopy>>();

/** Whether this copy made it: each has functions of its own, which are the same on all of its Effects. */
export function hasMade({ api }: EffectCopy, effect: unknown): boolean {
  const pipe: unknown = Reflect.get(Object(effect), 'pipe');
  return pipe !== undefined && pipe === Reflect.get(Object(api.Effect?.void), 'pipe');
}

/** Whether it is one of those that we know: the packages of Effect 3 are built differently. */
export function isKnownEffect({ api }: EffectCopy): boolean {
  return typeof api.Layer?.makeMemoMapUnsafe === 'function' && typeof api.Scope?.makeUnsafe === 'function';
}

export function hasDefect({ reasons }: Cause): boolean {
  return reasons.some(({ _tag }) => _tag === 'Die');
}

/** How something that runs comes to a service which it lacks. */
const missingHelp = {
  step: 'import it under "imports.services", or provide it in the module',
  plugin: 'the plugin returns it under "services", or provides it itself',
  layer: 'a layer brings what it needs, with "Layer.provide"',
};

/** A cause as data: failures, defects, and interrupts where there is nothing else. */
export function thrownByCause(
  cause: Cause,
  where: (error: unknown) => string,
  lacks: keyof typeof missingHelp = 'step',
): Thrown {
  const told: Thrown[] = [];
  for (const reason of cause.reasons) {
    if (reason._tag === 'Fail') told.push(thrownOf(reason.error, where));
    else if (reason._tag === 'Die') told.push(defect(thrownOf(reason.defect, where), missingHelp[lacks]));
  }
  const [first, ...others] = told;
  if (first === undefined) return { message: 'the Effect was interrupted', retryable: true };
  if (others.length === 0) return first;
  const retryable = told.every((each) => each.retryable);
  const lines = told.map(({ message }) => `- ${message}`);
  return {
    message: `the Effect failed for ${told.length} reasons`,
    retryable,
    cause: { message: `each of these:\n${lines.join('\n')}`, retryable, causes: told },
  };
}

const missing = /^Service not found: (.+?)(?: \(defined at .*)?$/s;

/** What `acquireRelease` and the like need: no module can export it. */
const scope = 'effect/Scope';

function defect(thrown: Thrown, help: string): Thrown {
  const [, service] = missing.exec(thrown.message) ?? [];
  if (service === undefined) return { ...thrown, message: `a defect: ${thrown.message}` };
  const message =
    service === scope
      ? 'the Effect opens something that has to be closed, and nothing says when: wrap it in "Effect.scoped"'
      : `the Effect needs the service "${service}", which it was not given: ${help}`;
  return { ...thrown, message, retryable: false };
}
