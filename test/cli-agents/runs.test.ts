/**
 * Every type of agent of a workflow in whole runs: the programs by stand-ins on the PATH, the models by fake services. A step
 * that runs, a timeout that ends all that was started, silence, an answer that is sent back; and what people are shown of it.
 */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, type Scratch, scratch } from '../../src/cli/scratch.ts';
import { openSqliteStore } from '../../src/journal/index.ts';
import { type FakeModel, startFakeModel } from '../fake-models/server.ts';
import { cliTypes, type FakeCall, fakeProgram, isAlive } from './fake.ts';

let s: Scratch;
let fakes: FakeModel[] = [];
beforeEach(() => {
  s = scratch();
});
afterEach(async () => {
  for (const fake of fakes) await fake.close();
  fakes = [];
  s.remove();
});

const models = { anthropic: 'claude-sonnet-4-5', openai: 'gpt-5', api: 'claude-sonnet-4-5' } as const;
type ModelType = keyof typeof models;
const isModel = (type: string): type is ModelType => type in models;
const allTypes = [...cliTypes, ...Object.keys(models)];

/** What it says, call after call; `hang`: nothing comes. */
interface Said {
  readonly texts?: readonly string[];
  readonly hang?: 'begun' | 'quiet';
}

interface Kit {
  readonly env: Record<string, string>;
  /** How often it was asked. */
  readonly asked: () => number;
  /** Processes that hang. */
  readonly pids: () => readonly number[];
  readonly fields: string;
}

async function kitOf(type: string, { texts = [], hang }: Said): Promise<Kit> {
  const path = process.env.PATH ?? '';
  if (isModel(type)) {
    const never = new Promise<void>(() => undefined);
    const model = await startFakeModel(type === 'openai' ? 'openai-responses' : 'anthropic', {
      answers: hang ? () => ({ text: '', wait: never }) : texts.map((text) => ({ text })),
    });
    fakes.push(model);
    const provider = type === 'api' ? '    provider: anthropic\n' : '';
    return {
      env: { PATH: path, ...model.env },
      asked: () => model.requests.length,
      pids: () => [],
      fields: `${provider}    model: ${models[type]}\n`,
    };
  }
  const calls: FakeCall[] = hang
    ? [hang === 'begun' ? { hang: true } : { quiet: true }]
    : texts.map((text) => ({ text, tool: 'ls' }));
  const program = fakeProgram(type, s.at(`fake/${type}`), ...calls);
  return {
    env: { PATH: `${program.bin}:${path}` },
    asked: () => program.calls().length,
    pids: () => program.calls().flatMap(({ pid, children = [] }) => [pid, ...children]),
    fields: '',
  };
}

const flow = (type: string, fields: string, output = 'string') => `name: w
input:
agents:
  dev:
    type: ${type}
${fields}    instructions: You are planted-in-the-instructions.
steps[1]:
  - id: draft
    agent: dev
    prompt: Tell planted-in-the-prompt.
    output: ${output}
`;

const cli = (argv: string[], env: Record<string, string>): Promise<Ran> =>
  s.cli(argv, { env: { USER: 'ana', ...env } });
const idIn = ({ err }: Ran) => /run ([0-9a-z]{4,})/.exec(err)?.[1] ?? '';

function kindsIn(): string[] {
  const store = openSqliteStore(s.at('.toolang/runs.db'));
  try {
    const [run] = store.runs({ roots: true });
    return [...store.events(run?.id ?? '')].map(({ body }) => body.kind);
  } finally {
    store.close();
  }
}

const told = (type: string) => ({
  session: isModel(type) ? undefined : type !== 'forge',
  tokens: !['kimi', 'forge'].includes(type),
  cost: ['claude-code', 'pi'].includes(type) || isModel(type),
});

describe.each(allTypes)('%s', (type) => {
  const { session, tokens, cost } = told(type);

  test('a step runs; its session, tokens and costs are shown, or that they are not known', async () => {
    const kit = await kitOf(type, { texts: ['Ready.'] });
    s.write('w.toon', flow(type, kit.fields));
    const ran = await cli(['run', 'w.toon'], kit.env);
    expect(ran).toMatchObject({ code: 0, out: 'Ready.\n' });
    // Nothing of what is said stands in what is told on the way.
    expect(ran.err).not.toContain('planted');
    const { out } = await cli(['show', idIn(ran)], kit.env);
    if (session !== undefined) expect(out).toMatch(session ? /session [0-9a-f]{8}-/ : /session unknown/);
    if (tokens) expect(out).toMatch(/\d+ tokens/);
    else expect(out.replace(/\s+/g, ' ')).toContain('tokens and cost unknown');
    expect(/cost\s+unknown/.test(out)).toBe(!cost);
    const json = JSON.parse((await cli(['show', idIn(ran), '--json'], kit.env)).out);
    const [node] = json.run.nodes;
    expect(node.session !== undefined).toBe(session === true);
  });

  test('an answer that is no JSON is sent back, and the next one is taken', async () => {
    const kit = await kitOf(type, { texts: ['I would say four.', '{"n": 4}'] });
    s.write('w.toon', flow(type, kit.fields, '\n      n: number'));
    const ran = await cli(['run', 'w.toon'], kit.env);
    expect(ran).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.out)).toEqual({ n: 4 });
    expect(kit.asked()).toBe(2);
    expect(kindsIn().filter((kind) => kind === 'output.repaired')).toHaveLength(1);
  });
});

/** All of them at once: what one waits for, the others need not wait for again. */
async function hungUp(limit: string, hang: NonNullable<Said['hang']>) {
  const kits = await Promise.all(allTypes.map((type) => kitOf(type, { hang })));
  const agents = allTypes.map((type, i) => `  ${type}:\n    type: ${type}\n${kits[i]?.fields}    ${limit}\n`);
  const steps = allTypes.map(
    (type) => `      - id: ask-${type}\n        agent: ${type}\n        prompt: Go.\n        output: string\n`,
  );
  s.write(
    'w.toon',
    `name: w\ninput:\nagents:\n${agents.join('')}steps[1]:\n  - kind: parallel\n    children[${steps.length}]:\n${steps.join('')}`,
  );
  const env = Object.assign({}, ...kits.map((kit) => kit.env));
  const PATH = kits.map((kit) => kit.env.PATH).join(':');
  const ran = await cli(['run', 'w.toon', '--json'], { ...env, PATH });
  return { ran, kits };
}

test('a timeout ends each of them, with all that it started', async () => {
  const { ran, kits } = await hungUp('timeoutMs: 5000', 'begun');
  expect(ran.code).toBe(1);
  const { error } = JSON.parse(ran.out);
  expect(error.causes.map(({ code, message }: { code: string; message: string }) => [code, message])).toEqual(
    allTypes.map(() => ['timeout', 'it was not done within 5000 ms, and was stopped']),
  );
  // Two of them have the same service.
  expect(kits.reduce((sum, kit) => sum + kit.asked(), 0)).toBe(allTypes.length);
  if (process.platform === 'linux') expect(kits.flatMap((kit) => kit.pids()).filter(isAlive)).toEqual([]);
});

test('silence ends each of them, with all that it started', async () => {
  const { ran, kits } = await hungUp('idleTimeoutMs: 5000', 'quiet');
  expect(ran.code).toBe(1);
  const { error } = JSON.parse(ran.out);
  expect(error.causes.map(({ message }: { message: string }) => message)).toEqual(
    allTypes.map((type) => `"${type}" gave no sign of life for 5000 ms`),
  );
  if (process.platform === 'linux') expect(kits.flatMap((kit) => kit.pids()).filter(isAlive)).toEqual([]);
});

test('an agent that is imported from a module runs as one that is declared', async () => {
  const program = fakeProgram('codex', s.at('fake'), { text: 'Imported.' });
  s.write('agents.ts', "export const dev = { type: 'codex', model: 'gpt-5', fullAuto: true };\n");
  const text = flow('codex', '').replace(
    /agents:\n[\s\S]*?steps/,
    'imports:\n  agents[1]{from,use}:\n    ./agents.ts,dev\nsteps',
  );
  s.write('w.toon', text);
  const ran = await cli(['run', 'w.toon'], { PATH: `${program.bin}:${process.env.PATH}` });
  expect(ran).toMatchObject({ code: 0, out: 'Imported.\n' });
  expect(program.calls()[0]?.argv).toEqual([
    'exec',
    '--json',
    '--model',
    'gpt-5',
    '-c',
    'sandbox_mode="workspace-write"',
    '-',
  ]);
});

test('an agent from a module that throws is told, with what it threw', async () => {
  s.write('agents.ts', "throw new Error('no agents today');\n");
  const text = flow('codex', '').replace(
    /agents:\n[\s\S]*?steps/,
    'imports:\n  agents[1]{from,use}:\n    ./agents.ts,dev\nsteps',
  );
  s.write('w.toon', text);
  const ran = await cli(['run', 'w.toon'], { PATH: process.env.PATH ?? '' });
  expect(ran.code).toBe(2);
  expect(ran.err + ran.out).toContain('no agents today');
  const seen = await cli(['doctor', 'w.toon'], { PATH: process.env.PATH ?? '' });
  expect(seen.code).toBe(1);
  expect(seen.out).toContain('no agents today');
});

test('a program that is not there is told before the first step runs', async () => {
  const first = '  - id: one\n    run: "await sh`touch begun`; return 1"\n    output: number\n';
  s.write('w.toon', flow('gemini', '').replace('steps[1]:\n', `steps[2]:\n${first}`));
  const ran = await cli(['run', 'w.toon'], { PATH: s.dir });
  expect(ran.code).toBe(2);
  expect(ran.err).toContain(
    'w.toon:4:3: the agent "dev" is of type gemini, and there is no program "gemini" on the PATH',
  );
  expect(ran.err).toContain('npm install -g @google/gemini-cli');
  expect(() => readFileSync(s.at('begun'))).toThrow();
});

test('prompts and instructions are in no log', async () => {
  const kit = await kitOf('claude-code', { texts: ['Ready.'] });
  s.write('w.toon', flow('claude-code', ''));
  const ran = await cli(['run', 'w.toon'], kit.env);
  const logs = await cli(['logs', idIn(ran)], kit.env);
  expect(logs.out).toContain('session ');
  expect(logs.out).not.toContain('planted');
});

test('mistakes of agents are told by check, also of those that are imported', async () => {
  const { PATH = '' } = process.env;
  const declared = 'agents:\n  dev:\n    type: codex\n';
  const imported = 'imports:\n  agents[1]{from,use}:\n    ./agents.ts,dev\n';
  const step = 'input:\nsteps[1]:\n  - id: a\n    agent: dev\n    prompt: Go.\n    output: string\n';
  const told = async (text: string, module = "{ type: 'codex' }") => {
    s.write('agents.ts', `export const dev = ${module};\n`);
    s.write('w.toon', text);
    return (await cli(['check', 'w.toon'], { PATH })).out;
  };
  expect(await told(`name: w\n${imported}${step}`)).toBe('');
  expect(await told(`name: w\n${declared}  dev:\n    type: pi\n${step}`)).toContain('the key "dev" is written twice');
  expect(await told(`name: w\n${imported}${declared}${step}`)).toMatch(/w\.toon:\d+:\d+ {2}error TOO\d+ .*"dev"/);
  expect(await told(`name: w\n${declared}${step.replace('agent: dev', 'agent: dve')}`)).toContain(
    'Did you mean "dev"?',
  );
  expect(await told(`name: w\n${imported}${step}`, "{ type: 'codx' }")).toContain('Did you mean "codex"?');
  expect(await told(`name: w\n${imported}${step}`, "{ type: 'codex', fulAuto: true }")).toContain(
    'Did you mean "fullAuto"?',
  );
  expect(await told(`name: w\n${imported}${step}`, "{ type: 'api', model: 'gpt-5' }")).toContain('has no "provider"');
});
