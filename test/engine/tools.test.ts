/** Tool loops in whole runs: in worktrees, after edits and retries, and what people are shown of them. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ran, type Scratch, scratch } from '../../src/cli/scratch.ts';
import { openSqliteStore } from '../../src/journal/index.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const env = { PATH: process.env.PATH ?? '', USER: 'ana' };
const cli = (...argv: string[]): Promise<Ran> => s.cli(argv, { env });
const idIn = ({ err }: Ran) => /run ([0-9a-z]{4,})/.exec(err)?.[1] ?? '';

function git(...args: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: s.dir, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

type Turn = string | readonly (readonly [tool: string, args: object])[];

function script(turns: readonly Turn[], name = 'draft'): string {
  const entries = turns.map((turn) => {
    if (typeof turn === 'string') return `  - for: ${name}\n    ${turn}\n`;
    const calls = turn.map(
      ([tool, args]) => `      - tool: ${tool}\n        raw: ${JSON.stringify(JSON.stringify(args))}\n`,
    );
    return `  - for: ${name}\n    calls[${calls.length}]:\n${calls.join('')}`;
  });
  return `replies[${entries.length}]:\n${entries.join('')}`;
}

const head = (tools: string) =>
  `name: w\ninput:\nagents:\n  dev:\n    type: scripted\n    tools[${tools.split(',').length}]: ${tools}\n`;

const write = (path: string): [string, object] => ['filesystem/write', { path, content: path }];
const append = (word: string): [string, object] => ['shell/run', { command: `echo ${word} >> done.txt` }];

/** Kinds and nodes of what the run has in its journal. */
function journal(): { kind: string; node: string; of: boolean }[] {
  const store = openSqliteStore(s.at('.toolang/runs.db'));
  try {
    const [run] = store.runs({ roots: true });
    return [...store.events(run?.id ?? '')].map(({ node = '', body }) => ({
      kind: body.kind,
      node,
      of: 'of' in body && body.of !== undefined,
    }));
  } finally {
    store.close();
  }
}

describe('in a worktree', () => {
  const tree = (prompt = 'Do it.', retry = '') =>
    `${head('filesystem')}steps[1]:
  - kind: worktree
    id: tree
    path: ../tree
    branch: work
    keep: true
    children[1]:
      - id: draft
        agent: dev
        prompt: "${prompt}"
${retry}        output: string
`;

  const files = () =>
    readdirSync(join(s.dir, '../tree'))
      .filter((name) => name.endsWith('.txt'))
      .sort();

  beforeEach(() => {
    s.write('begin.txt', 'here');
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
  });

  it('each call goes on with the files of the one before', async () => {
    s.write('w.toon', tree());
    s.write('w.script.toon', script([[write('a.txt'), write('b.txt')], [write('c.txt')], 'text: Done.']));
    expect(await cli('run', 'w.toon')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(files()).toEqual(['a.txt', 'b.txt', 'begin.txt', 'c.txt']);
  });

  it('another attempt begins with the files from before the first', async () => {
    s.write('w.toon', tree('Do it.', '        retry:\n          maxAttempts: 2\n          initialDelay: 1ms\n'));
    s.write(
      'w.script.toon',
      script([[write('a.txt'), write('b.txt')], 'error: 500', [write('c.txt'), write('d.txt')], 'text: Done.']),
    );
    expect(await cli('run', 'w.toon')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(files()).toEqual(['begin.txt', 'c.txt', 'd.txt']);
  });
});

describe('a loop that waits for a permission', () => {
  const flow = (prompt = 'Do it.', last = 'return draft') =>
    `${head('shell,filesystem')}steps[2]:
  - id: draft
    agent: dev
    prompt: "${prompt}"
    output: string
  - id: last
    run: "${last}"
    output: string
`;

  /** Two calls are done, the third is asked for. */
  async function waiting(): Promise<string> {
    s.write('.toolang/config.toml', '[permissions]\nask = ["filesystem/write"]\n');
    s.write('w.toon', flow());
    s.write(
      'w.script.toon',
      script([[append('one')], [append('two'), write('x.txt')], [append('three')], 'text: Done.']),
    );
    const ran = await cli('run', 'w.toon');
    expect(ran.code).toBe(3);
    expect(s.read('done.txt')).toBe('one\ntwo\n');
    return idIn(ran);
  }

  const begunAgain = () =>
    journal().filter(({ kind, node }) => kind === 'node.started' && /\/(?:tool|model)#/.test(node));

  it('is kept as it is when something else is edited, and asked again', async () => {
    const id = await waiting();
    s.write('w.toon', flow('Do it.', "return draft + '!'"));
    const told = await cli('resume', '--dry-run', id);
    expect(told.code).toBe(0);
    const resumed = await cli('resume', '--yes', id);
    expect(resumed.code).toBe(3);
    expect(await cli('approve', id)).toMatchObject({ code: 0, out: 'Done.!\n' });
    expect(s.read('done.txt')).toBe('one\ntwo\nthree\n');
    // Each once, over both segments.
    const begun = begunAgain().map(({ node }) => node);
    expect(new Set(begun).size).toBe(begun.length);
    const shown = JSON.parse((await cli('show', '--json', id)).out).run.nodes[0];
    expect(shown.tools.map(({ args, status }: { args: object; status: string }) => [args, status])).toEqual([
      [append('one')[1], 'done'],
      [append('two')[1], 'done'],
      [write('x.txt')[1], 'done'],
      [append('three')[1], 'done'],
    ]);
  });

  it('goes on where it was with --keep, though its prompt is another', async () => {
    const id = await waiting();
    s.write('w.toon', flow('Do it well.'));
    const resumed = await cli('resume', '--keep', '--yes', id);
    expect(resumed.code).toBe(3);
    expect(await cli('approve', id)).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(s.read('done.txt')).toBe('one\ntwo\nthree\n');
    expect(existsSync(s.at('x.txt'))).toBe(true);
  });

  it('begins anew where its prompt is edited, and says so before', async () => {
    const id = await waiting();
    s.write('w.toon', flow('Do it well.'));
    const told = await cli('resume', '--dry-run', id);
    expect(`${told.out}${told.err}`).toMatch(/draft/);
    const resumed = await cli('resume', '--yes', id);
    expect(resumed.code).toBe(3);
    expect(s.read('done.txt')).toBe('one\ntwo\none\ntwo\n');
    expect(await cli('approve', id)).toMatchObject({ code: 0, out: 'Done.\n' });
  });

  it('is not done again in a fork from behind it', async () => {
    const id = await waiting();
    expect((await cli('approve', id)).code).toBe(0);
    expect(await cli('fork', id, '--from', 'last')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(s.read('done.txt')).toBe('one\ntwo\nthree\n');
  });

  it('that was denied tells the model; a retry of what failed behind it keeps the answer', async () => {
    const id = await waiting();
    s.write('w.toon', flow('Do it.', "throw new Error('no')"));
    expect((await cli('resume', '--yes', id)).code).toBe(3);
    expect((await cli('deny', id)).code).toBe(1);
    const [draft] = JSON.parse((await cli('show', '--json', id)).out).run.nodes;
    // A call was denied, not the step.
    expect(draft).toMatchObject({ status: 'done', output: 'Done.' });
    expect(draft).not.toHaveProperty('decision');
    expect(draft.tools.map(({ status }: { status: string }) => status)).toEqual(['done', 'done', 'denied', 'done']);
    s.write('w.toon', flow());
    const again = await cli('resume', '--yes', id);
    expect(again).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(s.read('done.txt')).toBe('one\ntwo\nthree\n');
    const why = await cli('why', id, 'draft');
    expect(why.code).toBe(0);
    expect(why.out).toContain('kept');
  });
});

describe('a limit of tool calls', () => {
  it('ends the run; with a higher one a retry goes on from what was done', async () => {
    s.write('.toolang/config.toml', '[limits]\ntool_calls = 2\n');
    s.write(
      'w.toon',
      `${head('shell')}steps[1]:\n  - id: draft\n    agent: dev\n    prompt: "Do it."\n    output: string\n`,
    );
    s.write('w.script.toon', script([[append('one')], [append('two')], [append('three')], 'text: Done.']));
    const ran = await cli('run', 'w.toon');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('2 tool calls (limits.tool_calls)');
    s.write('.toolang/config.toml', '[limits]\ntool_calls = 5\n');
    expect(await cli('retry', idIn(ran))).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(s.read('done.txt')).toBe('one\ntwo\nthree\n');
  });
});

describe('the result cache', () => {
  it('takes the answer of a loop as it takes others: no tool is called for it', async () => {
    const flow = `${head('shell')}steps[1]:\n  - id: draft\n    agent: dev\n    prompt: "Do it."\n    cache:\n      by[1]: one\n      version: 1\n    output: string\n`;
    s.write('w.toon', flow);
    s.write('w.script.toon', script([[append('one')], 'text: Done.']));
    expect(await cli('run', 'w.toon')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(await cli('run', 'w.toon')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(s.read('done.txt')).toBe('one\n');
    // Other tools, another answer.
    s.write('w.toon', flow.replace('tools[1]: shell', 'tools[2]: shell,filesystem'));
    expect(await cli('run', 'w.toon')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(s.read('done.txt')).toBe('one\none\n');
  });
});
