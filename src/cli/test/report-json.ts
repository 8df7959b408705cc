/** The shape of `toolang test --json`, as in `spec/json/test.schema.json`. */
import { displayPath } from '../../sys/index.ts';
import { positionAt } from '../../text/index.ts';
import type { Coverage } from './coverage-report.ts';
import type { CaseResult } from './run-case.ts';

export interface TestJson {
  version: 1;
  cases: {
    file: string;
    name: string;
    line: number;
    column: number;
    target: string;
    status: CaseResult['status'];
    ms: number;
    /** Why it is not run. */
    skip?: string;
    modelCalls?: number;
    toolCalls?: number;
    failures: {
      file: string;
      line: number;
      column: number;
      message: string;
      expected?: unknown;
      got?: unknown;
      notes: readonly string[];
    }[];
  }[];
  passed: number;
  failed: number;
  skipped: number;
  stopped: number;
  ms: number;
  coverage?: {
    percent: number;
    files: {
      file: string;
      parts: number;
      reached: number;
      missed: { kind: string; name: string; line: number; column: number }[];
    }[];
  };
}

export function testJson(
  results: readonly CaseResult[],
  ms: number,
  coverage: Coverage | undefined,
  cwd: string,
): TestJson {
  const of = (status: CaseResult['status']) => results.filter((each) => each.status === status).length;
  return {
    version: 1,
    cases: results.map(({ file, one, status, ms: own, failures, outcome }) => ({
      file: file.name,
      name: one.name.text,
      ...positionAt(file.suite.source, one.name.span.start),
      target: displayTarget(file.folder, one.target.text, cwd),
      status,
      ms: Math.round(own),
      ...(one.skip !== undefined && { skip: one.skip }),
      ...(outcome && { modelCalls: outcome.modelCalls, toolCalls: outcome.calls.length }),
      failures: failures.map(({ span, message, expected, got, notes = [] }) => ({
        file: file.name,
        ...positionAt(file.suite.source, span.start),
        message,
        ...(expected !== undefined && { expected }),
        ...(got !== undefined && { got }),
        notes,
      })),
    })),
    passed: of('passed'),
    failed: of('failed'),
    skipped: of('skipped'),
    stopped: of('stopped'),
    ms: Math.round(ms),
    ...(coverage && {
      coverage: {
        percent: Math.round(coverage.percent * 10) / 10,
        files: coverage.files.map(({ file, parts }) => ({
          file,
          parts: parts.length,
          reached: parts.filter(({ reached }) => reached).length,
          missed: parts
            .filter(({ reached }) => !reached)
            .map(({ kind, name, line, column }) => ({ kind, name, line, column })),
        })),
      },
    }),
  };
}

function displayTarget(folder: string, target: string, cwd: string): string {
  const [file = '', thunk] = target.split('#');
  return `${displayPath(`${folder}/${file}`, cwd)}${thunk === undefined ? '' : `#${thunk}`}`;
}
