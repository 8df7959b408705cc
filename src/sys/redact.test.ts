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
    fc.property(fc.jsonValue(), fc.stringMatching(/^[a-z"\\]{2,4}\n?[a-z"\\]{2,4}$/), (value, secret) => {
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

test('finds base64 of a secret, alone and within something longer, in both alphabets', () => {
  const secret = 'pl?nted>>value~~1';
  const { text } = createRedactor([{ name: 'KEY', value: secret }]);
  for (const before of ['', 'a', 'ab', 'user:', 'x-token:']) {
    for (const after of ['', '!', '!!', ':rest']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const code = Buffer.from(before + secret + after).toString(encoding);
        const clean = text(`Authorization: Basic ${code}`);
        expect(clean).toContain('[redacted KEY]');
        // What is left at the ends holds no whole character of it.
        const left = clean.replace('Authorization: Basic ', '').split('[redacted KEY]');
        for (const part of left) expect(Buffer.from(part, encoding).toString('latin1')).not.toMatch(/nted|value/);
      }
    }
  }
});

test('finds a secret that is broken into lines, as it is, in base64 and in hex digits, wherever a piece ends', () => {
  const secret = 'sk-planted-12345678';
  const redactor = createRedactor([{ name: 'KEY', value: secret }]);
  const broken = (text: string, width: number, end: string) => text.match(new RegExp(`.{1,${width}}`, 'g'))?.join(end);
  fc.assert(
    fc.property(
      fc.stringMatching(/^[ab\n]{0,9}$/),
      fc.constantFrom<BufferEncoding>('utf8', 'base64', 'hex'),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 0, max: 80 }),
      (before, encoding, width, end, cut) => {
        const text = `${before}${broken(Buffer.from(secret).toString(encoding), width, end)}\nend`;
        const stream = redactor.stream();
        const clean = stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end();
        expect(clean).toBe(`${before}[redacted KEY]\nend`);
        expect(redactor.text(text)).toBe(clean);
      },
    ),
  );
});

test('line ends that are no part of a secret stay, and cost no time', () => {
  const redactor = createRedactor(['a'.repeat(5000)]);
  const lines = 'a\n'.repeat(4000);
  expect(redactor.text(`${lines}b\n\nb`)).toBe(`${lines}b\n\nb`);
  const begun = performance.now();
  redactor.text('a\n'.repeat(2_000_000));
  expect(performance.now() - begun).toBeLessThan(8000);
});

test('finds what a form of a page sends, with blanks as plus signs and small hex digits', () => {
  const { text } = createRedactor(['pass word/é']);
  expect(text('p=pass+word%2F%C3%A9&q=pass%20word%2f%c3%a9')).toBe('p=[redacted]&q=[redacted]');
});

test('finds the lines of a secret that has several, however they are indented', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nshort\n-----END PRIVATE KEY-----\n';
  const { text } = createRedactor([{ name: 'PEM', value: key }]);
  expect(text(`  | MIIEvQIBADANBgkqhkiG9w0B\r\n`)).toBe('  | [redacted PEM]\r\n');
  expect(text('short')).toBe('short');
});

test('covers a secret that overlaps itself', () => {
  expect(createRedactor(['abab']).text('xababababy')).toBe('x[redacted]y');
});

const words = fc.stringMatching(/^[ab]{4,7}$/);

test('takes out exactly what a naive search covers', () => {
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1, maxLength: 5 }),
      fc.stringMatching(/^[abc]{0,60}$/),
      (secrets, given) => {
        const isCovered = [...given].map((_, at) =>
          secrets.some((s) => s.split('').some((__, back) => at >= back && given.startsWith(s, at - back))),
        );
        const kept = [...given].filter((_, at) => !isCovered[at]).join('');
        expect(createRedactor(secrets).text(given).replaceAll('[redacted]', '')).toBe(kept);
      },
    ),
  );
});

test('a text in pieces is cleaned as the whole is, wherever it is cut', () => {
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1, maxLength: 4 }),
      fc.array(fc.stringMatching(/^[abc]{0,9}$/), { maxLength: 12 }),
      (secrets, pieces) => {
        const redactor = createRedactor(secrets.map((value, i) => ({ name: String(i), value })));
        const stream = redactor.stream();
        const out = pieces.map((piece) => stream.push(piece)).join('');
        expect(out + stream.end()).toBe(redactor.text(pieces.join('')));
      },
    ),
  );
});

test('holds back no more than a secret is long', () => {
  const stream = createRedactor(['hunter22hunter22']).stream();
  expect(stream.push('.'.repeat(100_000))).toHaveLength(100_000);
  expect(stream.push('hunter22hunt')).toBe('');
  expect(stream.push('x')).toBe('hunter22huntx');
  expect(stream.push('hunter22hunter22') + stream.push('.')).toBe('[redacted].');
  expect(stream.push('hunter22') + stream.end()).toBe('hunter22');
});

test('a thousand secrets that share their beginnings cost about as much as one', () => {
  const text = 'token-token-token-aaaa '.repeat(40_000);
  const of = (count: number) => createRedactor(Array.from({ length: count }, (_, i) => `token-token-token-${i + 1e6}`));
  const steps = (redactor: ReturnType<typeof of>) => {
    const from = process.cpuUsage();
    for (let i = 0; i < 3; i++) expect(redactor.text(text)).toBe(text);
    const { user, system } = process.cpuUsage(from);
    return user + system;
  };
  const [one, many] = [of(1), of(1000)];
  steps(one);
  // A search for each of them in turn takes some hundred times as long.
  expect(steps(many)).toBeLessThan(20 * steps(one));
});
