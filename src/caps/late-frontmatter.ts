/**
 * Frontmatter that is not read as such, because of where it stands: in an indented body, or below blank lines. It is text
 * by the letter, and what it was meant to be is plain.
 */
import {
  closest,
  type Diagnostic,
  diagnostic,
  type Edit,
  type Fix,
  type Source,
  type Span,
  span,
} from '../text/index.ts';
import type { Fenced, Indented } from '../too/index.ts';
import type { CapRead, CapText } from './cap.ts';
import { readFrontmatter } from './frontmatter.ts';
import { requiredProperties } from './known-properties.ts';
import { indentAt, type Line, splitLines } from './lines.ts';
import type { CapProperty } from './property.ts';
import { trimBlankLines } from './trim.ts';

/** Where it begins, what stands between its `---` lines, and what follows. */
interface Late {
  readonly open: Line;
  readonly within: Span;
  readonly rest: number;
}

interface Place {
  /** Why it is text. */
  readonly because: string;
  readonly help: string;
  readonly edits?: readonly Edit[];
}

/** `read` is the cap by the letter; undefined when its text does not begin with frontmatter. */
export function readLateFrontmatter(read: CapRead, body: Indented | Fenced): CapRead | undefined {
  const { source } = read.cap;
  const within = body.kind === 'fenced' ? body.content : body.span;
  const late = within && findLate(source, within);
  if (!late) return undefined;
  const margin = indentAt(source.text, late.open.start);
  const place = body.kind === 'fenced' ? belowBlankLines(within, late) : inIndentedBody(read.cap, body, late);
  return asMeant(read, late, place, margin, source.text.slice(late.rest, within.end));
}

/** A cap file whose frontmatter begins below blank lines. */
export function readLateFile(read: CapRead): CapRead | undefined {
  const { source, bodySpan, kind } = read.cap;
  const late = findLate(source, bodySpan, true);
  if (!late) return undefined;
  const place = belowBlankLines(bodySpan, late);
  if (kind === 'psyche' || kind === 'prompt') return warned(read, late, place, 0);
  const open = span(late.open.start, late.open.end);
  const problem = diagnostic(
    'TOO5209',
    source,
    open,
    `the frontmatter of this ${kind} is read as text, ${place.because}.`,
    {
      help: 'The opening "---" must stand on the first line.',
      ...fixOf(place),
    },
  );
  return adopted(read, late, [problem], 0, source.text.slice(late.rest, bodySpan.end));
}

function asMeant(read: CapRead, late: Late, place: Place, margin: number, rest: string): CapRead {
  const { cap } = read;
  const needed = requiredProperties[cap.kind].filter((key) => !cap.properties.some((property) => property.key === key));
  const { entries } = readFrontmatter(cap.source, late.within, { margin });
  const isMeant = (entry: CapProperty, key: string) => entry.key === key || closest(entry.key, [key]) === key;
  const lost = entries.find((entry) => needed.some((key) => isMeant(entry, key)));
  // What is required is missing here too: that is an error of its own, and the rest is read as it is meant.
  if (!lost && needed.length > 0) return adopted(read, late, [textWarning(cap, late, place, true)], margin, rest);
  if (!lost) return warned(read, late, place, margin);
  const message = `${cap.kind} "${cap.name}" has no "${needed.find((key) => isMeant(lost, key))}": this frontmatter is read as text, ${place.because}.`;
  const problem = diagnostic('TOO5223', cap.source, lost.keySpan, message, {
    related: [{ source: cap.source, span: span(late.open.start, late.open.end), message: 'the text begins here' }],
    help: place.help,
    ...fixOf(place),
  });
  return adopted(read, late, [problem], margin, rest);
}

/** It stays text, and a warning says so. What could not be read after the change gets no fix. */
function warned(read: CapRead, late: Late, place: Place, margin: number): CapRead {
  const clean = readFrontmatter(read.cap.source, late.within, { margin }).diagnostics.length === 0;
  return { ...read, diagnostics: [...read.diagnostics, textWarning(read.cap, late, place, clean)] };
}

function textWarning(cap: CapText, late: Late, place: Place, canFix: boolean): Diagnostic {
  const open = span(late.open.start, late.open.end);
  return diagnostic('TOO5212', cap.source, open, `this frontmatter is read as text, ${place.because}.`, {
    help: place.help,
    // What is sent would change: for a person to decide.
    ...(canFix && fixOf(place, true)),
  });
}

/** The cap with the properties as they are meant, and an error that says that they are not. */
function adopted(read: CapRead, late: Late, problems: readonly Diagnostic[], margin: number, rest: string): CapRead {
  const { cap } = read;
  const frontmatter = readFrontmatter(cap.source, late.within, { margin });
  const known = new Set(cap.properties.map((property) => property.key));
  const text: CapText = {
    ...cap,
    syntax: 'frontmatter',
    properties: [...cap.properties, ...frontmatter.entries.filter((entry) => !known.has(entry.key))],
    hasFrontmatter: true,
    unread: cap.unread || frontmatter.unread,
    body: trimBlankLines(rest),
  };
  return { cap: text, diagnostics: [...read.diagnostics, ...problems, ...frontmatter.diagnostics] };
}

function fixOf({ edits }: Place, guess = false): { fix?: Fix } {
  if (!edits) return {};
  const title = edits.length === 1 ? 'remove the blank lines before it' : 'put the cap in a fence';
  return { fix: { title, ...(guess && { guess: true }), edits } };
}

function belowBlankLines(within: Span, late: Late): Place {
  return {
    because: 'because it does not begin on the first line',
    help: 'Begin with the "---" line.',
    edits: [{ span: span(within.start, late.open.lineStart), text: '' }],
  };
}

function inIndentedBody(cap: CapText, body: Indented, late: Late): Place {
  const { text } = cap.source;
  const because = 'because the cap does not stand in a fence';
  const help =
    'Write "```md" behind the colon and "```" below the text; without a fence, properties are "key = value" lines.';
  const header = text.slice(cap.nameSpan.end, body.span.start);
  if (cap.properties.length > 0 || !/^[ \t]*:[ \t]*\r?\n(?:[ \t]*\r?\n)*$/.test(header)) return { because, help };
  let most = 2;
  for (const [run] of body.text.matchAll(/`+/g)) most = Math.max(most, run.length);
  const ticks = '`'.repeat(most + 1);
  const indent = text.slice(late.open.lineStart, late.open.start);
  return {
    because,
    help,
    edits: [
      { span: span(cap.nameSpan.end, body.span.start), text: `: ${ticks}md\n` },
      { span: span(body.span.end, body.span.end), text: `\n${indent}${ticks}` },
    ],
  };
}

/** `---`, lines of which the first is a property, and `---` again. In a file both begin in the first column. */
function findLate(source: Source, within: Span, inFile = false): Late | undefined {
  const lines = splitLines(source, within, 0);
  const first = lines.findIndex((line) => line.text !== '');
  const open = lines[first];
  const isRule = (line: Line) => line.text === '---' && (!inFile || line.start === line.lineStart);
  if (!open || !isRule(open)) return undefined;
  const end = lines.findIndex((line, i) => i > first && isRule(line));
  const close = lines[end];
  const inner = lines.slice(first + 1, Math.max(first + 1, end)).find((l) => l.text !== '' && !l.text.startsWith('#'));
  if (!close || !inner || !/^["']?[A-Za-z_][A-Za-z0-9_.-]*["']?[ \t]*[:=](?:\s|$)/.test(inner.text)) return undefined;
  return { open, within: span(open.next, close.lineStart), rest: close.next };
}
