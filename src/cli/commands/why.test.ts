/** Why the steps of a run are as they are, on the command line: what each is compared with, and the lines that are shown. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../../test/json-schema.ts';
import { type Ran, type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const go = (...words: readonly string[]): Promise<Ran> => s.cli(words, { env: { USER: 'ana' } });
const idIn = ({ err }: Ran) => / · run (\w+)/.exec(err)?.[1] ?? '';
const start = async (text: string): Promise<string> => {
  s.write('flow.toon', text);
  return idIn(await go('run', 'flow.toon'));
};
const edit = async (id: string, text: string, ...flags: readonly string[]): Promise<Ran> => {
  s.write('flow.toon', text);
  return go('resume', id, '--yes', ...flags);
};
/** The words of each step. */
const why = async (id: string, step?: string): Promise<Record<string, string>> => {
  const { out } = await go('why', id, ...(step === undefined ? [] : [step]), '--json');
  const json = JSON.parse(out) as { readonly steps: readonly { readonly name: string; readonly text: string }[] };
  expect(violations(json, 'why.schema.json')).toEqual([]);
  return Object.fromEntries(json.steps.map(({ name, text }) => [name, text]));
};

const step = (id: string, js: string, more = '') =>
  `  - id: ${id}\n    run: ${JSON.stringify(js)}\n    output: string\n${more}`;
const flow = (...steps: readonly string[]) => `name: flow\ninput:\nsteps[${steps.length}]:\n${steps.join('')}`;
const ask = (title: string, more = '') =>
  `  - kind: approval\n    id: ok\n    request:\n      title: ${JSON.stringify(title)}\n${more}`;
const agents = (steps: string, instructions = 'Be brief.') =>
  `name: flow\ninput:\nagents:\n  m:\n    type: scripted\n    instructions: ${JSON.stringify(instructions)}\nsteps[${[...steps.matchAll(/^ {2}- /gm)].length}]:\n${steps}`;
const prompt = (id: string, text: string) =>
  `  - id: ${id}\n    agent: m\n    prompt: ${JSON.stringify(text)}\n    output: string\n`;

const unchanged = 'was kept: nothing that it depends on has changed';

describe('what a step is compared with', () => {
  it('is the segment of its result, whatever was tried in between', async () => {
    const id = await start(flow(step('a', 'return "1"'), step('x', 'return "3"')));
    await edit(id, flow(step('a', 'throw new Error("no")'), step('x', 'return "4"')));
    await edit(id, flow(step('a', 'return "1"'), step('x', 'return "4"')));
    expect(await why(id)).toEqual({ a: unchanged, x: 'ran again: its code was changed' });
    expect((await go('why', id, 'x')).out).toMatch(
      /- flow\.toon:\d+ {2}return "3"\n {4}\+ flow\.toon:\d+ {2}return "4"/,
    );
  });

  it('is the one in which a kept result counted last: there and back nothing was changed', async () => {
    const [one, two] = [flow(step('a', 'return "1"')), flow(step('a', 'return "2"'))];
    const id = await start(one);
    await edit(id, two);
    await edit(id, one);
    const { out } = await go('why', id, 'a');
    expect(out).toContain(unchanged);
    expect(out).not.toContain('return');
  });

  it('is what it read then, by the name that this had last', async () => {
    const [reader, other] = [step('b', 'return "b" + a'), step('b', 'return "b" + c')];
    const id = await start(flow(step('a', 'return "1"'), reader));
    await edit(id, flow(step('c', 'return "1"'), other));
    expect(await why(id)).toEqual({
      c: 'was kept: it is what was called a, and nothing that it depends on has changed',
      b: 'ran again: its code was changed',
    });
    await edit(id, flow(step('c', 'return "1"'), other, step('d', 'return "d"')));
    expect(await why(id)).toEqual({ c: unchanged, b: unchanged, d: 'ran for the first time: it is new' });
  });

  it('says of what --keep kept what was changed, once', async () => {
    const id = await start(flow(step('a', 'return "1"'), step('b', 'return "b"')));
    await edit(id, flow(step('a', 'return "2"'), step('b', 'return "b"')), '--keep');
    expect(await why(id)).toEqual({ a: 'was kept by --keep, although its code was changed', b: unchanged });
    await edit(id, flow(step('a', 'return "2"'), step('b', 'return "c"')));
    expect(await why(id)).toEqual({ a: unchanged, b: 'ran again: its code was changed' });
  });

  it('is the step of the same round, or of the one before', async () => {
    const loop = (r: string) =>
      `name: flow\ninput:\nsteps[2]:\n  - kind: loop\n    id: l\n    until: "{r == 'never'}"\n    maxIterations: 3\n    children[2]:\n      - id: r\n        run: ${JSON.stringify(r)}\n        output: string\n      - id: s\n        run: "return r + '!'"\n        output: string\n${step('z', 'return r')}`;
    const id = await start(loop("return (r ?? '') + 'x'"));
    const fork = idIn(await go('fork', id, '--from', 'l[3]/r'));
    expect(await why(fork)).toEqual({
      'l[1]/r': unchanged,
      'l[1]/s': unchanged,
      'l[2]/r': unchanged,
      'l[2]/s': unchanged,
      'l[3]/r': 'ran again: the fork begins here',
      'l[3]/s': expect.any(String),
      z: expect.any(String),
    });
    await edit(id, loop("return (r ?? '') + (r ? 'y' : 'x')"));
    expect(await why(id)).toMatchObject({
      'l[1]/s': 'was kept: what it reads has come to the same again',
      'l[2]/r': 'ran again: its code was changed',
      'l[2]/s': 'ran again: l[2]/r is another value now',
      z: 'ran again: l[3]/r is another value now',
    });
  });

  it('tells a text that was changed and comes to the same', async () => {
    s.write('flow.script.toon', 'replies[1]:\n  - for: b\n    text: ok\n');
    const id = await start(agents(prompt('b', "Say {'it'}.")));
    await edit(id, agents(prompt('b', 'Say it.') + step('c', 'return "c"')));
    expect(await why(id, 'b')).toEqual({ b: 'was kept: its prompt was changed, and comes to the same' });
  });

  it('tells where what a component was given is another value', async () => {
    const used = (a: string) =>
      `name: flow\ninput:\ncomponents:\n  C:\n    params:\n      p: string\n    steps[1]:\n      - id: one\n        run: "return params.p + '!'"\n        output: string\nsteps[2]:\n${step('a', a)}  - kind: component\n    id: u\n    use: C\n    with:\n      p: "{a}"\n`;
    const id = await start(used('return "1"'));
    await edit(id, used('return "2"'));
    expect(await why(id)).toMatchObject({ 'u/one': 'ran again: a is another value now' });
  });

  it('is what a component or a sub-workflow is given, as it is written', async () => {
    const sub = (text: string) => `name: sub\ninput:\n  t: string\n  n: number\nsteps[2]:\n${text}`;
    s.write('sub.toon', sub(step('x', 'return input.t') + step('y', 'return `${input.n}`')));
    const calls = (t: string) =>
      `name: flow\ninput:\nimports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\ncomponents:\n  C:\n    params:\n      p: string\n    steps[1]:\n      - kind: workflow\n        id: c\n        use: sub\n        input:\n          t: "{params.p}"\n          n: 1\nsteps[1]:\n  - kind: component\n    id: u\n    use: C\n    with:\n      p: ${t}\n`;
    const id = await start(calls('tea'));
    await edit(id, calls('mate'));
    expect(await why(id)).toEqual({ 'u/c/x': 'ran again: what it is given was changed', 'u/c/y': unchanged });
    expect((await go('why', id, 'u/c/x')).out).toMatch(
      / {4}input\n {4}- flow\.toon:\d+ {2}tea\n {4}\+ flow\.toon:\d+ {2}mate\n/,
    );
  });

  it('is the input of the run, through all that gives it on', async () => {
    const text = `name: flow\ninput:\n  t: string\ncomponents:\n  C:\n    params:\n      p: string\n    steps[1]:\n      - id: one\n        run: return params.p\n        output: string\nsteps[1]:\n  - kind: component\n    id: u\n    use: C\n    with:\n      p: "{input.t}!"\n`;
    s.write('flow.toon', text);
    const id = idIn(await go('run', 'flow.toon', '--input', 't=tea'));
    const fork = idIn(await go('fork', id, '--input', 't=mate'));
    expect(await why(fork)).toEqual({ 'u/one': 'ran again: input.t is another value now' });
  });

  it('is how often a loop went round, and what is not there any more', async () => {
    const text = (most: number, isTea: boolean) =>
      flow(
        `  - kind: loop\n    id: l\n    until: "false"\n    maxIterations: ${most}\n    children[1]:\n${step('s', 'return "s"').replace(/^/gm, '    ').trimEnd()}\n`,
        step('n', 'return `${loop.iteration}`'),
        `  - kind: branch\n    condition: ${JSON.stringify(`${isTea}`)}\n    then[1]:\n${step('t', 'return "t"').replace(/^/gm, '    ').trimEnd()}\n`,
        step('r', 'return `${t}`'),
      );
    const id = await start(text(2, true));
    await edit(id, text(3, false));
    expect(await why(id)).toMatchObject({
      n: 'ran again: loop.iteration is another value now',
      t: 'was left out: the condition was false',
      r: 'ran again: t is another value now',
    });
    expect((await go('why', id, 'n')).out).toContain('loop.iteration was, and is\n    - 2\n    + 3\n');
  });
});

describe('approvals', () => {
  it('that were denied and stay so were kept', async () => {
    const id = await start(flow(ask('Fine?'), step('b', 'return "1"')));
    await go('deny', id);
    await edit(id, flow(ask('Fine?'), step('b', 'return "2"')));
    expect(await why(id, 'ok')).toEqual({ ok: 'was kept: it was denied before, and its words are the same' });
    const json = JSON.parse((await go('why', id, 'ok', '--json')).out);
    expect(json.steps[0]).toMatchObject({ verdict: 'kept', parts: [] });
  });

  it('are asked again because a fork begins there, or because their words have changed', async () => {
    const id = await start(flow(ask('Fine?'), step('b', 'return "1"')));
    await go('approve', id);
    const fork = idIn(await go('fork', id, '--from', 'ok'));
    expect(await why(fork, 'ok')).toEqual({
      ok: 'waits for a person again, as the fork begins here: "Fine?"',
    });
    await edit(id, flow(ask('Good?'), step('b', 'return "1"')));
    expect(await why(id, 'ok')).toEqual({
      ok: 'waits for a person again, as its words have changed: "Good?"',
    });
    expect((await go('why', id, 'ok')).out).toMatch(/- flow\.toon:\d+ {2}Fine\?\n {4}\+ flow\.toon:\d+ {2}Good\?/);
  });
});

describe('what was changed', () => {
  const long =
    'Read the following text with great attention, note every mistake that you find in it, and write at most';

  it('is seen in long lines, and in full as JSON', async () => {
    s.write('flow.script.toon', 'replies[2]:\n  - for: b\n    text: ok\n  - for: b\n    text: ok\n');
    const id = await start(agents(prompt('b', `${long} 5 remarks.`), `${long} 7.`));
    await edit(id, agents(prompt('b', `${long} 6 remarks.`), `${long} 8.`));
    const { parts } = JSON.parse((await go('why', id, 'b', '--json')).out).steps[0];
    expect(parts).toMatchObject([
      { part: 'prompt', old: `${long} 5 remarks.`, new: `${long} 6 remarks.` },
      { part: 'agent', old: `instructions: "${long} 7."`, new: `instructions: "${long} 8."` },
    ]);
    const narrow = await s.cli(['why', id, 'b'], { shown: true, columns: 60 });
    expect(narrow.out).toMatch(/- \S+ {2}….* at most 5 re/);
    expect(narrow.out).toMatch(/\+ \S+ {2}….* at most 6 re/);
    expect(narrow.out).toMatch(/at most 8\."/);
    expect((await go('why', id, 'b')).out).toContain(`  ${long} 6 remarks.\n`);
  });

  it('is only a blank, and can be seen', async () => {
    const id = await start(flow(step('a', 'return  "1"')));
    await edit(id, flow(step('a', 'return "1"')));
    expect((await go('why', id, 'a')).out).toMatch(/ {2}return {2}"1"\n.* {2}return "1"\n/);
    await edit(id, flow(step('a', 'return "1" ')));
    expect((await go('why', id, 'a')).out).toMatch(/ {2}return "1"\n.* {2}return "1"␠\n/);
  });

  it('names values whose few words are the same', async () => {
    const list = (last: string) =>
      `name: flow\ninput:\nsteps[2]:\n  - id: a\n    run: "return ['x', '${last}']"\n    output: "string[]"\n${step('b', 'return a.join()')}`;
    const id = await start(list('y'));
    await edit(id, list('z'));
    expect((await go('why', id, 'b')).out).toContain('    a was, and is\n    - ["x","y"]\n    + ["x","z"]\n');
  });

  it('names the fields of a named type', async () => {
    const typed = (field: string) =>
      `name: flow\ninput:\nschemas:\n  Note:\n    ${field}: string?\nsteps[1]:\n  - id: a\n    run: "return {}"\n    output: Note\n`;
    const id = await start(typed('one'));
    await edit(id, typed('two'));
    expect((await go('why', id, 'a')).out).toMatch(/- \S+ {2}Note: \{ one: string\? \}\n.*Note: \{ two: string\? \}/);
  });

  it('stands in the line that is shown', async () => {
    const lines = (third: string) =>
      agents(
        `  - id: b\n    agent: m\n    prompt[3]:\n      - "First line {1 + 1}."\n      - Second line.\n      - ${third}\n    output: string\n`,
      );
    s.write('flow.script.toon', 'replies[2]:\n  - for: b\n    text: ok\n  - for: b\n    text: ok\n');
    const id = await start(lines('Third line.'));
    await edit(id, lines('Last line.'));
    const line = s.read('flow.toon').split('\n').indexOf('      - Last line.') + 1;
    expect((await go('why', id, 'b')).out).toContain(`    + flow.toon:${line}  Last line.\n`);
    const code = (second: string) => flow(step('a', `const one = "1";\n${second}\nreturn two;`));
    const other = await start(code('const two = "2";'));
    await edit(other, code('const two = "3";'));
    const { at } = JSON.parse((await go('why', other, 'a', '--json')).out).steps[0].parts[0];
    expect(at).toBe('flow.toon:5');
  });

  it('is a module, which is named', async () => {
    s.write('h.mjs', "export default () => 'h1';\n");
    const text = 'name: flow\ninput:\nsteps[1]:\n  - id: h\n    handler: ./h.mjs\n    output: string\n';
    const id = await start(text);
    s.write('h.mjs', "export default () => 'h2';\n");
    await edit(id, text);
    const { out } = await go('why', id, 'h');
    expect(out).toContain('    handler\n      ./h.mjs, or a file that it imports\n');
  });

  it('is a file that was another when the run went on in between', async () => {
    const h = (word: string) => s.write('h.mjs', `export default () => '${word}';\n`);
    const text = (last: string) =>
      flow(ask('Go?'), '  - id: h\n    handler: ./h.mjs\n    output: string\n', step('z', last));
    h('h1');
    const id = await start(text('return "1"'));
    h('h2');
    await go('approve', id);
    h('h1');
    await edit(id, text('return "2"'));
    expect(await why(id)).toMatchObject({
      h: 'ran again: a file of its handler, or of what it uses, was another when it ran',
    });
  });

  it('is a value that a handler read by its id', async () => {
    s.write('h.mjs', "export default ({ steps }) => steps.r + '!';\n");
    const text = (r: string) =>
      flow(
        `  - kind: loop\n    id: l\n    until: "{r == r}"\n    maxIterations: 2\n    children[1]:\n      - id: r\n        run: ${JSON.stringify(r)}\n        output: string\n`,
        '  - id: h\n    handler: ./h.mjs\n    output: string\n',
      );
    const id = await start(text('return "1"'));
    await edit(id, text('return "2"'));
    expect(await why(id)).toMatchObject({ h: 'ran again: l[1]/r is another value now' });
  });

  it('is what a plugin is given', async () => {
    s.write(
      'radio.mjs',
      `export function radio({ station }) {
  return {
    functions: { tune: () => station },
  };
}
`,
    );
    const text = (station: string) =>
      `name: flow\ninput:\nimports:\n  plugins[1]:\n    - from: ./radio.mjs\n      config:\n        station: ${station}\nsteps[1]:\n${step('a', 'return tune()')}`;
    const id = await start(text('Four'));
    await edit(id, text('Five'));
    const { out } = await go('why', id, 'a');
    expect(out).toContain('ran again: a service or plugin that it uses was changed\n');
    expect(out).toContain(
      '    uses\n      ./radio.mjs\n    - flow.toon:7  station: "Four"\n    + flow.toon:7  station: "Five"\n',
    );
  });
});

describe('a sub-workflow', () => {
  it('of which every step was kept is shown as kept, and so is what is around it', async () => {
    s.write('child.toon', `name: child\ninput:\nsteps[2]:\n${step('x', 'return "x"')}${step('y', 'return x')}`);
    const text = (last: string) =>
      `name: flow\ninput:\nimports:\n  workflows[1]{from,as}:\n    ./child.toon,child\nsteps[2]:\n  - kind: sequence\n    children[1]:\n      - kind: workflow\n        id: call\n        use: child\n${step('z', last)}`;
    const id = await start(text('return "1"'));
    expect((await go('show', id)).out).toMatch(/✓ sequence[\s\S]*✓ call/);
    const { err } = await edit(id, text('return "2"'));
    expect(err).toMatch(/= call {2,}"x" +kept/);
    expect((await go('show', id)).out).toMatch(/= sequence[\s\S]*= call [\s\S]*= x [\s\S]*= y [\s\S]*✓ z /);
    expect((await go('graph', id)).out).toMatch(/= call /);
  });
});
