/** Components opened up at each use: names, ids, params. */
import { describe, expect, it } from 'vitest';
import type { ComponentNode } from './node.ts';
import { planOf, problemsOf } from './plan-test-kit.ts';
import { nodesOf } from './walk.ts';

const brief = `components:
  Brief:
    params:
      text: string
      limit: number?
    steps[2]:
      - id: "{id}-short"
        agent: w
        prompt: "{params.limit ?? 100} words for {id}: {params.text}"
        output:
          text: string
      - id: local
        agent: w
        prompt: "Again: {short.text}"
        output:
          title: string
`;

function using(steps: string, components = brief): string {
  const count = [...steps.matchAll(/^ {2}- /gm)].length;
  return `name: flow\ninput:\n  topic: string\nagents:\n  w:\n    type: scripted\n${components}steps[${count}]:\n${steps}`;
}

const use = (id: string, more = '') =>
  `  - kind: component\n    id: ${id}\n    use: Brief\n    with:\n      text: "{input.topic}"\n${more}`;
const reader = (text: string) =>
  `  - id: reader\n    agent: w\n    prompt: ${JSON.stringify(text)}\n    output:\n      text: string\n`;

describe('a component', () => {
  it('is opened up where it is used', async () => {
    const plan = await planOf(using(use('a') + use('b')));
    expect([...nodesOf(plan)].map(({ path }) => path)).toEqual(['a', 'a/short', 'a/local', 'b', 'b/short', 'b/local']);
    expect((plan.children[0] as ComponentNode).children[0]?.id).toBe('a-short');
  });

  it('shows ids with {id} in them outside, under their whole names', async () => {
    expect(await problemsOf(using(use('a') + reader('{a-short.text}')))).toEqual([]);
  });

  it('keeps its other ids to itself', async () => {
    expect((await problemsOf(using(use('a') + reader('{local.title}')))).map((each) => each.split(' ')[0])).toEqual([
      'TOO3251',
    ]);
  });

  it('gives the result of its last step', async () => {
    expect(await problemsOf(using(use('a') + reader('{a.title}')))).toEqual([]);
    expect((await problemsOf(using(use('a') + reader('{a.text}')))).map((each) => each.split(' ')[0])).toEqual([
      'TOO3252',
    ]);
  });

  it.each([
    ['an unknown parameter', '      lenght: 3\n', 'TOO4244 29:7'],
    ['a value of the wrong type', '      limit: many\n', 'TOO4245 29:14'],
  ])('refuses %s', async (_, more, problem) => {
    expect(await problemsOf(using(use('a', more)))).toEqual([problem]);
  });

  it('wants the parameters that must be there', async () => {
    expect(await problemsOf(using('  - kind: component\n    id: a\n    use: Brief\n'))).toEqual(['TOO4243 26:10']);
  });

  it('that is unknown is told with the closest name', async () => {
    expect(await problemsOf(using(use('a').replace('Brief', 'Breif')))).toEqual(['TOO4241 26:10']);
  });

  it('cannot contain itself', async () => {
    const ring = `components:\n  A:\n    steps[1]:\n      - kind: component\n        id: b\n        use: B\n  B:\n    steps[1]:\n      - kind: component\n        id: a\n        use: A\n`;
    expect((await problemsOf(using('  - kind: component\n    id: x\n    use: A\n', ring)))[0]).toBe('TOO4246 17:14');
  });

  it('is checked although nothing uses it', async () => {
    const wrong = brief.replace('{params.text}', '{params.txt}');
    expect(await problemsOf(using(reader('x'), wrong))).toEqual(['TOO3252 15:64']);
  });

  it('reports a mistake in it once, however often it is used', async () => {
    const wrong = brief.replace('{params.text}', '{params.txt}');
    expect(await problemsOf(using(use('a') + use('b'), wrong))).toEqual(['TOO3252 15:64']);
  });

  it('does not see the steps around its use', async () => {
    const wrong = brief.replace('{params.text}', '{reader.text}');
    expect((await problemsOf(using(reader('x') + use('a'), wrong))).map((each) => each.split(' ')[0])).toEqual([
      'TOO3251',
    ]);
  });

  it('that uses others many times over is stopped, and nothing else is said', async () => {
    const twice = (name: string) =>
      `      - kind: component\n        id: x\n        use: ${name}\n      - kind: component\n        id: y\n        use: ${name}\n`;
    const levels = Array.from({ length: 24 }, (_, i) => `  C${i}:\n    steps[2]:\n${twice(`C${i + 1}`)}`).join('');
    const last = `  C24:\n    steps[1]:\n      - id: z\n        agent: w\n        prompt: "{nope}"\n        output: string\n`;
    const found = await problemsOf(
      using('  - kind: component\n    id: x\n    use: C0\n', `components:\n${levels}${last}`),
    );
    expect(found.map((each) => each.split(' ')[0])).toEqual(['TOO4216']);
  });

  it('that is long and used very often is stopped, and so is a prompt from a file', async () => {
    const long = 'a'.repeat(10_000);
    const part = `components:\n  P:\n    steps[1]:\n      - id: z\n        agent: w\n        prompt: ${long}\n        output: string\n`;
    const uses = Array.from({ length: 300 }, (_, i) => `  - kind: component\n    id: x${i}\n    use: P\n`).join('');
    expect((await problemsOf(using(uses, part))).map((each) => each.split(' ')[0])).toEqual(['TOO4216']);
    const steps = Array.from(
      { length: 300 },
      (_, i) => `  - id: x${i}\n    agent: w\n    promptFrom: ./long.md\n    output: string\n`,
    ).join('');
    const found = await problemsOf(using(steps, ''), { files: { 'long.md': long } });
    expect(found.map((each) => each.split(' ')[0])).toEqual(['TOO4216']);
  });
});

describe('ids', () => {
  it('are used once', async () => {
    expect(await problemsOf(using(reader('x') + reader('y'), ''))).toEqual(['TOO4221 13:9']);
  });
});
