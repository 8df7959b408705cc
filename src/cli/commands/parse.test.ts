/** `toolang parse`: the tree and the tokens, for people and programs. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const text = '## Says hi.\nthunk greet(name: Text[]) -> Text:\r\n  user: hi {{name}}\t# äö\n';

it('prints the tree with places and texts', async () => {
  s.write('a.too', text);
  const { code, out, err } = await s.cli(['parse', 'a.too']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('program\n  thunk\n    value_name 2:7 "greet"\n');
  expect(out).toContain('type_suffix 2:23 "[]"');
});

it('prints tokens that hold every byte', async () => {
  s.write('a.too', text);
  const { out } = await s.cli(['parse', 'a.too', '--tokens', '--json']);
  const { tokens } = JSON.parse(out);
  expect(tokens.map((token: { text: string }) => token.text).join('')).toBe(text);
  expect((await s.cli(['parse', 'a.too', '--tokens'])).out).toMatch(/^1:1 {6}comment {6}"## Says hi\."\n/);
});

it('prints the tree as JSON, with ranges and docs', async () => {
  s.write('a.too', text);
  const { out } = await s.cli(['parse', '--json', 'a.too']);
  const { version, file, program, diagnostics, problems } = JSON.parse(out);
  expect({ version, file, diagnostics, problems }).toEqual({
    version: 1,
    file: 'a.too',
    diagnostics: [],
    problems: [],
  });
  expect(program.items[0]).toMatchObject({
    kind: 'thunk',
    doc: 'Says hi.',
    name: { text: 'greet', span: { start: { line: 2, column: 7 }, end: { line: 2, column: 12 } } },
  });
});

it('prints what it could read of a broken file, its errors on standard error, and ends with 2', async () => {
  const stdin = 'thunk:\n  hi\nstruct A:\n  b: Text\n';
  const { code, out, err } = await s.cli(['parse', '-'], { stdin });
  expect(code).toBe(2);
  expect(out).toContain('struct');
  expect(err).toMatch(/^<stdin>:2:3 {2}error TOO1607/);
  const json = await s.cli(['parse', '-', '--json'], { stdin });
  expect(json).toMatchObject({ code: 2, err: '' });
  expect(JSON.parse(json.out).diagnostics).toMatchObject([{ code: 'TOO1607', file: '<stdin>' }]);
});

it('says what cannot be read, also in JSON', async () => {
  const { code, err } = await s.cli(['parse', 'a.too']);
  expect({ code, err }).toEqual({
    code: 2,
    err: 'toolang: "a.too" does not exist. (TOO5001)\n  Check the spelling of the path.\n',
  });
  const json = await s.cli(['parse', 'a.too', '--json']);
  expect(json).toMatchObject({ code: 2, err: '' });
  expect(JSON.parse(json.out)).toMatchObject({ file: 'a.too', problems: [{ code: 'TOO5001' }] });
});

it('shows nothing raw that a terminal would obey', async () => {
  const stdin = '# \u202e \u009b31m \x7f\nthunk:\n  user: \u200b\u2028x\n';
  for (const argv of [
    ['parse', '-'],
    ['parse', '-', '--tokens'],
    ['parse', '-', '--tokens', '--json'],
  ]) {
    const { out, err } = await s.cli(argv, { stdin });
    expect(out + err).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028\u202e]/);
  }
});
