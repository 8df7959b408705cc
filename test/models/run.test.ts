/** Workflows on models of providers, with tools: over real connections to fake services, by the commands of people. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../../src/cli/scratch.ts';
import { type FakeModel, type FakeOptions, startFakeModel } from '../fake-models/server.ts';

let s: Scratch;
let open: FakeModel[] = [];

beforeEach(() => {
  s = scratch();
});

afterEach(async () => {
  s.done();
  await Promise.all(open.map((fake) => fake.close()));
  open = [];
});

async function fake(kind: Parameters<typeof startFakeModel>[0], options: FakeOptions): Promise<FakeModel> {
  const started = await startFakeModel(kind, options);
  open.push(started);
  return started;
}

function workflow(agent: string, steps = '  - id: draft\n    agent: dev\n    prompt: "Do it."\n    output: string\n'): void {
  s.write('w.toon', `name: w\ninput:\nagents:\n  dev:\n${agent.replace(/^/gm, '    ')}\nsteps[1]:\n${steps}`);
}

const env = (...fakes: FakeModel[]) => Object.assign({ USER: 'ana' }, ...fakes.map((each) => each.env));

describe('a prompt on a provider', () => {
  it('is asked, priced, and told in the first line with the limit', async () => {
    const openai = await fake('openai-responses', {
      answers: [{ text: 'Hello.', usage: { input: 1000, output: 100 } }],
    });
    workflow('type: openai\nmodel: gpt-5');
    const ran = await s.cli(['run', 'w.toon'], { env: env(openai) });
    expect(ran.err).toContain('model: openai/gpt-5, at most $1.00');
    expect(ran).toMatchObject({ code: 0, out: 'Hello.\n' });
    const shown = await s.cli(['show', '--json', idIn(ran.err)], { env: env(openai) });
    const { nodes } = JSON.parse(shown.out);
    expect(nodes[0]).toMatchObject({ model: 'openai/gpt-5', usage: { inputTokens: 1000, outputTokens: 100 } });
    expect(nodes[0].usage.cost).toBeGreaterThan(0);
  });
});

function idIn(text: string): string {
  return /run ([0-9a-z]{4,})/.exec(text)?.[1] ?? '';
}
