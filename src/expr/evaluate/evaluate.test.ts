/** What expressions give, where that is not simply what JavaScript gives, and how they fail. */
import { describe, expect, it } from 'vitest';
import { codes } from '../../text/index.ts';
import { createBudget } from './budget.ts';
import { isTrue } from './evaluate.ts';
import { envOf, failure, now, parsed, run } from './evaluate-helper.ts';

const data = {
  input: { repo: 'toolang', tags: ['b', 'a'], score: 8, none: null, text: 'x' },
  list: [3, 1, 2],
};
const env = envOf(data, { review: undefined, draft: { text: 'hi', note: undefined }, 'two-words': { a: 1 } });

describe('a step', () => {
  it.each([
    'review',
    'review.a',
    'review.a.b',
    'review.a()',
    'review.a.b().c[0]',
    'review[0]',
    'review?.a.b',
    '(review?.a).b',
  ])('without a value makes the chain %s undefined', (text) => {
    expect(run(text, env)).toBeUndefined();
  });

  it('without a value leaves what stands in the brackets of the chain alone', () => {
    expect(run('review.a(nobody)[nobody.x]', env)).toBeUndefined();
  });

  it('without a value is undefined for everything around the chain', () => {
    expect(run('review.a ?? draft.text', env)).toBe('hi');
    expect(run('typeof review.a.b', env)).toBe('undefined');
    expect(run('`${review.a}`', env)).toBe('undefined');
    expect(run('[review.a, 1]', env)).toEqual([undefined, 1]);
    expect(run('review == null', env)).toBe(true);
    expect(failure('(review.a ?? null).b', env).code).toBe('TOO6102');
    expect(failure('[review][0].a', env).code).toBe('TOO6102');
  });

  it('with a value fails behind a field that it has not', () => {
    expect(failure('draft.note.x', env).code).toBe('TOO6102');
  });

  it('with hyphens in its id is one name', () => {
    expect(run('two-words.a + 1', env)).toBe(2);
  });
});

describe('a failure', () => {
  it.each([
    ['nobody', 'TOO6101', 'nobody', 'unknown name "nobody".'],
    ['Maths.max(1)', 'TOO6101', 'Maths', 'unknown name "Maths". Did you mean "Math"?'],
    ['1 + input.a.b', 'TOO6102', 'input.a', 'cannot read "b" of undefined: input.a is undefined'],
    ['input.none.b', 'TOO6102', 'input.none', 'cannot read "b" of null: input.none is null'],
    ['input.tags[9].b', 'TOO6102', 'input.tags[9]', 'cannot read "b" of undefined: input.tags[9] is undefined'],
    ['input.x["y"]', 'TOO6102', 'input.x', 'cannot read "y" of undefined: input.x is undefined'],
    [
      'list.find(x => x > 9).y',
      'TOO6102',
      'list.find(x => x > 9)',
      'cannot read "y" of undefined: list.find(…) is undefined',
    ],
    ['list.map(({ a: { b } }) => b)', 'TOO6102', '{ b }', 'cannot take undefined apart'],
    [
      'input.repo.toUppercase()',
      'TOO6103',
      'input.repo.toUppercase',
      '"toUppercase" is not a function of a string. Did you mean "toUpperCase"?',
    ],
    ['input.repo.map(x => x)', 'TOO6103', 'input.repo.map', '"map" is a method of an array, and this is a string'],
    ['input.join(", ")', 'TOO6103', 'input.join', '"join" of an object is not a function. It is a method of an array.'],
    ['input.repo()', 'TOO6103', 'input.repo', '"repo" of an object is not a function.'],
    ['Math.maxx(1)', 'TOO6104', 'Math.maxx', 'Math has no "maxx". Did you mean "max"?'],
    [
      'Math.random()',
      'TOO6104',
      'Math.random',
      'Math.random cannot be used in an expression: the same expression must give the same value again',
    ],
    ['list.map("x".trim)', 'TOO6103', 'list.map("x".trim)', '"trim" must be called on a string'],
    ['list.map(3)', 'TOO6105', 'list.map(3)', 'map needs a function, not 3'],
    [
      '[].reduce((a, b) => a)',
      'TOO6105',
      '[].reduce((a, b) => a)',
      'reduce of an empty array needs a value to begin with',
    ],
    ['"x".repeat(-1)', 'TOO6105', '"x".repeat(-1)', 'repeat: -1 is no count'],
    ['(1).toFixed(200)', 'TOO6105', '(1).toFixed(200)', 'toFixed: toFixed() digits argument must be between 0 and 100'],
    ['JSON.parse("{a}")', 'TOO6105', 'JSON.parse("{a}")', 'JSON.parse: "{a}" is not JSON at character 2'],
    ['RegExp("(")', 'TOO6105', 'RegExp("(")', undefined],
    ['[...5]', 'TOO6106', '...5', '5 is not an array'],
    ['Math.max(...input)', 'TOO6106', '...input', 'input is not an array'],
    ['"a" in "abc"', 'TOO6106', '"a" in "abc"', '"in" needs an object or an array on its right, not "abc"'],
    [
      '`${x => x}`'.replace('x => x', '[1].concat(x => x)'),
      'TOO6106',
      '[1].concat(x => x)',
      'a function has no text and no number',
    ],
    ['"x".trim', 'TOO6110', '"x".trim', 'the result holds a function, which is not data'],
    ['[{ a: /x/ }]', 'TOO6110', '[{ a: /x/ }]', 'the result holds a regular expression, which is not data'],
  ] as const)('of %s has the code %s and blames %s', (text, code, blamed, message) => {
    const error = failure(text, env);
    expect([error.code, text.slice(error.start, error.end)]).toEqual([code, blamed]);
    if (message !== undefined) expect(error.message).toBe(message);
    expect(codes).toHaveProperty(code);
  });

  it('in a callback blames the callback, and after it the call again', () => {
    const inside = failure('list.map(x => x.y.z)', env);
    expect('list.map(x => x.y.z)'.slice(inside.start, inside.end)).toBe('x.y');
    const after = failure('list.reduce((a, b) => a + b).trim()', env);
    expect(after.message).toBe('"trim" is a method of a string, and this is a number');
  });

  it('says what to write instead where something may be missing', () => {
    expect(failure('input.a.b', env).help).toBe('Write "input.a?.b" if it may be missing.');
  });
});

describe('a value', () => {
  it('is never changed', () => {
    const list = Object.freeze([3, 1, 2]);
    const date = Object.freeze({ a: 1 });
    const frozen = envOf({ list, date });
    expect(run('[list.sort(), list.reverse(), list.fill(0), list.copyWithin(0, 1), list]', frozen)).toEqual([
      [1, 2, 3],
      [2, 1, 3],
      [0, 0, 0],
      [1, 2, 2],
      [3, 1, 2],
    ]);
    expect(
      run('[list.push(9), list.pop(), list.shift(), list.unshift(1, 2), list.splice(1, 1), list]', frozen),
    ).toEqual([4, 2, 3, 5, [1], [3, 1, 2]]);
    expect(run('[Object.assign(date, { b: 2 }), date]', frozen)).toEqual([{ a: 1, b: 2 }, { a: 1 }]);
    expect(run('[new Date(0)].map(d => [d.setFullYear(2000), d.getTime()])[0]')).toEqual([946684800000, 0]);
  });

  it('that is a regular expression always begins at 0', () => {
    expect(run('[/a/g].map(r => [r.test("a"), r.test("a"), r.lastIndex])[0]')).toEqual([true, true, 0]);
  });

  it('has no holes, and its iterators are arrays', () => {
    expect(run('Array(3).map((_, i) => i)')).toEqual([0, 1, 2]);
    expect(run('[1, , 2].map(x => typeof x)')).toEqual(['number', 'undefined', 'number']);
    expect(run('["a", "b"].entries()')).toEqual([
      [0, 'a'],
      [1, 'b'],
    ]);
    expect(run('"a1b2".matchAll(/\\d/g).map(m => m.index)')).toEqual([1, 3]);
  });

  it('is data when it leaves, and its records have no prototype', () => {
    expect(Object.getPrototypeOf(run('({ a: 1 })'))).toBe(null);
    expect(run('new Date(0)')).toEqual(new Date(0));
  });

  it('can be a condition, whatever it is', () => {
    expect(isTrue(parsed('input.score > 7'), env)).toBe(true);
    expect(isTrue(parsed('review.approved'), env)).toBe(false);
    expect(isTrue(parsed('/x/'), env)).toBe(true);
  });
});

describe('time and place', () => {
  it('are the start of the run, in UTC', () => {
    expect(run('[Date.now(), new Date().getTime(), new Date().getHours(), new Date().getTimezoneOffset()]')).toEqual([
      now,
      now,
      12,
      0,
    ]);
    expect(run('Date()')).toBe('Thu Feb 29 2024 12:34:56 GMT+0000 (Coordinated Universal Time)');
  });

  it('are American English and UTC for texts, unless the expression says otherwise', () => {
    expect(run('(1234567.891).toLocaleString()')).toBe('1,234,567.891');
    expect(run('(1234.5).toLocaleString("de-DE")')).toBe('1.234,5');
    expect(run('(0.25).toLocaleString("en-US", { style: "percent" })')).toBe('25%');
    expect(run('(1234.5).toLocaleString("xx-XX")')).toBe('1,234.5');
    expect(run('new Date().toLocaleDateString()')).toBe('2/29/2024');
    expect(run('new Date().toLocaleTimeString("en-US", { timeZone: "Asia/Tokyo" })')).toMatch(/^9:34:56.PM$/);
    expect(run('new Date().toLocaleDateString("en-GB", { weekday: "long" })')).toBe('Thursday');
    expect(run('["b", "a", "C", "ä"].sort((x, y) => x.localeCompare(y))')).toEqual(['a', 'ä', 'b', 'C']);
    expect(run('["a10", "a9"].sort((x, y) => x.localeCompare(y, undefined, { numeric: true }))')).toEqual([
      'a9',
      'a10',
    ]);
    expect(run('"TITLE".toLocaleLowerCase("tr")')).toBe('tıtle');
    expect(run('[1234, new Date(0), null].toLocaleString()')).toMatch(/^1,234,1\/1\/1970, 12:00:00.AM,$/);
    expect(failure('(1).toLocaleString("en-US", { style: "nope" })').code).toBe('TOO6105');
    expect(failure('(1).toLocaleString("a b")').code).toBe('TOO6105');
  });

  const zone = process.env.TZ;
  it.each(['America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'])('do not depend on a machine in %s', (name) => {
    const text = `[new Date('2024-03-10T02:30'), new Date('Mar 10, 2024 2:30 PM'), new Date('2024/03/10'),
      new Date('2024-03-10 02:30:00'), new Date(2024, 2, 10, 2, 30), new Date('Sun, 10 Mar 2024 02:30:00 GMT'),
      new Date('2024-03-10'), new Date('10 March 2024 02:30 +0100'), new Date('2024-03-10T02:30:00-05:00'),
      new Date('Sun Mar 10 2024 02:30:00 GMT+0100 (CET)')]
      .map(d => [d.toISOString(), d.getDay(), d.getHours(), String(d), d.toLocaleString(), d.setHours(1), d.setMonth(5)])`;
    process.env.TZ = 'UTC';
    const expected = run(text);
    try {
      process.env.TZ = name;
      expect(new Date(2024, 5, 1).getTimezoneOffset()).not.toBe(0);
      expect(run(text)).toEqual(expected);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
    expect((expected as string[][]).map(([iso]) => iso)).toEqual([
      '2024-03-10T02:30:00.000Z',
      '2024-03-10T14:30:00.000Z',
      '2024-03-10T00:00:00.000Z',
      '2024-03-10T02:30:00.000Z',
      '2024-03-10T02:30:00.000Z',
      '2024-03-10T02:30:00.000Z',
      '2024-03-10T00:00:00.000Z',
      '2024-03-10T01:30:00.000Z',
      '2024-03-10T07:30:00.000Z',
      '2024-03-10T01:30:00.000Z',
    ]);
  });
});

describe('a budget', () => {
  it('can be shared, and stops in the middle of the second expression', () => {
    const budget = createBudget(100);
    const shared = { ...env, budget };
    expect(run('list.map(x => x + 1)', shared)).toEqual([4, 2, 3]);
    const { spent } = budget;
    expect(spent).toBeGreaterThan(20);
    expect(failure('list.map(x => list.map(y => x + y))', shared).code).toBe('TOO6107');
  });

  it('counts the same work for the same values', () => {
    const spent = [1, 2].map(() => {
      const budget = createBudget();
      run('list.map(x => `${x}`.padStart(100).replace(/\\s+/g, "-")).sort((a, b) => a.localeCompare(b))', {
        ...env,
        budget,
      });
      return budget.spent;
    });
    expect(spent[0]).toBe(spent[1]);
  });
});
