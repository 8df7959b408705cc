/** Schemas, services and plugins as a host describes them, with the libraries of the user's own project. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModuleAnswer, ModuleRequest } from '../../plan/index.ts';
import {
  arrayOf,
  booleanType,
  field,
  jsonType,
  literalOf,
  numberType,
  refTo,
  structOf,
  textType,
} from '../../type/index.ts';
import { createModuleHost } from './module-host.ts';

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-schemas-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

function install(...names: string[]): void {
  mkdirSync(join(dir, 'node_modules'), { recursive: true });
  for (const name of names) symlinkSync(join(packages, name), join(dir, 'node_modules', name), 'junction');
}

async function describe(...requests: (string | Partial<ModuleRequest>)[]): Promise<ModuleAnswer[]> {
  const host = createModuleHost({ cwd: dir, timeoutMs: 40_000 });
  const all = requests.map((each) => (typeof each === 'string' ? { specifier: each } : each));
  try {
    return [...(await host.describe(all.map((each) => ({ specifier: '', folder: dir, as: 'module', ...each }))))];
  } finally {
    await host.close();
  }
}

function exportsOf(answer: ModuleAnswer | undefined) {
  if (!answer?.ok) throw new Error(`${answer?.message} ${answer?.help}`);
  return answer.exports;
}

test('Effect schemas, classes and services', async () => {
  install('effect');
  write({
    'effects.ts': `import { Context, Effect, Layer, Schema } from 'effect';
      export class Ticket extends Schema.Class<Ticket>('Ticket')({
        id: Schema.String.annotate({ description: 'As the tracker has it' }), points: Schema.Number, note: Schema.optional(Schema.String),
        level: Schema.Literals(['low', 'high']), tags: Schema.Array(Schema.String), when: Schema.Date,
      }) {}
      export class Tree extends Schema.Class<Tree>('Tree')({ name: Schema.String, below: Schema.Array(Schema.suspend((): any => Tree)) }) {}
      export const Loose = Schema.Struct({ a: Schema.NullOr(Schema.String), b: Schema.Boolean });
      export class Tracker extends Context.Service<Tracker, { open(id: string): void }>()('Tracker') {
        static readonly layer = Layer.succeed(this, { open() {} });
      }
      export class Bare extends Context.Service<Bare, { open(id: string): void }>()('Bare') {}
      export const Level = Context.Reference<number>('Level', { defaultValue: () => 3 });
      export const layer = Tracker.layer;
      export const effect = Effect.succeed(1);`,
  });
  const exports = exportsOf((await describe('./effects.ts'))[0]);
  expect(exports.Ticket).toEqual({
    kind: 'schema',
    exact: true,
    types: {},
    type: structOf(
      [
        field('id', textType, { doc: 'As the tracker has it' }),
        field('points', numberType),
        field('note', textType, { optional: true }),
        field('level', literalOf('low', 'high')),
        field('tags', arrayOf(textType)),
        field('when', textType),
      ],
      { name: 'Ticket' },
    ),
  });
  const tree = structOf([field('name', textType), field('below', arrayOf(refTo('Tree')))], { name: 'Tree' });
  expect(exports.Tree).toEqual({ kind: 'schema', exact: true, type: refTo('Tree'), types: { Tree: tree } });
  expect(exports.Loose).toMatchObject({
    exact: false,
    type: { name: 'Loose', fields: [field('a', jsonType), field('b', booleanType)] },
  });
  expect(exports.Tracker).toEqual({ kind: 'service', members: [] });
  const other = (what: string, help: string) => ({ kind: 'other', what, help: expect.stringContaining(help) });
  expect(exports.Bare).toEqual(other('an Effect service without a layer', 'static readonly layer ='));
  expect(exports.Level).toEqual({ kind: 'service', members: [] });
  expect(exports.layer).toEqual(other('an Effect layer', 'Export the service'));
  expect(exports.effect).toEqual(other('an Effect', 'Export a function'));
});

test('Standard Schemas: by themselves, by their library, or as Json', async () => {
  install('zod');
  write({
    'zods.ts': `import { z } from 'zod';
      export const Verdict = z.object({ ok: z.boolean(), why: z.string().nullish(), level: z.enum(['a', 'b']), n: z.int().default(3) });
      export const Dated = z.object({ at: z.date(), name: z.string() });
      export const Node = z.object({ name: z.string(), get below() { return z.array(Node); } });
      const { jsonSchema, ...standard } = Verdict['~standard'];
      export const Older = Object.create(Verdict, { '~standard': { value: standard } });`,
    'others.mjs': `const standard = { version: 1, vendor: 'mine', validate: (value) => ({ value }) };
      export const Unknown = { '~standard': standard };
      export const Method = Object.assign(() => {}, { '~standard': standard, toJsonSchema: () => ({ type: 'array', items: { type: 'string' } }) });
      export const Throws = { '~standard': { ...standard, jsonSchema: { input() { throw new Error('no'); } } } };`,
  });
  const [zods, others] = await describe('./zods.ts', './others.mjs');
  const verdict = structOf(
    [
      field('ok', booleanType),
      field('why', textType, { optional: true }),
      field('level', literalOf('a', 'b')),
      field('n', numberType, { optional: true }),
    ],
    { name: 'Verdict' },
  );
  expect(exportsOf(zods)).toEqual({
    Verdict: { kind: 'schema', exact: true, types: {}, type: verdict },
    Older: { kind: 'schema', exact: true, types: {}, type: { ...verdict, name: 'Older' } },
    Dated: {
      kind: 'schema',
      exact: false,
      types: {},
      type: structOf([field('at', jsonType), field('name', textType)], { name: 'Dated' }),
    },
    Node: {
      kind: 'schema',
      exact: true,
      type: refTo('Node'),
      types: { Node: structOf([field('name', textType), field('below', arrayOf(refTo('Node')))], { name: 'Node' }) },
    },
  });
  const unknown = { kind: 'schema', exact: false, types: {}, type: jsonType };
  expect(exportsOf(others)).toEqual({
    Unknown: unknown,
    Method: { kind: 'schema', exact: true, types: {}, type: arrayOf(textType) },
    Throws: unknown,
  });
});

test('one copy of effect is loaded, and it is the one of the project', async () => {
  const real = JSON.stringify(join(packages, 'effect/dist/index.js'));
  write({
    'node_modules/effect/package.json': JSON.stringify({
      name: 'effect',
      version: '4.9.9',
      type: 'module',
      exports: './index.js',
    }),
    'node_modules/effect/index.js': `globalThis.loads = (globalThis.loads ?? 0) + 1; export * from ${real};`,
    'a.ts': `import { Schema } from 'effect'; export const A = Schema.Struct({ a: Schema.String });`,
    'b.mjs': `import { Schema } from 'effect'; export const B = Schema.Struct({ b: Schema.String });`,
    'count.ts': `export const seen = { type: 'fake', loads: globalThis.loads };`,
  });
  const [a, b, count] = await describe('./a.ts', './b.mjs', './count.ts');
  expect(exportsOf(a).A).toMatchObject({ kind: 'schema', exact: true });
  expect(exportsOf(b).B).toMatchObject({ kind: 'schema', exact: true });
  expect(exportsOf(count).seen).toMatchObject({ fields: { loads: 1 } });
});

test('plugins are called with their config, and what they bring is described', async () => {
  install('zod');
  write({
    'node_modules/@acme/slack/package.json': JSON.stringify({
      name: '@acme/slack',
      version: '1.0.0',
      type: 'module',
      exports: './main.js',
    }),
    'node_modules/@acme/slack/main.js': `import './more.js'; export default async (config) => ({
      nodes: { [config.prefix + '-post']: { fields: { channel: 'string', text: 'string?', level: '("a" | "b")[]', to: ['string'] },
        interpolate: ['text'], output: { ts: 'string', parts: [{ n: 'number[]' }] }, run() {} } },
      agents: { slackbot: { fields: { model: 'string?' }, run() {} } },
      functions: { shout: (text) => text }, services: { slack: { send() {} } },
    });`,
    'node_modules/@acme/slack/more.js': '',
    'zods.ts': `import { z } from 'zod';
      export const plugin = () => ({ nodes: { ask: { fields: z.object({ q: z.string(), n: z.number().optional() }), run() {} } } });`,
    'node.ts': `export default () => ({ nodes: { ask: { fields: { q: 'strin' }, run() {} } } });`,
    'key.ts': `export default () => ({ node: {} });`,
    'none.ts': `export const a = 1;`,
    'two.ts': `export const a = () => {}; export const b = () => ({ functions: { f: () => 1 } });`,
    'throws.ts': `export default () => { throw new RangeError('no token'); };`,
    'taken.ts': `export default () => ({ nodes: { ask: { fields: { timeout: 'string' }, run() {} } } });`,
    'asked.ts': `export default () => ({ agents: { a: { fields: { prompt: 'string' }, run() {} } } });`,
    'named.ts': `export default () => ({ functions: { 'no-name': () => 1 } });`,
    'twice.ts': 'export default () => ({ functions: { f() {} }, services: { f: {} } })',
    'thrown.ts': 'export default async () => { throw { token: false }; }',
    'kind.ts': `export default () => ({ nodes: { 'a/b': { run() {} } } });`,
    'hangs.ts': `export default () => process.exit(4);`,
  });
  const as = 'plugin' as const;
  const names = ['node', 'key', 'none', 'two', 'throws', 'taken', 'asked', 'named', 'twice', 'thrown', 'kind', 'hangs'];
  const [slack, zods, two, lacks, ...wrong] = await describe(
    { specifier: '@acme/slack', as, config: { prefix: 'slack' } },
    { specifier: './zods.ts', as },
    { specifier: './two.ts', as, name: 'b' },
    { specifier: './two.ts', as, name: 'c' },
    ...names.map((name) => ({ specifier: `./${name}.ts`, as })),
  );
  const item = { optional: false, interpolated: false };
  expect(slack).toMatchObject({
    ok: true,
    file: join(dir, 'node_modules/@acme/slack/main.js'),
    files: [
      { file: join(dir, 'node_modules/@acme/slack/main.js') },
      { file: join(dir, 'node_modules/@acme/slack/package.json') },
    ],
    plugin: {
      nodes: {
        'slack-post': {
          fields: [
            { ...item, name: 'channel', type: textType },
            { name: 'text', type: textType, optional: true, interpolated: true },
            { ...item, name: 'level', type: arrayOf(literalOf('a', 'b')) },
            { ...item, name: 'to', type: arrayOf(textType) },
          ],
          output: structOf([
            field('ts', textType),
            field('parts', arrayOf(structOf([field('n', arrayOf(numberType))]))),
          ]),
        },
      },
      agents: { slackbot: [{ name: 'model', type: textType, optional: true, interpolated: false }] },
      functions: ['shout'],
      services: ['slack'],
    },
  });
  expect(zods).toMatchObject({
    plugin: {
      nodes: {
        ask: {
          fields: [
            { name: 'q', optional: false },
            { name: 'n', optional: true },
          ],
        },
      },
    },
  });
  expect(two).toMatchObject({ ok: true, plugin: { functions: ['f'] } });
  expect(lacks).toMatchObject({
    message: 'the plugin "./two.ts" cannot be used: it exports no function "c"; it exports a, b',
  });
  expect(wrong.map((answer) => (answer.ok ? 'ok' : answer.message))).toEqual([
    'the plugin "./node.ts" cannot be used: nodes.ask.fields.q is "strin", which is no type. Write string, number, boolean, a list such as string[], or "a" | "b"',
    'the plugin "./key.ts" cannot be used: what the plugin returns has the unknown key "node". Did you mean "nodes"?',
    'the plugin "./none.ts" cannot be used: a plugin exports one function as its default; it exports none',
    'the plugin "./two.ts" cannot be used: a plugin exports one function as its default; it exports a, b',
    'the plugin "./throws.ts" cannot be used: RangeError: no token (throws.ts:1)',
    'the plugin "./taken.ts" cannot be used: nodes.ask.fields has "timeout", which has a meaning of its own there. Give the field another name',
    'the plugin "./asked.ts" cannot be used: agents.a.fields has "prompt", which has a meaning of its own there. Give the field another name',
    'the plugin "./named.ts" cannot be used: functions.no-name is no name that code can use',
    'the plugin "./twice.ts" cannot be used: services.f has the name of a function, too',
    'the plugin "./thrown.ts" cannot be used: {"token":false} was thrown',
    'the plugin "./kind.ts" cannot be used: nodes has "a/b", and a kind has a name of letters, digits, "-" and "_"',
    '"./hangs.ts" ended its process with code 4 while it was loaded',
  ]);
});
