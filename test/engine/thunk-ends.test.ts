/** Thunks that do not come to a good end, and what people are told then; limits of runs. By the command, with scripted replies. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, type Scratch, scratch } from '../../src/cli/scratch.ts';
import { openSqliteStore } from '../../src/journal/index.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const cli = (...argv: string[]): Promise<Ran> => s.cli(argv, { env: { PATH: process.env.PATH ?? '', USER: 'ana' } });
const idIn = ({ err }: Ran) => /run ([0-9a-z]{4,})/.exec(err)?.[1] ?? '';

type Call = readonly [tool: string, args: object | string];
type Reply = string | readonly Call[];

/** One entry for each: a text of TOON, or calls. */
function replies(of: Readonly<Record<string, readonly Reply[]>>): string {
  const entries = Object.entries(of).flatMap(([name, list]) =>
    list.map((reply) => {
      if (typeof reply === 'string') return `  - for: ${name}\n    ${reply}\n`;
      const calls = reply.map(
        ([tool, args]) =>
          `      - tool: ${tool}\n        raw: ${JSON.stringify(typeof args === 'string' ? args : JSON.stringify(args))}\n`,
      );
      return `  - for: ${name}\n    calls[${calls.length}]:\n${calls.join('')}`;
    }),
  );
  return `replies[${entries.length}]:\n${entries.join('')}`;
}

function agent(text: string, script: Parameters<typeof replies>[0]): void {
  s.write('a.too', text);
  s.write('a.script.toon', replies(script));
}

/** All that the journal of the last run says of a kind. */
function events(kind: string): Record<string, unknown>[] {
  const store = openSqliteStore(s.at('.toolang/runs.db'));
  try {
    const [run] = store.runs({ roots: true });
    return [...store.events(run?.id ?? '')].flatMap(({ node, body }) =>
      body.kind === kind ? [{ node, ...body } as Record<string, unknown>] : [],
    );
  } finally {
    store.close();
  }
}

/** What the model was told of its calls, in order: of tools, from the journal. */
const toolTexts = () => events('tool.answered').map(({ result }) => (result as { text?: string }).text);

/** As `show --json` tells it. */
async function failureOf(id: string): Promise<{ code: string; message: string }> {
  const shown = JSON.parse((await cli('show', '--json', id)).out);
  return shown.run.error ?? shown.run.nodes[0].error;
}

const plain = (more = '') => `thunk(input: Message) -> Text:\n  tools = filesystem\n  recall = none\n${more}`;
const read: Call = ['filesystem/read', { path: 'a.txt' }];

describe('ends in a clear, typed result', () => {
  test('a model that does nothing but call tools: what was done is kept', async () => {
    s.write('a.txt', 'hello');
    agent(plain(), { default: Array.from({ length: 251 }, () => [read]) });
    const ran = await cli('a.too', 'Go.');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('was asked 250 times and called tools each time, without coming to an answer');
    expect(await failureOf(idIn(ran))).toMatchObject({ code: 'model', retryable: false });
    expect(events('tool.answered')).toHaveLength(250);
    const shown = JSON.parse((await cli('show', '--json', idIn(ran))).out);
    expect(shown.run.nodes[0].tools).toHaveLength(250);
  });

  test('a tool that throws: the model is told, and goes on', async () => {
    agent(plain(), {
      default: [
        [
          ['filesystem/read', { path: 'no.txt' }],
          ['filesystem/read', { path: 5 }],
        ],
        'text: Well.',
      ],
    });
    expect(await cli('a.too', 'Go.')).toMatchObject({ code: 0, out: 'Well.\n' });
    expect(events('tool.answered').map(({ result }) => (result as { isError?: true }).isError)).toEqual([true, true]);
  });

  test('an answer that is no JSON, five times in a row: two repairs, then a failure with the last text', async () => {
    agent('struct R:\n  ok: Boolean\n\nthunk(input: Message) -> R:\n  recall = none\n', {
      default: [1, 2, 3, 4, 5].map((n) => `text: "no JSON ${n}"`),
    });
    const ran = await cli('a.too', 'Go.');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('does not fit');
    expect(await failureOf(idIn(ran))).toMatchObject({
      code: 'schema',
      cause: { code: 'schema', message: 'the last answer was:\nno JSON 3' },
    });
    expect(events('model.answered')).toHaveLength(3);
    expect(events('output.repaired')).toHaveLength(2);
  });

  test('hands that call each other in a circle: told, and answered without', async () => {
    agent(
      'thunk(input: Message) -> Text:\n  hands = b\n  recall = none\n\nthunk b(input: Message) -> Text:\n  hands = default\n  recall = none\n',
      {
        default: [[['b', { input: 'x' }]], 'text: Done.'],
        b: [[['default', { input: 'y' }]], 'text: "Then not."'],
      },
    );
    expect(await cli('a.too', 'Go.')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(events('child.started')).toHaveLength(2);
  });

  test('a conversation that is passed to and fro: refused, and answered by who has it', async () => {
    agent(
      'thunk(input: Message) -> Text:\n  handoffs = b\n  recall = none\n\nthunk b(input: Message) -> Text:\n  handoffs = default\n  recall = none\n',
      {
        default: [[['handoff_to_b', {}]]],
        b: [[['handoff_to_default', {}]], [['handoff_to_default', {}]], 'text: "By b."'],
      },
    );
    expect(await cli('a.too', 'Go.')).toMatchObject({ code: 0, out: 'By b.\n' });
    expect(events('handoff')).toEqual([expect.objectContaining({ from: 'default', to: 'b' })]);
  });

  test('five hundred calls in one answer: each is done, or told why not', async () => {
    s.write('a.txt', 'hello');
    const all: Call[] = Array.from({ length: 500 }, (_, at) =>
      at % 5 === 4 ? ['no/such', {}] : at % 5 === 3 ? ['filesystem/read', '{"path": '] : read,
    );
    agent(plain(), { default: [all, 'text: Done.'] });
    expect(await cli('a.too', 'Go.')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(toolTexts()).toEqual(Array.from({ length: 300 }, () => expect.stringContaining('hello')));
  });

  test('a model that answers nothing: a failure that says so', async () => {
    agent(plain(), { default: ['text: ""', 'text: ""'] });
    const ran = await cli('a.too', 'Go.');
    expect(ran.code).toBe(1);
    expect(await failureOf(idIn(ran))).toMatchObject({ code: 'model-empty' });
  });

  test('a hand whose answer never fits: told to its caller with the code', async () => {
    agent(
      'struct R:\n  ok: Boolean\n\nthunk(input: Message) -> Text:\n  hands = b\n  recall = none\n\nthunk b(input: Message) -> R:\n  recall = none\n',
      {
        default: [[['b', { input: 'x' }]], 'text: "Without b."'],
        b: ['text: no', 'text: no', 'text: no'],
      },
    );
    expect(await cli('a.too', 'Go.')).toMatchObject({ code: 0, out: 'Without b.\n' });
    expect(events('child.ended')[0]).toMatchObject({ outcome: { err: { code: 'schema' } } });
  });
});

describe('limits of config.toml', () => {
  const limits = (text: string) => s.write('.toolang/config.toml', `[limits]\n${text}\n`);
  const hands = (price = '') => ({
    default: [Array.from({ length: 8 }, (_, at): Call => ['b', { input: `${at}` }]), 'text: Done.'],
    ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`b[${at + 1}]`, [`text: Found.${price}`]])),
  });
  const two =
    'thunk(input: Message) -> Text:\n  hands = b\n  recall = none\n\nthunk b(input: Message) -> Text:\n  recall = none\n';

  test('usd: never passed with eight hands, asked once, exit 4; with more it goes on', async () => {
    limits('usd = 0.50');
    agent(two, hands('\n    price: 0.1'));
    const ran = await cli('a.too', 'Go.');
    expect(ran.code).toBe(4);
    const spent = () =>
      events('model.answered').reduce((sum, { usage }) => sum + ((usage as { cost?: number }).cost ?? 0), 0);
    expect(spent()).toBeCloseTo(0.5, 6);
    expect(events('limit.reached')).toHaveLength(1);
    expect(await cli('answer', idIn(ran), '--add', '0.30')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(events('limit.reached')).toHaveLength(1);
    expect(spent()).toBeCloseTo(0.8, 6);
  });

  test('usd, denied: each that waits fails, and the caller with them', async () => {
    limits('usd = 0.50');
    agent(two, hands('\n    price: 0.1'));
    const denied = await cli('answer', idIn(await cli('a.too', 'Go.')), '--no');
    expect(denied.code).toBe(1);
    expect(denied.err).toContain('no more may be spent');
    expect(events('model.failed').map(({ error }) => (error as { code: string }).code)).toEqual([
      'limit',
      'limit',
      'limit',
    ]);
  });

  test('model_calls: of all hands together', async () => {
    limits('model_calls = 5');
    agent(two, hands());
    const ran = await cli('a.too', 'Go.');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('5 model calls (limits.model_calls)');
    expect(events('model.answered')).toHaveLength(5);
    expect(await failureOf(idIn(ran))).toMatchObject({ code: 'limit' });
  });

  test('tool_calls: what was done is kept, and a retry with more goes on', async () => {
    s.write('a.txt', 'hello');
    limits('tool_calls = 2');
    agent(plain(), { default: [[read], [read], [read], 'text: Done.'] });
    const ran = await cli('a.too', 'Go.');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('2 tool calls (limits.tool_calls)');
    limits('tool_calls = 9');
    expect(await cli('retry', idIn(ran))).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(events('tool.answered').filter(({ of }) => of === undefined)).toHaveLength(3);
  });

  test('minutes: what is being done is ended', async () => {
    limits('minutes = 0.002');
    agent(plain(), { default: ['text: "one two three four five six seven eight nine ten"\n    pace: 1s'] });
    const ran = await cli('a.too', 'Go.');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('limits.minutes');
  });

  test.each([
    [0, 1],
    [1, 2],
    [8, 3],
  ])('depth = %i: hands are called so deep, and the model is told where it ends', async (depth, thunks) => {
    limits(`depth = ${depth}`);
    agent(
      `thunk(input: Message) -> Text:\n  hands = b\n  recall = none\n\nthunk b(input: Message) -> Text:\n  hands = c\n  recall = none\n\nthunk c(input: Message) -> Text:\n  recall = none\n`,
      {
        default: [[['b', { input: 'x' }]], 'text: Done.'],
        b: [[['c', { input: 'x' }]], 'text: Less.'],
        c: ['text: Deep.'],
      },
    );
    expect(await cli('a.too', 'Go.')).toMatchObject({ code: 0, out: 'Done.\n' });
    const asked = events('model.answered').map(({ node }) => String(node).replace(/model#\d+$/, ''));
    expect(new Set(asked).size).toBe(thunks);
  });
});
