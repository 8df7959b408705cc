/** A line for each case, and below one that failed what differs, at its place in the test file. */
import { differingLine, type Failure } from '../../cases/index.ts';
import { type Painter, painter, positionAt, printable } from '../../text/index.ts';
import { linePair } from '../../view/index.ts';
import type { Context } from '../context.ts';
import { quoteForShell } from '../shell.ts';
import type { CaseResult } from './run-case.ts';

export interface Reporter {
  readonly tell: (result: CaseResult) => void;
}

export function createReporter({ stdout }: Context): Reporter {
  const paint = painter(stdout.color);
  const columns = stdout.isTTY ? Math.max(40, stdout.columns) : 120;
  let file: string | undefined;
  return {
    tell(result) {
      if (result.file.name !== file) stdout.write(`${paint.bold(printable(result.file.name))}\n`);
      file = result.file.name;
      stdout.write(resultText(result, paint, columns));
    },
  };
}

const marks = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  skipped: ['-', 'dim'],
  stopped: ['⊘', 'yellow'],
} as const;

function resultText(result: CaseResult, paint: Painter, columns: number): string {
  const { one, status, ms, failures, kept } = result;
  const [mark, color] = marks[status];
  const after =
    status === 'skipped' ? `  ${one.skip ?? ''}` : status === 'stopped' ? '  stopped' : `  ${(ms / 1000).toFixed(1)}s`;
  const lines = [`  ${paint[color](mark)} ${printable(one.name.text)}${paint.dim(printable(after))}`];
  for (const failure of failures) lines.push(...failureLines(result, failure, paint, columns));
  if (kept) {
    const look = kept.run === undefined ? '' : `   toolang show ${kept.run} --store ${quoteForShell(kept.store)}`;
    lines.push(`      ${paint.dim(`kept in ${printable(kept.dir)}${look}`)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** `release.test.toon:12:7`. */
export function placeText({ file }: Pick<CaseResult, 'file'>, { span }: Pick<Failure, 'span'>): string {
  const { line, column } = positionAt(file.suite.source, span.start);
  return `${file.name}:${line}:${column}`;
}

function failureLines(result: CaseResult, failure: Failure, paint: Painter, columns: number): string[] {
  const { message, notes = [] } = failure;
  const lines = [`      ${paint.dim(printable(placeText(result, failure)))}  ${printable(message)}`];
  for (const [word, text] of differenceOf(failure, columns - 20)) {
    const color = word === 'expected' ? 'green' : 'red';
    lines.push(`        ${paint[color](`${word}:`.padEnd(10))}${text}`);
  }
  for (const line of notes.flatMap((note) => note.split('\n'))) lines.push(`        ${printable(line)}`.trimEnd());
  return lines;
}

/** The line that differs, as it was expected and as it is. */
export function differenceOf({ expected, got }: Failure, cells: number): readonly (readonly [string, string])[] {
  if (expected === undefined && got === undefined) return [];
  if (expected === undefined) return [['got', cut(JSON.stringify(got), cells)]];
  if (got === undefined) return [['expected', cut(JSON.stringify(expected), cells)]];
  const { expected: want, got: is, line } = differingLine(expected, got);
  const [first, second] = linePair(want, is, { old: cells, now: cells });
  const where = line === undefined ? '' : ` (line ${line})`;
  return [
    ['expected', `${first}${where}`],
    ['got', second],
  ];
}

function cut(text: string, cells: number): string {
  return printable(text.length > cells ? `${text.slice(0, cells)}…` : text);
}
