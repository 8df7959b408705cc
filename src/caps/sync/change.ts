/** What a sync changes, in words that a list can be made of. */
import type { Form, Scope } from '../scope/scope.ts';
import type { Desired } from './desire.ts';
import type { SyncedCap } from './synced.ts';

export interface Change {
  readonly what: 'added' | 'updated' | 'repaired' | 'removed';
  readonly scope: Scope;
  readonly form: Form;
  readonly kind: SyncedCap['kind'];
  readonly name: string;
  readonly ref?: string;
  /** What was wrong with what lay there. */
  readonly why?: string;
}

export function namesOf({
  scope,
  form,
  kind,
  name,
}: Pick<SyncedCap, 'scope' | 'form' | 'kind' | 'name'>): Pick<Change, 'scope' | 'form' | 'kind' | 'name'> {
  return { scope, form, kind, name };
}

export function changeOf({ synced, why, difference }: Desired): Change[] {
  if (why === undefined) return [];
  const { ref } = synced;
  return [
    {
      what: why,
      ...namesOf(synced),
      ...(ref !== undefined && { ref }),
      ...(why === 'repaired' && difference !== undefined && { why: difference }),
    },
  ];
}
