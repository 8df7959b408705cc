import { expect, it } from 'vitest';
import type { Json, Outcome, StepSpec } from '../machine/index.ts';
import { field, numberType, refTo, structOf, type Type, textType } from '../type/index.ts';
import { fitting } from './step-output.ts';

function spec(output: Type, types: Record<string, Type> = {}): StepSpec {
  return { kind: 'run', output: output as unknown as Json, types: types as unknown as Json };
}

const note = structOf([field('text', textType), field('more', textType, { optional: true })], { name: 'Note' });

it('what does not fit the output is an error that is tried again, in the words of workflow files', () => {
  expect(fitting({ ok: null }, spec(numberType))).toEqual({
    err: {
      code: 'schema',
      message: 'what it gave does not fit its output: the value must be number, but it is null.',
      retryable: true,
    },
  });
  expect(fitting({ ok: { text: 'x', extra: 2 } }, spec(refTo('Note'), { Note: note }))).toMatchObject({
    err: { code: 'schema', message: expect.stringContaining('"/extra" is not a field of "Note".') },
  });
});

it('null for an optional field is absent', () => {
  const given: Outcome = { ok: { text: 'x', more: null } };
  expect(fitting(given, spec(refTo('Note'), { Note: note }))).toEqual({ ok: { text: 'x' } });
});

it('errors, and values of steps that say no output, stay as they are', () => {
  const err: Outcome = { err: { code: 'code', message: 'no', retryable: true } };
  expect(fitting(err, spec(numberType))).toBe(err);
  expect(fitting({ ok: 'x' }, { kind: 'run' })).toEqual({ ok: 'x' });
});
