/** What workflows give, as their plans say it. */
import { describe, expect, it } from 'vitest';
import type { WorkflowPlan } from './node.ts';
import { flow, planOf, problemsOf, prompt } from './plan-test-kit.ts';
import { typeText } from './type-text.ts';

const text = (id: string, more = '') => `- id: ${id}\n  agent: w\n  prompt: x\n  output:\n    text: string\n${more}`;
const number = (id: string, more = '') => `- id: ${id}\n  run: return 1\n  output: number\n${more}`;
const indent = (block: string, by: number) => block.replace(/^(?=.)/gm, ' '.repeat(by));
const parallel = (...children: string[]) =>
  `  - kind: parallel\n    id: p\n    children[${children.length}]:\n${indent(children.join(''), 6)}`;
const branch = (then: string, other?: string) =>
  `  - kind: branch\n    condition: "{input.topic} == 'x'"\n    then[1]:\n${indent(then, 6)}${other === undefined ? '' : `    else[1]:\n${indent(other, 6)}`}`;
const resultOf = ({ result }: WorkflowPlan) => typeText(result);

describe('the result', () => {
  it.each([
    [
      'of a parallel is a list of the results of its children',
      parallel(text('a'), number('b')),
      '[{ text: string }, number]',
    ],
    [
      'of a child that may be skipped may be missing',
      parallel(text('a'), number('b', '  skipIf: "{input.topic}"\n')),
      '[{ text: string }, number?]',
    ],
    ['of a branch is one of those of its arms', branch(text('a'), number('b')), '{ text: string } | number'],
    ['of equal arms is that of both', branch(number('a'), number('b')), 'number'],
    ['of a branch with one arm may be missing', branch(number('a')), 'number?'],
    [
      'of unequal arms may be missing',
      branch(text('a'), number('b', '  skipIf: "{input.topic}"\n')),
      '({ text: string } | number)?',
    ],
  ])('%s', async (_, steps, result) => {
    expect(resultOf(await planOf(flow(steps, 1)))).toBe(result);
  });
});

describe('a sub-workflow', () => {
  const sub = (steps: string, head = '') =>
    `name: sub\ninput:\n  topic: string\nagents:\n  w:\n    type: scripted\n${head}steps[1]:\n${steps}`;
  const calling = (steps: string, head = '') =>
    flow(`  - kind: workflow\n    id: c\n    use: sub\n    input:\n      topic: x\n${steps}`).replace(
      'agents:',
      `imports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\n${head}agents:`,
    );

  it('gives the result that it has, with the types that it names', async () => {
    const review = 'schemas:\n  Part:\n    n: number\n  Review:\n    parts: "Part[]"\n';
    const step = prompt('r', 'x').replace('output:\n      text: string', 'output: Review');
    const plan = await planOf(calling(''), { files: { 'sub.toon': sub(step, review) } });
    expect(resultOf(plan)).toBe('Review');
    expect(Object.keys(plan.types)).toEqual(['Review', 'Part']);
    const other = 'schemas:\n  Review:\n    text: string\n';
    const both = await planOf(calling('', other), { files: { 'sub.toon': sub(step, review) } });
    expect(resultOf(both)).toBe('Review2');
    expect(Object.entries(both.types).map(([name, type]) => `${name} ${typeText(type)}`)).toEqual([
      'Review { text: string }',
      'Review2 { parts: Part[] }',
      'Part { n: number }',
    ]);
  });

  it('that may give nothing may not be relied on', async () => {
    const skipped = prompt('r', 'x', '    skipIf: "{input.topic}"\n');
    const through = (inner: string) => ({ 'sub.toon': sub(inner), 'deep.toon': sub(skipped).replace('sub', 'deep') });
    const needsText = '  - kind: workflow\n    id: d\n    use: sub\n    input:\n      topic: "{c.text}"\n';
    expect(await problemsOf(calling(needsText), { files: through(skipped) })).toEqual(['TOO4245 20:14']);
    expect(resultOf(await planOf(calling(''), { files: through(skipped) }))).toBe('{ text: string }?');
    // Through a workflow that only calls another, and from one that a program built.
    const call = '  - kind: workflow\n    id: x\n    use: deep\n    input:\n      topic: x\n';
    const files = {
      ...through(''),
      'sub.toon': sub(call, 'imports:\n  workflows[1]{from,as}:\n    ./deep.toon,deep\n'),
    };
    expect(await problemsOf(calling(needsText), { files })).toEqual(['TOO4245 20:14']);
    const plan = await planOf(sub(skipped));
    const modules = {
      './sub.ts': {
        ok: true,
        file: '/flows/sub.ts',
        files: [],
        exports: { default: { kind: 'workflow', name: 'sub', plan, file: '/flows/sub.ts' } },
      },
    } as const;
    expect(await problemsOf(calling(needsText).replace('sub.toon', 'sub.ts'), { modules })).toEqual(['TOO4245 20:14']);
  });

  it('that gives a list is read item by item, also from a program', async () => {
    const plan = await planOf(sub(parallel(text('a'), number('b'))));
    const modules = {
      './sub.ts': {
        ok: true,
        file: '/flows/sub.ts',
        files: [],
        exports: { default: { kind: 'workflow', name: 'sub', plan, file: '/flows/sub.ts' } },
      },
    } as const;
    const read = (what: string) => calling(prompt('z', what)).replace('sub.toon', 'sub.ts');
    expect(await problemsOf(read('{c[0].text} {c[1].toFixed(2)}'), { modules })).toEqual([]);
    expect(await problemsOf(read('{c[0].toFixed(2)}'), { modules })).toEqual(['TOO3252 18:20']);
  });
});
