/** Runs whose agents use the real tools, on a store in memory: what they may not reach, and what is told of it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitEnv } from '../../test/repository.ts';
import { mergeConfig } from '../config/index.ts';
import { createMemoryStore, type MemoryStore } from '../journal/index.ts';
import { planOf } from '../plan/plan-test-kit.ts';
import { type EngineSettings, openEngine } from './engine.ts';

let cwd: string;
let store: MemoryStore;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(`${tmpdir()}/toolang-run-tools-`));
  store = createMemoryStore();
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Ran {
  /** What the model was told, in the order of its calls. */
  readonly told: readonly string[];
  readonly end: unknown;
  /** Says yes to what it waits for, and lets it go on. */
  readonly allow: () => Promise<unknown>;
}

const step = '  - id: a\n    agent: w\n    prompt: x\n    output: string\n';

/** One step whose model makes these calls and then says `done`; `more` are steps behind it. */
function run(calls: readonly Call[], more = '', settings: EngineSettings = {}): Promise<Ran> {
  return runFlow(`${step}${more}`, [callsReply(calls), '  - for: a\n    text: done\n'], settings);
}

function callsReply(calls: readonly Call[]): string {
  const written = calls.map(
    ({ tool, args }) => `      - tool: ${tool}\n        raw: ${JSON.stringify(JSON.stringify(args))}\n`,
  );
  return `  - for: a\n    calls[${calls.length}]:\n${written.join('')}`;
}

async function runFlow(steps: string, replies: readonly string[], settings: EngineSettings = {}): Promise<Ran> {
  const count = [...steps.matchAll(/^ {2}- /gm)].length;
  const agent = 'agents:\n  w:\n    type: scripted\n    tools[2]: filesystem,shell\n';
  const source = `name: flow\ninput:\n${agent}steps[${count}]:\n${steps}`;
  const file = put('flow.toon', source);
  put('flow.script.toon', `replies[${replies.length}]:\n${replies.join('')}`);
  const plan = await planOf(source, { files: { 'code.ts': '' } });
  const engine = openEngine({ store, cwd, settings: async () => settings });
  const { id, epoch } = engine.create({ plan, input: {}, source, file });
  const end = await engine.drive(id, { epoch });
  const told = [...store.events(id)].flatMap(({ body }) =>
    body.kind === 'tool.answered' ? [(body.result as { text: string }).text] : [],
  );
  const allow = () => {
    const { node = '', hash = '' } = store.run(id)?.waiting?.[0] ?? {};
    engine.post(id, { by: 'ana', message: { kind: 'decide', node, hash, approved: true } });
    return engine.drive(id);
  };
  return { told, end, allow };
}

function put(name: string, text: string): string {
  const file = join(cwd, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function shell(command: string): Call {
  return { tool: 'shell/run', args: { command } };
}

function write(path: string, content: string): Call {
  return { tool: 'filesystem/write', args: { path, content } };
}

describe('what a run is made of is not written by its agents', () => {
  const code = "import { word } from './lib/word.ts';\nexport const go = () => word;\n";
  const step = '  - id: b\n    handler: ./code.ts#go\n    needs[1]: a\n    output: string\n';

  it('neither the modules that it runs later, nor what they import, nor packages that they would find', async () => {
    put('code.ts', code);
    put('lib/word.ts', "export const word = 'mine';\n");
    const evil = "export const go = () => 'theirs';\nexport const word = 'theirs';\n";
    const paths = [
      'code.ts',
      'lib/word.ts',
      'lib/../code.ts',
      'node_modules/x/index.js',
      'lib/node_modules/x/index.js',
    ];
    const { told, end } = await run([...paths.map((path) => write(path, evil)), write('lib/other.ts', evil)], step);
    expect(told.slice(0, -1).filter((text) => !text.startsWith('denied: '))).toEqual([]);
    expect(told.at(-1)).toContain('wrote');
    expect(end).toEqual({ kind: 'ended', end: { ok: 'mine' } });
    expect(readFileSync(join(cwd, 'code.ts'), 'utf8')).toBe(code);
  });

  it('nor its workflow, where no home is known either', async () => {
    const { told } = await run([write('flow.toon', 'x'), write('node_modules/x/index.js', 'x')]);
    expect(told).toEqual([
      expect.stringContaining('denied: "flow.toon" is off limits'),
      expect.stringContaining('wrote'),
    ]);
  });
});

describe('what was allowed', () => {
  const { settings } = mergeConfig({});
  const config = { ...settings, permissions: { ...settings.permissions, ask: ['filesystem/write'] } };

  it('is where a link led when it was asked about: it is asked again where it leads elsewhere', async () => {
    put('docs/a.md', 'a');
    put('docs/b.md', 'b');
    symlinkSync('docs/a.md', join(cwd, 'out'));
    const asked = await run([write('out', 'new')], '', { config });
    expect(asked.end).toMatchObject({ kind: 'waiting', waiting: [{ title: 'filesystem/write: out → docs/a.md' }] });
    rmSync(join(cwd, 'out'));
    symlinkSync('docs/b.md', join(cwd, 'out'));
    expect(await asked.allow()).toMatchObject({ waiting: [{ title: 'filesystem/write: out → docs/b.md' }] });
    expect(readFileSync(join(cwd, 'docs/b.md'), 'utf8')).toBe('b');
    expect(await asked.allow()).toEqual({ kind: 'ended', end: { ok: 'done' } });
    expect(readFileSync(join(cwd, 'docs/b.md'), 'utf8')).toBe('new');
  });
});

describe('in a worktree', () => {
  const inTree = (more = '') =>
    `  - kind: worktree\n    id: tree\n    path: ./tree\n    branch: side\n    children[1]:\n${step.replace(/^/gm, '    ').trimEnd()}\n${more}`;

  beforeEach(() => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd, env: gitEnv(cwd) });
    git('init', '--quiet');
    git('config', 'user.name', 'Ana');
    git('config', 'user.email', 'ana@example.org');
    put('a.txt', 'first\n');
    git('add', 'a.txt');
    git('commit', '--quiet', '-m', 'first');
  });

  it('each tool goes on with what those before it have made, in one answer and in the next', async () => {
    const edit = { tool: 'filesystem/edit', args: { path: 'a.txt', old: 'first', new: 'second' } };
    const { told, end } = await runFlow(inTree(), [
      callsReply([edit, write('new.txt', 'made'), shell('cat a.txt new.txt')]),
      callsReply([shell('echo more >> new.txt; cat a.txt new.txt; git status --short')]),
      callsReply([
        { tool: 'filesystem/read', args: { path: 'new.txt' } },
        shell('git add -A; git commit -qm b; git log --format=%s'),
      ]),
      '  - for: a\n    text: done\n',
    ]);
    expect(end).toEqual({ kind: 'ended', end: { ok: 'done' } });
    expect(told.slice(2)).toEqual(['second\nmade', 'second\nmademore\n M a.txt\n?? new.txt', 'mademore\n', 'b\nfirst']);
  });

  it('another attempt of the step begins with the files as they were before its first call', async () => {
    const { told } = await runFlow(inTree('        maxAttempts: 2\n'), [
      callsReply([write('new.txt', 'made')]),
      callsReply([write('more.txt', 'made')]),
      '  - for: a\n    error: 500\n',
      callsReply([shell('ls'), write('other.txt', 'x')]),
      callsReply([shell('ls')]),
      '  - for: a\n    text: done\n',
    ]);
    expect(told.slice(2)).toEqual(['a.txt', expect.stringContaining('wrote'), 'a.txt\nother.txt']);
  });
});
