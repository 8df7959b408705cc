/** What no case reached, by file, in words; and how much all of them must reach. */
import { type CoveredPart, mergeParts, partText, percentOf } from '../../cases/index.ts';
import { displayPath } from '../../sys/index.ts';
import { painter, printable } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { CaseResult } from './run-case.ts';

export interface Coverage {
  readonly percent: number;
  readonly files: readonly { readonly file: string; readonly parts: readonly CoveredPart[] }[];
}

/** `--coverage` or `--coverage=80`; undefined where nobody asks. */
export function leastCoverage({ switches, texts }: Args): number | undefined {
  const { coverage } = texts;
  if (coverage === undefined) return switches.coverage === true ? 0 : undefined;
  const percent = /^(\d+(?:\.\d+)?)%?$/.exec(coverage)?.[1];
  if (percent === undefined || Number(percent) > 100) {
    throw new UsageError(
      `--coverage must be a percentage up to 100, not "${coverage}".`,
      'Write for example: --coverage=80',
    );
  }
  return Number(percent);
}

export function coverageOf(results: readonly CaseResult[], cwd: string): Coverage {
  const parts = mergeParts(
    results.flatMap((result) => result.parts.map((part) => ({ ...part, file: displayPath(part.file, cwd) }))),
  );
  const files = new Map<string, CoveredPart[]>();
  for (const part of parts) files.set(part.file, [...(files.get(part.file) ?? []), part]);
  return { percent: percentOf(parts), files: [...files].map(([file, own]) => ({ file, parts: own })) };
}

export function coverageText({ percent, files }: Coverage, least: number, color: boolean): string {
  const paint = painter(color);
  const lines = ['', paint.bold('What no case reached')];
  for (const { file, parts } of files) {
    const missed = parts.filter(({ reached }) => !reached);
    lines.push(
      `  ${printable(file)}  ${shown(percentOf(parts))}${missed.length === 0 ? '' : `  ${parts.length - missed.length} of ${parts.length}`}`,
    );
    for (const part of missed)
      lines.push(`    ${paint.yellow('○')} ${paint.dim(`${part.line}:${part.column}`)}  ${printable(partText(part))}`);
  }
  const isShort = percent < least;
  const total = `  in all ${shown(percent)}${isShort ? `, less than the ${least}% of --coverage` : ''}`;
  return `${[...lines, isShort ? paint.red(total) : total].join('\n')}\n`;
}

/** Never rounded up to all. */
function shown(percent: number): string {
  return `${Math.floor(percent * 10) / 10}%`;
}
