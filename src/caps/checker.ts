/** What the validators of all kinds share: the cap at hand, its properties by name, and reporting. */
import {
  type Code,
  closest,
  type Diagnostic,
  type DiagnosticExtra,
  diagnostic,
  didYouMean,
  type Span,
  span,
} from '../text/index.ts';
import type { CapText } from './cap.ts';
import type { CapProperty } from './property.ts';

export interface Checker {
  readonly cap: CapText;
  readonly diagnostics: Diagnostic[];
}

export function report(c: Checker, code: Code, where: Span, message: string, extra: DiagnosticExtra = {}): void {
  c.diagnostics.push(diagnostic(code, c.cap.source, where, message, extra));
}

export function find(c: Checker, key: string): CapProperty | undefined {
  return c.cap.properties.find((property) => property.key === key);
}

/** The property of that name; else one whose name is close to it, which has its own report. */
export function meant(c: Checker, key: string): CapProperty | undefined {
  return find(c, key) ?? c.cap.properties.find((property) => closest(property.key, [key]) === key);
}

/** How the property would be written in this cap. */
export function written(c: Checker, key: string, value: string): string {
  return c.cap.syntax === 'equals' ? `${key} = ${value}` : `${key}: ${value}`;
}

/** The text of a property; undefined, and reported, when it is missing, empty or no text. */
export function requiredText(c: Checker, key: string, example: string): string | undefined {
  const property = meant(c, key);
  if (property) return textOf(c, property, example);
  if (!c.cap.unread) reportMissing(c, key, example);
  return undefined;
}

export function reportMissing(c: Checker, key: string, example: string, code: Code = 'TOO5223'): void {
  const { kind, name, form, told } = c.cap;
  if (told?.includes(key)) return;
  const what = form === 'file' ? `this ${kind}` : `${kind} "${name}"`;
  report(c, code, c.cap.nameSpan, `${what} has no "${key}".`, { help: `Write "${written(c, key, example)}".` });
}

export function textOf(c: Checker, property: CapProperty, example: string): string | undefined {
  if (property.shape === 'broken') return undefined;
  if (property.shape !== 'text' || typeof property.value !== 'string') {
    const shape = { list: 'a list', map: 'a map', deep: 'a structure' }[property.shape as 'list' | 'map' | 'deep'];
    report(c, 'TOO5206', property.valueSpan, `"${property.key}" takes a text, not ${shape}.`, {
      help: `Write "${written(c, property.key, example)}".`,
    });
    return undefined;
  }
  const text = property.value.trim();
  if (text !== '') return text;
  report(c, 'TOO5225', emptyPlace(property), `"${property.key}" has no value.`, {
    help: `Write "${written(c, property.key, example)}", or remove the line.`,
  });
  return undefined;
}

/** Where an empty value is reported: on the key, since there is nothing else to see. */
export function emptyPlace(property: CapProperty): Span {
  return property.valueSpan.end > property.valueSpan.start ? property.valueSpan : property.keySpan;
}

/** Gives the places of parts of a property's text in the file; of a text that is written otherwise, the whole of it. */
export function placesIn(c: Checker, text: string, at: Span): (start: number, end: number) => Span {
  const plain = c.cap.source.text.slice(at.start, at.end) === text;
  return (start, end) => (plain ? span(at.start + start, at.start + Math.max(start, end)) : at);
}

export function reportUnknown(c: Checker, property: CapProperty, known: readonly string[]): void {
  const { kind } = c.cap;
  const near = closest(property.key, known);
  const list = known.map((name) => `"${name}"`).join(', ');
  const only = known.length === 1 ? `A ${kind} has only ${list}.` : `A ${kind} has ${list}.`;
  const text = ' A leading "key = value" line is a property: begin the text with another line.';
  report(c, 'TOO5220', property.keySpan, `a ${kind} has no property "${property.key}".${didYouMean(near)}`, {
    help: c.cap.syntax === 'equals' && near === undefined ? only + text : only,
    ...(near !== undefined &&
      !find(c, near) && { fix: { title: `change it to "${near}"`, edits: [{ span: property.keySpan, text: near }] } }),
  });
}

/** `name` written where the name comes from elsewhere. */
export function reportName(c: Checker, property: CapProperty): void {
  const { form, kind, name } = c.cap;
  const from = form === 'inline' ? 'its declaration' : kind === 'skill' ? 'its directory' : 'its file';
  report(c, 'TOO5222', property.keySpan, `a ${kind} has no property "name": its name comes from ${from}, "${name}".`, {
    help: 'Remove the line.',
    fix: removal(property),
  });
}

export function removal(property: CapProperty): NonNullable<DiagnosticExtra['fix']> {
  return { title: `remove "${property.key}"`, edits: [{ span: property.lines, text: '' }] };
}
