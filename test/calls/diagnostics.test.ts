/** The recorded cases of `spec/calls/calls-diagnostics.json`: what is reported, and where and why calls begin and end. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CallDiagnosticCode, EndReason, FinishInfo, ScanOptions } from '../../src/calls/event.ts';
import { collect, parseWhole, scanChunks } from './collect.ts';
import { cut } from './generate.ts';
import { type Reference, reference } from './reference.ts';

interface DiagnosticCase {
  readonly name: string;
  readonly input: string;
  readonly options?: ScanOptions;
  readonly finish?: FinishInfo;
  readonly expected: {
    readonly diagnostics: readonly (readonly [code: CallDiagnosticCode, start: number, end: number])[];
    readonly calls: readonly CallPlace[];
  };
}

interface CallPlace {
  readonly tool_name: string;
  readonly inFence: boolean;
  readonly lineStart: boolean;
  readonly reason: EndReason;
}

const file = new URL('../../spec/calls/calls-diagnostics.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly DiagnosticCase[] };

test('the file reaches each code and each reason', () => {
  const codes = new Set(cases.flatMap(({ expected }) => expected.diagnostics.map(([code]) => code)));
  expect(codes.size).toBe(10);
  const reasons = new Set(cases.flatMap(({ expected }) => expected.calls.map(({ reason }) => reason)));
  expect([...reasons].sort()).toEqual(['end', 'length', 'too-long', 'unterminated']);
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

describe.each(cases)('$name', ({ input, options = {}, finish = {}, expected }) => {
  test('the reference gives what is recorded', () => {
    expect(shapeOf(reference(input, options, finish))).toEqual(expected);
  });

  test('parse gives what is recorded', () => {
    expect(shapeOf(parseWhole(input, options, finish))).toEqual(expected);
  });

  test.each([1, 2, 3, 5, 16])('chunks of %i give the same', (size) => {
    expect(shapeOf(collect(scanChunks(cut(input, [size]), options, finish).flat()))).toEqual(expected);
  });
});

function shapeOf({ segments, diagnostics }: Reference): DiagnosticCase['expected'] {
  return {
    diagnostics: diagnostics.map(({ code, start, end }) => [code, start, end] as const),
    calls: segments.flatMap((segment) => {
      if (segment.type === 'text') return [];
      const { toolName, inFence, lineStart, reason } = segment;
      return [{ tool_name: toolName, inFence, lineStart, reason }];
    }),
  };
}
