/** What is wrong, where, and how to mend it. Diagnostics are plain values; nothing throws them. */
import type { Code } from './codes.ts';
import { severityOf } from './codes.ts';
import { type Range, rangeOf, type Source } from './source.ts';
import type { Span } from './span.ts';

export type Severity = 'error' | 'warning' | 'note';

export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** A change that mends the problem, in the diagnostic's own source. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
  /** It decides what was meant: for a person to choose, never applied unasked. */
  readonly guess?: true;
}

export interface Related {
  readonly source: Source;
  readonly span: Span;
  readonly message: string;
}

export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly source: Source;
  readonly span: Span;
  readonly related: readonly Related[];
  /** One sentence on what to write instead, for people. */
  readonly help?: string;
  readonly fix?: Fix;
}

export interface DiagnosticExtra {
  readonly related?: readonly Related[];
  readonly help?: string;
  readonly fix?: Fix;
}

/** The JSON form, as in `spec/json/diagnostic.schema.json`. */
export interface DiagnosticJson {
  code: string;
  severity: Severity;
  message: string;
  file: string;
  range: Range;
  related: { file: string; range: Range; message: string }[];
  help?: string;
  fix?: { title: string; guess?: true; edits: { range: Range; text: string }[] };
}

export function diagnostic(
  code: Code,
  source: Source,
  span: Span,
  message: string,
  extra: DiagnosticExtra = {},
): Diagnostic {
  return { code, severity: severityOf(code), message, source, span, related: [], ...extra };
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((d) => d.severity === 'error');
}

/** By place in the source; the order of report decides ties. */
export function byPosition(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

export function toJson(d: Diagnostic): DiagnosticJson {
  return {
    code: d.code,
    severity: d.severity,
    message: d.message,
    file: d.source.name,
    range: rangeOf(d.source, d.span),
    related: d.related.map((r) => ({ file: r.source.name, range: rangeOf(r.source, r.span), message: r.message })),
    ...(d.help !== undefined && { help: d.help }),
    ...(d.fix && {
      fix: {
        title: d.fix.title,
        ...(d.fix.guess && { guess: d.fix.guess }),
        edits: d.fix.edits.map((e) => ({ range: rangeOf(d.source, e.span), text: e.text })),
      },
    }),
  };
}
