/** The package as a user gets it: packed, installed in an empty folder, run, imported, type-checked. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { built } from './built.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const dir = mkdtempSync(join(tmpdir(), 'toolang-pack-'));
const user = join(dir, 'user');
let packed: string[] = [];
let installed: string[] = [];

// What npm hands to its scripts would lead an inner npm back to this project; with a key a model would be asked.
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)|_API_KEY$/i.test(name))),
  TOOLANG_ROOT: join(dir, 'root'),
};

function sh(command: string, args: string[], cwd: string): string {
  const ran = spawnSync(command, args, { cwd, encoding: 'utf8', env });
  if (ran.status !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${ran.status ?? ran.error}\n${ran.stdout}${ran.stderr}`);
  }
  return ran.stdout;
}

/** The repository as npm would pack it, with the build of this test run as `dist/`. */
function stage(): string {
  const staged = join(dir, 'staged');
  mkdirSync(staged);
  for (const name of ['package.json', 'README.md', 'LICENSE', ...manifest.files]) {
    if (name !== 'dist' && existsSync(join(root, name)))
      cpSync(join(root, name), join(staged, name), { recursive: true });
  }
  cpSync(built(), join(staged, 'dist'), { recursive: true });
  return staged;
}

beforeAll(() => {
  const staged = stage();
  // What it depends on comes from our own folder: no test may need the network.
  const needed = Object.keys(manifest.dependencies).map((name) => join(root, 'node_modules', name));
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', dir, staged, ...needed];
  const results: { filename: string; files: { path: string }[] }[] = JSON.parse(sh('npm', pack, dir));
  packed = results[0]?.files.map((file) => file.path) ?? [];
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), JSON.stringify({ name: 'user', version: '1.0.0', type: 'module' }));
  const tarballs = results.map((result) => join(dir, result.filename));
  sh('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], user);
  installed = readdirSync(join(user, 'node_modules')).filter((name) => !name.startsWith('.'));
  // Optional: the user's own.
  symlinkSync(join(root, 'node_modules/effect'), join(user, 'node_modules/effect'), 'junction');
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('holds the programs, the entries, the types and the licences, and no tests or sources', () => {
  for (const file of [
    'dist/cli.cjs',
    'dist/toolang.js',
    'dist/host.js',
    'dist/types/api/toolang.d.ts',
    'dist/THIRD-PARTY.md',
    'docs/agents.md',
    'SKILL.md',
  ]) {
    expect(packed).toContain(file);
  }
  expect(packed.filter((file) => /\.test\.|(?<!\.d)\.ts$|^src\/|node_modules/.test(file))).toEqual([]);
});

it('has every file its manifest names', () => {
  const installed = join(user, 'node_modules/toolang');
  const named = JSON.stringify([manifest.bin, manifest.exports]).matchAll(/"((?:\.\/)?dist\/[^"]+)"/g);
  for (const [, file = ''] of named) expect(existsSync(join(installed, file)), file).toBe(true);
});

it('runs nothing when it is installed, and brings only the packages that it must', () => {
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
    expect(manifest.scripts).not.toHaveProperty(script);
  }
  expect(Object.keys(manifest.dependencies)).toEqual(['@swc/wasm-typescript', 'jiti']);
  expect(installed).toEqual(['@swc', 'jiti', 'toolang']);
});

it('runs as toolang and as too', () => {
  expect(sh('npx', ['--no-install', 'toolang', '--version'], user)).toBe(`${manifest.version}\n`);
  expect(sh(join(user, 'node_modules/.bin/too'), ['--help'], user)).toContain('toolang COMMAND');
});

it('makes a project, and the commands it prints run', () => {
  const out = sh('npx', ['--no-install', 'toolang', 'new', 'hello'], user);
  expect(out).toContain('  npx toolang check hello.too\n');
  const next = out.slice(out.indexOf('\nnext\n') + 6).trim();
  const said = sh('sh', ['-c', `set -e\n${next}`], user);
  expect(said).toContain('summarize');
  expect(said).toContain('"title": "A script answered"');
});

it('is imported as a module', () => {
  const code = `import * as t from 'toolang';
    import { parse } from 'toolang/calls';
    import { bracketTools } from 'toolang/ai';
    import { toEffect } from 'toolang/effect';
    import { run, step, workflow } from 'toolang/workflow';
    import { Schema } from 'effect';
    const source = t.createSource('a.too', 'model = x');
    const d = t.diagnostic('TOO1601', source, { start: 0, end: 5 }, 'wrong');
    console.log(t.version + ' ' + t.oneLine(d));
    console.log(parse('🛠️[a b]🛠️[/end]').calls[0].toolName + ' ' + bracketTools().specificationVersion);
    console.log(toEffect({ kind: 'text' }) === Schema.String);
    const one = step('one', { run: 'return 1', output: Schema.Number });
    const two = step('two', { run: ({ read }) => read(one) + 1, output: Schema.Number });
    const flow = workflow({ name: 'w', steps: () => [one, two] });
    console.log((await flow.plan()).children[0].path);
    console.log((await run(flow, {}, { store: 'made-by-program/runs.db' })).output);`;
  const out = sh(process.execPath, ['--input-type=module', '-e', code], user);
  expect(out).toBe(`${manifest.version} a.too:1:1  error TOO1601  wrong\na v3\ntrue\none\n2\n`);
});

it('brings SQLite for six platforms, and its store finds the one for this machine', async () => {
  const native = packed.filter((file) => file.endsWith('.node')).map((file) => file.split('/').slice(0, -1).join('/'));
  const platforms = ['darwin', 'linux', 'win32'].flatMap((system) => [`${system}-arm64`, `${system}-x64`]);
  expect([...new Set(native)].sort()).toEqual(platforms.map((platform) => `dist/sqlite/${platform}`));
  // As a chunk of the program, in a place where no package of that name can be found.
  const place = join(user, 'node_modules/toolang/dist/chunks');
  const bundle = await rolldown({ input: join(root, 'src/journal/index.ts'), platform: 'node' });
  await bundle.write({ dir: place, format: 'esm', entryFileNames: 'journal-of-test.mjs' });
  await bundle.close();
  const code = `import { openSqliteStore } from ${JSON.stringify(join(place, 'journal-of-test.mjs'))};
    const store = openSqliteStore('made/runs.db');
    store.write((w) => w.addRun({ id: 'r', root: 'r', name: 'x', status: 'done', startedAt: 1, updatedAt: 1 }));
    console.log(store.runIds().join());`;
  expect(sh(process.execPath, ['--input-type=module', '-e', code], user)).toBe('r\n');
  const notices = readFileSync(join(user, 'node_modules/toolang/dist/THIRD-PARTY.md'), 'utf8');
  expect(notices).toMatch(/^## @photostructure\/sqlite 1\.2\.1 \(MIT\)$/m);
});

it('loads modules of users in its host', async () => {
  writeFileSync(join(user, 'checks.ts'), 'enum Level { Low }\nexport default (a: string): Level => Level.Low;\n');
  const entry = join(user, 'node_modules/toolang/dist/host.js');
  const host = spawn(process.execPath, [entry], { cwd: user, env, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  const pipe = host.stdio[3] as Socket;
  const module = { id: 0, request: { specifier: './checks.ts', folder: user, as: 'module' } };
  pipe.write(`${JSON.stringify({ module })}\n`);
  let text = '';
  for await (const chunk of pipe) {
    text += chunk;
    if (/"kind":"answer".*\n$/.test(text)) break;
  }
  const reports = text.trimEnd().split('\n');
  expect(JSON.parse(reports.at(-1) ?? '')).toMatchObject({
    kind: 'answer',
    answer: { ok: true, exports: { default: { kind: 'function' } } },
  });
});

it('is type-checked by a strict user without other types', () => {
  writeFileSync(
    join(user, 'user.ts'),
    `import { createSource, type Diagnostic, diagnostic, renderDiagnostic, type Source, version } from 'toolang';
const source: Source = createSource('a.too', 'x');
const d: Diagnostic = diagnostic('TOO1601', source, { start: 0, end: 1 }, 'wrong', { help: 'right' });
export const text: string = renderDiagnostic(d, { color: false, columns: 80 }) + version;
import { type Call, type CallEvent, mapCall, parse, planTool, scan } from 'toolang/calls';
import { bracketTools } from 'toolang/ai';
import { fromEffect, toEffect } from 'toolang/effect';
import { type RunOptions, type RunResult, run, step, type Workflow, type WorkflowPlan, workflow } from 'toolang/workflow';
import { Schema } from 'effect';
const one = step('one', { run: () => 1, output: Schema.Number });
export const flow: Workflow<object, number> = workflow({ name: 'w', steps: () => [one] });
export const plan: Promise<WorkflowPlan> = flow.plan();
const options: RunOptions = { store: 'runs.db', approve: async ({ kind }) => kind === 'approval' };
export const result: Promise<RunResult<number>> = run(flow, {}, options);
export const schema = toEffect(fromEffect(toEffect({ kind: 'text' })).type);
const calls: readonly Call[] = parse('', { strict: true }, { reason: 'length' }).calls;
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<CallEvent> {
  yield* scan(body);
}
export const all = [calls.map((call) => mapCall(call, planTool({ name: 'a' })).args), bracketTools({ stop: false })];
// @ts-expect-error: not an option
parse('', { strikt: true });
// @ts-expect-error: not a code
diagnostic('TOO0000', source, { start: 0, end: 1 }, 'wrong');
`,
  );
  const options = { module: 'nodenext', moduleResolution: 'nodenext', strict: true, noEmit: true, skipLibCheck: false };
  const strict = {
    ...options,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    types: [],
  };
  writeFileSync(join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, files: ['user.ts'] }));
  sh(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', user], user);
});

it('brings no package twice, and names all of them with their licences', () => {
  const notices = readFileSync(join(user, 'node_modules/toolang/dist/THIRD-PARTY.md'), 'utf8');
  const names = [...notices.matchAll(/^## (\S+) (\S+) \((.+)\)$/gm)].map(([, name = '']) => name);
  expect(names).toEqual([...new Set(names)]);
  for (const name of ['@ai-sdk/openai', '@modelcontextprotocol/client', '@pydantic/genai-prices', 'zod', 'yaml']) {
    expect(names).toContain(name);
  }
});

it('stays small', () => {
  const installed = join(user, 'node_modules/toolang');
  const sizes = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((name) =>
    statSync(join(installed, name)),
  );
  const bytes = sizes.reduce((sum, info) => sum + (info.isFile() ? info.size : 0), 0);
  console.log(`installed: ${(bytes / 1e6).toFixed(2)} MB in ${packed.length} files`);
  expect(bytes).toBeLessThan(40e6);
});
