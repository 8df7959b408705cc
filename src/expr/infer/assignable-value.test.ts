/** Which values fit which types, printing, and what has no text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arrayOf,
  assignable,
  booleanType,
  field,
  jsonType,
  literalOf,
  messageType,
  numberType,
  refTo,
  structOf,
  type Type,
  textType,
} from '../../type/index.ts';
import { parseExpression } from '../expression-parse.ts';
import { assignableValue } from './assignable-value.ts';
import { inferExpression } from './infer.ts';
import { inputType, scope, table } from './infer-test-kit.ts';
import { printValueType } from './print-value-type.ts';
import { textProblems } from './text-problems.ts';
import { fromType, toType } from './value-type.ts';

function typed(text: string) {
  const { expression } = parseExpression(text, { names: new Set(scope.keys()) });
  if (expression === undefined) throw new Error(text);
  return { expression, type: inferExpression(expression, scope, { text }).type };
}

const params = structOf([field('text', textType), field('limit', numberType, { optional: true })]);

describe('a value fits', () => {
  it.each<[string, Type]>([
    ['input.repo', textType],
    ['lint.level', textType],
    ['lint.level', literalOf('ok', 'bad', 'late')],
    ["input.fast ? 'ok' : 'bad'", literalOf('ok', 'bad')],
    ["facts.text ?? ''", textType],
    ['input.tags', arrayOf(textType)],
    ['[]', arrayOf(numberType)],
    ['input.data', numberType],
    ['input.data.x.y', arrayOf(numberType)],
    ['input.meta', jsonType],
    ['null', jsonType],
    ['input.repo', messageType],
    ['({ text: input.repo })', params],
    ['({ text: input.repo, limit: 3 })', params],
    ['({ text: input.repo, limit: facts?.title.length })', params],
    ['({ text: input.repo, limit: null })', params],
    ['({ ...input.data, text: "x" })', params],
    ['input.tree', refTo('Tree')],
    ['input.tree.children', arrayOf(refTo('Tree'))],
    ['input', inputType],
    ['input.anything', refTo('Unknown')],
  ])('%s', (text, to) => {
    expect(assignableValue(typed(text).type, to, table)).toEqual({ ok: true });
  });
});

describe('a value does not fit', () => {
  it.each<[string, Type, string]>([
    ['input.count', textType, 'it is number, not Text'],
    ['input.since', textType, 'it may be undefined; give another value with "??"'],
    ['facts.text', textType, 'it may be undefined; give another value with "??"'],
    ['input.repo', literalOf('ok'), 'it is string, not "ok"'],
    ["'okk'", literalOf('ok'), 'it is "okk", not "ok"'],
    ['input.tags', arrayOf(numberType), '"[]" is string, not Number'],
    ['input.repo', booleanType, 'it is string, not Boolean'],
    ['({ text: 1 })', params, '"text" is number, not Text'],
    [
      '({ txt: "a" })',
      params,
      'it has a field "txt" that { text: Text, limit?: Number } does not have. Did you mean "text"?',
    ],
    ['({ limit: 1 })', params, 'it has no field "text"'],
    ['({ text: input.since })', params, '"text" may be undefined; give another value with "??"'],
    ['input.owner ?? {}', structOf([field('name', textType)]), 'it has a field "mail"'],
    ['new Date()', textType, 'it is a Date, not Text; write ".toISOString()" for its text'],
    ['input.repo.trim', jsonType, 'it is a function, not a value'],
    ['[new Date()]', jsonType, '"[]" is a Date, not Json'],
  ])('%s', (text, to, why) => {
    const fit = assignableValue(typed(text).type, to, table);
    expect(fit.ok ? '' : fit.why).toContain(why);
  });
});

describe('types of the language', () => {
  const { type } = fc.letrec<{ type: Type }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Type>(textType, numberType, booleanType, jsonType, literalOf('a', 'b'), refTo('Tree')),
      tie('type').map((item) => arrayOf(item)),
      fc
        .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), tie('type'), fc.boolean()), {
          selector: ([name]) => name,
        })
        .map((fields) => structOf(fields.map(([name, of, optional]) => field(name, of, { optional })))),
    ),
  }));

  it('go to types of values and come back', () => {
    fc.assert(
      fc.property(type, (one) => {
        expect(toType(fromType(one, table))).toEqual(one);
        expect(assignableValue(fromType(one, table), one, table)).toEqual({ ok: true });
      }),
    );
  });

  it('fit by the same rule, but for Json, which fits everything here', () => {
    fc.assert(
      fc.property(type, type, (a, b) => {
        if (assignable(a, b, table)) expect(assignableValue(fromType(a, table), b, table)).toEqual({ ok: true });
        else if (!JSON.stringify(a).includes('json')) {
          expect(assignableValue(fromType(a, table), b, table).ok).toBe(false);
        }
      }),
    );
  });

  it('print short, whatever they hold', () => {
    expect(printValueType(fromType(refTo('Tree'), table))).toBe('Tree');
    expect(printValueType(fromType(arrayOf(literalOf('a', 'b')), table))).toBe('("a" | "b")[]');
    let deep: Type = textType;
    for (let i = 0; i < 5000; i++) deep = arrayOf(deep);
    expect(printValueType(fromType(deep, table))).toBe('…[][][][]');
    expect(assignableValue(fromType(deep, table), deep, table)).toEqual({ ok: true });
  });
});

describe('a function in a text', () => {
  it('is a problem, mended by calling it', () => {
    const { expression, type } = typed('input.repo.trim');
    expect(textProblems(expression, type)).toMatchObject([{ code: 'TOO3263', start: 15, end: 15, replacement: '()' }]);
    const math = typed('Math');
    expect(textProblems(math.expression, math.type)).toMatchObject([{ code: 'TOO3263', start: 0, end: 4 }]);
  });

  it('is no problem of anything else', () => {
    for (const text of ['input.meta', 'input.tags', 'facts.text', 'null', 'input.data', 'input.findings']) {
      const { expression, type } = typed(text);
      expect(textProblems(expression, type)).toEqual([]);
    }
  });
});
