/** Seed rules about recall: which retrieved message sources are prepended before thunk-local messages. */
import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, useKit } from './kit.ts';
import { finalOf, type Sent } from './sent.ts';

const kit = useKit();
const thunk = (recall: string) =>
  `thunk:\n  tools -= filesystem\n${recall === '' ? '' : `  recall = ${recall}\n`}  context: C.\n  user: First.\n  assistant: Second.\n`;
const own = [{ user: ['First.'] }, { assistant: ['Second.'] }, { user: ['<context>\nC.\n</context>\n\nAnd now?'] }];
const past = [{ user: ['What did I say?'] }, { assistant: ['Bees.'] }];

/** A turn in the thread "monday", and a memory. */
beforeEach(async () => {
  await kit.ask(thunk(''), ['--thread', 'monday', 'What did I say?'], { answers: [{ text: 'Bees.' }] });
  await kit.ask(thunk('memory'), ['Save it.'], {
    answers: [
      { calls: [{ tool: 'memory_save', args: { text: 'Ana, whom I answer now, likes bees.' } }] },
      { text: 'Saved.' },
    ],
  });
});

const again = (recall: string, thread = true): Promise<{ readonly sent: Sent; readonly code: number }> =>
  kit.ask(thunk(recall), [...(thread ? ['--thread', 'monday'] : []), 'And now?']);

function memoryIn({ messages }: Sent): string {
  const [first] = messages.filter((each) => 'user' in each && each.user.some((text) => text.includes('<memory>')));
  return first && 'user' in first ? first.user.join('') : '';
}

describe('recall', () => {
  it('recall = none disables history retrieval', async () => {
    const { sent } = await again('none');
    expect(sent.messages).toEqual(own);
    expect(sent.tools).toEqual([]);
  });

  it.each(['', 'default'])(
    'recall = default delegates to runtime policy: history in a thread, nothing without one (%j)',
    async (recall) => {
      expect((await again(recall)).sent.messages).toEqual([...past, ...own]);
      expect((await again(recall, false)).sent.messages).toEqual(own);
    },
  );

  it('recall = history selects the history', async () => {
    const { sent } = await again('history');
    expect(sent.messages).toEqual([...past, ...own]);
    expect(sent.tools).toEqual([]);
    expect((await again('history', false)).sent.messages).toEqual(own);
  });

  it.each([true, false])(
    'recall = memory selects the memory, in a thread or not (%s), each tagged with where it came from',
    async (thread) => {
      const { sent } = await again('memory', thread);
      expect(sent.messages.slice(1)).toEqual(own);
      expect(memoryIn(sent)).toMatch(
        /^What you have saved before.*\n<memory>\n- \[\d{4}-\d\d-\d\d, "default", run [0-9a-z]+\] Ana, whom I answer now, likes bees\.\n<\/memory>$/,
      );
      expect(sent.tools).toEqual(['memory_save']);
    },
  );

  it.each(['history, memory', 'memory, history'])(
    'recall = %s: history, then memory, then thunk-local messages',
    async (recall) => {
      const { sent } = await again(recall);
      expect(sent.messages).toEqual([...past, { user: [memoryIn(sent)] }, ...own]);
      expect(memoryIn(sent)).toContain('likes bees');
      expect(sent.tools).toEqual(['memory_save']);
    },
  );

  it.each(['none, history', 'default, memory', 'everything', 'history, history2'])(
    'recall = %s is refused',
    async (recall) => {
      const { code, sent } = await again(recall);
      expect([code, sent.messages]).toEqual([2, []]);
    },
  );

  it('models and recall support only =', async () => {
    for (const [key, value] of [
      ['recall', 'memory'],
      ['models', 'gpt-5'],
    ] as const)
      for (const op of ['+=', '-=']) {
        const { code, err, requests } = await kit.ask(`thunk:\n  ${key} ${op} ${value}\n`, ['x']);
        expect([code, requests]).toEqual([2, []]);
        expect(err).toContain(`"${key}"`);
      }
  });

  it('another thread has another history, and other words find other memories', async () => {
    const other = await kit.ask(thunk('history, memory'), ['--thread', 'tuesday', 'Zebra?']);
    expect(other.sent.messages.map((each) => ('user' in each ? each.user[0]?.slice(0, 5) : 'assistant'))).toEqual([
      'First',
      'assistant',
      '<cont',
    ]);
  });

  it('a whole turn is kept: a call is never split from its result', async () => {
    kit.s.write('notes.txt', 'Honey.\n');
    const source = 'thunk:\n  tools = filesystem/read\n';
    await kit.ask(source, ['--thread', 'tools', 'Read.'], {
      answers: [
        { text: 'I look.', calls: [{ tool: 'filesystem__read', args: { path: 'notes.txt' } }] },
        { text: 'Honey.' },
      ],
    });
    const { sent } = await kit.ask(source, ['--thread', 'tools', 'Again?']);
    expect(sent.messages).toMatchObject([
      { user: ['Read.'] },
      { assistant: ['I look.'], calls: [{ name: 'filesystem__read', args: { path: 'notes.txt' } }] },
      { results: [{ text: 'Honey.\n' }] },
      { assistant: ['Honey.'] },
      { user: ['Again?'] },
    ]);
    expect(finalOf(sent)).toBe('Again?');
  });

  it.each(kinds)('turns that know nothing of each other may count their calls alike: %s', async (kind) => {
    const source = 'thunk:\n\nthunk quiet:\n  recall = none\n';
    kit.s.write('a.too', source);
    kit.s.write(
      's.script.toon',
      'replies[2]:\n  - for: quiet\n    calls[1]:\n      - tool: filesystem/list\n  - for: quiet\n    text: Listed.\n',
    );
    const quiet = ['a.too', 'quiet', 'List.', '--thread', 't', '--script', 's.script.toon'];
    for (const _ of [1, 2]) expect((await kit.s.cli(quiet)).code).toBe(0);
    const { code, fake, sent } = await kit.ask(source, ['default', 'So?', '--thread', 't'], { kind });
    expect([code, fake.requests.map((each) => each.refusal())]).toEqual([0, [undefined]]);
    expect(sent.messages.filter((each) => 'calls' in each)).toHaveLength(2);
  });

  it('a history with calls is taken by every service, also by a thunk without tools', async () => {
    kit.s.write('notes.txt', 'Honey.\n');
    await kit.ask('thunk:\n  tools = filesystem/read\n', ['--thread', 'tools', 'Read.'], {
      answers: [{ calls: [{ tool: 'filesystem__read', args: { path: 'notes.txt' } }] }, { text: 'Honey.' }],
    });
    for (const kind of ['anthropic', 'google'] as const) {
      const { code, err } = await kit.ask('thunk:\n  tools -= filesystem\n', ['--thread', 'tools', 'Again?'], { kind });
      expect([code, err]).toEqual([0, expect.stringContaining('done')]);
    }
  });
});
