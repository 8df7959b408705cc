/** Prints what commands found: problems with their input, diagnostics with their lines, totals. */
import { type Diagnostic, painter, printable, renderDiagnostic, wrap } from '../text/index.ts';
import type { Context, Output } from './context.ts';
import type { InputProblem } from './input.ts';

export interface Totals {
  readonly errors: number;
  readonly warnings: number;
}

/** What is wrong in one line, as `reportError` has it; below it what to do instead. */
export function printProblems(problems: readonly InputProblem[], { stderr }: Context): void {
  for (const { code, message, help } of problems) {
    printProblem(`${printable(message)}${code === undefined ? '' : ` (${code})`}`, stderr);
    if (help !== undefined) stderr.write(`  ${printable(help)}\n`);
  }
}

/** `toolang: what is wrong`. A terminal would break it in the middle of a word; elsewhere it is one line. */
export function printProblem(message: string, output: Output): void {
  const name = 'toolang:';
  const { isTTY, columns } = output;
  const cells = isTTY ? Math.max(20, columns) : Number.POSITIVE_INFINITY;
  const [first = '', ...rest] = wrap(`${name} ${message}`, cells, cells - 2);
  output.write(`${painter(output.color).red(name)}${first.slice(name.length)}\n`);
  for (const line of rest) output.write(`  ${line}\n`);
}

export function printDiagnostics(diagnostics: readonly Diagnostic[], output: Output): void {
  const { color, columns, isTTY } = output;
  for (const d of diagnostics) output.write(`${renderDiagnostic(d, { color, columns, wrap: isTTY })}\n`);
}

/** The errors alone, and how many. */
export function printErrors(diagnostics: readonly Diagnostic[], { stderr }: Context): void {
  const errors = diagnostics.filter((d) => d.severity === 'error');
  if (errors.length === 0) return;
  printDiagnostics(errors, stderr);
  stderr.write(`${count(errors.length, 'error')}: mend ${errors.length === 1 ? 'it' : 'them'} first\n`);
}

export function totalsOf(diagnostics: readonly Diagnostic[]): Totals {
  let errors = 0;
  let warnings = 0;
  for (const { severity } of diagnostics) {
    if (severity === 'error') errors++;
    else if (severity === 'warning') warnings++;
  }
  return { errors, warnings };
}

/** `2 errors and 1 warning`, or `no problems`. */
export function printTotals({ errors, warnings }: Totals): string {
  const parts = [];
  if (errors > 0) parts.push(count(errors, 'error'));
  if (warnings > 0) parts.push(count(warnings, 'warning'));
  return parts.length > 0 ? parts.join(' and ') : 'no problems';
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
