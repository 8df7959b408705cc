/**
 * Takes known secret values out of texts and data, before they are journaled, logged or shown. A value is also found
 * as JSON writes it in a string and as an address writes it. Values of fewer than four characters are not looked for:
 * they would blacken every text.
 */

export interface Secret {
  /** What stands in its place: `[redacted NAME]`. */
  readonly name?: string;
  readonly value: string;
}

export interface Redactor {
  text(text: string): string;
  /** A copy of plain data, keys and values redacted. Errors become plain objects; a circle becomes `[circular]`. */
  data(value: unknown): unknown;
}

interface Needle {
  readonly text: string;
  readonly mark: string;
}

const shortest = 4;

export function createRedactor(secrets: Iterable<Secret | string>): Redactor {
  const needles = needlesOf(secrets);
  const text = (value: string) => redactText(needles, value);
  return { text, data: (value) => redactData(needles, text, value) };
}

function needlesOf(secrets: Iterable<Secret | string>): Needle[] {
  const marks = new Map<string, string>();
  for (const secret of secrets) {
    const { name, value } = typeof secret === 'string' ? { name: undefined, value: secret } : secret;
    const trimmed = value.trim();
    const mark = name === undefined ? '[redacted]' : `[redacted ${name}]`;
    for (const form of [
      value,
      trimmed,
      JSON.stringify(trimmed).slice(1, -1),
      encodeURIComponent(trimmed.replace(/[\ud800-\udfff]/gu, '\ufffd')),
    ]) {
      if (form.trim().length >= shortest && !marks.has(form)) marks.set(form, mark);
    }
  }
  return [...marks].map(([text, mark]) => ({ text, mark })).sort((a, b) => b.text.length - a.text.length);
}

/** Secrets may overlap or hold one another: every covered stretch goes, under the mark of what begins it. */
function redactText(needles: readonly Needle[], text: string): string {
  const hits: { start: number; end: number; mark: string }[] = [];
  for (const needle of needles) {
    for (let at = text.indexOf(needle.text); at !== -1; at = text.indexOf(needle.text, at + needle.text.length)) {
      hits.push({ start: at, end: at + needle.text.length, mark: needle.mark });
    }
  }
  if (hits.length === 0) return text;
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  const parts: string[] = [];
  let at = 0;
  for (const hit of hits) {
    if (hit.start >= at) parts.push(text.slice(at, hit.start), hit.mark);
    at = Math.max(at, hit.end);
  }
  parts.push(text.slice(at));
  return parts.join('');
}

type Work =
  | { readonly into: object; readonly key: string; readonly value: unknown }
  /** Everything below `leave` is copied. */
  | { readonly leave: object };

/** Works from a list, not by calling itself: data from outside may be nested deeper than the stack. */
function redactData(needles: readonly Needle[], text: (value: string) => string, root: unknown): unknown {
  const box: { root?: unknown } = {};
  const open = new Set<object>();
  const work: Work[] = [{ into: box, key: 'root', value: root }];
  for (let item = work.pop(); item; item = work.pop()) {
    if ('leave' in item) {
      open.delete(item.leave);
      continue;
    }
    const { into, key, value } = item;
    if (typeof value !== 'object' || value === null) put(into, key, typeof value === 'string' ? text(value) : value);
    else if (value instanceof Uint8Array) put(into, key, redactBytes(needles, value));
    else if (value instanceof Date || value instanceof RegExp) put(into, key, value);
    else if (open.has(value)) put(into, key, '[circular]');
    else {
      const list = Array.isArray(value) || value instanceof Set;
      const copy: object = list ? [] : {};
      put(into, key, copy);
      open.add(value);
      work.push({ leave: value });
      // Last first, because the list is worked from its end.
      for (const [name, inner] of entriesOf(value).reverse()) {
        work.push({ into: copy, key: list ? name : text(name), value: inner });
      }
    }
  }
  return box.root;
}

function entriesOf(value: object): [string, unknown][] {
  if (value instanceof Map) return [...value].map(([key, inner]) => [String(key), inner]);
  if (value instanceof Set) return [...value].map((inner, i) => [String(i), inner]);
  const own = Object.entries(value);
  if (!(value instanceof Error)) return own;
  const hidden: [string, unknown][] = [
    ['name', value.name],
    ['message', value.message],
    ['stack', value.stack],
    ['cause', value.cause],
  ];
  return [...hidden.filter(([, inner]) => inner !== undefined), ...own];
}

/** To assign is much faster, and right for every key but one. */
function put(into: object, key: string, value: unknown): void {
  if (key !== '__proto__') (into as Record<string, unknown>)[key] = value;
  else Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true });
}

function redactBytes(needles: readonly Needle[], bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!needles.some((needle) => buffer.includes(needle.text))) return bytes;
  // Latin-1 maps every byte to one character, so what is not secret comes back unchanged.
  const asLatin1 = needles.map((n) => ({ text: Buffer.from(n.text).toString('latin1'), mark: n.mark }));
  return Buffer.from(redactText(asLatin1, buffer.toString('latin1')), 'latin1');
}
