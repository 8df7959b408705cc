/** Thunks as agents: what steps give to them is checked, and what they give has its type. */
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signaturesOf } from '../program/index.ts';
import { createSource, positionAt } from '../text/index.ts';
import { booleanType, field, refTo, structOf, textType } from '../type/index.ts';
import { diffPlans } from './diff.ts';
import { keyParts } from './key.ts';
import type { WorkflowNode, WorkflowPlan } from './node.ts';
import { planOf, planText, type TestFiles } from './plan-test-kit.ts';

const reviewer = `struct Review:
  approved: Boolean
  remarks?: Remark[]

struct Remark:
  text: Text

thunk review(input: Text, style: Text, strict?: Boolean) -> Review:
  user: {{style}} {{strict}}

thunk digest(days: Number):
  user: The last {{days}} days.

thunk idea():
  user: Have one.

thunk:
`;

/** Each file is looked at once for each time that it is asked for. */
function given(text = reviewer, files: Readonly<Record<string, string>> = {}): TestFiles & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    files,
    thunks: async (path) => {
      asked.push(basename(path));
      return basename(path) === 'r.too'
        ? signaturesOf(createSource('r.too', text))
        : { ok: false, message: 'it is not there' };
    },
  };
}

/** Agents of all thunks; the first step stands in line 20. */
function flow(steps: string, before = ''): string {
  const agents = ['review', 'digest', 'idea']
    .map((name) => `  ${name}:\n    type: too\n    use: ./r.too#${name}\n`)
    .join('');
  const count = [...steps.matchAll(/^ {2}- /gm)].length;
  return `name: flow\ninput:\n  topic: string\nagents:\n${agents}  plain:\n    type: too\n    use: ./r.too\n  w:\n    type: scripted\n${before}steps[${count}]:\n${steps}`;
}

const review = (more = '', id = 'r') =>
  `  - id: ${id}\n    agent: review\n    prompt: "{input.topic}"\n    with:\n      style: dry\n${more}`;

/** `TOO4244 22:7 message`. */
async function told(text: string, files: TestFiles = given()): Promise<string[]> {
  const { diagnostics } = await planText(text, files);
  return diagnostics.map(({ code, source, span, message }) => {
    const { line, column } = positionAt(source, span.start);
    return `${code} ${line}:${column} ${message}`;
  });
}

function stepOf({ children }: WorkflowPlan, at = 0): Extract<WorkflowNode, { kind: 'step' }> {
  const node = children[at];
  if (node?.kind !== 'step') throw new Error('no step');
  return node;
}

describe('a step on a thunk', () => {
  it('gives what its thunk gives, and others read its fields', async () => {
    const code = '  - id: c\n    run: "return r.remarks?.[0]?.text ?? String(r.approved)"\n    output: string\n';
    const plan = await planOf(flow(review() + code), given());
    expect(stepOf(plan).output).toEqual(refTo('Review'));
    expect(Object.keys(plan.types)).toEqual(['Review', 'Remark']);
    const read = (path: string) =>
      told(
        flow(`${review()}  - kind: approval\n    id: ok\n    request:\n      title: "{r.${path}}"\n    onDeny: fail\n`),
      );
    expect(await read('approved')).toEqual([]);
    expect(await read('aproved')).toEqual([expect.stringMatching(/^TOO3252 .*Did you mean "approved"/)]);
  });

  it('gives text where its thunk gives a message', async () => {
    const plan = await planOf(flow('  - id: p\n    agent: plain\n    prompt: Hello\n'), given());
    expect(stepOf(plan).output).toEqual(textType);
    expect(plan.result).toEqual(textType);
  });

  it('has its types under other names than those of the workflow', async () => {
    const own = 'schemas:\n  Review:\n    score: number\n';
    const plan = await planOf(flow(review() + review('', 's'), own), given());
    expect(stepOf(plan).output).toEqual(refTo('Review2'));
    expect(stepOf(plan, 1).output).toEqual(refTo('Review2'));
    expect(Object.keys(plan.types)).toEqual(['Review', 'Review2', 'Remark']);
    expect(plan.types.Review2?.fields.map(({ name }) => name)).toEqual(['approved', 'remarks']);
  });

  it('keeps its own output, which has to be what the thunk gives', async () => {
    const note = 'schemas:\n  Note:\n    text: string\n    at: number?\n';
    const wide = '    output:\n      approved: boolean\n      remarks: "Note[]?"\n      more: string?\n';
    const plan = await planOf(flow(review(wide), note), given());
    expect(stepOf(plan).output).toMatchObject({ kind: 'struct', fields: [{}, {}, { name: 'more' }] });
    expect(Object.keys(plan.types)).toEqual(['Note']);
    expect(await told(flow(review(wide), note.replace('number?', 'number')))).toHaveLength(1);
    expect(await told(flow(review('    output:\n      ok: boolean\n')))).toEqual([
      'TOO4282 26:7 the thunk "review" gives { approved: boolean, remarks: Remark[]? }, not { ok: boolean }',
    ]);
    const own = 'schemas:\n  Review:\n    score: number\n';
    expect(await told(flow(review('    output: Review\n'), own))).toEqual([
      'TOO4282 28:13 the thunk "review" gives { approved: boolean, remarks: Remark[]? }, not { score: number }',
    ]);
  });

  it('may ask a thunk that gives a message for anything', async () => {
    const step = '  - id: p\n    agent: plain\n    prompt: Hello\n    output:\n      ok: boolean\n';
    const plan = await planOf(flow(step), given());
    expect(stepOf(plan).output).toMatchObject(structOf([field('ok', booleanType)]));
  });
});

describe('what a thunk is given', () => {
  it('is filled in and typed as that of a component', async () => {
    const plan = await planOf(flow(review('      strict: "{input.topic.length > 3}"\n')), given());
    expect(stepOf(plan).action).toMatchObject({
      kind: 'prompt',
      agent: 'review',
      with: { kind: 'record', fields: { style: { kind: 'text' }, strict: { kind: 'text' } } },
    });
    expect(await told(flow(review('      strict: 3\n')))).toEqual([
      'TOO4245 25:15 the thunk "review" takes boolean here, not number',
    ]);
    expect(await told(flow(review('      strict: "{input.topc}"\n')))).toEqual([
      expect.stringMatching(/^TOO3252 .*Did you mean "topic"/),
    ]);
  });

  it('may come from one expression', async () => {
    const code = '  - id: c\n    run: "return { style: \'dry\' }"\n    output:\n      style: string\n';
    const step = '  - id: r\n    agent: review\n    prompt: x\n    with: "{c}"\n';
    expect(await told(flow(code + step))).toEqual([]);
    expect(await told(flow(code.replace(/style/g, 'tone') + step))).toEqual([expect.stringMatching(/^TOO4245 27:11 /)]);
  });

  it('has names that the thunk takes', async () => {
    expect(await told(flow(review('      strct: true\n')))).toEqual([
      'TOO4244 25:7 the thunk "review" has no "strct". Did you mean "strict"?',
    ]);
    const { diagnostics } = await planText(flow(review('      other: true\n')), given());
    expect(diagnostics.map(({ help }) => help)).toEqual(['It takes: style, strict.']);
  });

  it('is complete', async () => {
    const step = '  - id: r\n    agent: review\n    prompt: x\n';
    expect(await told(flow(step))).toEqual(['TOO4243 21:12 the thunk "review" needs "style"']);
    expect(await told(flow(`${step}    with:\n      strict: true\n`))).toEqual([
      'TOO4243 24:7 the thunk "review" needs "style"',
    ]);
  });

  it('is not its input, which is the prompt', async () => {
    expect(await told(flow(review('      input: "{nope}"\n')))).toEqual([
      'TOO4244 25:7 the input of the thunk "review" is the prompt, and nothing in "with"',
      expect.stringMatching(/^TOO3251 25:16 /),
    ]);
    const without = '  - id: r\n    agent: review\n    with:\n      style: dry\n';
    expect(await told(flow(without))).toEqual(['TOO4243 21:12 the thunk "review" needs an input']);
  });

  it('is no prompt where it takes no input', async () => {
    const digest = (more: string) => `  - id: d\n    agent: digest\n${more}    with:\n      days: 3\n`;
    const plan = await planOf(flow(digest('')), given());
    expect(stepOf(plan).action).toMatchObject({ prompt: { text: '', parts: [], reads: [] } });
    expect(await told(flow(digest('    prompt: x\n')))).toEqual([
      'TOO4244 22:13 the thunk "digest" takes no input, so it cannot have a prompt',
    ]);
    expect(await told(flow('  - id: i\n    agent: idea\n'))).toEqual([]);
  });

  it('is for thunks alone', async () => {
    const step = '  - id: a\n    agent: w\n    prompt: x\n    with:\n      style: dry\n    output: string\n';
    expect(await told(flow(step))).toEqual(['TOO4244 24:7 "with" is for thunks, and "w" is of type scripted']);
    const code = '  - id: a\n    run: return 1\n    output: number\n    with:\n      style: dry\n';
    expect(await told(flow(code))).toEqual(['TOO4006 23:5 "with" is for thunks, not for "run"']);
  });

  it('makes who reads a step beside it wait', async () => {
    const children = (first: string, second: string) =>
      `  - kind: parallel\n    children[2]:\n${(review().replace('style: dry', `style: "${first}"`) + review('', 's').replace('style: dry', `style: "${second}"`)).replace(/^/gm, '    ').trimEnd()}\n`;
    expect(await told(flow(children('{String(s.approved)}', 'dry')))).toEqual([]);
    expect(await told(flow(children('{String(s.approved)}', '{String(r.approved)}')))).toEqual([
      expect.stringMatching(/^TOO4226 .*"r" waits for "s", "s" waits for "r"/),
    ]);
  });
});

describe('an agent', () => {
  it('that a step has misspelt is told once, with what was meant', async () => {
    expect(await told(flow('  - id: r\n    agent: reveiw\n    with:\n      style: dry\n'))).toEqual([
      expect.stringMatching(/^TOO4201 21:12 unknown agent "reveiw"\. Did you mean "review"/),
    ]);
  });

  it('of another type needs a prompt and an output, as ever', async () => {
    expect(await told(flow('  - id: a\n    agent: w\n'))).toEqual([
      expect.stringMatching(/^TOO4002 20:5 a step needs /),
    ]);
  });

  it('of a file with errors says where the first is, and what to run', async () => {
    const { diagnostics } = await planText(flow('  - id: p\n    agent: plain\n'), given('thunk:\n  Bare.\n'));
    expect(diagnostics).toHaveLength(4);
    expect(diagnostics[3]).toMatchObject({
      code: 'TOO4281',
      message: expect.stringContaining('r.too:2:3'),
      help: expect.stringContaining('toolang check r.too'),
    });
  });

  it('that comes from another file is a thunk there, and may turn out to be none', async () => {
    const shared = {
      'agents.toon':
        'agents:\n  critic:\n    type: too\n    use: ./r.too#review\n  lost:\n    type: too\n    use: ./gone.too\n  other:\n    type: scripted\n',
    };
    const importing = (agent: string, more: string) =>
      flow(
        `  - id: c\n    agent: ${agent}\n${more}`,
        'imports:\n  agents[1]{from,use}:\n    ./agents.toon,"critic, lost, other"\n',
      );
    const style = '    prompt: x\n    with:\n      style: dry\n';
    const plan = await planOf(importing('critic', style), given(reviewer, shared));
    expect(stepOf(plan).output).toEqual(refTo('Review'));
    expect(await told(importing('other', ''), given(reviewer, shared))).toEqual([
      'TOO4002 23:9 a step with an agent of type scripted needs "output" and "prompt"',
    ]);
    expect(await told(importing('lost', ''), given(reviewer, shared))).toEqual(['TOO4281 7:10 it is not there']);
  });

  it('of a component is looked up where that is written', async () => {
    const parts = `agents:
  critic:
    type: too
    use: ./r.too#review
components:
  Judge:
    params:
      text: string
    steps[1]:
      - id: verdict
        agent: critic
        prompt: "{params.text}"
        with:
          style: "{params.text}"
`;
    const use =
      '  - kind: component\n    id: j\n    use: Judge\n    with:\n      text: x\n  - id: c\n    run: return j.approved\n    output: boolean\n';
    const text = flow(use, 'imports:\n  components[1]{from,use}:\n    ./parts.toon,Judge\n');
    expect(await told(text, given(reviewer, { 'parts.toon': parts }))).toEqual([]);
    expect(await told(text, given(reviewer, { 'parts.toon': parts.replace('style:', 'tone:') }))).toEqual([
      expect.stringMatching(/^TOO4244 14:11 /),
      expect.stringMatching(/^TOO4243 14:11 /),
    ]);
  });

  it('of a plan without a lookup is not checked', async () => {
    expect(await told(flow(review('      what: ever\n')), {})).toEqual([]);
  });
});

describe('the key of a step', () => {
  const flowWith = (style: string) => flow(review().replace('dry', style));

  it('counts what its thunk is given', async () => {
    const [a, b] = [await planOf(flowWith('dry'), given()), await planOf(flowWith('wet'), given())];
    expect(keyParts(stepOf(a), a)?.values).toEqual({ style: 'dry' });
    expect(keyParts(stepOf(a), a, { prompt: 'x', values: { style: 'D' } })).toMatchObject({
      prompt: 'x',
      values: { style: 'D' },
    });
    expect(diffPlans(a, b).changed).toEqual([{ path: 'r', parts: ['values'] }]);
    expect(diffPlans(a, await planOf(flowWith('dry'), given())).kept).toEqual(['r']);
  });

  it('counts the program of its agent, by what it says', async () => {
    const plan = await planOf(flowWith('dry'), given());
    const withImage = (image: WorkflowPlan['agents'][string]['image']): WorkflowPlan => ({
      ...plan,
      agents: Object.fromEntries(
        Object.entries(plan.agents).map(([name, agent]) => [name, image === undefined ? agent : { ...agent, image }]),
      ),
    });
    const [one, same, other] = [withImage({ a: 1, b: 2 }), withImage({ b: 2, a: 1 }), withImage({ a: 2 })];
    expect(diffPlans(one, same).changed).toEqual([]);
    expect(diffPlans(one, other).changed).toEqual([{ path: 'r', parts: ['agent'] }]);
    expect(diffPlans(plan, one).changed).toEqual([{ path: 'r', parts: ['agent'] }]);
    expect(JSON.stringify(keyParts(stepOf(one), one))).not.toContain('"a":1');
  });
});

it('the lookup is asked once for each agent of a file', async () => {
  const files = given();
  await planText(flow(review() + review('', 's')), files);
  expect(files.asked).toEqual(['r.too', 'r.too', 'r.too', 'r.too']);
});
