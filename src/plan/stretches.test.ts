/** Where expressions and code stand, as plans keep it and errors of runs tell it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSource, positionAt } from '../text/index.ts';
import { quote } from '../toon/index.ts';
import { keyOf, keyParts } from './key.ts';
import { type PlanRun, startPlan } from './machine/run-plan.ts';
import type { StepNode, Text, WorkflowPlan } from './node.ts';
import { flow, planOf, prompt, type TestFiles } from './plan-test-kit.ts';
import { placeAt } from './stretches.ts';
import { nodesOf } from './walk.ts';

/** The place of a part of a text. */
function placeIn(text: string, part: string, file = 'flow.toon'): string {
  const { line, column } = positionAt(createSource(file, text), text.indexOf(part));
  return `${file}:${line}:${column}`;
}

async function begin(text: string, given?: TestFiles): Promise<PlanRun> {
  return startPlan(await planOf(text, given));
}

const bad = 'JSON.parse(input.topic)';
const head = 'name: flow\ninput:\n  topic: string\nagents:\n  w:\n    type: scripted\n';

describe('an expression that fails is told with its place', () => {
  it.each([
    ['behind escapes', prompt('a', `say "x"\n\t{input.topic} {${bad}}`)],
    [
      'in a list of lines',
      `  - id: a\n    agent: w\n    prompt[3]:\n      - one\n      - "\\"{input.topic}\\" is"\n      - {${bad}}\n    output: string\n`,
    ],
    [
      'in the summary',
      `  - kind: approval\n    id: a\n    request:\n      title: "{input.topic}?"\n      summary: "So: {${bad}}"\n`,
    ],
    [
      'in the until of a long loop',
      `  - kind: loop\n    id: a\n    until: "{b} == 0 || {${bad}}"\n    children[1]:\n      - id: b\n        run: return 1\n        output: number\n`,
    ],
  ])('%s', async (_, steps) => {
    const text = flow(steps);
    const run = await begin(text);
    if (run.open().includes('a[1]/b#1')) run.ok('a[1]/b#1', 1);
    expect(run.end()).toMatchObject({ err: { code: 'expression', at: placeIn(text, bad) } });
  });

  it('inside of a quoted expression, after its escapes', async () => {
    const text = flow(prompt('a', `{input.topic === "x\\n" ? 1 : ${bad}}`));
    expect((await begin(text)).end()).toMatchObject({ err: { at: placeIn(text, bad) } });
  });

  it('in the input of a sub-workflow, the values of a component, and what stands in its own file', async () => {
    const sub = 'name: sub\ninput:\n  n: number\nsteps[1]:\n  - id: x\n    run: "return 1"\n    output: number\n';
    const call = `imports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\n${head}steps[1]:\n  - kind: workflow\n    id: w\n    use: sub\n    input:\n      n: "{${bad}}"\n`;
    expect((await begin(call, { files: { 'sub.toon': sub } })).end()).toMatchObject({
      err: { node: 'w', at: placeIn(call, bad) },
    });
    const parts = `components:\n  Part:\n    params:\n      n: number\n    steps[1]:\n      - id: x\n        run: return 1\n        output: number\n        skipIf: "{JSON.parse(id)}"\n`;
    const use = (value: string) =>
      `imports:\n  components[1]{from,use}:\n    ./parts.toon,Part\n${head}steps[1]:\n  - kind: component\n    id: c\n    use: Part\n    with:\n      n: "{${value}}"\n`;
    const files = { 'parts.toon': parts };
    expect((await begin(use(bad), { files })).end()).toMatchObject({ err: { node: 'c', at: placeIn(use(bad), bad) } });
    expect((await begin(use('1'), { files })).end()).toMatchObject({
      err: { node: 'c/x', at: placeIn(parts, 'JSON', 'parts.toon') },
    });
  });

  it('in the file of a prompt', async () => {
    const file = `\ufeffOne line.\nTwo {input.topic},\r\nthree: {${bad}}\n`;
    const text = flow('  - id: a\n    agent: w\n    promptFrom: ./a.md\n    output: string\n');
    const run = await begin(text, { files: { 'a.md': file } });
    expect(run.end()).toMatchObject({ err: { at: placeIn(file, bad, 'a.md') } });
  });
});

describe('what code throws is told with its place in the file', () => {
  const errorAt = async (steps: string, line: number, column: number) => {
    const run = await begin(flow(steps));
    run.err('b#1', { code: 'code', message: 'no', retryable: false, codeAt: { line, column } });
    return run.end();
  };
  const step = (code: string) => `  - id: b\n    run${code}\n    output: string\n`;

  it.each([
    ['on one line', ': return String(1)', 1],
    ['behind escapes', ': "const a = \\"\\\\n\\";\\nif (a)\\treturn String(1)"', 2],
    ['in a list of lines', '[3]:\n      - const a = 1;\n\n      - "const b = \\"\\";"\n      - return String(1)', 3],
  ])('%s', async (_, code, line) => {
    const text = flow(step(code));
    const { action } = (await planOf(text)).children[0] as StepNode;
    const written = action.kind === 'run' ? (action.code.split('\n')[line - 1] ?? '') : '';
    const end = await errorAt(step(code), line, written.indexOf('String(1)') + 1);
    expect(end).toMatchObject({ err: { at: placeIn(text, 'String(1)') } });
  });

  it('also behind ids that were rewritten, on this line and above', async () => {
    const steps = `${prompt('re-view', 'x')}${step(': "const n = re-view.text;\\nreturn re-view.text + String(1)"')}`;
    const run = await begin(flow(steps));
    run.ok('re-view#1', { text: 'x' });
    const column = 'return re-view.text + '.length + 1;
    run.err('b#1', { code: 'code', message: 'no', retryable: false, codeAt: { line: 2, column } });
    expect(run.end()).toMatchObject({ err: { at: placeIn(flow(steps), 'String(1)') } });
  });

  it('an exception of which nobody knows more has the place of its step', async () => {
    const run = await begin(flow(step(': return String(1)')));
    run.err('b#1', { code: 'code', message: 'no', retryable: false });
    expect(run.end()).toMatchObject({ err: { at: placeIn(flow(step(': return String(1)')), 'b\n') } });
  });
});

describe('places', () => {
  it('are those of the checker, whatever is escaped and however it is written', async () => {
    const piece = fc.constantFrom('{input.topic}', '{1 + 2}', '{"a\\n"}', '{`\n`}', 'x', '"', '\\', '\t', 'é', '{{');
    const line = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => `${pieces.join('')}.`);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), fc.boolean(), async (lines, isList) => {
        const written = isList
          ? `prompt[${lines.length}]:\n${lines.map((each) => `      - ${quote(each)}\n`).join('')}`
          : `prompt: ${quote(lines.join('\n'))}\n`;
        const source = flow(`  - id: a\n    agent: w\n    ${written}    output: string\n`);
        const node = (await planOf(source)).children[0] as StepNode;
        const text = node.action.kind === 'prompt' ? node.action.prompt : undefined;
        // Each character of the text, in the order of the file.
        const places = placesIn(source, text?.text ?? '', source.indexOf(isList ? '- "' : ' "') + (isList ? 2 : 1));
        for (const { kind, start, end } of text?.parts ?? []) {
          for (let at = start; kind === 'hole' && at < end; at++) {
            expect([at, placeAt(text?.at, '', at, node)]).toEqual([at, { file: 'flow.toon', ...places[at] }]);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('are few: one for all expressions of a line without escapes, none for a text without expressions', async () => {
    const many = '{input.topic} and '.repeat(500);
    const plan = await planOf(flow(prompt('a', many) + prompt('b', 'plain') + prompt('c', `"{input.topic}" ${many}`)));
    const texts = [...nodesOf(plan)].map(({ node }) => (node as StepNode).action as { prompt: Text });
    expect(texts.map(({ prompt: { at } }) => at)).toEqual([[0, 10, 14], undefined, [1, 20, 16, 16, 20, 32]]);
  });

  it('change no key, also none of a sub-workflow', async () => {
    const steps = prompt('a', 'On {input.topic}:\n{input.topic}', '    skipIf: "{input.topic} == 1"\n');
    const code = '  - id: b\n    run: "return 1;\\n2"\n    output: number\n';
    const sub = flow(steps + code);
    const call = `imports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\n${head}steps[1]:\n  - kind: workflow\n    id: w\n    use: sub\n    input:\n      topic: "{input.topic}"\n`;
    const keys = (plan: WorkflowPlan) =>
      [...nodesOf(plan)].map(({ node, plan: own }) => keyOf(keyParts(node, own) ?? {}));
    const plans = await Promise.all(
      [sub, sub.replace('steps[', '# Moved.\nsteps[')].map((text) => planOf(call, { files: { 'sub.toon': text } })),
    );
    const [before, after] = plans as [WorkflowPlan, WorkflowPlan];
    expect(after).not.toEqual(before);
    expect(keys(after)).toEqual(keys(before));
    const keyOfCall = (plan: WorkflowPlan) => startPlan(plan).commands.map((each) => ('key' in each ? each.key : ''));
    expect(keyOfCall(after)).toEqual(keyOfCall(before));
    expect(keyOfCall(before)[0]).not.toBe('');
  });
});

/** By offset in the text: walks the quotes of the file by hand. */
function placesIn(source: string, text: string, open: number) {
  const places: { line: number; column: number }[] = [];
  let at = open + 1;
  for (const [offset, character] of [...text].entries()) {
    if (character === '\n' && source[at] === '"') {
      // The newline belongs to the line that it ends; the next one is in quotes of its own.
      places[offset] = positionAt(createSource('', source), at);
      at = source.indexOf('"', at + 1) + 1;
      continue;
    }
    places[offset] = positionAt(createSource('', source), at);
    at += source[at] === '\\' ? 2 : 1;
  }
  return places;
}
