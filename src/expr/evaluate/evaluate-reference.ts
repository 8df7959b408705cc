/**
 * Real JavaScript to compare with: a realm of its own whose built-ins differ where our values do. What changes its
 * receiver works on a copy, iterators are arrays, and a regular expression always begins at 0. Its zone must be UTC.
 */
import vm from 'node:vm';
import { values } from './evaluate-generate.ts';

export interface Outcome {
  readonly thrown?: string;
  /** The value as text, types and all. */
  readonly shown?: string;
}

const realm = vm.createContext({});

vm.runInContext(
  `{
  const wrap = (proto, name, change) => {
    const original = proto[name];
    proto[name] = { [name](...args) { return change(this, original, args); } }[name];
  };
  for (const name of ['push', 'pop', 'shift', 'unshift', 'sort', 'reverse', 'splice', 'fill', 'copyWithin'])
    wrap(Array.prototype, name, (self, original, args) => original.apply(self.slice(), args));
  const iterator = Array.prototype[Symbol.iterator];
  for (const name of ['keys', 'entries', 'values'])
    wrap(Array.prototype, name, (self, original, args) => [...original.apply(self, args)]);
  Array.prototype[Symbol.iterator] = iterator;
  wrap(String.prototype, 'matchAll', (self, original, args) => [...original.apply(self, args)]);
  for (const name of Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith('set')))
    wrap(Date.prototype, name, (self, original, args) => original.apply(new Date(self), args));
  for (const name of ['test', 'exec'])
    wrap(RegExp.prototype, name, (self, original, args) => {
      // Only what an expression calls: the built-ins of strings count on the place.
      const result = original.apply(self, args);
      if (!globalThis.inside) self.lastIndex = 0;
      return result;
    });
  for (const name of ['match', 'replace', 'replaceAll', 'search', 'split', 'matchAll'])
    wrap(String.prototype, name, (self, original, args) => {
      if (args[0] instanceof RegExp) args[0] = new RegExp(args[0]);
      const outer = globalThis.inside;
      globalThis.inside = true;
      try { return original.apply(self, args); } finally { globalThis.inside = outer; }
    });
  const { assign } = Object;
  Object.assign = (target, ...sources) => assign({}, assign(target), ...sources);
}`,
  realm,
);

// Nothing changes them, so they can be declared once.
vm.runInContext(
  Object.entries(values)
    .map(([name, text]) => `const ${name} = ${text};`)
    .join(' '),
  realm,
);

export function runReference(text: string): Outcome {
  let value: unknown;
  try {
    value = vm.runInContext(`'use strict'; (${text})`, realm, { displayErrors: false });
  } catch (error) {
    return { thrown: String((error as Error).message) };
  }
  return { shown: show(value) };
}

/** What the names are, for our side. */
export function referenceValues(): Map<string, unknown> {
  return new Map(Object.entries(values).map(([name, text]) => [name, vm.runInNewContext(`(${text})`) as unknown]));
}

export function show(value: unknown, depth = 0): string {
  if (depth > 50) return '…';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'function') return 'function';
  if (typeof value !== 'object' || value === null) return String(value);
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object Date]') return `Date(${Date.prototype.getTime.call(value)})`;
  if (tag === '[object RegExp]') return 'regexp';
  const open = Array.isArray(value) ? '[' : '{';
  const items = Array.isArray(value) ? Array.from(value, (item) => show(item, depth + 1)) : [];
  const keys = Object.keys(value).filter((key) => !(Array.isArray(value) && /^\d+$/.test(key)));
  const fields = keys.map(
    (key) => `${JSON.stringify(key)}: ${show((value as Record<string, unknown>)[key], depth + 1)}`,
  );
  return `${open}${[...items, ...fields].join(', ')}`;
}
