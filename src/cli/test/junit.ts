/** The report that CI systems read: JUnit's XML, with a suite for each test file. */
import path from 'node:path';
import { isFailure, writeFileAtomic } from '../../sys/index.ts';
import { UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { differenceOf, placeText } from './report-text.ts';
import type { CaseResult } from './run-case.ts';

export async function writeJunit(
  file: string,
  results: readonly CaseResult[],
  ms: number,
  { cwd }: Context,
): Promise<void> {
  try {
    await writeFileAtomic(path.resolve(cwd, file), junitText(results, ms));
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw new UsageError(`the report cannot be written: ${error.message}`, 'Name another file: --junit FILE');
  }
}

export function junitText(results: readonly CaseResult[], ms: number): string {
  const suites = new Map<string, CaseResult[]>();
  for (const result of results) suites.set(result.file.name, [...(suites.get(result.file.name) ?? []), result]);
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${counts(results, ms)}>`];
  for (const [name, own] of suites) {
    const time = own.reduce((sum, each) => sum + each.ms, 0);
    lines.push(`  <testsuite name="${escaped(name)}" ${counts(own, time)}>`);
    for (const result of own) lines.push(...caseLines(result));
    lines.push('  </testsuite>');
  }
  return `${[...lines, '</testsuites>'].join('\n')}\n`;
}

function counts(results: readonly CaseResult[], ms: number): string {
  const of = (...statuses: readonly CaseResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  return `tests="${results.length}" failures="${of('failed')}" errors="0" skipped="${of('skipped', 'stopped')}" time="${(ms / 1000).toFixed(3)}"`;
}

function caseLines(result: CaseResult): string[] {
  const { one, file, status, failures, ms } = result;
  const head = `    <testcase name="${escaped(one.name.text)}" classname="${escaped(file.name)}" time="${(ms / 1000).toFixed(3)}"`;
  if (status === 'passed') return [`${head}/>`];
  if (status !== 'failed')
    return [`${head}>`, `      <skipped message="${escaped(one.skip ?? 'stopped')}"/>`, '    </testcase>'];
  const [first] = failures;
  const text = failures.flatMap((failure) => [
    `${placeText(result, failure)}  ${failure.message}`,
    ...differenceOf(failure, 500).map(([word, value]) => `  ${word}: ${value}`),
    ...(failure.notes ?? []).map((note) => `  ${note}`),
  ]);
  return [
    `${head}>`,
    `      <failure message="${escaped(first?.message ?? 'failed')}">${escaped(text.join('\n'))}</failure>`,
    '    </testcase>',
  ];
}

/** What XML has no letter for is left out. */
function escaped(text: string): string {
  const clean = Array.from(text).filter((letter) => isXmlLetter(letter.codePointAt(0) ?? 0));
  return clean
    .join('')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function isXmlLetter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
