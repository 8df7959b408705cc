import { describe, expect, it } from 'vitest';
import { createSource } from '../text/index.ts';
import { messageType, numberType, refTo, textType } from '../type/index.ts';
import { signaturesOf } from './signatures.ts';

const of = (text: string) => signaturesOf(createSource('r.too', text));

describe('signatures of a file', () => {
  it('are those of all its thunks, with its structs', () => {
    const found = of(
      'struct Review:\n  ok: Boolean\nthunk:\nthunk review(input: Text, limit?: Number) -> Review:\n  user: {{limit}}\n',
    );
    if (!found.ok) throw new Error(found.message);
    expect([...found.thunks.keys()]).toEqual(['default', 'review']);
    expect(found.thunks.get('default')).toMatchObject({
      params: [{ name: 'input', type: messageType, optional: false }],
      output: messageType,
    });
    const review = found.thunks.get('review');
    expect(review?.params).toEqual([
      { name: 'input', type: textType, optional: false },
      { name: 'limit', type: numberType, optional: true },
    ]);
    expect(review?.output).toEqual(refTo('Review'));
    expect(review?.types.get('Review')?.fields).toHaveLength(1);
  });

  it('are none of a file with errors: the first is told, with its place', () => {
    expect(of('thunk:\n  user: hi\n  Bare.\nthunk:\n  user: hi\n')).toEqual({
      ok: false,
      message: expect.stringMatching(/^"r\.too" has 2 errors, the first of them at r\.too:3:3: [^.]*.*[^.]$/),
      help: 'Run "toolang check r.too", which shows all that is wrong with it.',
    });
    expect(of('thunk a(x: Nope):\n  user: {{x}}\n')).toMatchObject({
      message: expect.stringContaining('has an error at r.too:1:12: '),
    });
  });

  it('are there where only something of another place is not known', () => {
    expect(of('thunk:\n  skills += somewhere\n  models = gpt\n').ok).toBe(true);
  });
});
