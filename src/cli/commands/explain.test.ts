/** `toolang explain`: a thunk of a file, or a code. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../../test/json-schema.ts';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

function writeAt(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

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

describe('an agent', () => {
  const bob = 'thunk(input: Message, tone?: Text):\n  models = scripted\n  recall = memory\n';
  const jsonOf = async (argv: readonly string[], options = {}) => {
    const { code, out, err } = await s.cli(['explain', ...argv, '--json'], options);
    if (out === '') throw new Error(err);
    const json = JSON.parse(out);
    expect(violations(json, 'explain.schema.json')).toEqual([]);
    return { code, ...json };
  };

  it('is found by its name, with the caps of its home and of the root, and without those that are off', async () => {
    writeAt(join(s.home, '.toolang/agents/bob/agent.too'), bob);
    writeAt(join(s.home, '.toolang/agents/bob/psyches/near.md'), 'Be near.\n');
    writeAt(join(s.home, '.toolang/psyches/far.md'), 'Be far.\n');
    const all = await jsonOf(['bob', 'Hi']);
    expect(all.call.messages[0].content).toContain('Be near.');
    expect(all.call.messages[0].content).toContain('Be far.');
    const { preview, call } = await jsonOf(['bob', 'Hi', '--no-global', '--no-shared']);
    expect(preview.sets.psyches).toMatchObject({
      items: [],
      leftOut: [
        { name: 'near', why: 'caps of the home are off: --shared' },
        { name: 'far', why: 'caps of the root are off: --global' },
      ],
    });
    expect(call.messages[0].content).not.toContain('Be ');
    expect(readdirSync(join(s.home, '.toolang/agents/bob')).sort()).toEqual(['agent.too', 'psyches']);
    expect((await s.cli(['explain', 'acme/zoe'])).err).toContain('"acme/zoe" was not fetched yet.');
    expect((await s.cli(['explain', 'nobody'])).err).toContain('there is no agent "nobody"');
  });

  it('has none of a wider scope in the place of a cap that was not synced yet', async () => {
    s.write('.toolang/skills/review/SKILL.md', '---\nname: review\ndescription: Another one\n---\nLook.\n');
    s.write('a.too', `use skill acme/review\n\n${bob}`);
    const { preview, call, remarks } = await jsonOf(['a.too']);
    expect(preview.sets.skills.leftOut).toEqual([{ name: 'review', why: 'it was not synced yet: run toolang sync' }]);
    expect(JSON.stringify(call)).not.toContain('Another one');
    expect(remarks).toContainEqual('not synced yet, so not known here: skill review; run toolang sync a.too');
  });

  it('is given what is named, as invoke is: what is wrong with it is told', async () => {
    s.write('a.too', bob);
    s.write('note.txt', 'A note.');
    const { call, preview } = await jsonOf(['a.too', 'tone=dry', 'Read', '@note.txt']);
    expect(preview).toMatchObject({ isSample: false, values: { tone: 'dry' } });
    expect(JSON.stringify(call.messages.at(-1))).toContain('A note.');
    const wrong = await jsonOf(['a.too', 'tone=dry']);
    expect(wrong).toMatchObject({ code: 2, problems: [{ message: expect.stringContaining('the input is missing') }] });
    const piped = await jsonOf(['a.too', '-'], { stdin: 'Piped.' });
    expect(piped.call.messages.at(-1)).toEqual({ role: 'user', content: 'Piped.' });
    const twice = await jsonOf(['-', '-'], { stdin: bob });
    expect(twice.problems).toMatchObject([{ message: 'standard input is the agent itself' }]);
    // What nobody asks for is not waited for.
    expect((await jsonOf(['a.too'], { stdin: 'Piped.' })).preview.isSample).toBe(true);
  });

  it('says who answers, and why', async () => {
    s.write('a.too', bob);
    expect((await jsonOf(['a.too'])).call.models).toEqual([
      {
        name: 'scripted',
        ref: 'scripted',
        why: 'named by the thunk',
        usable: false,
        problem: 'its replies are not there: a.script.toon',
      },
    ]);
    s.write('b.too', 'thunk:\n  user: Hi.\n');
    const first = await jsonOf(['b.too'], { env: { OPENAI_API_KEY: 'x' } });
    expect(first.call.models).toMatchObject([{ why: 'default: the first that can be used', usable: true }]);
    expect(first.preview.sets.models.items).toMatchObject([{ why: 'default: the first that can be used' }]);
    s.write('.toolang/config.toml', '[models]\ndefault = ["anthropic/claude-sonnet-5", "openai/gpt-5"]\n');
    const two = await jsonOf(['b.too'], { env: { OPENAI_API_KEY: 'x' } });
    expect(two.call.models).toMatchObject([
      { name: 'anthropic/claude-sonnet-5', why: 'default: [models] of config.toml', usable: false },
      { name: 'openai/gpt-5', usable: true },
    ]);
    const less = await jsonOf(['b.too', '--models', 'openai/*'], { env: { OPENAI_API_KEY: 'x' } });
    expect(less.call.models).toMatchObject([{ name: 'openai/gpt-5' }]);
    s.write('c.too', 'thunk:\n  models = openai/gpt-5, anthropic/claude-sonnet-5\n');
    const named = await jsonOf(['c.too', '--models', 'openai/*'], { env: { OPENAI_API_KEY: 'x' } });
    expect(named.preview.sets.models).toMatchObject({
      items: [{ name: 'openai/gpt-5' }],
      leftOut: [{ name: 'anthropic/claude-sonnet-5', why: '--models leaves it out' }],
    });
  });

  it('that calls a workflow which has errors is shown without it', async () => {
    s.write('bad.toon', 'name: bad\ninput:\nsteps[1]:\n  - id: a\n    agent: nobody\n    prompt: x\n');
    s.write('ok.toon', 'name: ok\ninput:\n  q: string\nsteps[1]:\n  - id: a\n    run: return 1\n    output: number\n');
    s.write('a.too', 'thunk:\n  models = scripted\n  tools -= filesystem\n  hands = ./bad.toon, ./ok.toon\n');
    const { call, remarks } = await jsonOf(['a.too', '--no-code']);
    expect(call.tools.map(({ name }: { name: string }) => name)).toEqual(['ok']);
    expect(call.tools[0].parameters.required).toEqual(['q']);
    expect(remarks[0]).toMatch(/^a run would stop: the hand "\.\/bad\.toon", bad\.toon: bad\.toon:4:/);
  });

  it('has flags that a workflow has not', async () => {
    s.write('f.toon', 'name: f\ninput:\nsteps[1]:\n  - id: a\n    run: return 1\n    output: number\n');
    expect((await s.cli(['explain', 'f.toon', '--tools', 'web'])).err).toContain('--tools is for agents.');
    expect((await s.cli(['explain', 'f.toon', 'a', 'b'])).err).toContain('"b" is one word too many.');
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
