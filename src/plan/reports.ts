/** Collects diagnostics. A component is linked once for each use, so the same report may come again and is told once. */
import { type Code, type Diagnostic, type DiagnosticExtra, diagnostic } from '../text/index.ts';
import type { Mark } from './draft.ts';

export interface Reports {
  readonly add: (code: Code, at: Mark, message: string, extra?: DiagnosticExtra) => void;
  readonly addAll: (diagnostics: readonly Diagnostic[]) => void;
  /** By file, then by place. */
  readonly list: () => Diagnostic[];
}

export function createReports(): Reports {
  const found: Diagnostic[] = [];
  const seen = new Map<Diagnostic['source'], Set<string>>();

  function keep(report: Diagnostic): void {
    const key = `${report.code} ${report.span.start} ${report.span.end} ${report.message}`;
    const keys = seen.get(report.source);
    if (keys?.has(key)) return;
    if (keys === undefined) seen.set(report.source, new Set([key]));
    else keys.add(key);
    found.push(report);
  }

  return {
    add: (code, at, message, extra) => keep(diagnostic(code, at.source, at.span, message, extra)),
    addAll: (diagnostics) => {
      for (const each of diagnostics) keep(each);
    },
    list() {
      const order = new Map([...seen.keys()].map((source, index) => [source, index]));
      return found.sort(
        (a, b) =>
          (order.get(a.source) ?? 0) - (order.get(b.source) ?? 0) ||
          a.span.start - b.span.start ||
          a.span.end - b.span.end,
      );
    },
  };
}

/** A fix that puts another word in the place of one. */
export function replaceWith(at: Mark, text: string): DiagnosticExtra {
  return { fix: { title: `replace with "${text}"`, edits: [{ span: at.span, text }] } };
}
