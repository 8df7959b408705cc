import { expect, test } from 'vitest';
import { arrayOf, field, literalOf, messageType, refTo, structOf, textType } from '../../type/index.ts';
import { printTs } from './print-ts.ts';
import { mapTscOutput, typesFile } from './tsc-output.ts';
import { generateTypes } from './types.ts';

const nameOf = (name: string) => (name === 'Review' ? 'Read.Review' : undefined);

test.each([
  [textType, 'string', 'string'],
  [messageType, '$Message', '$Message'],
  [{ kind: 'json' }, 'any', 'unknown'],
  [arrayOf(literalOf('a', 'b"')), 'Array<"a" | "b\\"">', 'Array<"a" | "b\\"">'],
  [refTo('Review'), 'Read.Review', 'Read.Review'],
  [refTo('Gone'), 'any', 'any'],
  [
    structOf([field('a', textType), field('b-c', textType, { optional: true })]),
    '{ a: string; "b-c"?: string | undefined; }',
    '{ a: string; "b-c"?: string | null | undefined; }',
  ],
  [structOf([]), '{ }', '{ }'],
] as const)('%j is printed', (type, read, write) => {
  expect(printTs(type, 'read', nameOf)).toBe(read);
  expect(printTs(type, 'write', nameOf)).toBe(write);
});

const request = {
  types: {},
  input: textType,
  services: [],
  root: '../..',
  steps: [
    {
      path: 'one',
      output: textType,
      visible: [{ id: 'a-b', type: textType, optional: false }],
      inLoop: false,
      action: {
        kind: 'run',
        text: 'let x;\nreturn a-b + bad',
        edits: [{ start: 14, end: 17, text: 'steps["a-b"]' }],
        reads: [{ name: 'a-b', path: [], start: 14, end: 17 }],
      },
    },
    {
      path: 'two',
      output: textType,
      visible: [],
      inLoop: true,
      action: { kind: 'handler', text: './checks.ts#lint', module: './checks.ts', name: 'lint' },
    },
  ],
} as const;

test('errors are led back to the step, the line and the word', () => {
  const { text, map } = generateTypes(request);
  const say = (part: string, message: string, within = 0) => {
    const at = text.indexOf(part) + within;
    const line = text.slice(0, at).split('\n').length;
    return `.toolang/check-1/${typesFile}(${line},${at - text.lastIndexOf('\n', at - 1)}): error ${message}\n`;
  };
  const output =
    say('bad', "TS2304: Cannot find name 'bad'.") +
    say('steps["a-b"]', 'TS2322: Type A is not B.\n  Types of x differ.\n    Deepest', 5) +
    say('Promise<string> {{', 'TS2366: Function lacks ending return statement.') +
    say('const result:', 'TS2322: Wrong.', 6) +
    "src/own.ts(1,2): error TS1: Own.\nerror TS5: It's broken.\n";
  const { problems, other } = mapTscOutput(output, map);
  expect(problems).toEqual([
    { path: 'one', code: 'TOO3320', start: 20, end: 23, message: "cannot find name 'bad' (TS2304)" },
    { path: 'one', code: 'TOO3320', start: 14, end: 17, message: 'type A is not B (TS2322)', help: 'Deepest.' },
    {
      path: 'one',
      code: 'TOO3320',
      start: 0,
      end: 23,
      message: 'the code can end without a return, and the step needs a value (TS2366)',
    },
    { path: 'two', code: 'TOO3321', start: 0, end: 16, message: 'wrong (TS2322)' },
  ]);
  expect(other).toEqual(["error TS5: It's broken.", 'src/own.ts(1,2): Own.']);
});

test('only what the code reads is declared for it', () => {
  const { text } = generateTypes({
    ...request,
    steps: [{ ...request.steps[0], visible: [...request.steps[0].visible, { id: 'other', optional: true }] }],
  });
  expect(text).not.toContain('other');
});
