/** `toolang explain FILE.toon --cost`: what a run can cost at most. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../../test/json-schema.ts';
import { mostRepairs } from '../../agent/index.ts';
import type { WorkflowCost } from '../cost/cost.ts';
import { dollars } from '../cost/cost-text.ts';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const writer = '  writer:\n    type: anthropic\n    model: claude-sonnet-5\n';

function flow(agents: string, steps: readonly string[]): string {
  return `name: flow\ninput:\n  text: string\nagents:\n${agents}steps[${steps.length}]:\n${steps.join('')}`;
}

function step(id: string, by: string, prompt = 'Do it.', more = 'output: string'): string {
  return `  - id: ${id}\n    agent: ${by}\n    prompt: "${prompt}"\n    ${more}\n`;
}

async function costOf(text: string): Promise<WorkflowCost> {
  s.write('flow.toon', text);
  const { out, err } = await s.cli(['explain', 'flow.toon', '--cost', '--json', '--no-code']);
  if (out === '') throw new Error(err);
  const json = JSON.parse(out);
  expect(violations(json, 'explain-workflow.schema.json')).toEqual([]);
  expect(json.diagnostics).toEqual([]);
  return json.cost;
}

describe('--cost', () => {
  it('is by the longest answer, the text that is known, and the price of the model', async () => {
    const cost = await costOf(flow(writer, [step('a', 'writer')]));
    expect(cost).toMatchObject({
      calls: 1,
      endless: false,
      unknown: [],
      uncounted: [],
      plugins: [],
      limits: { usd: 1 },
    });
    const output = (16_384 * 10) / 1e6;
    expect(cost.usd).toBeGreaterThan(output);
    // A few words of input, at most at the price of writing them to a cache.
    expect(cost.usd).toBeLessThan(output + (100 * 2.5) / 1e6);
  });

  it('counts repairs of answers with a type, attempts and turns of loops', async () => {
    const typed = 'maxAttempts: 2\n    output:\n      ok: boolean';
    const one = await costOf(flow(writer, [step('a', 'writer', 'Do it.', typed)]));
    expect(one.calls).toBe(2 * (1 + mostRepairs));
    const inside = step('a', 'writer', 'Do it.', typed).replace(/^/gm, '    ').trimEnd();
    const loop = `  - kind: loop\n    id: again\n    maxIterations: 5\n    until: "{a.ok}"\n    children[1]:\n${inside}\n`;
    const many = await costOf(flow(writer, [loop]));
    expect(many.calls).toBe(5 * one.calls);
    expect(many.usd).toBeCloseTo(5 * one.usd, 9);
  });

  it('takes what is read of another model at its longest, and names what has no known length', async () => {
    const alone = await costOf(flow(writer, [step('a', 'writer')]));
    const both = await costOf(flow(writer, [step('a', 'writer'), step('b', 'writer', 'Mend {a}')]));
    expect(both.uncounted).toEqual([]);
    expect(both.usd - 2 * alone.usd).toBeGreaterThan((16_000 * 2.5) / 1e6);
    const either = await costOf(flow(writer, [step('a', 'writer'), step('b', 'writer', "Mend {a ?? 'it'}")]));
    expect([either.uncounted, either.usd]).toEqual([[], both.usd]);
    const read = await costOf(flow(writer, [step('a', 'writer', 'Say {input.text} and {input.text.length}')]));
    expect(read.uncounted).toEqual(['input.text', 'input.text.length']);
  });

  it('takes the arm with more, and both of two that run at once', async () => {
    const arm = (name: string, ids: string) =>
      `    ${name}[1]:\n${step(ids, 'writer').replace(/^/gm, '    ').trimEnd()}\n`;
    const branch = `  - kind: branch\n    id: which\n    condition: "{input.text == 'a'}"\n${arm('then', 'a')}${arm('else', 'b')}`;
    expect((await costOf(flow(writer, [branch]))).calls).toBe(1);
    const parallel = `  - kind: parallel\n    id: both\n    children[2]:\n${(step('a', 'writer') + step('b', 'writer')).replace(/^/gm, '    ').trimEnd()}\n`;
    expect((await costOf(flow(writer, [parallel]))).calls).toBe(2);
  });

  it('names agents of which nobody knows the price, and does not take them for free', async () => {
    const agents = `${writer}  coder:\n    type: codex\n  new:\n    type: openai\n    model: gpt-99\n  kept:\n    type: scripted\n`;
    const cost = await costOf(
      flow(
        agents,
        ['writer', 'coder', 'new', 'kept'].map((name, i) => step(`s${i}`, name)),
      ),
    );
    expect(cost.calls).toBe(4);
    expect(cost.unknown.map(({ agent, model }) => `${agent} ${model}`)).toEqual([
      'coder codex',
      'new openai/gpt-99',
      'kept scripted',
    ]);
    expect(cost.steps.map(({ usd }) => usd === undefined)).toEqual([false, true, true, true]);
  });

  it('goes by the models that a run would ask: aliases, other providers, the dearest of several', async () => {
    s.write(
      '.toolang/config.toml',
      '[models.aliases.lab]\nref = "qwen3"\nendpoint = "http://127.0.0.1:9/v1"\nprice_in = 1\nprice_out = 100\n[models.aliases.own]\nref = "x"\nendpoint = "http://127.0.0.1:9/v1"\n',
    );
    const agent = (name: string, rest: string) => `  ${name}:\n    type: ${rest.replaceAll('; ', '\n    ')}\n`;
    const usd = async (rest: string) => (await costOf(flow(agent('one', rest), [step('a', 'one')]))).usd;
    const cheap = await usd('openai; model: gpt-5.4-mini');
    const dear = await usd('api; provider: google; model: gemini-3.8-flash');
    const lab = await usd('openai; model: lab');
    expect(lab).toBeGreaterThan((16_384 * 100) / 1e6);
    expect(dear).toBeGreaterThan(0);
    expect(await usd('openai; model: "gpt-5.4-mini, lab"')).toBe(Math.max(cheap, lab));
    expect(await usd('anthropic; model: " openai/gpt-5.4-mini "')).toBe(cheap);
    const { steps, unknown } = await costOf(flow(agent('one', 'openai; model: "gpt-5, own"'), [step('a', 'one')]));
    expect(steps[0]).toMatchObject({ model: 'openai/gpt-5, own' });
    expect(unknown[0]?.why).toBe('[models.aliases.own] has no price_in and price_out');
  });

  it('says of scripted agents with tools that they may ask more often, too', async () => {
    s.write('flow.script.toon', 'replies[1]:\n  - for: a\n    text: hello\n');
    const cost = await costOf(flow('  kept:\n    type: scripted\n    tools[1]: filesystem\n', [step('a', 'kept')]));
    expect(cost.endless).toBe(true);
  });

  it('takes the dearest reply of a script', async () => {
    s.write(
      'flow.script.toon',
      'replies[2]:\n  - for: a\n    text: hello\n    price: 0.25\n  - for: a\n    text: again\n',
    );
    const cost = await costOf(
      flow('  kept:\n    type: scripted\n', [step('a', 'kept', 'Do it.', 'maxAttempts: 3\n    output: string')]),
    );
    expect(cost).toMatchObject({ calls: 3, usd: 0.75, unknown: [] });
    s.write('flow.script.toon', 'replies[1]:\n  - fro: a\n');
    expect((await costOf(flow('  kept:\n    type: scripted\n', [step('a', 'kept')]))).unknown[0]?.why).toContain(
      'has errors',
    );
  });

  it('says of agents with tools that only limits end them', async () => {
    s.write('.toolang/config.toml', '[limits]\nusd = 2.5\nmodel_calls = 40\n');
    s.write('flow.toon', flow(`${writer}    tools[1]: filesystem\n`, [step('a', 'writer')]));
    const { out } = await s.cli(['explain', 'flow.toon', '--cost', '--no-code']);
    expect(out).toMatch(
      /By the file 1 model call or more: agents with tools, and those of type too, go on until they are\s+done, or a limit ends it\.\n/,
    );
    expect(out).toContain(
      'Your limit stops it at $2.50 (limits.usd), and stops it after 40 model calls (limits.model_calls).\n',
    );
  });

  it('says of thunks that how often they ask is up to them, and that limits end them', async () => {
    s.write('r.too', 'thunk review:\n  models = anthropic/claude-sonnet-5\n  user: Look.\n');
    const text = flow('  dev:\n    type: too\n    use: ./r.too#review\n', [step('a', 'dev')]);
    const cost = await costOf(text);
    expect(cost).toMatchObject({ endless: true, steps: [{ agent: 'dev', model: './r.too#review', endless: true }] });
    const { out } = await s.cli(['explain', 'flow.toon', '--cost', '--no-code']);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'Not known is what "dev" (./r.too#review) costs: how often it asks, and its hands and tools, is up to it; your limits end it.',
    );
    expect(out).toContain('Your limit stops it at $1.00 (limits.usd).');
  });

  it('says both numbers: that of the file and that of the limit', async () => {
    s.write('flow.toon', flow(writer, [step('a', 'writer', 'Do it.', 'maxAttempts: 10\n    output: string')]));
    const { code, out, err } = await s.cli(['explain', 'flow.toon', '--cost', '--no-code']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^step +agent +model +calls +\$ at most\na +writer +anthropic\/claude-sonnet-5 +10 +1\.64\n\nBy the file at most 10 model calls and \$1\.64\.\nYour limit stops it at \$1\.00 \(limits\.usd\)\.\n$/,
    );
    s.write('flow.toon', flow(writer, [step('a', 'writer')]));
    expect((await s.cli(['explain', 'flow.toon', '--cost', '--no-code'])).out).toContain(
      'Your limit would stop it at $1.00',
    );
  });

  it('says so where nobody is asked', async () => {
    s.write(
      'flow.toon',
      'name: flow\ninput:\n  text: string\nsteps[1]:\n  - id: a\n    run: "return 1"\n    output: number\n',
    );
    expect((await s.cli(['explain', 'flow.toon', '--cost', '--no-code'])).out).toBe('No step asks a model.\n');
  });

  it('is of whole workflows that have no errors', async () => {
    s.write('flow.toon', flow(writer, [step('a', 'writer')]));
    s.write('agent.too', 'thunk:\n  user: Hello.\n');
    s.write('bad.toon', 'name: x\n');
    expect(await s.cli(['explain', 'flow.toon', 'a', '--cost'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--cost is of the whole workflow'),
    });
    expect(await s.cli(['explain', 'agent.too', '--cost'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--cost is for workflows'),
    });
    expect(await s.cli(['explain', 'bad.toon', '--cost'])).toMatchObject({ code: 2, out: '' });
  });

  it('fits into 80 columns, whatever the names', async () => {
    const name = 'a-name-that-is-far-too-long-for-any-table';
    s.write(
      'flow.toon',
      flow(`  ${name}:\n    type: anthropic\n    model: claude-sonnet-5-with-a-long-name\n`, [
        step(name, name, 'Say {input.text}'),
      ]),
    );
    const { out } = await s.cli(['explain', 'flow.toon', '--cost', '--no-code'], { shown: true, columns: 80 });
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe('dollars', () => {
  it.each([
    [0, '0'],
    [1.1, '1.10'],
    [1.101, '1.11'],
    [0.0123, '0.013'],
    [0.000012, '0.000012'],
    [1e-9, '0.000001'],
    [1234.5, '1234.50'],
    [Number.MAX_VALUE, 'more than a trillion'],
  ])('are rounded up: %d', (usd, text) => {
    expect(dollars(usd)).toBe(text);
  });
});
