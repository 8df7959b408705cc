/**
 * Takes known secret values out of texts and data, before they are journaled, logged or shown. A value is found in every form
 * of `secret-forms.ts`, also where it is broken into lines, as `base64` and `fold` do. Values of fewer than four characters are not
 * looked for: they would blacken every text. The time is linear in the text, however many secrets there are.
 */
import { createNeedles } from './needles.ts';
import { secretForms } from './secret-forms.ts';

export interface Secret {
  /** What stands in its place: `[redacted NAME]`. */
  readonly name?: string;
  readonly value: string;
}

export interface Redactor {
  text(text: string): string;
  /** A copy of plain data, keys and values redacted. Errors become plain objects; a circle becomes `[circular]`. */
  data(value: unknown): unknown;
  /** For texts that come in pieces: a secret may begin in one and end in another. */
  stream(): RedactStream;
}

export interface RedactStream {
  /** What may be shown by now; it holds back no more than the longest secret has characters, and line ends between them. */
  push(text: string): string;
  /** The rest; then it begins anew. */
  end(): string;
}

const anonymous = '[redacted]';
const shortest = 4;

export function createRedactor(secrets: Iterable<Secret | string>): Redactor {
  const marks = marksOf(secrets);
  const plain = createMarker([...marks.keys()], [...marks.values()]);
  const text = (value: string) => plain.whole(value);
  let latin1: Marker | undefined;
  const bytes = (value: Uint8Array) => {
    // Latin-1 maps every byte to one character, so what is not secret comes back unchanged.
    const buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
    latin1 ??= createMarker(
      [...marks.keys()].map((form) => Buffer.from(form).toString('latin1')),
      [...marks.values()].map((mark) => Buffer.from(mark).toString('latin1')),
    );
    const clean = latin1.whole(buffer);
    return clean === buffer ? value : Buffer.from(clean, 'latin1');
  };
  return { text, data: (value) => redactData(text, bytes, value), stream: plain.stream };
}

/** What stands in the place of each form of each secret; the first that has a form names it. */
function marksOf(secrets: Iterable<Secret | string>): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const secret of secrets) {
    const { name, value } = typeof secret === 'string' ? { name: undefined, value: secret } : secret;
    const mark = name === undefined ? anonymous : `[redacted ${name}]`;
    for (const form of secretForms(value)) {
      // Line ends are passed over where it is looked for, so they do not count.
      const letters = form.replace(/[\r\n]/g, '');
      if (letters.trim().length >= shortest && !marks.has(letters)) marks.set(letters, mark);
    }
  }
  return marks;
}

interface Marker {
  readonly whole: (text: string) => string;
  readonly stream: () => RedactStream;
}

/** Secrets may overlap or hold one another: every covered stretch goes, under the mark of what begins it. */
function createMarker(forms: readonly string[], marks: readonly string[]): Marker {
  const needles = createNeedles(forms);
  if (forms.length === 0) return { whole: (text) => text, stream: () => ({ push: (text) => text, end: () => '' }) };

  const stream = (): RedactStream => {
    let state = needles.start;
    /** What is not given out yet, and where it begins in all that came. */
    let held = '';
    let base = 0;
    /** Found and not given out yet: begins and ends grow. */
    let hits: { readonly start: number; readonly end: number; readonly mark: string }[] = [];
    let covered = 0;
    const breaks = createBreaks();

    const look = (text: string) => {
      const offset = base + held.length;
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (state === needles.start && !needles.begins(unit)) continue;
        if (unit === lineFeed || unit === carriageReturn) {
          breaks.add(offset + at);
          continue;
        }
        state = needles.next(state, unit);
        const length = needles.lengthAt(state);
        if (length === 0) continue;
        const end = offset + at + 1;
        const start = breaks.back(end, length);
        // Those that it covers went before it in their ends, not in their beginnings.
        for (let last = hits.at(-1); last !== undefined && last.start >= start; last = hits.at(-1)) hits.pop();
        hits.push({ start, end, mark: marks[needles.needleAt(state)] ?? anonymous });
      }
      held += text;
    };

    /** Gives out what stands before a place behind which anything may still begin. */
    const give = (until: number): string => {
      const parts: string[] = [];
      let at = Math.max(base, covered);
      let done = 0;
      for (const hit of hits) {
        if (hit.start >= until) break;
        if (hit.start >= at) parts.push(held.slice(at - base, hit.start - base), hit.mark);
        at = Math.max(at, hit.end);
        done++;
      }
      if (done > 0) hits = hits.slice(done);
      if (at < until) {
        parts.push(held.slice(at - base, until - base));
        at = until;
      }
      covered = at;
      held = held.slice(until - base);
      base = until;
      breaks.forget(until);
      return parts.join('');
    };

    return {
      push(text) {
        look(text);
        return give(breaks.back(base + held.length, needles.depthAt(state)));
      },
      end() {
        state = needles.start;
        return give(base + held.length);
      },
    };
  };

  return {
    whole(text) {
      const one = stream();
      return one.push(text) + one.end();
    },
    stream,
  };
}

const lineFeed = 10;
const carriageReturn = 13;

/** Line ends that were passed over, by their places in all that came: they grow. */
function createBreaks() {
  let places: number[] = [];
  return {
    add: (place: number) => void places.push(place),
    /** Where so many characters before `end` begin, those that were passed over not counted. */
    back(end: number, length: number): number {
      if (places.length === 0) return end - length;
      // Without line ends it would begin here; the place of each is counted so too, and those behind it are skipped.
      const start = end - places.length - length;
      let low = 0;
      let high = places.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((places[middle] ?? 0) - middle <= start) low = middle + 1;
        else high = middle;
      }
      return start + low;
    },
    forget(before: number) {
      if (places.length > 0 && (places[0] ?? 0) < before) places = places.filter((place) => place >= before);
    },
  };
}

type Work =
  | { readonly into: object; readonly key: string; readonly value: unknown }
  /** Everything below `leave` is copied. */
  | { readonly leave: object };

/** Works from a list, not by calling itself: data from outside may be nested deeper than the stack. */
function redactData(text: (value: string) => string, bytes: (value: Uint8Array) => Uint8Array, root: unknown): unknown {
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
    else if (value instanceof Uint8Array) put(into, key, bytes(value));
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
