import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

fc.configureGlobal({ seed: 20 });

test('takes secrets out of texts, in the forms they are written in', () => {
  const { text } = createRedactor([{ name: 'TOKEN', value: 'se"cret/1\n' }, 'other-one']);
  expect(text('a se"cret/1 b')).toBe('a [redacted TOKEN] b');
  expect(text(JSON.stringify({ a: 'se"cret/1' }))).toBe('{"a":"[redacted TOKEN]"}');
  expect(text('https://x/?t=se%22cret%2F1&y')).toBe('https://x/?t=[redacted TOKEN]&y');
  expect(text('other-one,other-one')).toBe('[redacted],[redacted]');
  expect(text('nothing here')).toBe('nothing here');
});

test('leaves nothing of secrets that overlap or hold one another', () => {
  const { text } = createRedactor(['abcdef', 'defghi', 'abcdefgh']);
  expect(text('-abcdefghi-')).toBe('-[redacted]-');
  expect(text('abcdefabcdef')).toBe('[redacted][redacted]');
});

test('does not look for values too short to be secrets', () => {
  expect(createRedactor(['', 'abc', '   \n  ']).text('abc  \n  ')).toBe('abc  \n  ');
});

test('copies nested data, keys and errors and bytes included', () => {
  const { data } = createRedactor(['hunter22']);
  const input = {
    list: [1, 'hunter22', null, undefined, { deep: 'x hunter22' }],
    'key hunter22': true,
    map: new Map([['hunter22', 'v']]),
    set: new Set(['hunter22']),
    bytes: Buffer.from('\xffhunter22\xfe', 'latin1'),
    date: new Date(0),
  };
  expect(data(input)).toEqual({
    list: [1, '[redacted]', null, undefined, { deep: 'x [redacted]' }],
    'key [redacted]': true,
    map: { '[redacted]': 'v' },
    set: ['[redacted]'],
    bytes: Buffer.from('\xff[redacted]\xfe', 'latin1'),
    date: new Date(0),
  });
  expect(Object.keys(data(input) as object)[0]).toBe('list');
  const error = Object.assign(new Error('no hunter22'), { code: 'X', cause: { token: 'hunter22' } });
  expect(data(error)).toMatchObject({ message: 'no [redacted]', code: 'X', cause: { token: '[redacted]' } });
  expect(JSON.stringify(data(error))).not.toContain('hunter22');
});

test('survives circles, shared parts, deep data and a key named __proto__', () => {
  const { data } = createRedactor(['hunter22']);
  const shared = { a: 'hunter22' };
  const circle: Record<string, unknown> = { one: shared, two: shared };
  circle.self = circle;
  expect(data(circle)).toEqual({ one: { a: '[redacted]' }, two: { a: '[redacted]' }, self: '[circular]' });
  let deep: unknown = 'hunter22';
  for (let i = 0; i < 100_000; i++) deep = [deep];
  let at = data(deep);
  while (Array.isArray(at)) at = at[0];
  expect(at).toBe('[redacted]');
  const copy = data(JSON.parse('{"__proto__": {"x": "hunter22"}}'));
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"x":"[redacted]"}}');
});

test('no planted secret survives in any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.stringMatching(/^[a-z"\\\n]{4,8}$/), (value, secret) => {
      const planted = { value, list: [`x${secret}y`, { [secret]: secret }] };
      const { data, text } = createRedactor([secret]);
      const json = JSON.stringify(data(planted));
      const kept = JSON.stringify(data({ value: null, list: [] }));
      if (secret.trim().length >= 4 && !'[redacted]'.includes(secret) && !kept.includes(secret)) {
        expect(json).not.toContain(JSON.stringify(secret.trim()).slice(1, -1));
        expect(text(secret)).toBe('[redacted]');
      }
    }),
  );
});
