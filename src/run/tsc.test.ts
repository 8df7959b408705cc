/** The compiler that this project is checked with, on files as `check --types` generates them. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { generateTypes, mapTscOutput, readCode, type TypedStep, typesFile } from '../plan/code/index.ts';
import { arrayOf, booleanType, field, literalOf, numberType, refTo, structOf, textType } from '../type/index.ts';
import { runTsc, tscRoot } from './tsc.ts';

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-tsc-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const review = structOf([field('approved', booleanType), field('note', textType, { optional: true })]);

const visible: TypedStep['visible'] = [
  { id: 'draft', type: structOf([field('lines', arrayOf(textType))]), optional: false },
  { id: 'research-web', type: refTo('Review'), optional: true },
];

async function step(path: string, text: string, output: TypedStep['output'], extra: Partial<TypedStep> = {}) {
  const names = new Set(visible.map(({ id }) => id));
  const context = new Set(['input', 'steps', 'sh', 'signal', 'attempt', 'cwd', 'loop', 'params', 'Tracker']);
  const { edits, reads, problems } = await readCode(text, { names, context });
  expect(problems).toEqual([]);
  return {
    path,
    action: { kind: 'run', text, edits, reads },
    visible,
    inLoop: false,
    ...(output && { output }),
    ...extra,
  } as const;
}

function handler(name: string, output: TypedStep['output']): TypedStep {
  const action = { kind: 'handler', text: `./checks.ts#${name}`, module: './checks.ts', name } as const;
  return { path: name, action, visible, inLoop: false, ...(output && { output }) };
}

async function check(steps: readonly TypedStep[]) {
  const { text, map } = generateTypes({
    types: { Review: review },
    input: structOf([field('repo', textType)]),
    services: [{ module: './services.ts', name: 'Tracker', as: 'Tracker' }],
    steps,
    root: tscRoot,
  });
  const result = await runTsc({ cwd: dir, text, name: typesFile });
  if (result.kind !== 'done') throw new Error(`tsc: ${result.kind}`);
  const { problems, other } = mapTscOutput(result.output, map);
  const textOf = new Map(steps.map(({ path, action }) => [path, action.text]));
  return {
    ok: result.ok,
    other,
    problems: problems.map((p) => `${p.path} ${p.start} ${textOf.get(p.path)?.slice(p.start, p.end)}: ${p.message}`),
  };
}

function project(): void {
  symlinkSync(packages, join(dir, 'node_modules'));
  writeFileSync(join(dir, 'tsconfig.json'), '{ "files": [] }');
  writeFileSync(
    join(dir, 'services.ts'),
    'export const Tracker = { open: (title: string): number => title.length };\n',
  );
  writeFileSync(
    join(dir, 'checks.ts'),
    `import { Effect } from 'effect';
    interface Context { input: { repo: string }; steps: { draft: { lines: string[] } }; signal: AbortSignal }
    export const good = async ({ input }: Context) => ({ approved: input.repo !== '', note: null });
    export const effect = (_: Context) => Effect.succeed({ approved: true });
    export const wrongEffect = (_: Context) => Effect.succeed({ approved: 'yes' });
    export const wrong = (_: Context) => ({ approved: 1 });
    export const wants = (context: { nothing: string }) => ({ approved: context.nothing === '' });
    export const value = 3;
    `,
  );
}

test('code that fits its types has no problems, and nothing is left behind', async () => {
  project();
  const found = await check([
    await step(
      'a',
      "const n: number = Tracker.open(input.repo);\nconst log = await sh`git log ${n}`;\nreturn { approved: research-web?.approved ?? log.split('\\n').length > attempt, note: null }",
      refTo('Review'),
    ),
    await step('b', 'return draft.lines.map((line) => line.trim()).sort()', arrayOf(textType)),
    await step('c', 'return loop.iteration + params.n', numberType, {
      inLoop: true,
      params: structOf([field('n', numberType)]),
    }),
    await step('d', 'const input = process.env.HOME; signal.throwIfAborted(); return input ?? cwd', textType),
    handler('good', refTo('Review')),
    handler('effect', refTo('Review')),
  ]);
  expect(found).toEqual({ ok: true, other: [], problems: [] });
  expect(existsSync(join(dir, '.toolang'))).toBe(false);
});

test('what does not fit is said where it was written', async () => {
  project();
  mkdirSync(join(dir, '.toolang'));
  const found = await check([
    await step('a', 'const é = "😀";\nreturn { approved: draft.lines.size }', refTo('Review')),
    await step('b', 'return research-web.approved', booleanType),
    await step('c', 'if (input.repo) return 1', numberType),
    await step('d', 'return { level: "worse" }', structOf([field('level', literalOf('ok', 'bad'))])),
    await step('e', 'return loop.iteration', numberType),
    await step('f', 'return { approved: true, more: 1 }', refTo('Review')),
    handler('wrong', refTo('Review')),
    handler('wrongEffect', refTo('Review')),
    handler('wants', refTo('Review')),
    handler('value', refTo('Review')),
    handler('lnt', refTo('Review')),
  ]);
  expect(found.ok).toBe(false);
  expect(found.other).toEqual([]);
  expect(found.problems.map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
    'a 47 size',
    'b 7 research-web',
    'c 0 if (input.repo) return 1',
    'd 9 level',
    'e 7 loop',
    'f 25 more',
    'wrong 0 ./checks.ts#wrong',
    'wrongEffect 0 ./checks.ts#wrongEffect',
    'wants 0 ./checks.ts#wants',
    'value 0 ./checks.ts#value',
    'lnt 0 ./checks.ts#lnt',
  ]);
  expect(existsSync(join(dir, '.toolang'))).toBe(true);
});

test('a project without TypeScript is told apart', async () => {
  expect(await runTsc({ cwd: dir, text: '', name: typesFile })).toEqual({ kind: 'missing' });
});

test('a compiler that does not end is stopped', async () => {
  mkdirSync(join(dir, 'node_modules/typescript/bin'), { recursive: true });
  writeFileSync(join(dir, 'node_modules/typescript/bin/tsc'), 'setInterval(() => {}, 1000);\n');
  expect(await runTsc({ cwd: dir, text: '', name: typesFile, limitMs: 50 })).toEqual({ kind: 'stopped', limitMs: 50 });
  expect(existsSync(join(dir, '.toolang'))).toBe(false);
});
