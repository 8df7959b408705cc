/** Values with expressions in them (`with`, `input`, the fields of a plugin's node) to the values of a draft. */
import type { DraftValue, Json } from '../../plan/index.ts';
import { textOf } from './expression.ts';
import type { Listing } from './listing.ts';
import { type Shapes, shownValue } from './shape.ts';

const maxDepth = 64;

export function draftValue(label: string, value: unknown, listing: Listing, shapes: Shapes, depth = 0): DraftValue {
  const text = textOf(value);
  if (text !== undefined) {
    const drafted = listing.text(label, text);
    return { source: drafted.source, span: drafted.span, kind: 'text', text: drafted };
  }
  if (depth > maxDepth) {
    const at = listing.word(label, '');
    shapes.report('TOO4003', at, `a value nests more than ${maxDepth} levels deep`);
    return { source: at.source, span: at.span, kind: 'json', value: null };
  }
  if (Array.isArray(value)) {
    const { source, span } = listing.word(label, '');
    const items = value.map((each, index) => draftValue(`${label}[${index}]`, each, listing, shapes, depth + 1));
    return { source, span, kind: 'list', items };
  }
  if (isPlain(value)) {
    const { source, span } = listing.word(label, '');
    const fields = Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => ({
        key: listing.word(`${label}.${name}`, name),
        value: draftValue(`${label}.${name}`, each, listing, shapes, depth + 1),
      }));
    return { source, span, kind: 'record', fields };
  }
  const at = listing.word(label, shownValue(value));
  const isJson = value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
  if (!isJson)
    shapes.report(
      'TOO4003',
      at,
      `a value is a text, a number, true, false, null, a list or an object, not ${shownValue(value)}`,
    );
  return { source: at.source, span: at.span, kind: 'json', value: isJson ? (value as Json) : null };
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
