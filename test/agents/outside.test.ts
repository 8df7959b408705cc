/** What is outside of a thunk's sets cannot be reached, whatever its model writes: scripted models, native and in text, that try. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeHttp, fakeHttp } from '../fake-services/http.ts';
import { useKit } from './kit.ts';

const kit = useKit();
let mcp: FakeHttp;

beforeEach(async () => {
  mcp = kit.keep(await fakeHttp());
  kit.s.write('notes.txt', 'Honey.\n');
  kit.s.write('../outside.txt', 'planted-outside\n');
});

const service = (name: string) =>
  `service ${name}:\n  description = The ${name}.\n  transport = http\n  target = ${mcp.url}\n\n`;
/** `go` may read files, use one tool of `east`, load `one`, call `sum` and pass on to `desk`; all else belongs to others. */
const source = () =>
  [
    service('east'),
    service('west'),
    'skill one:\n  description = For one.\n  Do one.\n\n',
    'skill two:\n  description = For two.\n  planted-body-of-two\n\n',
    'thunk go:\n  tools = filesystem/read, east/echo\n  services = east\n  skills = one\n  hands = sum\n  handoffs = desk\n\n',
    'thunk sum(input: Message):\n  tools = filesystem/write\n  services -= east, west\n  user: Sum.\n\n',
    'thunk desk:\n  tools = shell\n  services = west\n  user: Desk.\n\n',
    'thunk vault(input: Message):\n  tools = shell\n  user: Vault.\n',
  ].join('');

type Call = { readonly tool: string; readonly args?: unknown; readonly raw?: string };
const touch = { command: 'touch made' };
const write = { path: 'made', content: 'x' };
const text = { text: 'planted-echo' };

const tries: readonly (readonly [string, Call])[] = [
  ['a tool of a set that it has not', { tool: 'shell/run', args: touch }],
  ['another tool of a set of which it has one', { tool: 'filesystem/write', args: write }],
  ['the same as on the wire', { tool: 'filesystem__write', args: write }],
  ['the set itself', { tool: 'filesystem', args: write }],
  ['another letter case', { tool: 'FILESYSTEM/READ', args: { path: 'notes.txt' } }],
  ['another letter case of a tool of its own', { tool: 'filesystem/Read', args: { path: 'notes.txt' } }],
  ['a letter of another script', { tool: 'filesystem/reаd', args: { path: 'notes.txt' } }],
  ['wide letters', { tool: 'ｆilesystem/read', args: { path: 'notes.txt' } }],
  ['a slash of another kind', { tool: 'filesystem∕write', args: write }],
  ['a way up', { tool: '../filesystem/write', args: write }],
  ['a way around', { tool: 'filesystem/read/../write', args: write }],
  ['a blank behind it', { tool: 'filesystem/write ', args: write }],
  ['a line behind it', { tool: 'filesystem/read\nfilesystem/write', args: write }],
  ['a name of every object', { tool: '__proto__', args: {} }],
  ['another one', { tool: 'constructor', args: {} }],
  ['another tool of a service of which it has one', { tool: 'east/add', args: { a: 1, b: 2 } }],
  ['a tool of a service that is visible, and not in its set', { tool: 'west/echo', args: text }],
  ['the same as on the wire', { tool: 'west__echo', args: text }],
  ['a service that is nowhere', { tool: 'north/echo', args: text }],
  ['a tool of its hand', { tool: 'sum/filesystem/write', args: write }],
  ['a hand of nobody', { tool: 'vault', args: { input: 'Open.' } }],
  ['a hand by its whole place', { tool: 'go#1/vault[1]#1', args: { input: 'Open.' } }],
  ['itself', { tool: 'go', args: { input: 'Again.' } }],
  ['a thunk that it may pass on to, as a hand', { tool: 'desk', args: { input: 'x' } }],
  ['a handoff that is not declared', { tool: 'handoff_to_vault', args: { input: 'x' } }],
  ['a handoff to a hand', { tool: 'handoff_to_sum', args: { input: 'x' } }],
  ['a handoff to itself', { tool: 'handoff_to_go', args: { input: 'x' } }],
  ['a handoff in another letter case', { tool: 'handoff_to_Desk', args: { input: 'x' } }],
  ['a memory that it has not', { tool: 'memory_save', args: { text: 'planted-memory' } }],
  ['a tool of the runtime', { tool: 'recorded', args: {} }],
];

/** What stands in the way where the tool is its own, and the arguments are not. */
const wrong: readonly (readonly [string, Call])[] = [
  ['a skill outside of the set', { tool: 'skill', args: { name: 'two' } }],
  ['a skill by a path', { tool: 'skill', args: { name: '../two' } }],
  ['a file of another skill', { tool: 'skill', args: { name: 'one', file: '../two/SKILL.md' } }],
  ['a file outside of the skill', { tool: 'skill', args: { name: 'one', file: '../../../../../../outside.txt' } }],
  ['a file outside of the workspace', { tool: 'filesystem/read', args: { path: '../outside.txt' } }],
  ['arguments that are no JSON', { tool: 'filesystem/read', raw: '{"path": "notes.txt"' }],
  ['arguments that are a list', { tool: 'filesystem/read', raw: '["notes.txt"]' }],
  ['arguments that are nothing', { tool: 'filesystem/read', raw: 'null' }],
  ['an argument that is too many', { tool: 'filesystem/read', args: { path: 'notes.txt', granted: true, image: {} } }],
  ['huge arguments', { tool: 'filesystem/read', args: { path: 'x'.repeat(1_000_000) } }],
  ['arguments nested deep', { tool: 'east/echo', raw: `{"text": ${'['.repeat(50_000)}${']'.repeat(50_000)}}` }],
  ['a hand without what it needs', { tool: 'sum', args: {} }],
  ['a hand with more than it takes', { tool: 'sum', args: { input: 'x', thunk: 'vault', tools: ['shell'] } }],
];

/** Nothing was done by anybody, and nothing of it was seen. */
function expectNothing(ran: { readonly done: readonly unknown[]; readonly journal: string }): void {
  expect(existsSync(kit.s.at('made'))).toBe(false);
  expect(kit.s.read('notes.txt')).toBe('Honey.\n');
  expect(ran.journal).not.toMatch(/"kind":"(handoff|memory\.saved|child\.started","name)"/);
  expect(ran.journal).not.toMatch(/"node":"[^"]*(vault|sum|desk)/);
}

const bracketSafe = ({ tool, raw }: Call) =>
  raw === undefined && /^[^\s\]]+$/.test(tool) && !/^(sum|skill)$/.test(tool);

describe.each([false, true])('in text: %s', (bracket) => {
  const all = bracket ? tries.filter(([, call]) => bracketSafe(call)) : tries;

  it.each(all)('%s', async (_, call) => {
    const ran = await kit.play(
      source(),
      [{ calls: [call], ...(bracket && { bracket: true as const }) }, { text: 'I cannot.' }],
      ['go', 'Try.'],
    );
    // In text, what is no name of a tool is no call: then it is the answer.
    const isCall = !bracket || /^[a-z]/i.test(call.tool);
    expect([ran.code, ran.out, ran.err]).toEqual([0, isCall ? 'I cannot.\n' : expect.any(String), expect.any(String)]);
    expect(ran.done).toEqual([]);
    expectNothing(ran);
    expect(mcp.state.begun).toEqual([]);
  });
});

it.each(wrong)('%s: it is told, and nothing comes of it', async (_, call) => {
  const ran = await kit.play(source(), [{ calls: [call] }, { text: 'I cannot.' }], ['go', 'Try.']);
  expect([ran.code, ran.out, ran.err]).toEqual([0, 'I cannot.\n', expect.any(String)]);
  for (const each of ran.done) expect(each).toMatchObject({ isError: true });
  expect(JSON.stringify(ran.done)).not.toMatch(/planted/);
  expectNothing(ran);
});

it('the model is told of each what there is instead', async () => {
  for (const [, call] of [...tries, ...wrong]) {
    if (call.raw === undefined && call.tool !== '' && call.tool.length < 65 && JSON.stringify(call).length < 10_000) {
      const { requests, code, sent } = await kit.ask(source(), ['go', 'Try.'], {
        answers: [{ calls: [{ tool: call.tool, args: call.args as Record<string, unknown> }] }, { text: 'I cannot.' }],
      });
      expect([call.tool, code, requests.length]).toEqual([call.tool, 0, 2]);
      expect(sent.tools.toSorted()).toEqual(['east__echo', 'filesystem__read', 'handoff_to_desk', 'skill', 'sum']);
      const told = requests[1]?.messages.at(-1);
      const [result] = told && 'results' in told ? told.results : [];
      expect([call.tool, result?.text ?? '']).toEqual([
        call.tool,
        expect.stringMatching(/there is no|do(es)? not fit|denied|outside|arguments|missing/i),
      ]);
    }
  }
}, 600_000);
