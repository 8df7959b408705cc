/** Declares names: one meaning each, or an error that points at both. */
import type { Span } from '../text/index.ts';
import { type Checker, hasSyntaxError, report } from './checker.ts';

/** Collects declarations by name; the first one of a name is kept. */
export function declareAll<T>(
  c: Checker,
  what: string,
  items: readonly T[],
  nameOf: (item: T) => { text: string; span: Span },
): Map<string, T> {
  const found = new Map<string, T>();
  for (const item of items) {
    const name = nameOf(item);
    // A missing name has its own error.
    if (name.text === '') continue;
    const first = found.get(name.text);
    if (first === undefined) {
      found.set(name.text, item);
      continue;
    }
    // A name that was mended on the way is not held against the one that is right.
    // Nor may its fix make two of one name.
    if (isBroken(c, name.span)) {
      c.withoutFix.add(name.span.start);
      continue;
    }
    const { span } = nameOf(first);
    if (isBroken(c, span)) {
      c.withoutFix.add(span.start);
      found.set(name.text, item);
      continue;
    }
    report(c, 'TOO2001', name.span, `${what} "${name.text}" is declared twice.`, {
      related: [{ source: c.source, span: nameOf(first).span, message: 'first declared here' }],
      help: 'Rename or remove one of them.',
    });
  }
  return found;
}

function isBroken(c: Checker, span: Span): boolean {
  return hasSyntaxError(c, span.start, span.end - 1);
}
