/** `toolang explain`: a thunk of a file, or a code. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const two = `##! Two thunks.

struct Answer:
  text: Text

psyche calm:
  Be calm.

use psyche openhat/calm

instruct rules:
  Answer in one line.

## Answers.
thunk(input: Message, tone?: Text) -> Answer:
  models = gpt-5
  tools -= filesystem
  tools += shell
  hands += other
  recall = history
  instruct: rules
  user: Say it{{#tone}} in a {{tone}} tone{{/tone}}.

thunk other(x: Number[]) -> Text:
  user: {{x}}
`;

describe('a file', () => {
  it('is explained by its default thunk: sets with reasons, texts, schemas', async () => {
    s.write('a.too', two);
    const { code, out, err } = await s.cli(['explain', 'a.too']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^thunk default\(input: Message, tone\?: Text\) -> Answer\n {2}Answers\.\n {2}other thunks: other\n/,
    );
    expect(out).toMatch(/tools +shell +"tools \+= …" at line 18\n +- filesystem +removed by "tools -= …" at line 17/);
    expect(out).toMatch(/psyches +calm +default: inline, shadows use openhat\/calm/);
    expect(out).toMatch(/^Instructions\n {2}"instruct: rules"; context: /m);
    expect(out).toContain('│ Say it in a <tone> tone.\n    │\n    │ <input>\n');
    expect(out).toContain('"input": "a Message"');
    expect(out).toContain('Shadowed');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(err).not.toContain('error');
  });

  it('is explained by the thunk that is named; a word that is almost one is an input, and told of', async () => {
    s.write('a.too', two);
    expect((await s.cli(['explain', 'a.too', 'other'])).out).toMatch(/^thunk other\(x: Number\[\]\) -> Text\n/);
    const { code, out } = await s.cli(['explain', 'a.too', 'ohter']);
    expect(code).toBe(0);
    expect(out).toContain('│ ohter\n');
    expect(out).toMatch(/"ohter" names no thunk, and is an input of "default"\. Did you mean\s+"other"\?/);
  });

  it('needs a name when it has several thunks and no default', async () => {
    s.write('a.too', 'thunk b:\n  user: b\nthunk a:\n  user: a\n');
    expect((await s.cli(['explain', 'a.too'])).err).toBe(
      'toolang: "a.too" has several thunks and none is the default; name one.\n  Its thunks: b, a.\n',
    );
    s.write('b.too', 'thunk only:\n  user: hi\n');
    expect((await s.cli(['explain', 'b.too'])).out).toMatch(/^thunk only/);
    s.write('c.too', 'struct A:\n  b: Text\n');
    expect((await s.cli(['explain', 'c.too'])).err).toContain('"c.too" has no thunk.');
  });

  it('knows what lies around it', async () => {
    s.write('.toolang/psyches/wild.md', 'Be wild.\n');
    s.write('.toolang/config.toml', '[tools]\ndefault = ["web"]\n[models]\ndefault = ["m1"]\n');
    s.write('a.too', 'thunk:\n  user: hi\n');
    const { out } = await s.cli(['explain', 'a.too']);
    expect(out).toMatch(/psyches +wild +default: home/);
    expect(out).toMatch(/tools +web +default/);
    expect(out).toMatch(/models +m1 +default/);
  });

  it('with errors is not explained', async () => {
    s.write('a.too', 'thunk:\n  tool = shell\n  user: hi\n');
    const { code, out, err } = await s.cli(['explain', 'a.too']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^a\.too:2:3 {2}error TOO1601[\s\S]*\n1 error: mend it first\n$/);
    const json = await s.cli(['explain', 'a.too', '--json']);
    expect(json).toMatchObject({ code: 2, err: '' });
    expect(JSON.parse(json.out)).toMatchObject({ thunks: [], diagnostics: [{ code: 'TOO1601' }], problems: [] });
  });

  it('that cannot be read is told as such', async () => {
    expect((await s.cli(['explain', 'x.too'])).err).toContain('(TOO5001)');
    expect((await s.cli(['explain', '.'])).err).toContain('there is no .too file in ".". (TOO5247)');
    expect(JSON.parse((await s.cli(['explain', 'x.too', '--json'])).out).problems).toMatchObject([{ code: 'TOO5001' }]);
  });

  it('may be piped, and shows nothing raw that a terminal would obey', async () => {
    const stdin = '## a\u202eb\nthunk:\n  instruct: \u200fc\n  context: d\u2066\n  user: x\u200by\n';
    for (const argv of [
      ['explain', '-'],
      ['explain', '-', '--json'],
    ]) {
      const { code, out, err } = await s.cli(argv, { stdin });
      expect(code).toBe(0);
      expect(out + err).not.toMatch(/[\u202e\u200f\u2066\u200b]/);
    }
  });
});

describe('a code', () => {
  it('is explained by its page, in either case of letters, or by its number alone', async () => {
    const { code, out } = await s.cli(['explain', 'too1601']);
    expect(code).toBe(0);
    expect(out).toMatch(/^# TOO1601 Unknown directive\n/);
    expect(JSON.parse((await s.cli(['explain', 'TOO1601', '--json'])).out)).toEqual({
      version: 1,
      code: 'TOO1601',
      page: out,
    });
    expect((await s.cli(['explain', '1601'])).out).toBe(out);
  });

  it('that is none gets the nearest, and a code has no thunks', async () => {
    const { code, err } = await s.cli(['explain', 'TOO1699']);
    expect(code).toBe(2);
    expect(err).toMatch(/^toolang: there is no code TOO1699\. Did you mean "TOO1\d+"\?\n/);
    expect((await s.cli(['explain', 'TOO16'])).err).toContain('there is no code TOO16.');
    expect((await s.cli(['explain', 'TOO1601', 'x'])).err).toContain('a code has no thunks');
  });
});
