/**
 * What has a key that is made when it is asked for: a run that is resumed makes all its commands again, and begins few of
 * them.
 *
 * The getters stand in classes because of memory. For a getter in an object literal V8 makes a pair of accessors that
 * belongs to the old objects from its first moment: all that the getter can reach lives on until all memory is searched.
 */
import type { Json } from './json.ts';
import type { StepCommand } from './machine.ts';

/** While it is put together. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

export function keyed<T extends { readonly key: string }>(fields: Omit<T, 'key'>, key: () => string): Draft<T> {
  return new Keyed(fields, key) as unknown as Draft<T>;
}

/** A step whose arguments are made when they are asked for, too. */
export function lazyStep(
  fields: Omit<StepCommand, 'key' | 'args'>,
  args: () => Json,
  key: () => string,
): Draft<StepCommand> {
  return new LazyStep(fields, args, key) as unknown as Draft<StepCommand>;
}

class Keyed {
  readonly #key: () => string;

  constructor(fields: object, key: () => string) {
    this.#key = key;
    Object.assign(this, fields);
  }

  get key(): string {
    return this.#key();
  }
}

class LazyStep extends Keyed {
  readonly #args: () => Json;

  constructor(fields: object, args: () => Json, key: () => string) {
    super(fields, key);
    this.#args = args;
  }

  get args(): Json {
    return this.#args();
  }
}
