/** Components of builder programs: defined once, used like functions, opened up at each use. */
import { type ComponentData, keepComponent } from './component-data.ts';
import { describeComponent } from './described.ts';
import { type Given, makeRef, type Ref } from './expression.ts';
import { mark } from './marker.ts';
import { makeNode, type NamedNode, type Node, type ResultOf } from './node.ts';
import type { AnySchema, ValueOf } from './schema.ts';

/** Makes a use of the component; it may be called without values where none has to be given. */
export type Component<P, R> = (
  id: string,
  ...values: object extends P ? [values?: Given<P>] : [values: Given<P>]
) => NamedNode<R>;

/** In `steps`, `id` is that of the use: `${id}-short` makes an id that others can read. */
export function component<const S extends AnySchema, const N extends readonly Node<unknown>[]>(
  name: string,
  options: {
    readonly params: S;
    readonly steps: (scope: { readonly id: Ref<string>; readonly params: Ref<ValueOf<S>> }) => N;
  },
): Component<ValueOf<S>, ResultOf<N>> {
  const { params, steps } = options;
  const nodes = steps({ id: makeRef<string>('id'), params: makeRef<ValueOf<S>>('params') });
  return makeComponent({ kind: 'built', name, ...(params && { params }), nodes, given: options });
}

export function makeComponent<P, R>(data: ComponentData): Component<P, R> {
  const use = (id: string, values?: unknown) => makeNode<R>({ kind: 'component', id, use, with: values });
  keepComponent(use, data);
  return mark(use, { kind: 'component', name: data.name, describe: () => describeComponent(data) }) as Component<P, R>;
}
