/** Seed rules about hands and handoffs, as they are sent: signatures, fresh conversations, conversations that are passed on. */
import { describe, expect, it } from 'vitest';
import { kinds, useKit } from './kit.ts';

const kit = useKit();
const quiet = '  tools -= filesystem\n';

describe('hands declares sub-thunks this thunk may call', () => {
  const source = `struct Pick:\n  ## What it is about.\n  topic: Text\n  most?: Number\n\nthunk:\n${quiet}  hands += search\n  context: The room.\n  user: First.\n  assistant: Second.\n\n## Looks for texts.\nthunk search(input: Message, pick: Pick, tags?: Text[]) -> Text[]:\n${quiet}  context: Its own.\n  user: Look for {{pick.topic}}.\n`;
  const args = { input: 'Bees.', pick: { topic: 'honey' } };

  it("the tool's parameters are the hand's signature, and its doc comment tells what it is", async () => {
    const { fake } = await kit.ask(source, ['x']);
    const { tools } = (fake.requests[0]?.body ?? {}) as {
      tools: { name: string; description: string; parameters: object }[];
    };
    expect(tools).toMatchObject([
      {
        name: 'search',
        description: 'Looks for texts.',
        parameters: {
          type: 'object',
          properties: {
            input: { type: 'string' },
            pick: { type: 'object', properties: { topic: { type: 'string', description: 'What it is about.' } } },
          },
          required: ['input', 'pick'],
          additionalProperties: false,
        },
      },
    ]);
  });

  it.each(kinds)('it sees nothing of the conversation, and what it gives is told as JSON: %s', async (kind) => {
    const { requests, code } = await kit.ask(source, ['Hello.'], {
      kind,
      answers: [
        { text: 'I look.', calls: [{ tool: 'search', args }] },
        { text: '{"value": ["a", "b"]}' },
        { text: 'Two.' },
      ],
    });
    expect([code, requests.length]).toEqual([0, 3]);
    expect(requests[1]?.system).toContain('You are "search", a part of the agent "a"');
    expect(requests[1]?.messages).toEqual([{ user: ['<context>\nIts own.\n</context>\n\nLook for honey.\n\nBees.'] }]);
    expect(requests[1]?.tools).toEqual([]);
    const told = requests[2]?.messages.at(-1);
    expect(told && ('results' in told ? told.results[0]?.text : told)).toBe('["a","b"]');
  });

  it('arguments that do not fit are told, and it is not asked', async () => {
    const { requests, code } = await kit.ask(source, ['Hello.'], {
      answers: [{ calls: [{ tool: 'search', args: { input: 'x', pick: { most: 'many' } } }] }, { text: 'No.' }],
    });
    expect([code, requests.length]).toEqual([0, 2]);
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toMatch(
      /was not called, because its arguments do not fit.*topic.*most/,
    );
  });

  it('what was not done is told to people as to the model, and what was done is told of its own call', async () => {
    const { id } = await kit.play(
      'thunk:\n  tools -= filesystem\n  hands = add\n\nthunk add(n: Number):\n  tools -= filesystem\n  user: Add {{n}}.\n',
      [
        {
          for: 'default',
          calls: [
            { tool: 'add', args: { n: 'many' } },
            { tool: 'add', args: { n: 7 } },
            { tool: 'shell/run', args: {} },
          ],
        },
        { for: 'add', text: 'Seven.' },
        { for: 'default', text: 'Done.' },
      ],
    );
    const { out } = await kit.s.cli(['show', id, 'default']);
    expect(out).toMatch(
      /✗ add many\n\s+"add" was not called, because its arguments do not fit:\n\s+- "\/n" must be Number/,
    );
    expect(out).toMatch(/✓ add \{"n":7\}\n\s+Seven\.\n\s+✗ shell\/run\n\s+there is no tool "shell\/run"/i);
    expect((await kit.s.cli(['show', id, 'default/add'])).out).toContain('n: 7');
    expect((await kit.s.cli(['logs', id])).out).toContain('what it called was not done');
  });

  it('several calls are several conversations, told in the order of the calls', async () => {
    const answers = ({ text }: { readonly text: string }) => {
      if (text.includes('function_call_output')) return { text: 'Done.' };
      if (text.includes('Look for honey')) return { text: '["h"]' };
      if (text.includes('Look for wax')) return { text: '["w"]' };
      return {
        calls: ['honey', 'wax'].map((topic) => ({ tool: 'search', args: { input: topic, pick: { topic } } })),
      };
    };
    const { requests } = await kit.ask(source, ['Hello.'], { answers });
    const told = requests.at(-1)?.messages.at(-1);
    expect(told && 'results' in told ? told.results.map(({ text }) => text) : []).toEqual(['["h"]', '["w"]']);
  });
});

describe('handoffs declares thunks this thunk may transfer control to', () => {
  const source = `struct Answer:\n  text: Text\n\nthunk -> Answer:\n${quiet}  handoffs += desk\n  instruct: Route.\n  user: First.\n\nthunk desk(input: Message, tone?: Text):\n${quiet}  instruct: Be {{tone}}.\n  user: At the desk.\n`;

  it.each(kinds)(
    'the conversation is visible, the instructions are its own, the entry output type is kept: %s',
    async (kind) => {
      const { requests, code, out } = await kit.ask(source, ['Hello.'], {
        kind,
        answers: [{ calls: [{ tool: 'handoff_to_desk', args: { tone: 'kind' } }] }, { text: '{"text": "Yes."}' }],
      });
      expect([code, out]).toEqual([0, '{\n  "text": "Yes."\n}\n']);
      const [, second] = requests;
      expect(second?.system).toContain('You are "desk"');
      expect(second?.system).toContain('Be kind.');
      expect(second?.system).not.toContain('Route.');
      expect(second?.system).toContain('"text"');
      const all = JSON.stringify(second?.messages);
      for (const text of ['First.', 'Hello.', 'handoff_to_desk', 'goes on from here.', 'At the desk.'])
        expect(all).toContain(text);
      expect(all.indexOf('First.')).toBeLessThan(all.indexOf('At the desk.'));
    },
  );

  it('the only call of its turn: beside another one it is told, and nothing is passed on', async () => {
    const twice = source.replace('  handoffs', '  hands += desk\n  handoffs');
    const { requests } = await kit.ask(twice, ['Hello.'], {
      answers: ({ text }) => {
        if (text.includes('function_call_output')) return { text: '{"text": "No."}' };
        if (text.includes('At the desk.')) return { text: 'From the hand.' };
        return { calls: ['handoff_to_desk', 'desk'].map((tool) => ({ tool, args: { input: 'x' } })) };
      },
    });
    expect(requests.at(-1)?.system).toContain('You are "default"');
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain('this must be the only call of an answer');
  });
});
