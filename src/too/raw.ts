/** From lines as written to the text they mean: indentation stripped, line ends LF. */
import { isBlank, type Line, widen } from './line.ts';

/** The text of an indented block: the smallest indent stripped; blank lines are empty. */
export function dedent(text: string, lines: readonly Line[]): string {
  let margin = Number.POSITIVE_INFINITY;
  for (const line of lines) if (line.text < line.end) margin = Math.min(margin, line.indent);
  return lines.map((line) => (line.text === line.end ? '' : stripIndent(text, line, margin))).join('\n');
}

/** The text of a fence's content: at most the closing fence's indent stripped from each line. */
export function undent(text: string, lines: readonly Line[], margin: number): string {
  return lines.map((line) => stripIndent(text, line, margin)).join('\n');
}

/** A tab that reaches over the margin leaves the blanks by which it does. */
function stripIndent(text: string, line: Line, margin: number): string {
  let at = line.start;
  let width = 0;
  while (at < line.end && width < margin && isBlank(text.charCodeAt(at))) {
    width = widen(width, text.charCodeAt(at));
    at++;
  }
  return ' '.repeat(Math.max(0, width - margin)) + text.slice(at, line.end);
}
