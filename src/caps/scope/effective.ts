/**
 * The effective caps of one activation, chosen by kind and name: the nearest scope that is on wins, and within one scope
 * the form that goes first. What loses stays listed, with what took its place.
 */
import type { AgentKind } from '../../config/index.ts';
import type { CapKind } from '../../too/index.ts';
import { type Form, formRank, type Scope, scopes } from './scope.ts';

/** What is chosen from: caps as they are written, or as they are synced. */
export interface Scoped {
  readonly kind: CapKind;
  readonly name: string;
  readonly scope: Scope;
  readonly form: Form;
}

/** Which of the wider scopes are on; `here` always is. */
export interface Visibility {
  /** The home. */
  readonly shared: boolean;
  /** The root. */
  readonly global: boolean;
}

export type Status = 'active' | 'shadowed' | 'hidden';
export const statuses: readonly Status[] = ['active', 'shadowed', 'hidden'];

export type Ranked<T> =
  | { readonly status: 'active'; readonly cap: T }
  | { readonly status: 'shadowed'; readonly cap: T; readonly by: T }
  /** Its scope is off. */
  | { readonly status: 'hidden'; readonly cap: T };

export interface EffectiveCaps<T> {
  /** What the activation sees, in the order of `all`. */
  readonly caps: readonly T[];
  /** Every cap, the order of scopes and forms first, then as given. */
  readonly all: readonly Ranked<T>[];
  readonly find: (kind: CapKind, name: string) => T | undefined;
}

export function effectiveCaps<T extends Scoped>(all: readonly T[], visibility: Visibility): EffectiveCaps<T> {
  const isOn = { here: true, home: visibility.shared, root: visibility.global };
  const winners = new Map<string, T>();
  const ranked = [...all]
    .sort((a, b) => rank(a) - rank(b))
    .map((cap): Ranked<T> => {
      if (!isOn[cap.scope]) return { status: 'hidden', cap };
      const key = keyOf(cap.kind, cap.name);
      const by = winners.get(key);
      if (by) return { status: 'shadowed', cap, by };
      winners.set(key, cap);
      return { status: 'active', cap };
    });
  return { caps: [...winners.values()], all: ranked, find: (kind, name) => winners.get(keyOf(kind, name)) };
}

export function defaultVisibility(kind: AgentKind): Visibility {
  return { shared: kind !== 'visiting', global: kind === 'resident' };
}

/** Where a cap comes from, in words: `home file skills/review/SKILL.md:1`. `file` is its path as people see it. */
export function originText(cap: Pick<Scoped, 'scope' | 'form'>, file: string, line: number): string {
  return `${cap.scope} ${cap.form} ${file}:${line}`;
}

function rank({ scope, form }: Scoped): number {
  return scopes.indexOf(scope) * 10 + formRank(form);
}

function keyOf(kind: CapKind, name: string): string {
  return `${kind} ${name}`;
}
