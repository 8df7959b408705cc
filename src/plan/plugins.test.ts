/** What plugins bring to a plan, names that clash, and the keys of who uses them. */
import { describe, expect, it } from 'vitest';
import { field, numberType, refTo, type StructType, structOf, textType } from '../type/index.ts';
import { keyOf, keyParts, modulesOf, pluginOf } from './key.ts';
import type { ModuleAnswer, PluginInfo } from './modules.ts';
import type { PluginNode, WorkflowPlan } from './node.ts';
import { planOf, planText, problemsOf } from './plan-test-kit.ts';
import { nodesOf } from './walk.ts';

const tree: StructType = structOf([field('name', textType), field('inner', refTo('Tree'), { optional: true })], {
  name: 'Tree',
});

const info: PluginInfo = {
  nodes: {
    post: {
      fields: [{ name: 'text', type: textType, optional: true, interpolated: true }],
      output: structOf([field('number', numberType)]),
    },
    quiet: { fields: [] },
    grow: { fields: [], output: refTo('Tree'), types: { Tree: tree } },
  },
  agents: { echo: [{ name: 'loud', type: textType, optional: true, interpolated: false }] },
  functions: ['shout'],
  services: ['notes'],
};

function plugin(more: Partial<PluginInfo> = {}): ModuleAnswer {
  return { ok: true, file: '/flows/p.ts', exports: {}, files: [], plugin: { ...info, ...more } };
}

const tracker: ModuleAnswer = {
  ok: true,
  file: '/flows/s.ts',
  exports: { tracker: { kind: 'service', members: ['open'] } },
  files: [],
};

const modules = { './p.ts': plugin(), './s.ts': tracker };

const block = '  plugins[1]:\n    - from: ./p.ts\n      config:\n        team: a\n';
const services = '  services[1]{from,use}:\n    ./s.ts,tracker\n';

/** The imports begin in line 2; the first step, behind those of the plugin, in line 13. */
function flow(steps: string, imports = block): string {
  const count = [...steps.matchAll(/^ {2}- /gm)].length;
  return `name: flow\nimports:\n${imports}input:\n  topic: string\nagents:\n  e:\n    type: echo\nsteps[${count}]:\n${steps}`;
}

const run = (id: string, code: string) => `  - id: ${id}\n    run: ${JSON.stringify(code)}\n    output: string\n`;

describe('a plugin', () => {
  it('is in the plan with its config and the names that code has from it', async () => {
    const plan = await planOf(flow('  - kind: quiet\n'), { modules });
    const imported = {
      module: './p.ts',
      name: 'default',
      config: { team: 'a' },
      gives: ['shout', 'notes'],
      kinds: ['post', 'quiet', 'grow'],
    };
    expect(plan.plugins).toEqual([imported]);
    expect(plan.agents.e).toMatchObject({ type: 'echo', plugin: imported });
  });

  it('that is imported with several configs does its nodes with the config that brings them', async () => {
    const config = (name: string) => `    - from: ./p.ts\n      config:\n        p: ${name}\n`;
    const text = flow(
      '  - kind: x-n\n    id: a\n  - kind: y-n\n    id: b\n',
      `  plugins[2]:\n${config('x')}${config('y')}`,
    );
    const given = (name: unknown) =>
      plugin({ nodes: { [`${name}-n`]: { fields: [], output: numberType } }, agents: {}, functions: [], services: [] });
    const { plan } = await planText(text.replace(/agents:\n.*\n.*\n/, ''), {
      modules: {},
      describe: ({ config }) => given((config as { p: string }).p),
    });
    const imported = (name: string) => ({ module: './p.ts', config: { p: name }, kinds: [`${name}-n`] });
    const [a, b] = plan?.children ?? [];
    expect([a, b].map((node) => pluginOf(node as PluginNode, plan as WorkflowPlan))).toEqual([
      expect.objectContaining(imported('x')),
      expect.objectContaining(imported('y')),
    ]);
  });

  it.each([
    ['is not looked into', undefined],
    ['cannot be loaded', { './p.ts': { ok: false, message: 'it throws' } as const }],
  ])('that %s may have the types of agents that nobody knows', async (_, given) => {
    const problems = await problemsOf(flow('  - id: a\n    agent: e\n    prompt: x\n    output: string\n'), {
      ...(given && { modules: given }),
    });
    expect(problems).toEqual([given ? 'TOO4262 4:13' : 'TOO4291 4:13']);
  });

  it('has nodes with retries and a time limit; one without output has no value', async () => {
    const text = flow(
      '  - kind: quiet\n    maxAttempts: 2\n    timeout: 5s\n  - kind: post\n    retry:\n      maxAttempts: 3\n',
    );
    const [quiet, post] = (await planOf(text, { modules })).children;
    expect(quiet).toMatchObject({ silent: true, retry: { maxAttempts: 2 }, timeoutMs: 5000 });
    expect(post).toMatchObject({ retry: { maxAttempts: 3, backoff: 'fixed' } });
    expect(post).not.toHaveProperty('silent');
    const twice = flow('  - kind: post\n    maxAttempts: 2\n    retry:\n      maxAttempts: 3\n');
    expect(await problemsOf(twice, { modules })).toEqual(['TOO4006 16:7']);
    expect(await problemsOf(flow('  - kind: post\n    timeout: soon\n'), { modules })).toHaveLength(1);
  });

  it('brings the types of what its nodes give, read or not', async () => {
    const plan = await planOf(flow(`  - kind: grow\n${run('a', 'return input.topic')}`), { modules });
    expect(plan.types).toEqual({ Tree: tree });
    expect(plan.children[0]).toMatchObject({ output: refTo('Tree') });
  });

  it('has agents that may have instructions and a time limit, as all have', async () => {
    const text = flow('  - kind: quiet\n').replace(
      'type: echo',
      'type: echo\n    instructions: Be kind.\n    timeoutMs: 5',
    );
    expect(await problemsOf(text, { modules })).toEqual([]);
    expect(await problemsOf(text.replace('timeoutMs', 'tools'), { modules })).toHaveLength(1);
  });

  it('of a file whose component is used is there for that component', async () => {
    const files = {
      'part.toon': `imports:\n${block}components:\n  Part:\n    params:\n      x: string\n    steps[2]:\n      - kind: post\n        text: "{params.x}"\n      - id: s\n        run: "return shout(params.x)"\n        output: string\n`,
    };
    const use = '  - kind: component\n    id: p\n    use: Part\n    with:\n      x: "{input.topic}"\n';
    const text = flow(use, '  components[1]{from,use}:\n    ./part.toon,Part\n').replace(
      'type: echo',
      'type: scripted',
    );
    const plan = await planOf(text, { files, modules });
    expect(plan.plugins).toHaveLength(1);
    // The same plugin in both files is one.
    const both = flow(use, `${block}  components[1]{from,use}:\n    ./part.toon,Part\n`);
    expect((await planOf(both, { files, modules })).plugins).toHaveLength(1);
    // Another config is another plugin, with the same kinds.
    const other = both.replace('team: a', 'team: b');
    expect(new Set(await problemsOf(other, { files, modules }))).toEqual(new Set(['TOO4212 part.toon:3:13']));
  });
});

describe('names that have a meaning already are told at the import of the plugin', () => {
  it.each<[string, Partial<PluginInfo>, string]>([
    ['a kind of the language', { nodes: { loop: { fields: [] } } }, 'TOO4212 the kind "loop", which the language has'],
    [
      'a type of agents',
      { agents: { ...info.agents, codex: [] } },
      'TOO4212 the type of agent "codex", which the language',
    ],
    ['a service', { functions: ['tracker'] }, 'TOO4212 the name "tracker", which "imports.services" has'],
    ['a word of code', { functions: ['input'] }, 'TOO4008 the name "input", which is'],
  ])('%s', async (_, more, said) => {
    const given = { ...modules, './p.ts': plugin({ nodes: {}, functions: [], services: [], ...more }) };
    const { diagnostics } = await planText(flow(run('a', 'return input.topic'), block + services), { modules: given });
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringContaining(said.replace(/^(TOO\d+) /, '$1 the plugin brings ')),
    ]);
  });

  it('those of another plugin', async () => {
    const two = `${block.replace('[1]', '[2]')}    - from: ./q.ts\n`;
    const problems = await problemsOf(flow('  - kind: quiet\n', two), { modules: { ...modules, './q.ts': plugin() } });
    expect(problems.length).toBeGreaterThan(0);
    expect(new Set(problems)).toEqual(new Set(['TOO4212 7:13']));
  });

  it('of the same plugin with another config, once', async () => {
    const two = `${block.replace('[1]', '[2]')}    - from: ./p.ts\n`;
    const { diagnostics } = await planText(flow('  - kind: quiet\n', two), { modules });
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'TOO4212 the plugin "./p.ts" is imported twice, with different configs',
    ]);
  });

  it('and ids of steps at the step', async () => {
    expect(await problemsOf(flow(run('shout', 'return input.topic')), { modules })).toEqual(['TOO4221 13:9']);
  });
});

describe('keys', () => {
  const imports = block + services;
  const steps = `${run('plain', 'return input.topic')}${run('served', 'return tracker.open()')}${run('called', 'return shout(services.notes.x)')}${run(
    'any',
    'return Object.keys(services)',
  )}  - id: handled
    handler: ./h.ts
    output: string
  - kind: post
    id: posted
    text: "{input.topic}"
  - id: asked
    agent: e
    prompt: x
    output: string
`;
  const files = { 'h.ts': 'export default () => 1' };

  function keysOf(plan: WorkflowPlan, hashes: Record<string, string>): Record<string, string> {
    const all = [...nodesOf(plan)].map(({ node, path, plan: own }) => {
      const module = node.kind === 'step' && node.action.kind === 'handler' ? hashes[node.action.module] : undefined;
      const known = { modules: hashes, ...(module !== undefined && { module }) };
      return [path, keyOf(keyParts(node, own, known) ?? {})] as const;
    });
    return Object.fromEntries(all);
  }

  function changed(one: Record<string, string>, other: Record<string, string>): string[] {
    return Object.keys(one).filter((path) => one[path] !== other[path]);
  }

  it('change with the code of the services and plugins that a step uses, and with no other', async () => {
    const plan = await planOf(flow(steps, imports), { files, modules });
    expect(modulesOf(plan).sort()).toEqual(['./h.ts', './p.ts', './s.ts']);
    const before = { './p.ts': '1', './s.ts': '1', './h.ts': '1' };
    const keys = keysOf(plan, before);
    expect(changed(keys, keysOf(plan, { ...before, './s.ts': '2' }))).toEqual(['served', 'any', 'handled']);
    expect(changed(keys, keysOf(plan, { ...before, './p.ts': '2' }))).toEqual([
      ...['called', 'any', 'handled', 'posted', 'asked'],
    ]);
  });

  it('change with the config of the plugin', async () => {
    const plan = await planOf(flow(steps, imports), { files, modules });
    const other = await planOf(flow(steps, imports.replace('team: a', 'team: b')), { files, modules });
    expect(changed(keysOf(plan, {}), keysOf(other, {}))).toEqual(['called', 'any', 'handled', 'posted', 'asked']);
  });

  it('of a node hold its fields as they are filled in', async () => {
    const { children, ...rest } = await planOf(flow(steps, imports), { files, modules });
    const node = children.find(({ kind }) => kind === 'plugin');
    if (node === undefined) throw new Error('no node');
    const key = (text: string) => keyOf(keyParts(node, { children, ...rest }, { fields: { text } }) ?? {});
    expect(key('a')).toBe(key('a'));
    expect(key('a')).not.toBe(key('b'));
  });
});

it('a service that nobody can use is refused at its import, with what to write', async () => {
  const bare = {
    kind: 'other',
    what: 'an Effect service without a layer',
    help: 'Give its class a static "layer".',
  } as const;
  const given = { ...modules, './s.ts': { ...tracker, exports: { tracker: bare } } as ModuleAnswer };
  const { diagnostics } = await planText(flow(run('a', 'return tracker.open()'), block + services), { modules: given });
  expect(diagnostics).toMatchObject([
    {
      code: 'TOO4264',
      message: '"tracker" of "./s.ts" is an Effect service without a layer, not a service',
      help: 'Give its class a static "layer".',
    },
  ]);
});
