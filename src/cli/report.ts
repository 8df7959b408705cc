/** Prints what commands found: problems with their input, diagnostics with their lines, totals. */
import { type Diagnostic, painter, printable, renderDiagnostic } from '../text/index.ts';
import type { Context, Output } from './context.ts';
import type { InputProblem } from './input.ts';

export interface Totals {
  readonly errors: number;
  readonly warnings: number;
}

/** What is wrong in one line, as `reportError` has it; below it what to do instead. */
export function printProblems(problems: readonly InputProblem[], context: Context): void {
  const name = painter(context.stderr.color).red('toolang:');
  for (const { code, message, help } of problems) {
    context.stderr.write(`${name} ${printable(message)}${code === undefined ? '' : ` (${code})`}\n`);
    if (help !== undefined) context.stderr.write(`  ${printable(help)}\n`);
  }
}

export function printDiagnostics(diagnostics: readonly Diagnostic[], output: Output): void {
  const { color, columns } = output;
  for (const d of diagnostics) output.write(`${renderDiagnostic(d, { color, columns })}\n`);
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
