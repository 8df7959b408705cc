/** What the built program loads for a command: nothing that only others need. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { built } from './built.ts';

/** A word of each part, which is in one chunk alone: names are kept in the build. */
const parts = {
  tools: 'function createToolbox(',
  services: 'function openServices(',
  permissions: 'function createPolicy(',
  'the MCP client': 'StreamableHTTPClientTransport = class',
  'a provider': 'function createAnthropic(',
  'the list of models': 'id: "claude-opus-4-1"',
  caps: 'function validateCapFile(',
  agents: 'function checkSource(',
  workflows: 'function planWorkflow(',
  'a parser of code': 'function isIdentifierStart(',
  settings: 'function readConfig(',
  runs: 'function openEngine(',
  views: 'function graphText(',
  journals: 'function openSqliteStore(',
} as const;
type Part = keyof typeof parts;

let dir = '';
let dist = '';
beforeAll(() => {
  dist = built();
  dir = mkdtempSync(join(tmpdir(), 'toolang-loads-'));
  writeFileSync(join(dir, 'small.too'), 'thunk(text: Text) -> Text:\n  user: Summarize {{text}}\n');
  writeFileSync(
    join(dir, 'flow.toon'),
    'name: flow\ninput:\nagents:\n  a:\n    type: scripted\nsteps[1]:\n  - id: say\n    agent: a\n    prompt: Say it.\n    output: string\n',
  );
  writeFileSync(join(dir, 'flow.script.toon'), 'replies[1]:\n  - for: say\n    text: Said.\n');
  // Each file that is loaded is printed, on a thread of its own, so without what the program does with its output.
  const hooks =
    'import { writeSync } from "node:fs"; export function load(url, context, next) { if (url.startsWith("file:")) writeSync(2, `loaded ${url}\\n`); return next(url, context); }';
  writeFileSync(join(dir, 'hooks.mjs'), hooks);
  writeFileSync(
    join(dir, 'watch.mjs'),
    'import { register } from "node:module"; register("./hooks.mjs", import.meta.url);',
  );
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The parts that a command loads. */
function loaded(...args: string[]): Part[] {
  const watch = pathToFileURL(join(dir, 'watch.mjs')).href;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', watch, join(dist, 'cli.js'), ...args], {
    cwd: dir,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: dir, TOOLANG_ROOT: join(dir, 'root') },
  });
  expect({ status, stdout: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, stdout: '' });
  const files = [...stderr.matchAll(/^loaded (file:.*)$/gm)].map(([, url = '']) => fileURLToPath(url));
  expect(files).toContain(join(dist, 'cli.js'));
  // No package beside it: neither `jiti` nor a compiler.
  expect(files.filter((file) => !file.startsWith(dist) && !file.startsWith(dir))).toEqual([]);
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  return (Object.keys(parts) as Part[]).filter((part) => text.includes(parts[part]));
}

it('each part is somewhere', () => {
  const chunks = readdirSync(join(dist, 'chunks')).map((name) => readFileSync(join(dist, 'chunks', name), 'utf8'));
  for (const [part, word] of Object.entries(parts)) {
    expect(
      chunks.filter((text) => text.includes(word)),
      part,
    ).toHaveLength(1);
  }
});

it('help loads none of them', () => {
  expect(loaded('--help')).toEqual([]);
  expect(loaded('--version')).toEqual([]);
});

it('a check of an agent knows caps, and neither tools nor models', () => {
  expect(loaded('check', 'small.too')).toEqual(['caps', 'agents', 'settings']);
});

it('a check of a workflow plans it, and runs nothing', () => {
  expect(loaded('check', 'flow.toon')).toEqual(['workflows', 'a parser of code']);
});

it('a run that asks nobody has neither tools nor services nor models', () => {
  const ofRuns = ['workflows', 'a parser of code', 'settings', 'runs', 'views', 'journals'];
  expect(loaded('run', 'flow.toon', '--store', 'runs.db')).toEqual(ofRuns);
  expect(loaded('runs', '--store', 'runs.db')).not.toContain('tools');
});
