/**
 * The headers of a service: a map in frontmatter; in an inline cap, text as `Authorization: Bearer $TOKEN, X-Team: docs`,
 * where a comma ends a value only if a header's name, a colon and a blank follow. `$NAME` and `${NAME}` in a value are
 * environment variables.
 */
import type { Span } from '../text/index.ts';
import { type Checker, emptyPlace, placesIn, report } from './checker.ts';
import type { CapProperty } from './property.ts';

export interface Headers {
  readonly values: Readonly<Record<string, string>>;
  /** The variables the values refer to, each once. */
  readonly variables: readonly string[];
}

interface Header {
  readonly name: string;
  readonly nameSpan: Span;
  readonly value: string;
  readonly span: Span;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const isToken = new RegExp(`^${token}$`);
const inlineHelp = 'Write "headers = Authorization: Bearer $TOKEN, X-Team: docs".';
const mapHelp = 'Write "headers:", and below it, indented, one "Name: value" on each line.';

export function readHeaders(c: Checker, property: CapProperty | undefined): Headers {
  const values = new Map<string, Header>();
  const variables = new Set<string>();
  for (const header of property ? headersOf(c, property) : []) {
    if (!checkHeader(c, header, variables)) continue;
    const known = values.get(header.name.toLowerCase());
    if (known) {
      report(c, 'TOO5231', header.nameSpan, `the header "${header.name}" is written twice.`, {
        related: [{ source: c.cap.source, span: known.nameSpan, message: 'It is first written here.' }],
        help: 'Names of headers have no letter case; keep one of the two.',
      });
    } else values.set(header.name.toLowerCase(), header);
  }
  return { values: Object.fromEntries([...values.values()].map((h) => [h.name, h.value])), variables: [...variables] };
}

function headersOf(c: Checker, property: CapProperty): Header[] {
  if (property.shape === 'broken') return [];
  if (property.shape === 'map') {
    return property.items.map(({ key = '', keySpan, value, span }) => ({
      name: key,
      nameSpan: keySpan ?? span,
      value,
      span,
    }));
  }
  const equals = c.cap.syntax === 'equals';
  if (property.shape !== 'text' || typeof property.value !== 'string') {
    report(c, 'TOO5206', property.valueSpan, '"headers" takes a map of texts.', { help: mapHelp });
    return [];
  }
  if (property.value.trim() === '') {
    report(c, 'TOO5225', emptyPlace(property), '"headers" has no value.', { help: equals ? inlineHelp : mapHelp });
    return [];
  }
  if (!equals) {
    report(c, 'TOO5206', property.valueSpan, '"headers" takes a map of texts, not a text.', { help: mapHelp });
    return [];
  }
  return inlineHeaders(c, property.value, property.valueSpan);
}

function inlineHeaders(c: Checker, text: string, at: Span): Header[] {
  const headers: Header[] = [];
  const placeIn = placesIn(c, text, at);
  // A part begins at the start, or after a comma with a name, a colon and a blank behind it.
  const starts = [0];
  const next = new RegExp(`,(?=\\s*${token}:\\s)`, 'g');
  for (let found = next.exec(text); found; found = next.exec(text)) starts.push(found.index + 1);
  for (const [i, start] of starts.entries()) {
    const follows = starts[i + 1];
    const part = text.slice(start, follows === undefined ? text.length : follows - 1);
    const colon = part.indexOf(':');
    const lead = part.length - part.trimStart().length;
    const place = (from: number, to: number) => placeIn(start + from, start + to);
    if (colon === -1) {
      report(c, 'TOO5231', place(lead, part.trimEnd().length), `"${part.trim()}" is not a header.`, {
        help: inlineHelp,
      });
      continue;
    }
    const value = part.slice(colon + 1);
    const from = colon + 1 + (value.length - value.trimStart().length);
    headers.push({
      name: part.slice(0, colon).trim(),
      nameSpan: place(lead, colon),
      value: value.trim(),
      span: place(from, Math.max(from, part.trimEnd().length)),
    });
  }
  return headers;
}

function checkHeader(c: Checker, header: Header, variables: Set<string>): boolean {
  const { name, value } = header;
  if (!isToken.test(name)) {
    const message = name === '' ? 'a header has no name.' : `"${name}" is not the name of a header.`;
    report(c, 'TOO5231', header.nameSpan, message, { help: 'Write a name as in HTTP, such as "X-Api-Version".' });
    return false;
  }
  const text = value.trim();
  if (text === '') {
    report(c, 'TOO5225', header.nameSpan, `the header "${name}" has no value.`, {
      help: 'Write a value, or remove it.',
    });
    return false;
  }
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(text)) {
    report(c, 'TOO5231', header.span, `the header "${name}" holds a line end or a control character.`, {
      help: 'Write it on one line.',
    });
    return false;
  }
  if (/[^\u0000-\u00ff]/.test(text)) {
    report(c, 'TOO5231', header.span, `the header "${name}" holds a character that no header can.`, {
      help: 'Write it in ASCII.',
    });
    return false;
  }
  return collectVariables(c, header, variables);
}

function collectVariables(c: Checker, header: Header, variables: Set<string>): boolean {
  const { value } = header;
  for (const found of value.matchAll(/\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\}|(\{))/g)) {
    const name = found[1] ?? found[2];
    if (name !== undefined) {
      variables.add(name);
      continue;
    }
    const where = placesIn(c, value, header.span)(found.index, found.index + 2);
    report(c, 'TOO5232', where, '"${" must be followed by the name of a variable and "}".', {
      help: 'Write ${NAME}, with letters, digits and "_".',
    });
    return false;
  }
  return true;
}
