import { expect, test } from 'vitest';
import { messageOf, thrownOf } from './thrown.ts';

test('the errors of an AggregateError are its cause, each with its own', () => {
  const deep = new Error('second', { cause: new TypeError('deep') });
  expect(thrownOf(new AggregateError([new RangeError('first'), deep], 'all failed'))).toMatchObject({
    message: 'AggregateError: all failed',
    cause: {
      message: 'each of these:\n- RangeError: first\n- second',
      causes: [{ message: 'RangeError: first' }, { message: 'second', cause: { message: 'TypeError: deep' } }],
    },
  });
});

test('of very many errors the first are told', () => {
  const { cause } = thrownOf(new AggregateError(Array.from({ length: 30 }, (_, at) => new Error(`e${at}`))));
  expect(cause?.causes).toHaveLength(10);
  expect(cause?.message).toMatch(/- e9\n- and 20 more$/);
});

test('an error that causes itself is told once', () => {
  const error = new Error('c');
  error.cause = error;
  expect(thrownOf(error)).toEqual({ message: 'c', retryable: true });
  const other = new Error('d', { cause: error });
  error.cause = other;
  expect(thrownOf(error)).toEqual({ message: 'c', retryable: true, cause: { message: 'd', retryable: true } });
  const all = new AggregateError([]);
  all.errors.push(all, new Error('x'));
  expect(thrownOf(all).cause?.causes).toEqual([{ message: 'x', retryable: true }]);
});

test('an object that JSON cannot write is shown as Node shows it', () => {
  const circle: Record<string, unknown> = { a: 1 };
  circle.self = circle;
  expect(messageOf(circle)).toBe('<ref *1> { a: 1, self: [Circular *1] } was thrown');
  expect(messageOf({ a: 1 })).toBe('{"a":1} was thrown');
});

test('an error without a message says what its fields are', () => {
  class Missing extends Error {
    readonly _tag = 'Missing';
    readonly retryable = false;
    readonly item = 'tea';
  }
  expect(thrownOf(new Missing())).toEqual({ message: 'Missing: {"item":"tea"}', retryable: false });
  expect(messageOf(Object.assign(new Error(), { status: 7n }))).toBe('an Error: { status: 7n }');
  expect(messageOf(new RangeError())).toBe('RangeError without a message');
});
