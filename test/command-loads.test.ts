/** What the built program loads for a command: nothing that only others need. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withIndex } from '../scripts/program.mjs';
import { openWholeProgram } from '../src/cli/whole-program.ts';
import { built } from './built.ts';

/** The module of each part that all of it needs, as the build says where it is from. */
const parts = {
  tools: 'src/tool/toolbox.cjs',
  services: 'src/tool/service/services.cjs',
  permissions: 'src/tool/permission/policy.cjs',
  'the MCP client': 'node_modules/@modelcontextprotocol/client/',
  'a provider': 'node_modules/@ai-sdk/anthropic/',
  'the list of models': 'src/model/catalog/data/anthropic.cjs',
  caps: 'src/caps/validate.cjs',
  agents: 'src/program/check.cjs',
  workflows: 'src/plan/plan.cjs',
  'a parser of code': 'node_modules/acorn/',
  settings: 'src/config/read-config.cjs',
  runs: 'src/run/engine.cjs',
  views: 'src/view/graph-text.cjs',
  journals: 'src/journal/sqlite-store.cjs',
} as const;
type Part = keyof typeof parts;

let dir = '';
let dist = '';
/** Those of the program, by their names. */
let modules: string[] = [];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-loads-'));
  dist = join(dir, 'dist');
  writeFileSync(join(dir, 'small.too'), 'thunk(text: Text) -> Text:\n  user: Summarize {{text}}\n');
  writeFileSync(
    join(dir, 'flow.toon'),
    'name: flow\ninput:\nagents:\n  a:\n    type: scripted\nsteps[1]:\n  - id: say\n    agent: a\n    prompt: Say it.\n    output: string\n',
  );
  writeFileSync(join(dir, 'flow.script.toon'), 'replies[1]:\n  - for: say\n    text: Said.\n');
  // Each module that runs says so, on its first line.
  const program = readFileSync(join(built(), 'program.cjs'), 'latin1');
  const begin = /^\/\* (\S+) \*\/ \d+: \(exports, module\) => \{$/gm;
  modules = [...program.matchAll(begin)].map(([, name = '']) => name);
  const old = program.slice(-17, -1);
  const { open, close, moduleAt } = openWholeProgram(join(built(), 'program.cjs'), old);
  const told = modules.map((_, i) =>
    moduleAt(i).text.replace(begin, '$& require("node:fs").writeSync(2, "loaded $1\\n");'),
  );
  mkdirSync(dist);
  const { text, build } = withIndex(open, told, close);
  writeFileSync(join(dist, 'program.cjs'), text, 'latin1');
  writeFileSync(join(dist, 'cli.cjs'), readFileSync(join(built(), 'cli.cjs'), 'utf8').replaceAll(old, build));
  symlinkSync(join(built(), 'sqlite'), join(dist, 'sqlite'), 'junction');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The parts that a command loads. */
function loaded(...args: string[]): Part[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli.cjs'), ...args], {
    cwd: dir,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: dir, TOOLANG_ROOT: join(dir, 'root') },
  });
  expect({ status, stdout: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, stdout: '' });
  const ran = [...stderr.matchAll(/^loaded (\S+)$/gm)].map(([, name = '']) => name);
  expect(ran).toContain('src/cli/run.cjs');
  return (Object.keys(parts) as Part[]).filter((part) => ran.some((name) => name.startsWith(parts[part])));
}

it('each part is somewhere', () => {
  expect(modules.length).toBeGreaterThan(500);
  for (const [part, name] of Object.entries(parts)) {
    expect(modules.some((each) => each.startsWith(name)) ? '' : part).toBe('');
  }
});

it('help loads none of them', () => {
  expect(loaded('--help')).toEqual([]);
  expect(loaded('--version')).toEqual([]);
});

it('a check of an agent that has no caps knows neither caps nor tools nor models', () => {
  expect(loaded('check', 'small.too')).toEqual(['agents', 'settings']);
});

it('a check of a workflow plans it, and runs nothing', () => {
  expect(loaded('check', 'flow.toon')).toEqual(['workflows']);
});

it('a run that asks nobody has neither tools nor services nor models', () => {
  const ofRuns = ['workflows', 'settings', 'runs', 'journals'];
  expect(loaded('run', 'flow.toon', '--store', 'runs.db')).toEqual(ofRuns);
  expect(loaded('runs', '--store', 'runs.db')).not.toContain('tools');
});
