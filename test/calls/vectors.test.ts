/** The recorded cases of `spec/calls/calls-parse.json`: as a whole, cut in every way, event by event, and by the reference. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CallEvent, ScanOptions } from '../../src/calls/event.ts';
import { createScanner, parse } from '../../src/calls/index.ts';
import { collect, parseWhole, scanChunks } from './collect.ts';
import { cut } from './generate.ts';
import { type Reference, reference } from './reference.ts';

interface Vector {
  readonly name: string;
  readonly input: string;
  readonly options?: ScanOptions;
  readonly expected: { readonly text: string[]; readonly calls: CallShape[]; readonly order: string };
}

interface CallShape {
  readonly tool_name: string;
  readonly raw_args: string;
  readonly body: string;
  readonly complete: boolean;
}

interface Stream {
  readonly name: string;
  readonly chunks: readonly string[];
  readonly events: readonly (readonly unknown[])[];
}

const file = new URL('../../spec/calls/calls-parse.json', import.meta.url);
const { vectors, streams } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly vectors: readonly Vector[];
  readonly streams: readonly Stream[];
};

test('the file has its cases', () => {
  expect(vectors.length).toBeGreaterThan(70);
  expect(streams.length).toBeGreaterThan(8);
});

describe.each(vectors)('$name', ({ input, options = {}, expected }) => {
  test('the reference gives what is recorded', () => {
    expect(shapeOf(reference(input, options))).toEqual(expected);
  });

  test('parse gives what is recorded', () => {
    expect(shapeOf(parseWhole(input, options, {}))).toEqual(expected);
    expect(JSON.stringify(parse(input, options).calls)).toBe(JSON.stringify(expected.calls));
  });

  test('every cut in two and in three, and chunks of 1 to 16 units, give the same', () => {
    const wanted = JSON.stringify(reference(input, options));
    const check = (chunks: readonly string[]): void => {
      const found = JSON.stringify(collect(scanChunks(chunks, options, {}).flat()));
      // Only then: this runs many thousand times.
      if (found !== wanted) expect(found, JSON.stringify(chunks)).toBe(wanted);
    };
    check([input]);
    for (let size = 1; size <= 16; size++) check(cut(input, [size]));
    for (let a = 0; a <= input.length; a++) {
      check([input.slice(0, a), input.slice(a)]);
      for (let b = a; b <= input.length; b++) check([input.slice(0, a), input.slice(a, b), input.slice(b)]);
    }
  });
});

describe.each(streams)('$name', ({ chunks, events }) => {
  test('gives these events, push by push', () => {
    const scanner = createScanner();
    const found = chunks.map((chunk) => shortEvents(scanner.push(chunk)));
    found.push(shortEvents(scanner.finish()));
    expect(found).toEqual(events);
  });
});

function shapeOf({ segments }: Reference): Vector['expected'] {
  return {
    text: segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : [])),
    calls: segments.flatMap((segment) =>
      segment.type === 'call'
        ? [
            {
              tool_name: segment.toolName,
              raw_args: segment.rawArgs,
              body: segment.body,
              complete: segment.complete,
            },
          ]
        : [],
    ),
    order: segments.map((segment) => segment.type[0]).join(''),
  };
}

/** Diagnostics are not recorded in this file. */
function shortEvents(events: readonly CallEvent[]): unknown[] {
  return events.flatMap((event): unknown[] => {
    if (event.type === 'text') return [['t', event.text]];
    if (event.type === 'call-start') return [['s', event.toolName, event.rawArgs]];
    if (event.type === 'body') return [['b', event.text]];
    return event.type === 'call-end' ? [['e', event.complete]] : [];
  });
}
