/** Collects diagnostics. A component is linked once for each use, so the same report may come again and is told once. */
import { type Code, type Diagnostic, type DiagnosticExtra, diagnostic, type Source, type Span } from '../text/index.ts';
import type { Mark } from './draft.ts';
import { isWithin } from './read/spoiled.ts';

export interface Reports {
  readonly add: (code: Code, at: Mark, message: string, extra?: DiagnosticExtra) => void;
  readonly addAll: (diagnostics: readonly Diagnostic[]) => void;
  /** From now on leaves out what is found in these places of a source, which are reported. */
  readonly silence: (source: Source, spoiled: readonly Span[]) => void;
  /** By file, then by place. */
  readonly list: () => Diagnostic[];
}

export function createReports(): Reports {
  const found: Diagnostic[] = [];
  const seen = new Map<Source, Set<string>>();
  const silent = new Map<Source, (place: Span) => boolean>();

  function keep(report: Diagnostic): void {
    if (report.severity !== 'note' && silent.get(report.source)?.(report.span)) return;
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
    silence: (source, spoiled) => silent.set(source, isWithin(spoiled)),
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

/** A fix that puts another word in the place of one; it asks first where that word may not have been meant. */
export function replaceWith(at: Mark, text: string, isSure = true): DiagnosticExtra {
  return {
    fix: { title: `replace with "${text}"`, ...(!isSure && { guess: true }), edits: [{ span: at.span, text }] },
  };
}
