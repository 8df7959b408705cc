/** `toolang chat AGENT` on a terminal: typed, shown, asked, stopped, gone on with. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../../test/json-schema.ts';
import { type TypedTerminal, typedTerminal } from '../../chat/screen-kit.ts';
import { type Ran, type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
let running: Promise<Ran> | undefined;
let terminal: TypedTerminal;

beforeEach(() => {
  s = scratch();
  s.write('bob.too', 'thunk:\n  tools -= filesystem\n');
  s.write('.toolang/prompts/rewrite.md', '---\ndescription: Says it otherwise.\n---\nIn a {{tone}} tone: {{input}}\n');
});
afterEach(async () => {
  // Whoever is still there goes.
  terminal?.hangUp();
  await running;
  running = undefined;
  s.remove();
});

interface Reply {
  readonly for?: string;
  readonly text?: string;
  readonly pace?: string;
  readonly error?: string;
  readonly price?: number;
  readonly calls?: readonly { readonly tool: string; readonly args?: Readonly<Record<string, string>> }[];
}

function replies(name: string, ...all: readonly (string | Reply)[]): void {
  const rows = all.map((each) => {
    const {
      for: who = 'default',
      text,
      pace,
      calls,
      price,
      error,
    } = typeof each === 'string' ? { text: each } : (each as Reply);
    const lines = [`  - for: ${who}`];
    if (text !== undefined) lines.push(`    text: ${JSON.stringify(text)}`);
    if (pace !== undefined) lines.push(`    pace: ${pace}`);
    if (price !== undefined) lines.push(`    price: ${price}`);
    if (error !== undefined) lines.push(`    error: ${error}`);
    if (calls) {
      lines.push(`    calls[${calls.length}]:`);
      for (const { tool, args } of calls) {
        lines.push(`      - tool: ${tool}`);
        if (args)
          lines.push('        args:', ...Object.entries(args).map(([k, v]) => `          ${k}: ${JSON.stringify(v)}`));
      }
    }
    return `${lines.join('\n')}\n`;
  });
  s.write(`${name}.script.toon`, `replies[${all.length}]:\n${rows.join('')}`);
}

/** Opens a chat, and waits for its line. */
async function open(argv: readonly string[], { columns = 80, color = false } = {}): Promise<void> {
  terminal = typedTerminal(columns);
  running = s.cli(['chat', ...argv], { terminal, typed: true, shown: true, color, columns, env: { USER: 'ana' } });
  await expect.poll(() => terminal.line()).toBe('>');
}

async function shows(text: string | RegExp): Promise<void> {
  await expect.poll(() => terminal.text()).toMatch(typeof text === 'string' ? new RegExp(escaped(text)) : text);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function send(text: string): void {
  terminal.type(text);
  terminal.press('enter');
}

/** Nothing is at work: the line below is for the next input. */
async function idle(): Promise<void> {
  await expect.poll(() => terminal.text()).not.toMatch(/(?:[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] .*|\n {2}…)\n[>?]/u);
}

async function answered(text: string | RegExp): Promise<void> {
  await shows(text);
  await idle();
}

async function quit(): Promise<Ran> {
  await idle();
  terminal.press('end');
  const ran = await running;
  if (ran === undefined) throw new Error('nothing was opened');
  return ran;
}

async function runs(): Promise<{ run: string; status: string; output?: unknown }[]> {
  return JSON.parse((await s.cli(['runs', '--json'])).out).runs;
}

describe('a chat', () => {
  it('answers, knows what was said, is a run for each turn, and can be gone on with', async () => {
    replies('bob', 'Hello Ana.', 'You are Ana.');
    await open(['bob.too']);
    send('I am Ana');
    await answered('Hello Ana.');
    send('Who am I?');
    await shows('You are Ana.\n  run ');
    const { code, err } = await quit();
    expect(code).toBe(0);
    const thread = /to go on with it later: toolang chat bob\.too --thread (\w+)/.exec(err)?.[1] ?? '';
    const all = await runs();
    expect(all.map(({ status }) => status)).toEqual(['done', 'done']);
    expect((await s.cli(['logs', '--json', all[0]?.run ?? ''])).out).toContain('"content":"I am Ana"');
    expect((await s.cli(['show', all[0]?.run ?? ''])).out).toContain('You are Ana.');

    replies('bob', 'Again.');
    await open(['bob.too', '--resume']);
    expect(terminal.text()).toContain(`thread ${thread}`);
    expect(terminal.text()).toContain('> Who am I?\n  You are Ana.');
    send('And now?');
    await shows('Again.');
    expect((await s.cli(['logs', '--json', (await runs())[0]?.run ?? ''])).out).toContain('"content":"I am Ana"');
    await quit();
    const list = await s.cli(['chat', '--list']);
    expect(list.out).toMatch(new RegExp(`^bob  ${thread}  3 turns  \\S+.*  And now\\?\n$`));
    const listed = JSON.parse((await s.cli(['chat', 'bob.too', '--list', '--json'])).out);
    expect(violations(listed, 'threads.schema.json')).toEqual([]);
    expect(listed.threads).toMatchObject([{ agent: 'bob', thread, turns: 3, last: 'And now?' }]);
  });

  it('shows what a model says as it says it, and obeys nothing in it', async () => {
    replies('bob', { text: 'one \u0007two three four', pace: '1h' });
    await open(['bob.too']);
    send('Count');
    await shows(/one\n.*scripted/);
    terminal.press('escape');
    await shows('stopped  run');
    await quit();
  });

  it('keeps what was said in an answer that was stopped', async () => {
    replies('bob', { text: 'one two', pace: '1h' }, 'Fine.');
    await open(['bob.too']);
    send('Count for me');
    await shows(/one\n/);
    terminal.press('interrupt');
    await answered('stopped  run');
    send('Go on');
    await shows('Fine.');
    const all = await runs();
    expect(all.map(({ status }) => status)).toEqual(['done', 'cancelled']);
    const { out } = await s.cli(['logs', '--json', all[0]?.run ?? '']);
    expect(out).toContain('"content":"Count for me"');
    expect(out).toContain('one\\n\\n(The person stopped this answer.)');
    await quit();
  });

  it('says to the agent what is typed while it works', async () => {
    replies('bob', { text: 'one two', pace: '300ms' }, 'I heard you.');
    await open(['bob.too']);
    send('Count');
    await shows(/one\n/);
    send('Stop counting');
    await shows('↪ Stop counting (said while it works)');
    await shows('I heard you.');
    await shows(/run \w+ · /);
    expect(await runs()).toMatchObject([{ status: 'done' }]);
    await quit();
  });

  it('is left by a signal and by the end of its terminal: the run can be resumed', async () => {
    replies('bob', { text: 'one two', pace: '1h' });
    await open(['bob.too']);
    send('Count');
    await shows(/one\n/);
    terminal.hangUp();
    expect((await running)?.code).toBe(129);
    running = undefined;
    expect(terminal.text()).toContain('to go on: toolang resume');
    expect((await runs())[0]?.status).toBe('interrupted');
  });

  it('ends with Ctrl-C twice, /quit, and not with one of them in a line', async () => {
    replies('bob', 'Hello.');
    await open(['bob.too']);
    terminal.type('half');
    terminal.press('interrupt');
    expect((await s.cli(['chat', '--list'])).out).toBe('');
    terminal.press('interrupt');
    await shows('Ctrl-C again ends the chat');
    terminal.press('interrupt');
    expect(await running).toMatchObject({ code: 0 });
    await open(['bob.too']);
    send('/quit');
    expect(await running).toMatchObject({ code: 0 });
  });
});

describe('tools', () => {
  const agent =
    'thunk:\n  tools = filesystem, shell\n  hands = look\n  handoffs = other\n\nthunk look(what: Text) -> Text:\n  tools = filesystem/read\n  user: Look at {{what}}.\n\nthunk other:\n  tools -= filesystem\n';
  beforeEach(() => {
    s.write('desk.too', agent);
    s.write('a.txt', 'the text of a\n');
    s.write('.toolang/config.toml', '[permissions]\nask = ["shell"]\n');
  });
  const shell = { calls: [{ tool: 'shell/run', args: { command: 'echo hi' } }] };

  it('are shown with what came of them, within hands too, and handoffs', async () => {
    replies(
      'desk',
      {
        text: 'I look.',
        calls: [
          { tool: 'look', args: { what: 'a.txt' } },
          { tool: 'filesystem/read', args: { path: 'no.txt' } },
        ],
      },
      { for: 'look', calls: [{ tool: 'filesystem/read', args: { path: 'a.txt' } }] },
      { for: 'look', text: 'It is a.' },
      { calls: [{ tool: 'handoff_to_other' }] },
      { for: 'other', text: 'Done by the other.' },
    );
    await open(['desk.too']);
    send('Look');
    await shows('Done by the other.\n  run ');
    expect(terminal.text()).toMatch(/I look\.\n/);
    expect(terminal.text()).toMatch(/✓ look › filesystem\/read a\.txt {2}[\d.]+s {2}the text of a/);
    expect(terminal.text()).toMatch(/✓ look a\.txt {2}[\d.]+s {2}"It is a\."/);
    expect(terminal.text()).toMatch(/✗ filesystem\/read no\.txt {2}[\d.]+s/);
    expect(terminal.text()).toContain('→ handed over to other');
    await quit();
  });

  it('are asked about here: yes, no, always; nothing else is an answer, and a draft waits', async () => {
    replies('desk', shell, 'Said hi.', shell, 'Not said.', shell, shell, 'Said twice.');
    await open(['desk.too']);
    send('Say hi');
    await shows('? default  shell/run: echo hi');
    await shows('allow it? [y]es, [n]o, [a]lways in this chat');
    send('yep');
    await shows('answer with y or n');
    send('y');
    await shows(/✓ shell\/run echo hi {2}[\d.]+s {2}hi/);
    await answered('Said hi.');
    send('Again');
    await expect.poll(() => terminal.text().match(/allow it/g)?.length ?? 0).toBe(1);
    send('n');
    await answered('Not said.');
    send('Twice');
    await expect.poll(() => terminal.line()).toContain('?');
    send('a');
    await shows('Said twice.');
    expect(terminal.text()).toContain('yes, always in this chat');
    expect(terminal.text()).toContain('allowed, as before in this chat');
    await quit();
  });

  it('that somebody allows elsewhere go on, and the line is what was typed again', async () => {
    replies('desk', { text: 'So.', calls: shell.calls }, 'Said hi.');
    await open(['desk.too']);
    send('Say hi');
    await shows('allow it?');
    const [run] = await runs();
    await s.cli(['approve', run?.run ?? '', 'default#1/permit#1'], { env: { USER: 'eve' } });
    await shows('allowed by eve');
    await shows('Said hi.');
    await quit();
  });

  it('of limits are asked about too', async () => {
    s.write('.toolang/config.toml', '[limits]\nusd = 0.001\n');
    replies('bob', { text: 'Hello.', price: 0.01 });
    await open(['bob.too']);
    send('Hi');
    await shows('more? [y]es adds $1.00, [n]o');
    send('y');
    await shows('Hello.');
    await quit();
  });
});

describe('what is typed', () => {
  it('completes commands, prompts and files, and tells the closest', async () => {
    s.write('notes.md', 'n');
    s.write('my notes.md', 'n');
    s.write('docs/a.md', 'n');
    replies('bob', 'ok');
    await open(['bob.too']);
    terminal.type('/rew');
    terminal.press('tab');
    await expect.poll(() => terminal.line()).toBe('> /rewrite');
    terminal.press('interrupt');
    terminal.type('/th');
    terminal.press('tab');
    await expect.poll(() => terminal.line()).toBe('> /thread\n  thread\n  threads');
    terminal.press('tab', 'tab');
    await expect.poll(() => terminal.line()).toBe('> /threads\n  thread\n› threads');
    terminal.press('interrupt');
    terminal.type('see @my');
    terminal.press('tab');
    await expect.poll(() => terminal.line()).toBe('> see @"my notes.md"');
    terminal.press('interrupt');
    terminal.type('see @do');
    terminal.press('tab');
    await expect.poll(() => terminal.line()).toBe('> see @docs/');
    terminal.press('tab');
    await expect.poll(() => terminal.line()).toBe('> see @docs/a.md');
    terminal.press('interrupt');
    send('/rewrit x');
    await shows('there is no prompt "/rewrit". Did you mean "/rewrite"?');
    await expect.poll(() => terminal.line()).toBe('> /rewrit x');
    terminal.press('interrupt');
    send('/thred');
    await shows('Did you mean "/thread"?');
    terminal.press('interrupt');
    await quit();
  });

  it('has several lines, and what was typed before, also in the next chat', async () => {
    replies('bob', 'One.', 'Two.');
    await open(['bob.too']);
    terminal.type('first\\');
    terminal.press('enter');
    terminal.type('second');
    terminal.press('newline');
    terminal.type('\x1b[200~third\rfourth\x1b[201~');
    terminal.press('enter');
    await shows('One.');
    expect(terminal.text()).toContain('> first\n  second\n  third\n  fourth\n');
    const { out } = await s.cli(['show', '--json', (await runs())[0]?.run ?? '']);
    expect(JSON.parse(out).run.input.input).toBe('first\nsecond\nthird\nfourth');
    await quit();
    await open(['bob.too']);
    terminal.press('up');
    await expect.poll(() => terminal.line()).toBe('  fourth');
    terminal.press('interrupt');
    await quit();
  });

  it('attaches files, and stands there again where one is missing', async () => {
    s.write('notes.md', 'buy tea\n');
    replies('bob', 'Read.');
    await open(['bob.too']);
    send('What is in @notse.md?');
    await shows(/Did you mean\s+"notes\.md"\?/);
    await expect.poll(() => terminal.line()).toBe('> What is in @notse.md?');
    terminal.press('interrupt');
    send('What is in @notes.md?');
    await shows('Read.');
    const { out } = await s.cli(['show', '--json', (await runs())[0]?.run ?? '']);
    expect(JSON.parse(out).run.input.input.content).toEqual([
      { type: 'text', text: 'What is in notes.md?' },
      { type: 'text', text: 'notes.md:\n```\nbuy tea\n```' },
    ]);
    await quit();
  });
});

describe('commands', () => {
  it('go from one conversation to another', async () => {
    replies('bob', 'Hello.', 'Other.', 'Back.');
    await open(['bob.too', '--thread', 'monday']);
    send('I am Ana');
    await answered('Hello.');
    send('/new tuesday');
    await answered('thread tuesday: nothing was said in it yet');
    send('Hi');
    await answered('Other.');
    send('/threads');
    await answered(/\* tuesday {2}1 turn .*Hi\n {4}monday {3}1 turn .*I am Ana/);
    send('/thread mondy');
    await answered('there is no conversation "mondy". Did you mean "monday"?');
    terminal.press('interrupt');
    send('/thread monday');
    await answered('thread monday\n  > I am Ana\n    Hello.');
    send('And?');
    await answered('Back.');
    const { out } = await s.cli(['logs', '--json', (await runs())[0]?.run ?? '']);
    expect(out).toContain('"content":"I am Ana"');
    expect(out).not.toContain('"content":"Hi"');
    await quit();
  });

  it('choose a model, within what the file and the command line allow', async () => {
    s.write('two.too', 'thunk:\n  models = scripted, openai/gpt-5\n  tools -= filesystem\n');
    replies('two', 'Hello.');
    await open(['two.too']);
    send('/model');
    await answered(/model: scripted.*\n {4}scripted\n {4}openai\/gpt-5/);
    send('/model claude-sonnet-5');
    await answered(/(may not ask|cannot be used)/);
    terminal.press('interrupt');
    send('/model scripted');
    await answered(/> \/model scripted\n {2}model: scripted/);
    send('Hi');
    await answered('Hello.');
    await quit();
  });

  it('come before prompts of the same name, which have another', async () => {
    s.write('.toolang/prompts/new.md', 'New text about {{input}}\n');
    replies('bob', 'Ok.');
    await open(['bob.too']);
    send('/help');
    await answered('/prompt:new text…');
    send('/prompt:new tea');
    await answered('Ok.');
    const { out } = await s.cli(['show', '--json', (await runs())[0]?.run ?? '']);
    expect(JSON.parse(out).run.input.input).toContain('New text about tea');
    await quit();
  });
});

describe('narrow terminals', () => {
  it('have rows that fit, also when they were made narrower', async () => {
    replies(
      'bob',
      'The quick brown fox jumps over the lazy dog, 漢字 and 👍🏽.',
      'Second answer of some length, to be broken.',
    );
    await open(['bob.too'], { columns: 40 });
    send('Tell me something about foxes and dogs, please, in a few words');
    await answered(/over the lazy\ndog, 漢字 and 👍🏽\.\n/u);
    terminal.resize(24);
    send('More');
    await answered('Second answer of some\nlength, to be broken.');
    await quit();
  });
});

describe('mistakes', () => {
  const refused = async (...argv: readonly string[]) => {
    const { code, err } = await s.cli(['chat', ...argv]);
    expect(code).toBe(2);
    return err;
  };

  it('are told before anything is asked', async () => {
    expect(await refused()).toContain('chat needs an agent');
    expect(await refused('x.toon')).toContain('is a workflow');
    expect(await refused('bo')).toContain('Did you mean "bob.too"?');
    replies('bob', 'x');
    expect(await refused('bob.too', '--resume')).toContain('there is no conversation with "bob" to go on with');
    expect(await refused('bob.too', '--resume', '--thread', 'x')).toContain('exclude each other');
    expect((await s.cli(['chat', '--list'])).err).toContain('there is no conversation here');
  });

  it('of one turn end that one', async () => {
    replies('bob', { error: '400' }, 'Fine.');
    await open(['bob.too']);
    send('Hi');
    await answered('failed  run');
    await answered(/toolang show \w+/);
    send('Again');
    await answered('Fine.');
    await quit();
  });
});

describe('over pipes', () => {
  it('goes line after line, with the same commands and files', async () => {
    s.write('notes.md', 'buy tea\n');
    replies('bob', 'Hello.', 'Read.');
    const ran = await s.cli(['chat', 'bob.too'], {
      stdin: 'Hi\n/threads\nRead @notes.md\n/model nosuchmodel\n/quit\nmore\n',
    });
    expect(ran).toMatchObject({ code: 1, out: 'Hello.\nRead.\n' });
    expect(ran.err).toMatch(/toolang chat bob\.too --thread \w+\n/);
    expect(ran.err).toMatch(/\* \w+ {2}1 turn /);
    expect(ran.err).toContain('nosuchmodel');
  });
});
