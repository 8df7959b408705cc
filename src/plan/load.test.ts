/** Imports: from other workflow files and from modules. */
import { describe, expect, it } from 'vitest';
import { createSource } from '../text/index.ts';
import { parseToon } from '../toon/index.ts';
import { field, refTo, structOf, textType } from '../type/index.ts';
import { draftToJson } from './draft-json.ts';
import type { ModuleAnswer } from './modules.ts';
import { flow, planOf, planText, problemsOf, prompt } from './plan-test-kit.ts';
import { readWorkflow } from './read/workflow.ts';

const parts = `schemas:
  Note:
    text: string
agents:
  critic:
    type: scripted
components:
  Judge:
    params:
      text: string
    steps[1]:
      - id: verdict
        agent: critic
        prompt: "{params.text}"
        output: Note
`;

const importing = (block: string, steps: string) => flow(steps).replace('steps[', `imports:\n${block}steps[`);

const module = (exports: Extract<ModuleAnswer, { ok: true }>['exports']): ModuleAnswer => ({
  ok: true,
  file: '/flows/m.ts',
  exports,
  files: [],
});

const note = structOf([field('text', textType)]);

describe('from a workflow file', () => {
  const files = { 'parts.toon': parts };

  it('come components, with their own agents and schemas', async () => {
    const block = '  components[1]{from,use}:\n    ./parts.toon,Judge\n';
    const use = '  - kind: component\n    id: j\n    use: Judge\n    with:\n      text: "{input.topic}"\n';
    const plan = await planOf(importing(block, use), { files });
    expect(Object.keys(plan.agents)).toEqual(['w', 'critic']);
    expect(plan.types).toHaveProperty('Note');
    expect(plan.result).toEqual(refTo('Note'));
  });

  it('come schemas and agents', async () => {
    const block = '  schemas[1]{from,use}:\n    ./parts.toon,Note\n  agents[1]{from,use}:\n    ./parts.toon,critic\n';
    const step = '  - id: a\n    agent: critic\n    prompt: x\n    output: Note\n';
    expect(await problemsOf(importing(block, step), { files })).toEqual([]);
  });

  it('come agents whose replies and thunks are found from the file that declares them', async () => {
    const shared = {
      'shared/agents.toon':
        'agents:\n  a:\n    type: scripted\n    script: a.script.toon\n  b:\n    type: scripted\n    script: ../b.script.toon\n  c:\n    type: too\n    use: ./c.too\n',
    };
    const block = '  agents[1]{from,use}:\n    ./shared/agents.toon,"a, b, c"\n';
    const steps = ['a', 'b', 'c'].map((name) => prompt(name, 'x').replace('agent: w', `agent: ${name}`)).join('');
    const { agents } = await planOf(importing(block, steps), { files: shared });
    expect(agents).toMatchObject({
      a: { fields: { script: './shared/a.script.toon' } },
      b: { fields: { script: './b.script.toon' } },
      c: { fields: { use: './shared/c.too' } },
    });
  });

  it('come names under another name', async () => {
    const block = '  schemas[1]{from,use,as}:\n    ./parts.toon,Note,Remark\n';
    const step = '  - id: a\n    agent: w\n    prompt: x\n    output: Remark\n';
    expect(await problemsOf(importing(block, step), { files })).toEqual([]);
  });

  it('comes nothing that it does not have', async () => {
    const block = '  schemas[1]{from,use}:\n    ./parts.toon,"Note, Noet"\n';
    expect(await problemsOf(importing(block, prompt('a', 'x')), { files })).toEqual(['TOO4263 9:25']);
  });

  it('that is not there comes nothing', async () => {
    const block = '  schemas[1]{from,use}:\n    ./nope.toon,Note\n';
    expect(await problemsOf(importing(block, prompt('a', 'x')))).toEqual(['TOO4261 9:5']);
  });

  it('comes a workflow, whose input is checked', async () => {
    const block = '  workflows[1]{from,as}:\n    ./other.toon,other\n';
    const call = (input: string) => `  - kind: workflow\n    id: c\n    use: other\n    input:\n      ${input}\n`;
    const other = { 'other.toon': flow(prompt('x', '{input.topic}')) };
    const plan = await planOf(importing(block, call('topic: "{input.topic}"')), { files: other });
    expect(Object.keys(plan.workflows)).toEqual(['other']);
    expect(await problemsOf(importing(block, call('topik: a')), { files: other })).toEqual(['TOO4244 15:7']);
  });

  it('mistakes are told under its own name', async () => {
    const block = '  components[1]{from,use}:\n    ./parts.toon,Judge\n';
    const use = '  - kind: component\n    id: j\n    use: Judge\n    with:\n      text: x\n';
    const broken = { 'parts.toon': parts.replace('{params.text}', '{params.txet}') };
    expect(await problemsOf(importing(block, use), { files: broken })).toEqual(['TOO3252 parts.toon:14:26']);
  });

  it('imports cannot go round in a circle', async () => {
    const block = (file: string) => `imports:\n  components[1]{from,use}:\n    ./${file},X\n`;
    const found = await problemsOf(importing('  components[1]{from,use}:\n    ./a.toon,X\n', prompt('s', 'x')), {
      files: { 'a.toon': block('b.toon'), 'b.toon': block('a.toon') },
    });
    expect(found).toEqual(['TOO4265 b.toon:3:5']);
  });

  it('is only there to be imported when it has no steps', async () => {
    expect(await problemsOf(parts)).toEqual([]);
    expect((await planText(parts)).plan).toBeUndefined();
  });
});

describe('from a module', () => {
  const block = '  schemas[1]{from,use}:\n    ./schemas.ts,Note\n';
  const step = '  - id: a\n    agent: w\n    prompt: x\n    output: Note\n';

  it('come schemas, with their types', async () => {
    const modules = { './schemas.ts': module({ Note: { kind: 'schema', type: note, types: {}, exact: true } }) };
    const reader = prompt('b', '{a.txet}');
    expect(await problemsOf(importing(block, step + reader), { modules })).toEqual(['TOO3252 17:17']);
  });

  it('that was not looked into comes what is unknown, and a note says so', async () => {
    expect(await problemsOf(importing(block, step + prompt('b', '{a.anything.at.all}')))).toEqual(['TOO4291 9:5']);
  });

  it.each([
    ['that cannot be loaded', { ok: false, message: 'it throws' } as const, 'TOO4262 9:5'],
    ['that exports something else', module({ Other: { kind: 'function' } }), 'TOO4263 9:18'],
    ['that exports no schema by that name', module({ Note: { kind: 'function' } }), 'TOO4264 9:18'],
  ])('%s comes one report', async (_, answer, problem) => {
    expect(await problemsOf(importing(block, step), { modules: { './schemas.ts': answer } })).toEqual([problem]);
  });

  it('come services, under names that mean nothing else', async () => {
    const services = (names: string) => `  services[1]{from,use}:\n    ./s.ts,${names}\n`;
    const modules = {
      './s.ts': module({ Tracker: { kind: 'service', members: [] }, sh: { kind: 'service', members: [] } }),
    };
    expect(await problemsOf(importing(services('Tracker'), prompt('a', 'x')), { modules })).toEqual([]);
    expect(await problemsOf(importing(services('sh'), prompt('a', 'x')), { modules })).toEqual(['TOO4008 9:12']);
    expect(await problemsOf(importing(services('Tracker'), prompt('Tracker', 'x')), { modules })).toEqual([
      'TOO4221 11:9',
    ]);
  });

  it('come agents, whose replies are found from the module', async () => {
    const agent = { kind: 'agent', type: 'scripted', fields: { script: 'r.toon' } } as const;
    const modules = { './shared/m.ts': module({ helper: agent }) };
    const block = '  agents[1]{from,use}:\n    ./shared/m.ts,helper\n';
    const step = prompt('a', 'x').replace('agent: w', 'agent: helper');
    const { agents } = await planOf(importing(block, step), { modules });
    expect(agents).toMatchObject({ helper: { fields: { script: './shared/r.toon' } } });
  });

  it('come the kinds of nodes of a plugin', async () => {
    const plugin = {
      nodes: {
        post: { fields: [{ name: 'text', type: textType, optional: false, interpolated: true }], output: note },
      },
      agents: {},
      functions: [],
      services: [],
    };
    const modules = { './p.ts': { ...module({}), plugin } as ModuleAnswer };
    const block = '  plugins[1]:\n    - from: ./p.ts\n';
    const node = (field: string) => `  - kind: post\n    id: p\n    ${field}\n`;
    expect(await problemsOf(importing(block, node('text: "{input.topic}"')), { modules })).toEqual([]);
    expect(await problemsOf(importing(block, node('txt: x')), { modules })).toEqual(['TOO4244 13:5']);
    expect(await problemsOf(importing(block, '  - kind: pots\n    id: p\n'), { modules })).toEqual(['TOO4251 11:11']);
  });
});

describe('from a program of the builder', () => {
  it('comes a workflow, whose input is checked and whose result is known', async () => {
    const built = await planOf(flow(prompt('x', '{input.topic}')));
    const modules = {
      './flow.ts': module({ other: { kind: 'workflow', name: 'flow', plan: built, file: '/flows/sub/flow.ts' } }),
    };
    const block = '  workflows[1]{from,use}:\n    ./flow.ts,other\n';
    const call = (input: string) => `  - kind: workflow\n    id: c\n    use: other\n    input:\n      ${input}\n`;
    const right = importing(block, call('topic: "{input.topic}"') + prompt('b', '{c.text}'));
    expect(Object.keys((await planOf(right, { modules })).workflows)).toEqual(['other']);
    expect(await problemsOf(importing(block, call('topik: a')), { modules })).toEqual(['TOO4244 15:7']);
  });

  it('comes nothing that is a function: no process has it', async () => {
    const functions = ['builder:flow/x'];
    const plan = await planOf(flow(prompt('x', '{input.topic}')));
    const { draft } = readWorkflow(parseToon(createSource('parts', parts), { profile: true }).document);
    const modules = {
      './m.ts': module({
        other: { kind: 'workflow', name: 'flow', plan, file: '/flows/m.ts', functions },
        Judge: { kind: 'component', name: 'Judge', draft: draftToJson(draft), functions },
      }),
    };
    const block = '  workflows[1]{from,use}:\n    ./m.ts,other\n  components[1]{from,use}:\n    ./m.ts,Judge\n';
    const { diagnostics } = await planText(importing(block, prompt('a', 'x')), { modules });
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'TOO4264 "other" of "./m.ts" has a step that is a function (flow/x)',
      'TOO4264 "Judge" of "./m.ts" has a step that is a function (flow/x)',
    ]);
  });

  it('comes a workflow whose replies are found from the file of the program', async () => {
    const text = flow(prompt('x', '{input.topic}')).replace('type: scripted', 'type: scripted\n    script: x.toon');
    const built = await planOf(text);
    expect(built.agents).toMatchObject({ w: { fields: { script: './x.toon' } } });
    const modules = {
      './sub/flow.ts': module({ other: { kind: 'workflow', name: 'flow', plan: built, file: '/flows/sub/flow.ts' } }),
    };
    const block = '  workflows[1]{from,use}:\n    ./sub/flow.ts,other\n';
    const call = '  - kind: workflow\n    id: c\n    use: other\n    input:\n      topic: x\n';
    const { workflows } = await planOf(importing(block, call), { modules });
    expect(workflows.other?.agents).toMatchObject({ w: { fields: { script: './sub/x.toon' } } });
  });

  it('comes a component, with its own agents and schemas', async () => {
    const source = createSource('parts', parts);
    const { draft } = readWorkflow(parseToon(source, { profile: true }).document);
    const info = { kind: 'component', name: 'Judge', draft: draftToJson(draft) } as const;
    const block = '  components[1]{from,use}:\n    ./parts.ts,Judge\n';
    const use = '  - kind: component\n    id: j\n    use: Judge\n    with:\n      text: "{input.topic}"\n';
    const plan = await planOf(importing(block, use), { modules: { './parts.ts': module({ Judge: info }) } });
    expect(Object.keys(plan.agents)).toEqual(['w', 'critic']);
  });
});

describe('imports in a circle', () => {
  const both = '  schemas[1]{from,use}:\n    ./b.toon,S\n  components[1]{from,use}:\n    ./b.toon,C\n';

  it('are one report, however many names are imported', async () => {
    const b = `imports:\n  schemas[1]{from,use}:\n    ./flow.toon,S\n  components[1]{from,use}:\n    ./flow.toon,C\nschemas:\n  T:\n    a: string\n`;
    const found = await problemsOf(importing(both, prompt('a', 'x')), { files: { 'b.toon': b } });
    expect(found.filter((each) => each.startsWith('TOO4265'))).toEqual(['TOO4265 b.toon:3:5']);
  });

  it('are found through what modules build', async () => {
    const draft = (text: string) => {
      const { document } = parseToon(createSource('built', text), { profile: true });
      return draftToJson(readWorkflow(document).draft);
    };
    const built = draft(`imports:\n  components[1]{from,use}:\n    ./b.toon,C\n${parts}`);
    const modules = { './m.ts': module({ Judge: { kind: 'component', name: 'Judge', draft: built } }) };
    const b = `imports:\n  components[1]{from,use}:\n    ./m.ts,Judge\n${parts.replace('Judge', 'C')}`;
    const block = '  components[1]{from,use}:\n    ./b.toon,C\n';
    const found = await problemsOf(importing(block, prompt('a', 'x')), { files: { 'b.toon': b }, modules });
    expect(found).toEqual(['TOO4265 built:3:5']);
  });
});

describe('without modules', () => {
  it('what they would give keeps its name, and a note says that nothing is known of it', async () => {
    const block = '  workflows[1]{from,use}:\n    ./m.ts,other\n';
    const text = importing(block, '  - kind: workflow\n    id: c\n    use: other\n');
    expect(await problemsOf(text)).toEqual(['TOO4291 9:5']);
    expect((await planOf(text)).children).toMatchObject([{ use: 'other' }]);
  });
});

describe('a handler', () => {
  const step = (handler: string) => flow(`  - id: a\n    handler: ${handler}\n    output: string\n`);
  const files = { 'h.ts': 'export const lint = () => 1;\nexport default (x: { y: string }) => x.y;\n' };

  it('is an export of a module, the default one if none is named', async () => {
    expect(await problemsOf(step('./h.ts'), { files })).toEqual([]);
    expect(await problemsOf(step('./h.ts#lint'), { files })).toEqual([]);
  });

  it.each([
    ['of an unknown name', './h.ts#lnit', 'TOO4272 9:21'],
    ['of a module that is not there', './g.ts', 'TOO4271 9:14'],
    ['written as a package', 'h.ts', 'TOO4271 9:14'],
  ])('%s is reported', async (_, handler, problem) => {
    expect(await problemsOf(step(handler), { files })).toEqual([problem]);
  });

  it('that reads a step beside it needs that step', async () => {
    const sibling = '      - id: b\n        agent: w\n        prompt: x\n        output: string\n';
    const both = (needs: string) =>
      flow(
        `  - kind: parallel\n    children[2]:\n      - id: a\n        handler: ./s.ts#f\n        output: string\n${needs}${sibling}`,
        1,
      );
    const files = { 's.ts': 'export const f = ({ b }: { b: string }) => b;\n' };
    expect(await problemsOf(both(''), { files })).toEqual(['TOO4225 11:18']);
    expect(await problemsOf(both('        needs: b\n'), { files })).toEqual([]);
  });
});
