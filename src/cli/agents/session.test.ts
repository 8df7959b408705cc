/** `toolang run AGENT`: line after line, over pipes and as if somebody typed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
  s.write('bob.too', 'thunk:\n  tools -= filesystem\n');
  replies('Hello.', 'You are Ana.', 'Bye.');
  s.write('.toolang/prompts/rewrite.md', '---\ndescription: Says it otherwise.\n---\nIn a {{tone}} tone: {{input}}\n');
});
afterEach(() => s.remove());

function replies(...texts: readonly string[]): void {
  const rows = texts.map((text) => `  - for: default\n    text: ${JSON.stringify(text)}\n`);
  s.write('bob.script.toon', `replies[${texts.length}]:\n${rows.join('')}`);
}

const say = (stdin: string, ...flags: readonly string[]) => s.cli(['run', 'bob.too', ...flags], { stdin });

/** What the runs of this home were given, the first one first. */
async function inputs(): Promise<unknown[]> {
  const { runs } = JSON.parse((await s.cli(['runs', '--json'])).out);
  const given: unknown[] = [];
  for (const { run } of runs.reverse())
    given.push(JSON.parse((await s.cli(['show', '--json', run])).out).run.input.input);
  return given;
}

describe('lines', () => {
  it('are inputs, each a run of its own, and what was said before is known', async () => {
    const ran = await say('I am Ana\nWho am I?\n');
    expect(ran).toMatchObject({ code: 0, out: 'Hello.\nYou are Ana.\n' });
    expect(ran.err).toMatch(
      /^ {2}bob · thread (\w+) {2}model: scripted \(bob\.script\.toon, no key found\)\n.*toolang run bob\.too --thread \1\n/,
    );
    expect(await inputs()).toEqual(['I am Ana', 'Who am I?']);
    const { runs } = JSON.parse((await s.cli(['runs', '--json'])).out);
    const logs = await s.cli(['logs', '--json', runs[0].run]);
    expect(logs.out).toContain('"content":"I am Ana"');
    expect((await s.cli(['runs'])).out).toContain('bob › default  done');
  });

  it('that are empty are none, and one that ends with a backslash goes on in the next', async () => {
    expect((await say('\n  \none \\\ntwo\nlast \\')).out).toBe('Hello.\nYou are Ana.\n');
    expect(await inputs()).toEqual(['one \ntwo', 'last ']);
  });

  it('go on with a thread that is named', async () => {
    expect((await say('I am Ana\n', '--thread', 'monday')).code).toBe(0);
    replies('Again.');
    const { err } = await say('And now?\n', '--thread', 'monday');
    expect(err).toContain('thread monday');
    const { runs } = JSON.parse((await s.cli(['runs', '--json'])).out);
    expect((await s.cli(['logs', '--json', runs[0].run])).out).toContain('"content":"I am Ana"');
  });

  it('end with the last one: 1 where that failed, and errors before it end nothing', async () => {
    replies('Hello.');
    const failed = await say('one\ntwo\n');
    expect(failed).toMatchObject({ code: 1, out: 'Hello.\n' });
    expect(failed.err).toContain('no reply is left');
    replies('Hello.', 'Again.');
    expect(await say('/rewrit x\nok\n/quit\nmore\n')).toMatchObject({ code: 0, out: 'Hello.\n' });
    expect((await say('ok\n/rewrit x\n')).code).toBe(1);
    expect((await say('')).code).toBe(0);
  });

  it('give a line of JSON each with --json', async () => {
    const { out } = await say('one\ntwo\n', '--json');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ output, status }) => [output, status])).toEqual([
      ['Hello.', 'done'],
      ['You are Ana.', 'done'],
    ]);
  });

  it('that are typed are asked for, and Ctrl-D ends it', async () => {
    const ran = await s.cli(['run', 'bob.too'], { stdin: 'I am Ana\n', typed: true, shown: true });
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('\n> ');
    // Word by word, and not a second time.
    expect(ran.out).toBe('Hello.\n');
  });
});

describe('commands', () => {
  it('are prompts: written out, suggested, listed', async () => {
    const ran = await say('/rewrite tone=short Hello there\n//path is a text\n/rewrit x\n/rewrite\n/help\n');
    expect(await inputs()).toEqual(
      ['In a short tone: Hello there\n', '/path is a text'].map((text) => expect.stringContaining(text.trim())),
    );
    expect(ran.err).toContain('there is no prompt "/rewrit". Did you mean "/rewrite"?');
    expect(ran.err).toContain('/rewrite needs tone and text. Write /rewrite tone=… text…');
    expect(ran.err).toMatch(/\/rewrite tone=… text… {2}Says it otherwise\.\n {2}\/help/);
    expect(ran.code).toBe(0);
  });
});

describe('what would go wrong with every input', () => {
  const refused = async (text: string, ...flags: readonly string[]) => {
    s.write('x.too', text);
    const ran = await s.cli(['run', 'x.too', ...flags], { stdin: 'hello\n' });
    expect(ran).toMatchObject({ code: 2, out: '' });
    return ran.err;
  };

  it('is told before the first: parameters that cannot be given, and thunks of which none is meant', async () => {
    expect(await refused('thunk chat(input: Message, n: Number):\n  user: {{n}}\n')).toBe(
      'toolang: the thunk "chat" needs "n", and is given only what is typed here.\n  Call it once: toolang invoke x.too chat n=… …\n',
    );
    expect(await refused('thunk a:\n  user: x\n\nthunk b:\n  user: x\n')).toContain('toolang invoke x.too a …');
    expect(await refused('thunk:\n  models = openai/gpt-5\n')).toContain('OPENAI_API_KEY is not set');
  });

  it('are flags of workflows, and files that are none', async () => {
    const agent = 'thunk:\n  models = scripted\n';
    expect(await refused(agent, '--input', 'a=b')).toContain('--input is for workflows');
    expect(await refused(agent, '--watch')).toContain('--watch is for workflows');
    expect(await refused(agent, '--detach')).toContain('toolang invoke x.too … --detach');
    expect(await refused(agent, '--script', '-')).toContain('cannot be the script too');
    s.write('flow.toon', 'name: flow\n');
    expect((await s.cli(['run', 'flow'])).err).toContain('Did you mean "flow.toon"?');
    expect((await s.cli(['run', 'bo'])).err).toContain('there is no agent "bo". Did you mean "bob.too"?');
  });

  it('is not a thunk "chat", which is the one that is meant', async () => {
    s.write('c.too', 'thunk:\n  user: no\n\nthunk chat:\n  tools -= filesystem\n');
    s.write('c.script.toon', 'replies[1]:\n  - for: chat\n    text: Yes.\n');
    expect((await s.cli(['run', 'c.too'], { stdin: 'hello\n' })).out).toBe('Yes.\n');
  });
});
