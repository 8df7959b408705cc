/** What may read what, by place. */
import { describe, expect, it } from 'vitest';
import { flow, planText, problemsOf, prompt } from './plan-test-kit.ts';

/** The same step one level deeper. */
function deeper(step: string, levels = 1): string {
  return step.replace(/^/gm, '    '.repeat(levels)).replace(/ +$/, '');
}

describe('a reference', () => {
  it('reads a step before it', async () => {
    expect(await problemsOf(flow(prompt('a', '{input.topic}') + prompt('b', '{a.text}')))).toEqual([]);
  });

  it('cannot read a later step of the same sequence', async () => {
    expect(await problemsOf(flow(prompt('a', '{b.text}') + prompt('b', 'x')))).toEqual(['TOO4231 10:15']);
  });

  it('cannot read its own step', async () => {
    expect(await problemsOf(flow(prompt('a', '{a.text}')))).toEqual(['TOO4231 10:15']);
  });

  it('cannot read a step of the other arm', async () => {
    const arms = `  - kind: branch\n    condition: "{input.topic} == 'x'"\n    then[1]:\n${deeper(prompt('a', 'x'))}    else[1]:\n${deeper(prompt('b', '{a.text}'))}`;
    expect(await problemsOf(flow(arms, 1))).toEqual(['TOO4231 19:19']);
  });

  it('reads a step of an arm behind the branch, which may have no value', async () => {
    const arms = `  - kind: branch\n    condition: "{input.topic} == 'x'"\n    then[1]:\n${deeper(prompt('a', 'x'))}`;
    expect(await problemsOf(flow(arms + prompt('b', '{a.text.trim()}'), 2))).toEqual([]);
  });

  it('in a loop reads a later step and itself, of the iteration before', async () => {
    const loop = `  - kind: loop\n    until: "{b.text == 'x'}"\n    children[2]:\n${deeper(prompt('a', '{a.text}{b.text}'))}${deeper(prompt('b', '{a.text}'))}`;
    expect(await problemsOf(flow(loop, 1))).toEqual([]);
  });

  it('cannot read the loop that holds it', async () => {
    const loop = `  - kind: loop\n    id: l\n    until: "{a.text == 'x'}"\n    children[1]:\n${deeper(prompt('a', '{l.text}'))}`;
    expect(await problemsOf(flow(loop, 1))).toEqual(['TOO4231 14:19']);
  });

  it('to the condition of a branch cannot come from its arms', async () => {
    const arms = `  - kind: branch\n    condition: "{a.text == 'x'}"\n    then[1]:\n${deeper(prompt('a', 'x'))}`;
    expect(await problemsOf(flow(arms, 1))).toEqual(['TOO4231 9:18']);
  });
});

describe('steps side by side', () => {
  const both = (a: string, b: string) => flow(`  - kind: parallel\n    children[2]:\n${deeper(a)}${deeper(b)}`, 1);

  it('wait for what their texts read', async () => {
    const { plan } = await planText(both(prompt('a', '{b.text}'), prompt('b', 'x')));
    expect(plan?.children[0]).toMatchObject({ kind: 'parallel' });
  });

  it('cannot wait for each other', async () => {
    expect(await problemsOf(both(prompt('a', '{b.text}'), prompt('b', '{a.text}')))).toEqual(['TOO4226 12:19']);
  });

  it('cannot wait for each other through needs', async () => {
    const found = await problemsOf(both(prompt('a', 'x', '    needs: b\n'), prompt('b', '{a.text}')));
    expect(found.map((each) => each.split(' ')[0])).toEqual(['TOO4226']);
  });

  it('need what their code reads', async () => {
    const code = '  - id: a\n    run: "return { text: b.text }"\n    output:\n      text: string\n';
    expect(await problemsOf(both(code, prompt('b', 'x')))).toEqual(['TOO4225 11:30']);
    expect(await problemsOf(both(`${code}    needs: b\n`, prompt('b', 'x')))).toEqual([]);
  });

  it('have waited for what the steps before them waited for', async () => {
    const code = '  - id: d\n    run: "return { text: c.text }"\n    output:\n      text: string\n';
    const sequence = `  - kind: sequence\n    children[2]:\n${deeper(prompt('a', '{c.text}'))}${deeper(code)}`;
    expect(await problemsOf(both(sequence, prompt('c', 'x')))).toEqual([]);
    const through = `${prompt('b', 'x', '    needs: c\n')}`;
    const three = flow(
      `  - kind: parallel\n    children[3]:\n${deeper(through)}${deeper(`${code}    needs: b\n`)}${deeper(prompt('c', 'x'))}`,
      1,
    );
    expect(await problemsOf(three)).toEqual([]);
  });

  it('of which one holds a sequence do not wait in a circle for what comes late in it', async () => {
    const sequence = `  - kind: sequence\n    children[2]:\n${deeper(prompt('a', '{c.text}'))}${deeper(prompt('b', 'x'))}`;
    expect(await problemsOf(both(sequence, prompt('c', '{b.text}')))).toEqual(['TOO4226 14:23']);
  });
});

describe('needs', () => {
  it.each([
    ['an unknown step', 'b', 'nope', 'TOO4222'],
    ['the step itself', 'b', 'b', 'TOO4224'],
    ['a later step', 'b', 'c', 'TOO4223'],
  ])('cannot be %s', async (_, id, needed, code) => {
    const found = await problemsOf(
      flow(prompt('a', 'x') + prompt(id, 'x', `    needs: ${needed}\n`) + prompt('c', 'x')),
    );
    expect(found).toEqual([`${code} 18:12`]);
  });

  it('cannot be a later step in a loop either', async () => {
    const loop = `  - kind: loop\n    until: "{b.text == 'x'}"\n    children[2]:\n${deeper(prompt('a', 'x', '    needs: b\n'))}${deeper(prompt('b', 'x'))}`;
    expect((await problemsOf(flow(loop, 1))).map((each) => each.split(' ')[0])).toEqual(['TOO4223']);
  });
});

describe('a loop', () => {
  const loop = (until: string, more = '') =>
    flow(
      `  - kind: loop\n    until: ${JSON.stringify(until)}\n${more}    children[1]:\n${deeper(prompt('a', 'x'))}`,
      1,
    );

  it('ends by what its steps give, or by its iterations', async () => {
    expect(await problemsOf(loop("{a.text} == 'x'"))).toEqual([]);
    expect(await problemsOf(loop('{loop.iteration} >= 2'))).toEqual([]);
  });

  it('never ends by what does not change in it', async () => {
    expect(await problemsOf(loop("{input.topic} == 'x'"))).toEqual(['TOO4233 9:12']);
  });

  it('that reads nothing is a number of rounds, which has to be written', async () => {
    expect(await problemsOf(loop('false'))).toEqual(['TOO4234 9:12']);
    expect(await problemsOf(loop('false', '    maxIterations: 3\n'))).toEqual([]);
  });

  it('is counted behind it, in the same sequence', async () => {
    expect(
      await problemsOf(loop("{a.text} == 'x'").replace('steps[1]', 'steps[2]') + prompt('b', '{loop.iteration}')),
    ).toEqual([]);
  });

  it('is the only place for "loop"', async () => {
    expect(await problemsOf(flow(prompt('a', '{loop.iteration}')))).toEqual(['TOO4232 10:15']);
  });
});

describe('an approval', () => {
  const approval = (onDeny: string) =>
    `  - kind: approval\n    id: ok\n    request:\n      title: Go?\n    onDeny: ${onDeny}\n`;

  it('that goes on after a no should be read', async () => {
    expect(await problemsOf(flow(approval('continue') + prompt('b', 'x')))).toEqual(['TOO4235 9:9']);
    expect(await problemsOf(flow(approval('continue') + prompt('b', '{ok.approved}')))).toEqual([]);
    expect(await problemsOf(flow(approval('fail') + prompt('b', 'x')))).toEqual([]);
  });
});

describe('the name of a workflow', () => {
  it.each(['a/b', '..', 'a\\b', 'two\nlines'])('is not %j', async (name) => {
    const text = flow(prompt('a', 'x')).replace('name: flow', `name: ${JSON.stringify(name)}`);
    expect(await problemsOf(text)).toEqual(['TOO4007 1:7']);
  });
});
