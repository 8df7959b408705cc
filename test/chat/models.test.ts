/** A chat that goes on with another model, on fake services over real connections: streamed, with tools, and within the ceiling. */
import { describe, expect, it } from 'vitest';
import { type TypedTerminal, typedTerminal } from '../../src/chat/screen-kit.ts';
import { useKit } from '../agents/kit.ts';
import { type Body, sentOf } from '../agents/sent.ts';

const kit = useKit();

const shows = (terminal: TypedTerminal, text: string) => expect.poll(() => terminal.text()).toContain(text);
/** So many turns have ended, and the line below is for the next. */
const turns = (terminal: TypedTerminal, count: number) =>
  expect.poll(() => [terminal.text().match(/ run \w+ · /g)?.length ?? 0, terminal.line()]).toEqual([count, '>']);

describe('a model', () => {
  it('is another from the next input on, and knows what was said to the first', async () => {
    const first = await kit.fake('openai-responses', {
      answers: [
        { text: 'I look.', calls: [{ tool: 'filesystem__read', args: { path: 'a.txt' } }] },
        { text: 'It says: tea, and more of it.', chunk: 3 },
      ],
    });
    const second = await kit.fake('anthropic', { answers: [{ text: 'Still tea.' }] });
    kit.s.write('a.txt', 'tea\n');
    kit.s.write('bob.too', 'thunk:\n  tools = filesystem/read\n');
    const terminal = typedTerminal();
    const env = { PATH: process.env.PATH, USER: 'ana', ...first.env, ...second.env };
    const running = kit.s.cli(['chat', 'bob.too', '--models', 'openai/gpt-5,anthropic/*'], {
      terminal,
      typed: true,
      shown: true,
      env,
    });
    await expect.poll(() => terminal.line()).toBe('>');
    expect(terminal.text()).toContain('model: openai/gpt-5');
    terminal.type('What is in it?\r');
    await shows(terminal, 'It says: tea, and more of it.');
    expect(terminal.text()).toMatch(/I look\.\n {2}✓ filesystem\/read a\.txt {2}[\d.]+s {2}tea\n/);
    await turns(terminal, 1);

    terminal.type('/model openai/gpt-5-mini\r');
    await shows(terminal, 'the model "openai/gpt-5-mini" may not be used here: --models leaves it out.');
    terminal.type('/model anthropic/claude-sonnet-4-5\r');
    await shows(terminal, 'model: anthropic/claude-sonnet-4-5');
    await expect.poll(() => terminal.line()).toBe('>');
    terminal.type('And now?\r');
    await shows(terminal, 'Still tea.');
    await turns(terminal, 2);
    terminal.type('\x04');
    expect((await running).code).toBe(0);

    expect(first.requests).toHaveLength(2);
    const [asked] = second.requests;
    const { messages } = sentOf('anthropic', asked?.body as Body);
    expect(JSON.stringify(messages)).toContain('It says: tea, and more of it.');
    expect(JSON.stringify(messages)).toContain('And now?');
  });
});
