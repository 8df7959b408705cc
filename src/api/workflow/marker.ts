/**
 * How exported builder objects are known again, also by another copy of this package: the property `~toolang`, which is
 * not enumerable, so that an agent stays the plain object that it is. Objects describe themselves, as plain JSON.
 */
import type { DraftJson, WorkflowPlan } from '../../plan/index.ts';

export type Marker =
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'workflow' | 'component'; readonly name: string; readonly describe: () => Promise<Described> };

/** What a workflow file that imports the object has to know of it. */
export type Described =
  | {
      readonly kind: 'workflow';
      readonly name: string;
      /** Its modules are named from the folder of `file`. */
      readonly plan: WorkflowPlan;
      readonly file: string;
      /** The functions of its steps, by their modules in the plan. */
      readonly functions: readonly string[];
    }
  /** A draft with this component, and with what it uses; as if it was read from a file that is only imported. */
  | {
      readonly kind: 'component';
      readonly name: string;
      readonly draft: DraftJson;
      readonly functions: readonly string[];
    }
  | { readonly kind: 'other'; readonly what: string };

export function mark<T extends object, M extends Marker>(value: T, marker: M): T & { readonly '~toolang': M } {
  Object.defineProperty(value, '~toolang', { value: Object.freeze(marker) });
  return Object.freeze(value) as T & { readonly '~toolang': M };
}

export function markerOf(value: unknown): Marker | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  if (!Object.hasOwn(value, '~toolang')) return undefined;
  return (value as { readonly '~toolang': Marker })['~toolang'];
}
