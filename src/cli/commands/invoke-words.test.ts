/** An agent on the command line: how it is found, its own help, and what is wrong with its words, before anything runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandHelp } from '../help.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { commandNamed } from '../table.ts';

let s: Scratch;
beforeAll(() => {
  s = scratch();
  s.write(
    'agent.too',
    '##! An agent.\n\n## Review it.\nthunk review(input: Message, focus?: Text):\n  user: x\n\n## Sum it up.\nthunk sum-up(n: Number) -> Text:\n  user: x {{n}}\n',
  );
  s.write('bad.too', 'thunk review(input: Mesage):\n  user: x\n');
  s.write('flow.toon', 'name: flow\n');
  s.write('notes.md', 'Notes.\n');
});
afterAll(() => s.remove());

const cli = (...argv: string[]) => s.cli(argv);

describe('help', () => {
  it('of a file is that of the agent, and with a thunk that of the thunk', async () => {
    const agent = await cli('agent.too', '--help');
    expect(agent).toMatchObject({ code: 0, err: '' });
    expect(agent.out).toMatch(/^toolang agent\.too: An agent\.\n(.*\n)*Thunks\n {2}review {2}Review it\.\n/);
    const thunk = await cli('agent.too', 'review', '--help');
    expect(thunk.out).toMatch(/^toolang agent\.too review: Review it\.\n/);
    for (const argv of [
      ['invoke', 'agent.too', 'review', '-h'],
      ['--help', 'agent.too', 'review'],
      ['agent.too', '--help', 'review', 'some words'],
      ['agent.too', '-jh', 'review'],
      ['invoke', '--help', 'agent.too', 'review'],
    ]) {
      expect(await cli(...argv)).toEqual(thunk);
    }
    expect(await cli('agent.too', '-h', 'hello')).toEqual(agent);
    expect((await cli('--color', 'agent.too', '--help')).out).toContain('\x1b[1m');
  });

  it('without a file, or with what cannot be read, is that of the command', async () => {
    const command = commandNamed('invoke');
    if (!command) throw new Error('no command');
    const out = commandHelp(command, false);
    for (const argv of [
      ['invoke', '--help'],
      ['help', 'invoke'],
      ['agent.too', '--jsn', '--help'],
    ]) {
      expect(await cli(...argv)).toEqual({ code: 0, out, err: '' });
    }
  });

  it('of a thunk that is not there says which is', async () => {
    expect(await cli('agent.too', 'revew', '--help')).toEqual({
      code: 2,
      out: '',
      err: 'toolang: "agent.too" has no thunk "revew". Did you mean "review"?\n  Its thunks: review, sum-up.\n',
    });
  });

  it('of a file with errors is what they are', async () => {
    const { code, out, err } = await cli('bad.too', '--help');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Did you mean "Message"?');
  });
});

describe('mistakes', () => {
  it('in the file are told with what was meant', async () => {
    expect((await cli('agnt.too', 'hello')).err).toBe(
      'toolang: "agnt.too" does not exist. (TOO5001)\n  Did you mean "agent.too"?\n',
    );
    expect((await cli('invoke', 'flow.toon')).err).toBe(
      'toolang: "flow.toon" is a workflow, not an agent.\n  to run it: toolang run flow.toon\n',
    );
    expect((await cli('flow.toon', 'x')).err).toBe(
      'toolang: unknown command "flow.toon".\n  to run the workflow: toolang run flow.toon\n',
    );
    expect((await cli('invoke')).err).toContain('invoke needs AGENT|FILE');
    expect((await cli('bad.too', 'x')).code).toBe(2);
  });

  it('in flags say that words may follow "--"', async () => {
    expect((await cli('agent.too', 'review', 'what', 'is', '--fast')).err).toContain(
      'a word that starts with "-" goes after "--"',
    );
  });

  it('in words are all told at once, and how to see what it takes', async () => {
    expect(await cli('agent.too', 'hello')).toMatchObject({
      code: 2,
      err: 'toolang: "agent.too" has several thunks and none is the default; name one.\n  Its thunks: review, sum-up.\n',
    });
    expect(await cli('agent.too', 'sum-up', 'm=3', 'hello')).toEqual({
      code: 2,
      out: '',
      err: [
        'toolang: "hello" is an input, and there is none: "sum-up" takes n=…',
        'toolang: "m" is not a parameter: "sum-up" takes n=….',
        'toolang: "n" is missing; it must be Number: write n=1',
        '  what it takes: toolang agent.too sum-up --help',
        '',
      ].join('\n'),
    });
    expect((await cli('agent.too', 'review', '@note.md')).err).toContain(
      '"note.md" does not exist; for a text that begins with "@" write @@note.md. Did you mean "notes.md"?',
    );
    expect((await cli('agent.too', 'review')).err).toContain('the input is missing');
    expect((await s.cli(['agent.too', 'review'], { stdin: Buffer.from([0]) })).err).toContain('NUL byte');
  });
});
