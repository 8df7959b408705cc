/** Writes values as TOML. */
import { type KeyPath, keyPart, keyText, tomlString } from './key-path.ts';

export type TomlValue = string | number | boolean | readonly TomlValue[] | { readonly [key: string]: TomlValue };

/** `skills.reviewer = { ref = "…" }`. */
export function renderEntry(path: KeyPath, value: TomlValue): string {
  return `${keyText(path)} = ${renderValue(value)}`;
}

export function renderValue(value: TomlValue): string {
  if (typeof value === 'string') return tomlString(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0.0' : String(value);
  if (typeof value === 'boolean') return String(value);
  if (isList(value)) return `[${value.map(renderValue).join(', ')}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${keyPart(key)} = ${renderValue(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Whether TOML can hold it: finite numbers, whole characters, nothing deeper than any config is. */
export function isWritable(value: TomlValue, depth = 0): boolean {
  if (typeof value === 'string') return !/[\ud800-\udfff]/u.test(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'boolean') return true;
  if (depth > 20) return false;
  if (isList(value)) return value.every((item) => isWritable(item, depth + 1));
  return Object.entries(value).every(([key, inner]) => isWritable(key) && isWritable(inner, depth + 1));
}

function isList(value: TomlValue): value is readonly TomlValue[] {
  return Array.isArray(value);
}
