/**
 * The owner of a run is killed while every type of agent is at work: what it left running is ended before anything is begun
 * again, and programs go on with the conversations that they had.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPlace, type Place, until } from '../engine/kit.ts';
import { type FakeModel, startFakeModel } from '../fake-models/server.ts';
import { cliTypes, type FakeProgram, fakeProgram, isAlive } from './fake.ts';

let w: Place;
let services: readonly FakeModel[];
let programs: ReadonlyMap<string, FakeProgram>;
let isSilent: boolean;

beforeEach(async () => {
  isSilent = true;
  const never = new Promise<void>(() => undefined);
  const answers = () => ({ text: 'Back again.', ...(isSilent && { wait: never }) });
  services = [await startFakeModel('anthropic', { answers }), await startFakeModel('openai-responses', { answers })];
  w = createPlace(({ at }) => ({
    ...Object.assign({}, ...services.map(({ env }) => env)),
    PATH: [...cliTypes.map((type) => at(`fake/${type}/bin`)), process.env.PATH].join(':'),
  }));
  programs = new Map(cliTypes.map((type) => [type, fakeProgram(type, w.at(`fake/${type}`), { hang: true })]));
});
afterEach(async () => {
  await w.leave();
  for (const service of services) await service.close();
});

const models = {
  anthropic: '    model: claude-sonnet-4-5\n',
  openai: '    model: gpt-5\n',
  api: '    provider: anthropic\n    model: claude-sonnet-4-5\n',
};

function flow(): string {
  const types = [...cliTypes.map((type) => [type, ''] as const), ...Object.entries(models)];
  const agents = types.map(([type, fields]) => `  ${type}:\n    type: ${type}\n${fields}`);
  const steps = types.map(
    ([type]) => `      - id: ask-${type}\n        agent: ${type}\n        prompt: Go.\n        output: string\n`,
  );
  return `name: w\ninput:\nagents:\n${agents.join('')}steps[1]:\n  - kind: parallel\n    children[${steps.length}]:\n${steps.join('')}`;
}

test.runIf(process.platform === 'linux')('each of the nine types goes on after its owner was killed', async () => {
  w.write('w.toon', flow());
  const first = w.start('run', 'w.toon');
  const id = await first.id();
  const asked = () => services.reduce((sum, { requests }) => sum + requests.length, 0);
  const hung = () => [...programs.values()].flatMap((each) => each.calls().flatMap(({ children = [] }) => children));
  await until(() => asked() === 3 && hung().length === 2 * cliTypes.length, 'all that is asked');
  const store = w.store();
  const [run] = store.runs({ roots: true });
  const sessions = () =>
    [...store.events(run?.id ?? '')].flatMap(({ node = '', body }) =>
      body.kind === 'session' ? [[/ask-([\w-]+)/.exec(node)?.[1] ?? '', body.id] as const] : [],
    );
  await until(() => sessions().length === cliTypes.length - 1, 'what is noted of conversations');
  const noted = new Map(sessions());
  first.kill('SIGKILL');
  await first.exit;
  const left = [...programs.values()].flatMap((each) =>
    each.calls().flatMap(({ pid, children = [] }) => [pid, ...children]),
  );
  expect(left.filter(isAlive)).toEqual(left);

  isSilent = false;
  for (const program of programs.values()) program.script({ hang: true }, { text: 'Back again.' });
  const again = await w.finish('resume', id);
  expect(again).toMatchObject({ code: 0 });
  expect(JSON.parse(again.out)).toEqual(Array(9).fill('Back again.'));
  expect(left.filter(isAlive)).toEqual([]);
  for (const [type, program] of programs) {
    expect(program.calls(), type).toHaveLength(2);
    expect(program.calls()[1]?.resumed, type).toBe(noted.get(type));
    expect(noted.has(type), type).toBe(type !== 'forge');
  }
  expect(asked()).toBe(6);
});
