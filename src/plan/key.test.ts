/** Keys and differences of plans. */
import { describe, expect, it } from 'vitest';
import { dependenciesOf } from './dependencies.ts';
import { diffPlans } from './diff.ts';
import { keyOf, keyParts } from './key.ts';
import { flow, planOf, prompt } from './plan-test-kit.ts';
import { nodesOf } from './walk.ts';

async function keysOf(text: string): Promise<Record<string, string>> {
  const plan = await planOf(text);
  return Object.fromEntries(
    [...nodesOf(plan)].flatMap(({ node, path, plan: own }) => {
      const parts = keyParts(node, own);
      return parts ? [[path, keyOf(parts)]] : [];
    }),
  );
}

const base = flow(prompt('a', 'One {input.topic}') + prompt('b', 'Two {a.text}') + prompt('c', 'Three'));

async function diff(change: (text: string) => string) {
  return diffPlans(await planOf(base), await planOf(change(base)));
}

describe('a plan', () => {
  it('is plain data, frozen to its last part', async () => {
    const plan = await planOf(base);
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    const parts: unknown[] = [plan];
    for (const part of parts) {
      if (typeof part !== 'object' || part === null) continue;
      expect(Object.isFrozen(part)).toBe(true);
      for (const inner of Object.values(part)) parts.push(inner);
    }
  });
});

describe('a key', () => {
  it.each([
    ['the prompt', (text: string) => text.replace('Three', 'Tree')],
    ['the output', (text: string) => text.replace(/text: string\n$/, 'text: number\n')],
    ['a field of the agent', (text: string) => text.replace('type: scripted', 'type: scripted\n    model: m')],
  ])('changes with %s', async (_, change) => {
    expect((await keysOf(change(base))).c).not.toBe((await keysOf(base)).c);
  });

  it.each([
    ['a timeout', (text: string) => `${text}    timeout: 5m\n`],
    ['retries', (text: string) => `${text}    maxAttempts: 3\n`],
    ['needs', (text: string) => `${text}    needs: a\n`],
    ['a pool', (text: string) => `${text}    pool: gpu\n`],
    ['a comment', (text: string) => `# words\n${text}`],
    [
      'the time limits of the agent',
      (text: string) => text.replace('scripted', 'scripted\n    timeoutMs: 5\n    idleTimeoutMs: 3'),
    ],
    ['the name of the agent', (text: string) => text.replaceAll('agent: w', 'agent: v').replace('  w:', '  v:')],
  ])('does not change with %s', async (_, change) => {
    expect((await keysOf(change(base))).c).toBe((await keysOf(base)).c);
  });

  it('does not change when a schema is only renamed', async () => {
    const named = (name: string) =>
      flow(`  - id: a\n    agent: w\n    prompt: x\n    output: ${name}\n`).replace(
        'steps[1]',
        `schemas:\n  ${name}:\n    text: string\n    next: ${name}?\nsteps[1]`,
      );
    expect(await keysOf(named('Review'))).toEqual(await keysOf(named('Verdict')));
  });
});

describe('an edited plan', () => {
  it('that is the same keeps everything', async () => {
    expect(await diff((text) => text)).toMatchObject({ kept: ['a', 'b', 'c'], changed: [], mayChange: [], added: [] });
  });

  it('with a changed prompt runs that step again, and perhaps its readers', async () => {
    expect(await diff((text) => text.replace('One', 'Uno'))).toEqual({
      kept: ['c'],
      moved: [],
      changed: [{ path: 'a', parts: ['prompt'] }],
      mayChange: [{ path: 'b', because: ['a'] }],
      added: [],
      removed: [],
    });
  });

  it('finds a renamed step by its key', async () => {
    expect(await diff((text) => text.replace('id: c', 'id: last'))).toMatchObject({
      kept: ['a', 'b'],
      moved: [{ from: 'c', to: 'last' }],
      removed: [],
    });
  });

  it('tells new and removed steps', async () => {
    const changed = await diff((text) => text.replace('Three', 'Four').replace('id: c', 'id: d'));
    expect(changed).toMatchObject({ kept: ['a', 'b'], added: ['d'], removed: ['c'] });
  });

  it('keeps steps that are only grouped otherwise', async () => {
    const grouped = (text: string) => {
      const [head = '', ...steps] = text.split(/(?=^ {2}- )/m);
      const inner = steps.join('').replace(/^/gm, '    ').replace(/ +$/, '');
      return `${head.replace('steps[3]', 'steps[1]')}  - kind: sequence\n    children[3]:\n${inner}`;
    };
    expect(await diff(grouped)).toMatchObject({ kept: ['a', 'b', 'c'], changed: [], added: [], removed: [] });
  });

  it('follows what a condition decides', async () => {
    const branch = (word: string) =>
      flow(
        `${prompt('a', word)}  - kind: branch\n    condition: "{a.text} == 'x'"\n    then[1]:\n      - id: b\n        agent: w\n        prompt: x\n        output: string\n`,
        2,
      );
    const changed = diffPlans(await planOf(branch('one')), await planOf(branch('two')));
    expect(changed.mayChange).toEqual([{ path: 'b', because: ['a'] }]);
  });

  it('follows the rounds of a loop, which those behind it read, and no one inside', async () => {
    const loop = (word: string) =>
      flow(
        `  - kind: loop\n    id: p\n    maxIterations: 3\n    until: "{x.text} == 'x'"\n    children[2]:\n${(prompt('x', word) + prompt('y', '{loop.iteration}')).replace(/^(?=.)/gm, '    ')}${prompt('n', '{loop.iteration}')}`,
        2,
      );
    const { mayChange } = diffPlans(await planOf(loop('one')), await planOf(loop('two')));
    expect(mayChange).toEqual([
      // Inside it is decided by the end of the round before.
      { path: 'p/y', because: ['p/x'] },
      { path: 'n', because: ['p/x', 'p/y'] },
    ]);
    const dependencies = dependenciesOf(await planOf(loop('one')));
    expect(dependencies.get('n')).toEqual(['p']);
    expect(dependencies.get('p/y')).not.toContain('p');
  });

  it('follows what is read of a whole block, and through params, and tells ten reasons', async () => {
    const block = (word: string) => {
      const inner = Array.from({ length: 20 }, (_, i) => prompt(`s${i}`, word))
        .join('')
        .replace(/^(?=.)/gm, '    ');
      const part =
        'components:\n  P:\n    params:\n      t: string\n    steps[1]:\n      - id: z\n        agent: w\n        prompt: "{params.t}"\n        output: string\n';
      const uses = `${prompt('r', '{p}')}  - kind: component\n    id: c\n    use: P\n    with:\n      t: "{s1.text}"\n`;
      return flow(`  - kind: parallel\n    id: p\n    children[20]:\n${inner}${uses}`, 3).replace(
        'steps[3]',
        `${part}steps[3]`,
      );
    };
    const changed = diffPlans(await planOf(block('one')), await planOf(block('two')));
    expect(changed.mayChange.map(({ path, because }) => [path, because.length, because[0]])).toEqual([
      ['r', 10, 's0'],
      ['c/z', 1, 's1'],
    ]);
  });
});
