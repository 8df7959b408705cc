/** What components are made from: builder programs, or files. */
import type { Node } from './node.ts';
import type { AnySchema } from './schema.ts';

export type ComponentData =
  | {
      readonly kind: 'built';
      readonly name: string;
      readonly params?: AnySchema;
      readonly nodes: readonly Node<unknown>[];
      /** What it was made from, whose keys are looked at. */
      readonly given: object;
    }
  /** One of a workflow file, by its absolute path. */
  | { readonly kind: 'file'; readonly name: string; readonly file: string };

const components = new WeakMap<object, ComponentData>();

export function keepComponent(value: object, data: ComponentData): void {
  components.set(value, data);
}

export function componentOf(value: unknown): ComponentData | undefined {
  return typeof value === 'function' ? components.get(value) : undefined;
}
