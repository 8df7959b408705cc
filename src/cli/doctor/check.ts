/** One thing that was looked at: how it is, and what to do. */
import { displayWidth, painter, printable } from '../../text/index.ts';
import type { Output } from '../context.ts';
import type { InputFile } from '../input.ts';
import { count, totalsOf } from '../report.ts';

/** `off`: it is not set up, and nobody asks for it. */
export type CheckStatus = 'ok' | 'warn' | 'fail' | 'off';

export interface Check {
  readonly area: CheckArea;
  readonly name: string;
  readonly status: CheckStatus;
  /** Never a value of a variable. */
  readonly says: string;
  /** What to do; of what is not `ok`. */
  readonly fix?: string;
}

export const checkAreas = ['system', 'place', 'config', 'model', 'service', 'file'] as const;
export type CheckArea = (typeof checkAreas)[number];

/** Whether a file is right. */
export function rightCheck(
  { name }: InputFile,
  diagnostics: Parameters<typeof totalsOf>[0],
  problems: readonly { readonly message: string }[],
): Check {
  const { errors, warnings } = totalsOf(diagnostics);
  const check = { area: 'file', name } as const;
  if (errors + problems.length === 0) {
    return { ...check, status: 'ok', says: warnings === 0 ? 'no problems' : count(warnings, 'warning') };
  }
  const says = clause(problems[0]?.message ?? count(errors, 'error'));
  return { ...check, status: 'fail', says, fix: `toolang check ${name}` };
}

/** What a sentence says, to stand in a line with others. */
export function clause(sentence: string): string {
  const text = sentence.trim().replace(/\.$/, '');
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

export function checksText(checks: readonly Check[], output: Output): string {
  const paint = painter(output.color);
  const marks = {
    ok: paint.green('ok  '),
    warn: paint.yellow('warn'),
    fail: paint.red('fail'),
    off: paint.dim('–   '),
  };
  const labels = checks.map(({ area, name }) => printable(`${area} ${name}`));
  const width = Math.max(0, ...labels.map(displayWidth));
  return checks
    .map(({ status, says, fix }, at) => {
      const label = labels[at] ?? '';
      const told = printable(says.replace(/\s*\n\s*/g, ' '));
      const mend = fix === undefined ? '' : ` ${paint.dim('→')} ${printable(fix)}`;
      return `${marks[status]}  ${label}${' '.repeat(width - displayWidth(label))}  ${told}${mend}\n`;
    })
    .join('');
}
