/** Splits a Markdown cap file into its frontmatter and its body. */
import { type Diagnostic, diagnostic, type Source, type Span, span } from '../text/index.ts';

export interface CapFileParts {
  /** What stands between the `---` lines. */
  readonly frontmatter?: Span;
  /** The opening `---`. */
  readonly open?: Span;
  /** Everything after the closing `---` line; the whole text where there is no frontmatter. */
  readonly body: Span;
  readonly diagnostics: readonly Diagnostic[];
}

/** Frontmatter begins with `---` on the very first line. A byte order mark is skipped; blanks may follow the dashes. */
export function splitCapFile(source: Source): CapFileParts {
  const { text } = source;
  const from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const firstEnd = lineEnd(text, from);
  const whole = span(from, text.length);
  if (!isRule(text.slice(from, firstEnd))) return { body: whole, diagnostics: [] };
  const open = span(from, from + 3);
  const start = Math.min(text.length, firstEnd + 1);
  for (let at = start; at < text.length; ) {
    const end = lineEnd(text, at);
    if (isRule(text.slice(at, Math.min(end, at + 200)))) {
      return {
        frontmatter: span(start, at),
        open,
        body: span(Math.min(text.length, end + 1), text.length),
        diagnostics: [],
      };
    }
    at = end + 1;
  }
  const problem = diagnostic('TOO5208', source, open, 'the frontmatter that begins here is never closed.', {
    help: 'Write "---" on a line of its own after the last property.',
  });
  return { open, body: span(start, text.length), diagnostics: [problem] };
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at;
}

function isRule(line: string): boolean {
  return line.startsWith('---') && line.slice(3).trim() === '';
}
