/** How a workflow runs: numbers, what runs at once, what is read of which type. */
import { describe, expect, it } from 'vitest';
import { planWorkflow } from '../plan/index.ts';
import { createSource, painter } from '../text/index.ts';
import { durationText, type ExplainedStep, explainStepText, explainText, explainWorkflow } from './index.ts';

const text = `name: x
agents:
  w:
    type: anthropic
    model: m
input:
  q: string?
  deep:
    inner: number
schemas:
  S:
    t: string
    more: string?
components:
  P:
    params:
      t: string
    steps[1]:
      - id: p
        agent: w
        prompt: "{params.t} {id}"
        output: S
steps[4]:
  - kind: parallel
    children[3]:
      - id: a
        agent: w
        prompt: "A {input.q} {input.deep.inner}"
        output: S
        retry:
          maxAttempts: 2
          backoff: linear
          initialDelay: 5s
        timeout: 2m
        cache:
          by[1]: "{input.q}"
          version: 3
      - id: b
        agent: w
        prompt: "B {a.more}"
        output: S
      - id: c
        run: "return { t: 'x' }"
        output: S
        needs: a
  - kind: branch
    condition: "{a.t} == 'x'"
    then[1]:
      - kind: component
        id: part
        use: P
        with:
          t: "{b.t}"
    else[1]:
      - kind: loop
        id: l
        until: "{d.t} == 'x'"
        children[1]:
          - id: d
            agent: w
            prompt: "{loop.iteration} {d.t}"
            output: S
  - kind: approval
    id: ok
    request:
      title: "Go on?"
  - id: last
    agent: w
    prompt: "{ok.note} {a.t.length}"
    output: "string[]"
`;

async function explained() {
  const { plan, diagnostics } = await planWorkflow(createSource('x.toon', text), {
    file: '/x.toon',
    read: async () => ({ ok: false, message: 'none' }),
  });
  if (!plan) throw new Error(diagnostics.map((d) => d.message).join('\n'));
  return explainWorkflow(plan);
}

const byId = (steps: readonly ExplainedStep[], id: string) => {
  const found = steps.find((step) => step.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};

describe('an explained workflow', () => {
  it('numbers its nodes in the order in which they run', async () => {
    const { steps } = await explained();
    expect(steps.map(({ number, id }) => `${number} ${id ?? ''}`.trim())).toEqual([
      '1',
      '1a a',
      '1b b',
      '1c c',
      '2',
      '2.then.1 part',
      '2.then.1.1 p',
      '2.else.1 l',
      '2.else.1.1 d',
      '3 ok',
      '4 last',
    ]);
  });

  it('says what may run at the same time: not what waits for another', async () => {
    const { steps } = await explained();
    expect(byId(steps, 'a').beside).toEqual([]);
    expect(byId(steps, 'b').beside).toEqual(['c']);
    expect(byId(steps, 'c').beside).toEqual(['b']);
    expect(byId(steps, 'c').needs).toEqual(['a']);
  });

  it('names the nearest of very many beside it, and counts the others', async () => {
    const child = (i: number) => `      - id: s${i}\n        run: return {}\n        output:\n          t: string?\n`;
    const wide = `name: x\ninput:\nsteps[1]:\n  - kind: parallel\n    children[300]:\n${Array.from({ length: 300 }, (_, i) => child(i)).join('')}`;
    const { plan } = await planWorkflow(createSource('x.toon', wide), {
      file: '/x.toon',
      read: async () => ({ ok: false, message: 'none' }),
    });
    if (!plan) throw new Error('no plan');
    const workflow = explainWorkflow(plan);
    const middle = byId(workflow.steps, 's150');
    expect([middle.beside.length, middle.beside[0], middle.beside.at(-1), middle.moreBeside]).toEqual([
      100,
      's100',
      's200',
      199,
    ]);
    expect(explainText(workflow, painter(false))).toContain(' and 249 more\n');
  });

  it('knows the types of what is read, as far as they are written', async () => {
    const { steps } = await explained();
    expect(byId(steps, 'a').reads).toEqual([
      { name: 'input.q', type: 'string?' },
      { name: 'input.deep.inner', type: 'number' },
    ]);
    expect(byId(steps, 'b').reads).toEqual([{ name: 'a.more', type: 'string?' }]);
    expect(byId(steps, 'p').reads).toEqual([
      { name: 'params.t', type: 'string' },
      { name: 'id', type: 'string' },
    ]);
    expect(byId(steps, 'd').reads[0]).toEqual({ name: 'loop.iteration', type: 'number' });
    expect(byId(steps, 'last').reads.map((read) => read.type)).toEqual(['string?', undefined]);
    expect(byId(steps, 'l').result).toBe('S');
    expect(byId(steps, 'part').given).toEqual({ t: '{b.t}' });
  });

  it('has keys of what has a result to keep, made of named parts', async () => {
    const { steps, agents, types } = await explained();
    expect(byId(steps, 'a').key?.short).toMatch(/^[0-9a-f]{12}$/);
    expect(byId(steps, 'a').key?.parts).toEqual(['prompt', 'agent', 'output']);
    expect(byId(steps, 'c').key?.parts).toEqual(['code', 'output']);
    expect(byId(steps, 'l').key).toBeUndefined();
    expect(agents).toEqual([{ name: 'w', type: 'anthropic', model: 'm' }]);
    expect(types).toEqual([{ name: 'S', type: '{ t: string, more: string? }' }]);
  });

  it('is printed whole, and a step of it in full', async () => {
    const workflow = await explained();
    const printed = explainText(workflow, painter(false));
    expect(printed).toContain('  1b may run at the same time as 1c\n');
    expect(printed).toContain(
      '    retry    2 attempts, linear from 5s\n    timeout  2m\n    cache    by {input.q}, version 3\n',
    );
    expect(printed).not.toMatch(/[ \t]\n/);
    const step = explainStepText(byId(workflow.steps, 'b'), workflow, painter(false));
    expect(step).toContain('  beside   c\n');
    expect(step).toContain('Prompt\n  B {a.more}\n');
    expect(explainStepText(byId(workflow.steps, 'part'), workflow, painter(false))).toContain('Given\n  {\n    "t": ');
  });
});

it('durations are in the largest unit that says them exactly', () => {
  expect([250, 1000, 90_000, 120_000, 3_600_000, 0].map(durationText)).toEqual([
    '250ms',
    '1s',
    '90s',
    '2m',
    '1h',
    '0ms',
  ]);
});
