/** Root, then home, then what holds out of the box: one set of settings that knows where each key comes from. */
import { keyText } from './key-path.ts';
import type { ConfigLayer } from './load.ts';
import { configSchema, type Schema, type Settings, type TableSchema } from './schema.ts';

export type Origin = 'default' | 'root' | 'home';

export interface Provenance {
  readonly origin: Origin;
  /** Of what a file says: the file and the place of the value. */
  readonly layer?: ConfigLayer;
}

export interface MergedConfig {
  readonly settings: Settings;
  /**
   * For each key by its `keyText`. A list is one value; the entries of a map count one by one, and an entry of the home
   * replaces the root's of the same name whole.
   */
  readonly provenance: ReadonlyMap<string, Provenance>;
}

export function mergeConfig(layers: { readonly root?: ConfigLayer; readonly home?: ConfigLayer }): MergedConfig {
  const provenance = new Map<string, Provenance>();
  // Lowest first: what comes later wins.
  const found: Found[] = [];
  if (layers.root) found.push({ origin: 'root', layer: layers.root, value: layers.root.config });
  if (layers.home) found.push({ origin: 'home', layer: layers.home, value: layers.home.config });
  // Built along the schema that the type is made of.
  const settings = mergeTable([], configSchema, found, provenance) as Settings;
  return { settings, provenance };
}

interface Found {
  readonly origin: Origin;
  readonly layer: ConfigLayer;
  readonly value: unknown;
}

function mergeTable(
  path: readonly string[],
  schema: TableSchema,
  found: readonly Found[],
  into: Map<string, Provenance>,
): unknown {
  const result: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(schema.keys)) {
    const value = mergeKey([...path, name], inner, inside(found, name), into);
    if (value !== undefined) result.push([name, value]);
  }
  return Object.fromEntries(result);
}

function mergeKey(
  path: readonly string[],
  schema: Schema,
  found: readonly Found[],
  into: Map<string, Provenance>,
): unknown {
  if (schema.kind === 'table') return mergeTable(path, schema, found, into);
  if (schema.kind === 'map') {
    const names = new Set(found.flatMap((f) => Object.keys(f.value as object)));
    return Object.fromEntries([...names].map((name) => [name, winner([...path, name], inside(found, name), into)]));
  }
  const last = winner(path, found, into);
  const value = schema.kind === 'list' && schema.joined && found.length > 1 ? joined(found) : last;
  if (value !== undefined) return value;
  if (schema.default !== undefined) into.set(keyText(path), { origin: 'default' });
  return schema.default;
}

function winner(path: readonly string[], found: readonly Found[], into: Map<string, Provenance>): unknown {
  const last = found.at(-1);
  if (last) into.set(keyText(path), { origin: last.origin, layer: last.layer });
  return last?.value;
}

function joined(found: readonly Found[]): string[] {
  return [...new Set(found.flatMap((f) => f.value as readonly string[]))];
}

function inside(found: readonly Found[], name: string): Found[] {
  return found.flatMap((f) => {
    const value = f.value as Readonly<Record<string, unknown>>;
    return Object.hasOwn(value, name) && value[name] !== undefined ? [{ ...f, value: value[name] }] : [];
  });
}

/** Settings without any file. */
export function defaultSettings(): Settings {
  return mergeConfig({}).settings;
}
