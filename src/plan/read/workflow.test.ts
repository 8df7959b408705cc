import { describe, expect, test } from 'vitest';
import { createSource, type Diagnostic } from '../../text/index.ts';
import { parseToon } from '../../toon/index.ts';
import {
  arrayOf,
  booleanType,
  field,
  literalOf,
  numberType,
  refTo,
  structOf,
  type Type,
  textType,
} from '../../type/index.ts';
import type { DraftNode, DraftStep, DraftWorkflow } from '../draft.ts';
import { readWorkflow, requireRunnable } from './workflow.ts';

function readAll(text: string): { draft: DraftWorkflow; found: readonly Diagnostic[] } {
  const { document, diagnostics } = parseToon(createSource('flow.toon', text), { profile: true });
  const { draft, diagnostics: found } = readWorkflow(document);
  return { draft, found: [...diagnostics, ...found] };
}

/** The draft of a text without mistakes. */
function read(text: string): DraftWorkflow {
  const { draft, found } = readAll(text);
  expect(found.map((d) => `${d.code} ${d.message}`)).toEqual([]);
  return draft;
}

function node(lines: string): DraftNode {
  const found = read(`steps[1]:\n  - ${lines.trim().replaceAll('\n', '\n    ')}\n`).steps?.nodes[0];
  if (!found) throw new Error('no node was read');
  return found;
}

function step(lines: string): DraftStep {
  const found = node(`id: a\n${lines}`);
  if (found.kind !== 'step') throw new Error(`${found.kind} is no step`);
  return found;
}

const run = (lines = '') => step(`run: return 1\noutput: string\n${lines}`.trim());
const typeOf = (written: string): Type | undefined => read(`schemas:\n  T:\n    ${written}\n`).schemas[0]?.type.type;
const fieldOf = (type: Type | undefined) => (type?.kind === 'struct' ? type.fields[0] : undefined);
const at = (draft: DraftWorkflow, word: { span: { start: number; end: number } } | undefined) =>
  draft.source.text.slice(word?.span.start, word?.span.end);

describe('top-level keys', () => {
  test('name', () => {
    const draft = read('name: release-notes');
    expect(draft.name?.text).toBe('release-notes');
    expect(at(draft, draft.name)).toBe('release-notes');
  });

  test('input as an inline block', () => {
    expect(read('input:\n  repo: string\n  since: string?').input?.type).toEqual(
      structOf([field('repo', textType), field('since', textType, { optional: true })]),
    );
  });

  test('input as the name of a schema', () => {
    const { input } = read('input: Ticket');
    expect(input?.type).toEqual(refTo('Ticket'));
    expect(input?.names.map(({ text }) => text)).toEqual(['Ticket']);
  });

  test('input without fields', () => {
    expect(read('name: x\ninput:\nsteps[1]:\n  - id: a\n    run: x\n    output: string').input?.type).toEqual(
      structOf([]),
    );
  });

  test('agents', () => {
    expect(read('agents:\n  writer:\n    type: codex').agents.map(({ name }) => name.text)).toEqual(['writer']);
  });

  test('schemas of any type', () => {
    const { schemas } = read('schemas:\n  Review:\n    ok: boolean\n  Level: "ok" | "bad"\n  Names: "string[]"');
    expect(schemas.map(({ name, type }) => [name.text, type.type])).toEqual([
      ['Review', structOf([field('ok', booleanType)])],
      ['Level', literalOf('ok', 'bad')],
      ['Names', arrayOf(textType)],
    ]);
  });

  test('components', () => {
    const text =
      'components:\n  Brief:\n    params:\n      text: string\n    steps[1]:\n      - id: "{id}-short"\n        run: x\n        needs: "{id}"\n        output: string';
    const [brief] = read(text).components;
    expect(brief?.name.text).toBe('Brief');
    expect(brief?.params?.type).toEqual(structOf([field('text', textType)]));
    expect(brief?.steps?.nodes.map(({ id }) => id?.text)).toEqual(['{id}-short']);
  });

  test('steps', () => {
    const draft = read('steps[1]:\n  - id: a\n    run: x\n    output: string');
    expect(draft.steps?.nodes.map(({ id }) => id?.text)).toEqual(['a']);
    expect(at(draft, draft.steps?.key)).toBe('steps');
  });

  test('imports', () => {
    expect(read('imports:\n  workflows[1]{from,as}:\n    ./a.toon,notes').imports.workflows).toHaveLength(1);
  });

  test('a file that is only imported needs none of name, input and steps; the one that runs does', () => {
    const imported = read('schemas:\n  A:\n    b: string');
    expect(requireRunnable(imported).map(({ message }) => message)).toEqual([
      'a workflow needs "name"',
      'a workflow needs "input"',
      'a workflow needs "steps"',
    ]);
    expect(requireRunnable(read('name: a\ninput: T\nsteps[1]:\n  - id: a\n    run: x\n    output: string'))).toEqual(
      [],
    );
  });

  test('a key that is there and broken is not missing', () => {
    expect(requireRunnable(readAll('name: 42\ninput: 3\nsteps: x').draft)).toEqual([]);
    expect(requireRunnable(readAll('name: ""\ninput: string\nsteps:').draft)).toEqual([]);
  });
});

describe('fields of agents', () => {
  const fields = (lines: string) =>
    read(`agents:\n  a:\n    ${lines}`).agents.map(({ type, fields: all }) => ({
      type: type?.text,
      ...Object.fromEntries(all.map(({ key, value }) => [key.text, value])),
    }))[0];

  test.each([
    ['model', 'model: claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['instructions', 'instructions: "You write.\\nShort."', 'You write.\nShort.'],
    ['tools', 'tools[2]: read,grep', ['read', 'grep']],
    ['subscription', 'subscription: true', true],
    ['timeoutMs', 'timeoutMs: 60000', 60_000],
    ['idleTimeoutMs', 'idleTimeoutMs: 1000', 1000],
    ['provider', 'provider: openai', 'openai'],
    ['permissionMode', 'permissionMode: plan', 'plan'],
    ['env', 'env:\n      A: "1"\n      __proto__: x', JSON.parse('{"A":"1","__proto__":"x"}')],
  ])('%s', (key, line, value) => {
    expect(fields(`type: api\n    ${line}`)).toEqual({ type: 'api', [key]: value });
  });

  test('type may stand anywhere', () => {
    expect(fields('model: x\n    type: openai')).toEqual({ type: 'openai', model: 'x' });
  });

  test('a keyed table', () => {
    const { agents } = read('agents[2:]{type,model}:\n  a: openai,x\n  b: anthropic,y');
    expect(agents.map(({ name, type, fields: all }) => [name.text, type?.text, all[0]?.value])).toEqual([
      ['a', 'openai', 'x'],
      ['b', 'anthropic', 'y'],
    ]);
  });
});

describe('field types', () => {
  test.each<[string, string, Type]>([
    ['string', 'a: string', textType],
    ['number', 'a: number', numberType],
    ['boolean', 'a: boolean', booleanType],
    ['"a"', 'a: "a"', literalOf('a')],
    ['"a" | "b"', 'a: "a" | "b"', literalOf('a', 'b')],
    ['"a" | "b" in plain TOON', 'a: "\\"a\\" | \\"b\\""', literalOf('a', 'b')],
    ['"string[]"', 'a: "string[]"', arrayOf(textType)],
    ['"number[]"', 'a: "number[]"', arrayOf(numberType)],
    ['"string[][]"', 'a: "string[][]"', arrayOf(arrayOf(textType))],
    ['"Review[]"', 'a: "Review[]"', arrayOf(refTo('Review'))],
    ['a list of a choice', 'a: "(\\"x\\" | \\"y\\")[]"', arrayOf(literalOf('x', 'y'))],
    ['a list of one text', 'a: "\\"x\\"[]"', arrayOf(literalOf('x'))],
    ['nested block', 'a:\n      b: number', structOf([field('b', numberType)])],
    [
      '- field: type',
      'a[1]:\n      - b: string\n        c: number?',
      arrayOf(structOf([field('b', textType), field('c', numberType, { optional: true })])),
    ],
    ['- field: type below a bare key', 'a:\n      - b: string', arrayOf(structOf([field('b', textType)]))],
    [
      '- field: type as a table',
      'a[1]{b,c}:\n      string,number',
      arrayOf(structOf([field('b', textType), field('c', numberType)])),
    ],
    ['other quoted text', 'a: "needs work?"', literalOf('needs work?')],
    ['quoted text that names a schema', 'a: "Review"', literalOf('Review')],
  ])('%s', (_, written, type) => {
    expect(fieldOf(typeOf(written))).toEqual(field('a', type));
  });

  test.each<[string, string, Type]>([
    ['string?', 'a: string?', textType],
    ['T?', 'a: Review?', refTo('Review')],
    ['"a"?', 'a: "x"?', literalOf('x')],
    ['"a" | "b"?', 'a: "x" | "y"?', literalOf('x', 'y')],
    ['"a" | "b"? in plain TOON', 'a: "\\"x\\" | \\"y\\"?"', literalOf('x', 'y')],
    ['"string[]?"', 'a: "string[]?"', arrayOf(textType)],
    ['"Review[]?"', 'a: "Review[]?"', arrayOf(refTo('Review'))],
    ['"string[]"?', 'a: "string[]"?', arrayOf(textType)],
    ['"Review[]"?', 'a: "Review[]"?', arrayOf(refTo('Review'))],
    ['"string[]"? in plain TOON', 'a: "\\"string[]\\"?"', arrayOf(textType)],
  ])('%s', (_, written, type) => {
    expect(fieldOf(typeOf(written))).toEqual(field('a', type, { optional: true }));
  });

  test('names say where schemas are used, also inside quotes', () => {
    const draft = read('schemas:\n  T:\n    a: Review?\n    b: "Review[]"\n    c[1]:\n      - d: Part\n    e: string');
    const names = draft.schemas[0]?.type.names ?? [];
    expect(names.map((name) => [name.text, at(draft, name)])).toEqual([
      ['Review', 'Review'],
      ['Review', 'Review'],
      ['Part', 'Part'],
    ]);
  });

  test('a schema may have the name of a type of another language', () => {
    expect(fieldOf(read('schemas:\n  T:\n    a: Text\n  Text:\n    b: string').schemas[0]?.type.type)?.type).toEqual(
      refTo('Text'),
    );
    const imported =
      'imports:\n  schemas[1]{from,use}:\n    ./a.ts,"Date, Object"\nschemas:\n  T:\n    a: "Date[]"\n    b: Object';
    expect(read(imported).schemas[0]?.type.names.map(({ text }) => text)).toEqual(['Date', 'Object']);
  });
});

describe('the step node', () => {
  test('id', () => expect(run().id?.text).toBe('a'));
  test('agent and prompt', () => {
    expect(step('agent: w\nprompt: "Hi {input.x}"\noutput: string')).toMatchObject({
      agent: { text: 'w' },
      prompt: { text: 'Hi {input.x}' },
    });
  });
  test('promptFrom', () => {
    expect(step('agent: w\npromptFrom: ./review.md\noutput: string').promptFrom?.text).toBe('./review.md');
  });
  test('run', () => expect(run().run?.text).toBe('return 1'));
  test('handler', () => {
    expect(step('handler: ./checks.ts#lint\noutput: string').handler?.text).toBe('./checks.ts#lint');
    expect(step('handler: ./checks.ts\noutput: string').handler?.text).toBe('./checks.ts');
  });
  test('output', () => {
    expect(step('run: x\noutput: Review').output?.type).toEqual(refTo('Review'));
    expect(step('run: x\noutput:\n  a: string').output?.type).toEqual(structOf([field('a', textType)]));
  });
  test('needs', () => {
    expect(run().needs).toEqual([]);
    expect(run('needs: b').needs.map(({ text }) => text)).toEqual(['b']);
    expect(run('needs[2]: b,c-d').needs.map(({ text }) => text)).toEqual(['b', 'c-d']);
  });
  test('maxAttempts', () => expect(run('maxAttempts: 3').retry).toEqual({ maxAttempts: 3 }));
  test('retry', () => {
    expect(run('retry:\n  maxAttempts: 3\n  backoff: exponential\n  initialDelay: 1s').retry).toEqual({
      maxAttempts: 3,
      backoff: 'exponential',
      initialDelayMs: 1000,
    });
    expect(run('maxAttempts: 2\nretry:\n  backoff: linear').retry).toEqual({ maxAttempts: 2, backoff: 'linear' });
  });
  test('timeout', () => expect(run('timeout: 5m').timeoutMs).toBe(300_000));
  test('cache', () => {
    const cached = run('cache:\n  by[2]: "{a.b}",x\n  version: 2').cache;
    expect(cached?.by.map(({ text }) => text)).toEqual(['{a.b}', 'x']);
    expect(cached?.version).toBe('2');
    expect(run('cache:\n  by: "{a}"\n  version: v2').cache).toMatchObject({ by: [{ text: '{a}' }], version: 'v2' });
  });
  test('skipIf', () => expect(run('skipIf: "{input.fast}"').skipIf?.text).toBe('{input.fast}'));
  test('pool', () => expect(run('pool: gpu').pool).toBe('gpu'));
  test('kind: step may be written', () => expect(node('kind: step\nid: a\nrun: x\noutput: string').kind).toBe('step'));
});

describe('control nodes', () => {
  const child = 'children[1]:\n  - id: a\n    run: x\n    output: string';

  test('sequence', () =>
    expect(node(`kind: sequence\n${child}`)).toMatchObject({
      kind: 'sequence',
      children: { nodes: [{ kind: 'step' }] },
    }));
  test('parallel', () =>
    expect(node(`kind: parallel\nmaxConcurrency: 2\n${child}`)).toMatchObject({ kind: 'parallel', maxConcurrency: 2 }));
  test('loop', () => {
    const loop = node(`kind: loop\nid: polish\nuntil: "{a} > 1"\nmaxIterations: 3\nonMaxReached: fail\n${child}`);
    expect(loop).toMatchObject({
      kind: 'loop',
      id: { text: 'polish' },
      until: { text: '{a} > 1' },
      maxIterations: 3,
      onMaxReached: 'fail',
    });
  });
  test('approval', () => {
    const approval = node(
      'kind: approval\nid: ok\nrequest:\n  title: "Go?"\n  summary[2]:\n    - One\n    - "Two {a}"\nneeds: a\nonDeny: skip',
    );
    expect(approval).toMatchObject({
      kind: 'approval',
      title: { text: 'Go?' },
      summary: { text: 'One\nTwo {a}' },
      onDeny: 'skip',
      needs: [{ text: 'a' }],
    });
  });
  test('branch', () => {
    const arm = (name: string) => child.replace('children', name);
    const branch = node(`kind: branch\ncondition: "{a} == 'ok'"\n${arm('then')}\n${arm('else')}`);
    expect(branch).toMatchObject({ kind: 'branch', condition: { text: "{a} == 'ok'" } });
    expect(branch.kind === 'branch' && [branch.then.nodes.length, branch.else?.nodes.length]).toEqual([1, 1]);
  });
  test('worktree', () => {
    expect(node(`kind: worktree\npath: "../{input.x}"\nbranch: b\nbase: main\nkeep: true\n${child}`)).toMatchObject({
      kind: 'worktree',
      folder: { text: '../{input.x}' },
      branch: { text: 'b' },
      base: { text: 'main' },
      keep: true,
    });
  });
  test('workflow', () => {
    expect(node('kind: workflow\nid: n\nuse: notes\ninput:\n  repo: "{input.repo}"')).toMatchObject({
      kind: 'workflow',
      use: { text: 'notes' },
      input: {
        kind: 'record',
        fields: [{ key: { text: 'repo' }, value: { kind: 'text', text: { text: '{input.repo}' } } }],
      },
      needs: [],
    });
  });
  test('component', () => {
    expect(node('kind: component\nid: b\nuse: Brief\nwith:\n  limit: 80\n  tags[2]: a,null')).toMatchObject({
      kind: 'component',
      use: { text: 'Brief' },
      with: {
        kind: 'record',
        fields: [
          { key: { text: 'limit' }, value: { kind: 'json', value: 80 } },
          { value: { kind: 'list', items: [{ kind: 'text' }, { kind: 'json', value: null }] } },
        ],
      },
    });
  });
  test('a kind of a plugin keeps its fields for the linker', () => {
    const other = node('kind: slack\nid: post\nneeds: a\nchannel: "#dev"\nretries: 2');
    expect(other).toMatchObject({
      kind: 'other',
      type: { text: 'slack' },
      id: { text: 'post' },
      needs: [{ text: 'a' }],
    });
    expect(other.kind === 'other' && other.fields.map(({ key }) => key.text)).toEqual(['channel', 'retries']);
  });
});

describe('durations', () => {
  test.each([
    ['Milliseconds', '250ms', 250],
    ['Seconds', '30s', 30_000],
    ['Minutes', '5m', 300_000],
    ['Hours', '1h', 3_600_000],
  ])('%s', (_, written, ms) => {
    expect(run(`timeout: ${written}`).timeoutMs).toBe(ms);
    expect(run(`timeout: "${written}"`).timeoutMs).toBe(ms);
  });
});

describe('imports', () => {
  test.each(['schemas', 'services', 'components', 'workflows', 'agents'] as const)('%s', (category) => {
    const draft = read(`imports:\n  ${category}[2]{from,use}:\n    ./a.ts,One\n    "@acme/b","Two, Three"`);
    expect(draft.imports[category].map(({ from, use }) => [from.text, ...use.map(({ text }) => text)])).toEqual([
      ['./a.ts', 'One'],
      ['@acme/b', 'Two', 'Three'],
    ]);
    expect(draft.imports[category].flatMap(({ use }) => use.map((word) => at(draft, word)))).toEqual([
      'One',
      'Two',
      'Three',
    ]);
  });

  test('{from,as}', () => {
    expect(read('imports:\n  workflows[1]{from,as}:\n    ./a.toon,notes').imports.workflows[0]).toMatchObject({
      from: { text: './a.toon' },
      use: [],
      as: { text: 'notes' },
    });
  });

  test('{from,use,as}', () => {
    expect(read('imports:\n  schemas[1]{from,use,as}:\n    ./a.ts,default,Ticket').imports.schemas[0]).toMatchObject({
      use: [{ text: 'default' }],
      as: { text: 'Ticket' },
    });
  });

  test('list items', () => {
    const { schemas } = read('imports:\n  schemas[1]:\n    - from: ./a.ts\n      use[2]: A,B').imports;
    expect(schemas[0]?.use.map(({ text }) => text)).toEqual(['A', 'B']);
  });

  test('plugins', () => {
    const { plugins } = read(
      'imports:\n  plugins[2]:\n    - from: "@acme/slack"\n      config:\n        channel: "#dev"\n    - from: ./p.ts\n      use: make',
    ).imports;
    expect(plugins).toMatchObject([
      { from: { text: '@acme/slack' }, config: { channel: '#dev' } },
      { from: { text: './p.ts' }, use: { text: 'make' }, config: {} },
    ]);
  });
});

describe('long texts', () => {
  test('lines are joined, and every character knows its place', () => {
    const draft = read(
      'steps[1]:\n  - id: a\n    agent: w\n    prompt[3]:\n      - "Say \\"{x}\\""\n      - plain {y}\n      - ""\n    output: string',
    );
    const [found] = draft.steps?.nodes ?? [];
    const prompt = found?.kind === 'step' ? found.prompt : undefined;
    expect(prompt?.text).toBe('Say "{x}"\nplain {y}\n');
    for (const name of ['{x}', '{y}', 'plain']) {
      const place = prompt?.place(prompt.text.indexOf(name)) ?? -1;
      expect(draft.source.text.startsWith(name, place), name).toBe(true);
    }
  });

  test('a text in one piece knows its places behind escapes', () => {
    const draft = read('steps[1]:\n  - id: a\n    run: "a\\n\\t{b}"\n    output: string');
    const [found] = draft.steps?.nodes ?? [];
    const code = found?.kind === 'step' ? found.run : undefined;
    expect(draft.source.text.startsWith('{b}', code?.place(3))).toBe(true);
  });
});
