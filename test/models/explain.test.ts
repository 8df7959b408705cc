/** What `toolang explain` says a thunk would send, held against what `toolang invoke` with the same words does send. */
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../../src/cli/scratch.ts';
import { type FakeModel, startFakeModel } from '../fake-models/server.ts';

let s: Scratch;
let fake: FakeModel;

beforeEach(async () => {
  s = scratch();
  fake = await startFakeModel('deepseek', { answers: [] });
  configure();
  s.write(
    'server.mjs',
    `import { createInterface } from 'node:readline';
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
  else if (method === 'tools/list') say(id, { tools: ['look', 'push'].map((name) => ({ name, description: 'Does ' + name, inputSchema: { type: 'object', properties: { at: { type: 'string' } } } })) });
  else if (id !== undefined) say(id, {});
}
`,
  );
});

afterEach(async () => {
  s.remove();
  await fake.close();
});

const agent = `struct Answer:
  ## One of them.
  words: Text[]

psyche calm:
  Be calm. </psyche> Still calm.

skill look:
  description = How to look
  Look twice.

prompt short:
  Say it in {{words}} words: {{input}}

service git:
  transport = stdio
  target = node server.mjs
  description = What git knows

instruct default:
  Today {{runtime.agent}} answers {{runtime.thunk}} by {{runtime.model}} in {{runtime.cwd}}.

context facts:
  Facts of {{name}}.

## Answers it.
thunk(input: Message, name?: Text) -> Answer:
  models = fake
  tools = filesystem/read, shell, git/look
  hands = other
  handoffs = third
  context: facts
  user: One.
  tool: {"a": 1}
  assistant: Two.
  user: Three.

## Counts.
thunk other(x: Number[]) -> Text:
  models = fake
  user: {{x}}

thunk third(input: Message, level?: Number):
  models = fake
  recall = history, memory
  services -= git
  instruct: none
`;

const env = () => ({ ...fake.env, PATH: process.env.PATH });

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly description: string } }[];
}

function configure(): void {
  const alias = `ref = "deepseek/deepseek-chat"\nendpoint = "${fake.url}"\nkey_env = "DEEPSEEK_API_KEY"`;
  s.write('.toolang/config.toml', `[models.aliases.fake]\n${alias}\ntools = "native"\nprice_in = 0\nprice_out = 0\n`);
}

/** What was sent first, and what was said to be. */
async function both(words: readonly string[], flags: readonly string[] = []) {
  const options = { env: env() };
  const told = await s.cli(['explain', 'a.too', '--json', '--connect', ...flags, ...words], options);
  expect(told.code, told.err).toBe(0);
  const asked = fake.requests.length;
  const ran = await s.cli(['invoke', 'a.too', ...flags, ...words], options);
  const sent = fake.requests[asked]?.body as Sent | undefined;
  if (sent === undefined) throw new Error(`nothing was sent: ${ran.err}`);
  return { explained: JSON.parse(told.out), sent };
}

/** The parts that both have. */
function compare({ explained, sent }: Awaited<ReturnType<typeof both>>): void {
  const { call } = explained;
  const [system, ...rest] = call.messages as { role: string; content: string }[];
  const [first, ...others] = sent.messages;
  expect(first).toEqual({ role: 'system', content: system?.content });
  expect(others.map(({ role, content }) => [role, content ?? ''])).toEqual(
    rest.map(({ role, content }) => [role, content]),
  );
  const tools = call.tools as { wire: string; description: string }[];
  expect(sent.tools?.map((tool) => [tool.function.name, tool.function.description])).toEqual(
    tools.map(({ wire, description }) => [wire, description]),
  );
}

describe('the call that is explained is the one that is sent', () => {
  it('with its instructions, its blocks, its context, its tools, hands and handoffs', async () => {
    s.write('a.too', agent);
    const compared = await both(['name=Ana', 'Hello', 'there']);
    compare(compared);
    const { call, preview } = compared.explained;
    expect(call.tools.map(({ name }: { name: string }) => name)).toEqual([
      'filesystem/read',
      'shell/run',
      'git/look',
      'skill',
      'other',
      'handoff_to_third',
    ]);
    expect(call.messages.at(-1).content).toBe('<context>\nFacts of Ana.\n</context>\n\nThree.\n\nHello there');
    expect(call.models).toEqual([{ name: 'fake', ref: 'fake', why: 'named by the thunk', usable: true }]);
    expect(preview).toMatchObject({ thunk: 'default', isSample: false, values: { input: 'Hello there', name: 'Ana' } });
    expect(call.output).toMatchObject({ type: 'object', required: ['words'] });
  });

  it('with a prompt that is written out', async () => {
    s.write('a.too', agent);
    const compared = await both(['/short three Hello there']);
    compare(compared);
    expect(compared.explained.call.messages.at(-1).content).toContain('Say it in three words: Hello there');
  });

  it('with less than the file says, where the command line leaves something out', async () => {
    s.write('a.too', agent);
    const flags = ['--tools', 'filesystem/read,web', '--caps', '[kind:skill]'];
    const { explained, sent } = await both(['third', 'Hi'], flags);
    compare({ explained, sent });
    const { tools, psyches, services } = explained.preview.sets;
    expect(tools.items).toEqual([{ name: 'filesystem/read', why: 'default, as far as --tools goes' }]);
    expect(psyches.leftOut).toEqual([{ name: 'calm', why: '--caps leaves it out' }]);
    expect(services).toMatchObject({ items: [], leftOut: [] });
    expect(sent.tools?.map((tool) => tool.function.name)).toEqual(['filesystem__read', 'skill', 'memory_save']);
  });

  it('with the history and the memories of a conversation that is named', async () => {
    s.write('a.too', agent);
    await fake.close();
    fake = await startFakeModel('deepseek', {
      answers: [
        { calls: [{ tool: 'memory_save', args: { text: 'Ana likes plums.' } }] },
        { text: 'Noted.' },
        { text: 'Plums.' },
      ],
    });
    configure();
    await s.cli(['invoke', 'a.too', 'third', '--thread', 't', 'Ana likes plums.'], { env: env() });
    const before = readdirSync(s.at('.toolang')).length;
    const compared = await both(['third', 'What does Ana like?'], ['--thread', 't']);
    compare(compared);
    const texts = compared.explained.call.messages.map(({ content }: { content: string }) => content);
    expect(texts).toContain('Noted.');
    expect(texts.join('\n')).toContain('"third", run ');
    expect(compared.explained.call.recalled).toEqual([]);
    expect(readdirSync(s.at('.toolang')).length).toBe(before);
  });
});

describe('explaining', () => {
  it('writes nothing, asks nobody and connects nothing', async () => {
    s.write('a.too', agent);
    const before = readdirSync(s.dir).sort();
    const { code, out } = await s.cli(['explain', 'a.too'], { env: env() });
    expect(code).toBe(0);
    expect(readdirSync(s.dir).sort()).toEqual(before);
    expect(readdirSync(s.home)).toEqual([]);
    expect(fake.requests).toEqual([]);
    expect(out).toContain('git/look (known when it is connected: --connect)');
  });

  it('says what a run would stop at, and shows the call all the same', async () => {
    s.write('a.too', agent.replace('git/look', 'git/loook'));
    const { code, out } = await s.cli(['explain', 'a.too', '--connect', 'third', 'x']);
    expect(code).toBe(0);
    expect(out).toMatch(/DEEPSEEK_API_KEY\s+is\s+not\s+set/);
    const other = await s.cli(['explain', 'a.too', '--connect', 'Hi'], { env: env() });
    expect(other.out).toMatch(/a run would stop: "git" has no tool "loook"\. Did you mean "git\/look"\?/);
    expect(other.out).toContain('│ Three.');
  });
});
