/** Steps in worktrees, with real git and real hosts: where they work, and with which files they begin. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRepository, filesIn, type Repository } from '../../../test/repository.ts';
import { createMemoryStore, type EventBody, type MemoryStore } from '../../journal/index.ts';
import type { StepCommand } from '../../machine/index.ts';
import { planOf } from '../../plan/plan-test-kit.ts';
import { realClock } from '../../sys/index.ts';
import type { Execute, StepContext } from '../execute.ts';
import { type Engine, openEngine } from '../index.ts';
import { createGit } from './git.ts';
import { createWorktreeSteps } from './steps.ts';

let r: Repository;
let store: MemoryStore;
let engine: Engine;
beforeEach(() => {
  r = createRepository({ name: 'a place' });
  store = createMemoryStore();
  engine = openEngine({ store, cwd: r.dir, env: { ...r.env, NODE_OPTIONS: process.env.NODE_OPTIONS } });
});
afterEach(() => r.remove());

interface Part {
  readonly id: string;
  readonly run: string;
  readonly more?: string;
}

const step = ({ id, run, more = '' }: Part, indent: string) =>
  `- id: ${id}\n  run: ${JSON.stringify(run)}\n  output: string\n${more}`.trimEnd().replace(/^/gm, indent);

/** Steps in a worktree, and one behind it. */
function flow(parts: readonly Part[], head = 'branch: fix\n'): string {
  const children = parts.map((part) => step(part, '      ')).join('\n');
  const lines = head.trimEnd().replace(/^/gm, '    ');
  return `name: flow\ninput:\nsteps[1]:\n  - kind: worktree\n    id: work\n    path: ../tree\n${lines}\n    children[${parts.length}]:\n${children}\n`;
}

/** What a step does in a shell; it gives what that prints. */
const sh = (id: string, command: string, more = ''): Part => ({
  id,
  run: `return await sh\`${command}\``,
  more,
});

async function create(text: string): Promise<string> {
  const { id, epoch } = engine.create({
    plan: await planOf(text),
    input: {},
    source: text,
    file: join(r.dir, 'flow.toon'),
  });
  engine.giveUp({ id, epoch });
  return id;
}

const notes = (id: string, kind: EventBody['kind']) =>
  [...store.events(id)].flatMap(({ body }) => (body.kind === kind ? [body] : []));
const tree = (...names: string[]) => r.at('tree', ...names);

async function ended(id: string): Promise<unknown> {
  const end = await engine.drive(id);
  if (end.kind !== 'ended') throw new Error(JSON.stringify(end));
  return 'err' in end.end ? end.end.err.message : end.end;
}

describe('a run', () => {
  it('works in the folder, leaves the branch, and takes the folder away', async () => {
    const id = await create(
      flow([
        { id: 'where', run: 'return cwd + "|" + process.cwd()' },
        sh('change', 'echo more >> a.txt; git commit --quiet --all --message=change; git log --format=%s'),
      ]),
    );
    expect(await ended(id)).toEqual({ ok: 'change\nfirst' });
    const outputs = notes(id, 'node.done').map((body) => 'output' in body && body.output);
    expect(outputs).toContain(`${tree()}|${tree()}`);
    expect(existsSync(tree())).toBe(false);
    expect(r.git(['log', '-1', '--format=%s', 'fix'])).toBe('change');
    expect(readFileSync(join(r.dir, 'a.txt'), 'utf8')).toBe('a\n');
    expect(notes(id, 'worktree.added')).toMatchObject([{ path: tree(), branch: 'fix' }]);
    expect(notes(id, 'worktree.removed')).toEqual([{ kind: 'worktree.removed', path: tree() }]);
  });

  it('keeps the files before and after each step', async () => {
    const id = await create(
      flow([
        sh('one', 'echo 1 > one.txt'),
        sh('two', 'echo 2 > two.txt'),
        sh('three', 'git add --all; git commit -qm x'),
      ]),
    );
    await ended(id);
    const at = (name: string) => r.git(['ls-tree', '-r', '--name-only', `refs/toolang/${id}/${name}`]).split('\n');
    expect(at('one%231')).toEqual(['.gitignore', 'a.txt', 'b/c.txt']);
    expect(at('one%231.after')).toContain('one.txt');
    expect(at('two%231')).not.toContain('two.txt');
    expect(at('two%231.after')).toEqual(expect.arrayContaining(['one.txt', 'two.txt']));
    expect(at('three%231')).toContain('two.txt');
    expect(r.git(['log', '--format=%s', 'fix'])).toBe('x\nfirst');
  });

  it('leaves the folder where work is in it, and says so', async () => {
    const id = await create(flow([sh('one', 'echo 1 > one.txt')]));
    expect(await ended(id)).toEqual({ ok: '' });
    expect(notes(id, 'worktree.removed')).toEqual([
      { kind: 'worktree.removed', path: tree(), kept: 'it holds work that is not committed (one path)' },
    ]);
    expect(readFileSync(tree('one.txt'), 'utf8')).toBe('1\n');
  });

  it('that fails takes the folder away too, and tells where the mistake is', async () => {
    const id = await create(flow([sh('one', 'exit 3')]));
    expect(await ended(id)).toContain('failed with exit code 3');
    expect(existsSync(tree())).toBe(false);
    const other = await create(flow([sh('one', 'true')], 'base: nowhere\n'));
    await ended(other);
    expect(store.run(other)?.error).toMatchObject({ code: 'worktree', node: 'work', at: 'flow.toon:4:5' });
  });

  it('that is cancelled takes the folder away', async () => {
    const id = await create(flow([sh('one', 'touch ignored.log; sleep 100')]));
    const driven = engine.drive(id);
    await until(() => existsSync(tree('ignored.log')));
    engine.post(id, { by: 'ana', message: { kind: 'cancel', reason: 'enough' } });
    expect(await driven).toMatchObject({ kind: 'ended', end: { cancelled: 'enough' } });
    expect(existsSync(tree())).toBe(false);
    expect(r.git(['worktree', 'list']).split('\n')).toHaveLength(1);
  });
});

describe('the files of a step', () => {
  const retry = '  retry:\n    maxAttempts: 2\n    initialDelay: 1ms\n';

  it('are as they were when it is tried again', async () => {
    const id = await create(
      flow([
        sh('one', 'echo 1 > one.txt'),
        {
          id: 'two',
          run: 'const had = await sh`ls`; await sh`echo x >> one.txt; rm a.txt; echo 2 > two.txt; git add --all; git commit -qm two`; if (attempt === 1) throw new Error("not yet"); return had',
          more: retry,
        },
      ]),
    );
    expect(await ended(id)).toEqual({ ok: 'a.txt\nb\none.txt' });
    expect(r.git(['log', '--format=%s', 'fix'])).toBe('two\nfirst');
    expect(r.git(['show', 'fix:one.txt'])).toBe('1\nx');
    const [left = ''] = notes(id, 'worktree.restored').map((body) => ('left' in body ? body.left : ''));
    expect(r.git(['show', `${left}:two.txt`])).toBe('2');
  });

  it('hold what was done to them from a worktree inside', async () => {
    const inside = step(sh('inside', `echo 2 > '${tree('two.txt')}'`), '          ');
    const text = flow([sh('one', 'echo 1 > one.txt')]).replace('children[1]', 'children[3]');
    const inner = `      - kind: worktree\n        id: inner\n        path: ../inner\n        children[1]:\n${inside}\n`;
    const last = {
      id: 'three',
      run: 'if (attempt === 1) throw new Error("not yet"); return await sh`ls`',
      more: retry,
    };
    const id = await create(`${text}${inner}${step(last, '      ')}\n`);
    expect(await ended(id)).toEqual({ ok: 'a.txt\nb\none.txt\ntwo.txt' });
  });

  it('are as they were when it is begun again after its owner was gone', async () => {
    writeFileSync(r.at('wait'), '');
    const id = await create(
      flow([
        sh('one', 'echo 1 > one.txt'),
        {
          id: 'two',
          run: `const had = await sh\`ls; cat one.txt\`; await sh\`echo x >> one.txt; echo 2 > two.txt; while test -e '${r.at('wait')}'; do touch '${r.at('begun')}'; sleep 0.01; done\`; return had`,
        },
      ]),
    );
    const hard = new AbortController();
    const driven = engine.drive(id, { hard: hard.signal });
    await until(() => existsSync(r.at('begun')));
    hard.abort();
    expect(await driven).toEqual({ kind: 'stopped' });
    expect(filesIn(tree())).toMatchObject({ 'one.txt': '1\nx\n', 'two.txt': '2\n' });
    rmSync(r.at('wait'));
    expect(await ended(id)).toEqual({ ok: 'a.txt\nb\none.txt\n1' });
  });

  it('stay as they are where others work at the same time', async () => {
    const both = [
      sh('one', `echo 1 > one.txt; touch ${"'${0}'"}`.replace("'${0}'", `'${r.at('one')}'`)),
      {
        id: 'two',
        run: `await sh\`while ! test -e '${r.at('one')}'; do sleep 0.01; done\`; if (attempt === 1) throw new Error("not yet"); return await sh\`cat one.txt\``,
        more: retry,
      },
    ];
    const children = both.map((part) => step(part, '          ')).join('\n');
    const text = `name: flow\ninput:\nsteps[1]:\n  - kind: worktree\n    id: work\n    path: ../tree\n    children[1]:\n      - kind: parallel\n        children[2]:\n${children}\n`;
    expect(await ended(await create(text))).toEqual({ ok: ['', '1'] });
  });

  it('cannot be had where somebody took the folder away', async () => {
    const id = await create(
      flow([sh('one', 'true'), { id: 'two', run: `await sh\`rm -rf '${tree()}'\`; return ""` }, sh('three', 'true')]),
    );
    expect(await ended(id)).toMatch(/the folder ".*tree" of the worktree "work" is gone: "toolang retry/);
    expect(notes(id, 'worktree.unkept')).toHaveLength(1);
  });
});

describe('what is inside', () => {
  it('prompts and sub-workflows are done there too', async () => {
    r.write(join(r.dir, 'flow.script.toon'), 'replies[1]:\n  - for: ask\n    text: yes\n');
    const sub =
      'name: sub\ninput:\nsteps[1]:\n  - id: inner\n    run: "return await sh`ls; pwd`"\n    output: string\n';
    const text = `imports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\nname: flow\ninput:\nagents:\n  w:\n    type: scripted\nsteps[1]:\n  - kind: worktree\n    id: work\n    path: ../tree\n    base: HEAD\n    children[3]:\n${step(sh('one', 'echo 1 > one.txt'), '      ')}\n      - id: ask\n        agent: w\n        prompt: Is it good?\n        output: string\n      - kind: workflow\n        id: call\n        use: sub\n`;
    const plan = await planOf(text, { files: { 'sub.toon': sub } });
    const { id, epoch } = engine.create({ plan, input: {}, source: text, file: join(r.dir, 'flow.toon') });
    expect(await engine.drive(id, { epoch })).toEqual({
      kind: 'ended',
      end: { ok: `a.txt\nb\none.txt\n${tree()}` },
    });
    const kept = r.git(['for-each-ref', '--format=%(refname:lstrip=3)', `refs/toolang/${id}`]).split('\n');
    expect(kept).toEqual(expect.arrayContaining(['ask%231%2fmodel%231', 'call%2finner%231.after']));
  });

  it('the time in which files are kept is no time of a step', async () => {
    const said: string[] = [];
    const context: StepContext = {
      runId: 'run1',
      idempotencyKey: 'run1/one#1',
      attempt: 1,
      signal: new AbortController().signal,
      notes: [],
      note: () => undefined,
      spawned: () => undefined,
      ended: () => undefined,
      queued(turn) {
        said.push('stopped');
        void turn.then(() => said.push('counted'));
      },
    };
    const steps = createWorktreeSteps({
      git: createGit(r.env),
      home: r.dir,
      run: 'run1',
      me: { host: 'here', boot: 'boot', pid: 1, started: 'now' },
      isDriven: () => false,
      segment: 1,
      events: () => [],
      clock: realClock,
      leave: async () => undefined,
    });
    const command = (id: string, spec: StepCommand['spec'], more: object): StepCommand => ({
      op: 'step',
      id,
      spec,
      args: null,
      key: '',
      ...more,
    });
    await steps.execute(
      command('work.add', { kind: 'worktree', action: 'add', node: 'work', path: '../tree' }, {}),
      context,
    );
    const inner: Execute = async () => {
      said.push('begun');
      return { outcome: { ok: 1 } };
    };
    await steps.within(inner)(command('one#1', { kind: 'run' }, { worktree: 'work', cwd: tree() }), context);
    expect(said.join(' ')).toMatch(/^stopped (counted begun|begun counted) stopped counted$/);
  });

  it('what a run has kept goes when it is forgotten, and a folder that was left to people stays', async () => {
    const id = await create(flow([sh('one', 'echo 1 > one.txt')]));
    await ended(id);
    const other = await create(flow([sh('one', 'echo 1 > one.txt')]));
    await ended(other);
    await engine.forget(id);
    await engine.forget(id);
    expect(r.git(['for-each-ref', `refs/toolang/${id}`])).toBe('');
    expect(r.git(['for-each-ref', `refs/toolang/${other}`])).not.toBe('');
    expect(filesIn(tree())).toHaveProperty('one.txt');
    rmSync(tree('one.txt'));
    await engine.forget(id);
    expect(existsSync(tree())).toBe(true);
  });

  it('a worktree in a worktree begins with what that has committed, and goes before it', async () => {
    const inner = `      - kind: worktree\n        id: inner\n        path: ../inner\n        children[1]:\n${step(sh('two', 'cat one.txt; pwd'), '          ')}`;
    const text = `name: flow\ninput:\nsteps[1]:\n  - kind: worktree\n    id: work\n    path: ../tree\n    branch: fix\n    children[2]:\n${step(sh('one', 'echo 1 > one.txt; git add --all; git commit -qm one'), '      ')}\n${inner}\n`;
    expect(await ended(await create(text))).toEqual({ ok: `1\n${r.at('inner')}` });
    expect(r.git(['worktree', 'list']).split('\n')).toHaveLength(1);
  });

  it('a worktree in a loop goes on with its branch in each round', async () => {
    const body = step(
      sh('more', 'echo x >> log.txt; git add --all; git commit -qm more; wc -l < log.txt'),
      '          ',
    );
    const text = `name: flow\ninput:\nsteps[1]:\n  - kind: loop\n    id: rounds\n    until: "{more.trim() == '3'}"\n    children[1]:\n      - kind: worktree\n        id: work\n        path: ../tree\n        branch: fix\n        children[1]:\n${body}\n`;
    expect(await ended(await create(text))).toEqual({ ok: '3' });
    expect(r.git(['rev-list', '--count', 'fix'])).toBe('4');
  });
});

describe('a run that goes on otherwise', () => {
  const parts = (two = 'cat one.txt; echo 2 > two.txt') => [
    sh('one', 'echo 1 > one.txt; echo x >> began'),
    sh('two', `${two}; echo x >> began`),
    sh('three', 'ls; cat one.txt two.txt'),
  ];

  async function changed(id: string, text: string, why: 'edit' | 'retry' | 'keep' = 'edit'): Promise<void> {
    const plan = await planOf(text);
    const opened = await engine.reopen(id, { plan, input: {}, source: text, why, file: join(r.dir, 'flow.toon') });
    if (opened.kind === 'held') throw new Error('it is driven');
    engine.giveUp(opened);
  }

  async function forked(id: string, from: string, text: string): Promise<string> {
    const found = engine.stepAt(id, from);
    if (found.kind !== 'found') throw new Error(JSON.stringify(found));
    const change = { plan: await planOf(text), input: {}, source: text, file: join(r.dir, 'flow.toon') };
    const fork = engine.fork(id, { before: found.seq, change });
    engine.giveUp(fork);
    return fork.id;
  }

  const began = (id: string) => {
    const from = store.run(id)?.segment ?? 1;
    return [...store.events(id, from)].flatMap(({ node, body }) => (body.kind === 'node.started' ? [node] : []));
  };

  const failures = (id: string) => {
    const from = store.run(id)?.segment ?? 1;
    return [...store.events(id, from)].flatMap(({ node, body }) => (body.kind === 'node.failed' ? [node] : []));
  };

  it('begins the changed step with the files as they were before it', async () => {
    const id = await create(flow(parts()));
    expect(await ended(id)).toEqual({ ok: 'a.txt\nb\nbegan\none.txt\ntwo.txt\n1\n2' });
    expect(existsSync(tree())).toBe(true);
    await changed(id, flow(parts('cat one.txt; ls; echo other > two.txt')));
    expect(await ended(id)).toEqual({ ok: 'a.txt\nb\nbegan\none.txt\ntwo.txt\n1\nother' });
    expect(began(id)).toEqual(['work.add', 'two#1', 'three#1', 'work.remove']);
    expect(readFileSync(tree('began'), 'utf8')).toBe('x\nx\n');
    const two = notes(id, 'node.done').map((body) => 'output' in body && body.output);
    expect(two).toContain('1\na.txt\nb\nbegan\none.txt');
  });

  it('makes the folder again where it is gone, with the files', async () => {
    const id = await create(flow(parts()));
    await ended(id);
    rmSync(tree(), { recursive: true });
    await changed(id, flow(parts('cat one.txt; echo other > two.txt')));
    expect(await ended(id)).toEqual({ ok: 'a.txt\nb\nbegan\none.txt\ntwo.txt\n1\nother' });
  });

  it('begins a new step with the files after the last one that was kept', async () => {
    const id = await create(flow(parts()));
    await ended(id);
    const [one, two, three] = parts() as [Part, Part, Part];
    await changed(id, flow([one, sh('fresh', 'ls; echo n > new.txt'), two, three]));
    expect(await ended(id)).toEqual({ ok: 'a.txt\nb\nbegan\nnew.txt\none.txt\ntwo.txt\n1\n2' });
    expect(began(id)).toEqual(['work.add', 'fresh#1', 'two#1', 'three#1', 'work.remove']);
    expect(notes(id, 'node.done').map((body) => 'output' in body && body.output)).toContain('a.txt\nb\nbegan\none.txt');
  });

  it('goes on from a retry with the files before the step that failed, and its commits are taken back', async () => {
    const text = flow([
      sh('one', 'echo 1 > one.txt; git add --all; git commit -qm one'),
      sh('two', `echo 2 > two.txt; git add --all; git commit -qm two; test -e '${r.at('go')}'`),
    ]);
    const id = await create(text);
    expect(await ended(id)).toContain('exit code 1');
    writeFileSync(r.at('go'), '');
    await changed(id, text, 'retry');
    expect(await ended(id)).toEqual({ ok: '' });
    expect(r.git(['log', '--format=%s', 'fix'])).toBe('two\none\nfirst');
    expect(began(id)).toEqual(['work.add', 'two#1', 'work.remove']);
  });

  it('is begun again after a crash in a later segment with the files of that', async () => {
    const id = await create(flow(parts()));
    await ended(id);
    writeFileSync(r.at('wait'), '');
    const slow = `cat began; echo other > two.txt; touch '${r.at('begun')}'; while test -e '${r.at('wait')}'; do sleep 0.01; done`;
    await changed(id, flow(parts(slow)));
    const hard = new AbortController();
    const driven = engine.drive(id, { hard: hard.signal });
    await until(() => existsSync(r.at('begun')));
    writeFileSync(tree('half.txt'), 'h');
    hard.abort();
    await driven;
    rmSync(r.at('wait'));
    expect(await ended(id)).toEqual({ ok: 'a.txt\nb\nbegan\none.txt\ntwo.txt\n1\nother' });
  });

  const commits = (text: string) => `${text}; git add --all; git commit --quiet --message=w`;
  /** A worktree as a node of its own. */
  const treeOf = (id: string, head: string, children: readonly string[]) =>
    `- kind: worktree\n  id: ${id}\n  path: ../${id}\n${head.replace(/^/gm, '  ')}\n  children[${children.length}]:\n${children.join('\n').replace(/^/gm, '    ')}`;
  const stepIn = (part: Part) => step(part, '');
  const all = (nodes: readonly string[]) =>
    `name: flow\ninput:\nsteps[${nodes.length}]:\n${nodes.join('\n').replace(/^/gm, '  ')}\n`;

  it('goes on in the next round of a loop from what the round before has done anew', async () => {
    const text = (word: string) => {
      const write = sh('write', commits(`echo ${word}-\${loop.iteration} >> f.txt; cat f.txt`));
      const inner = treeOf('work', 'branch: fix', [stepIn(write)]);
      return `name: flow\ninput:\nsteps[1]:\n  - kind: loop\n    id: lp\n    until: "{loop.iteration} >= 2"\n    maxIterations: 2\n    children[1]:\n${inner.replace(/^/gm, '      ')}\n`;
    };
    const id = await create(text('v1'));
    await ended(id);
    await changed(id, text('v2'));
    await ended(id);
    expect(r.git(['show', 'fix:f.txt'])).toBe('v2-1\nv2-2');
  });

  it('does what is on the same branch again, or inside, behind what was done anew', async () => {
    const text = (word: string) =>
      all([
        treeOf('a', 'branch: fix', [
          stepIn(sh('write', commits(`echo ${word} > f.txt`))),
          treeOf('inner', 'base: HEAD', [stepIn(sh('inside', 'cat f.txt'))]),
        ]),
        treeOf('b', 'branch: fix', [stepIn(sh('look', 'cat f.txt')), stepIn(sh('extra', commits('echo x > x.txt')))]),
      ]);
    const id = await create(text('v1'));
    await ended(id);
    await changed(id, text('v2'));
    await ended(id);
    const outputs = notes(id, 'node.done').flatMap((body) => ('output' in body && body.output === 'v2' ? [body] : []));
    expect(outputs).toHaveLength(2);
    expect(r.git(['show', 'fix:f.txt'])).toBe('v2');
    expect(r.git(['show', 'fix:x.txt'])).toBe('x');
  });

  it('takes the work of steps back that are gone, also where all others are kept', async () => {
    const part = (name: string) => sh(name, commits(`echo ${name} >> f.txt`));
    const id = await create(flow([part('a'), part('b'), part('c')]));
    await ended(id);
    await changed(id, flow([part('a'), part('c')]));
    await ended(id);
    expect(r.git(['show', 'fix:f.txt'])).toBe('a\nc');
    await changed(id, flow([part('a')]));
    await ended(id);
    expect(began(id)).toEqual(['work.add', 'work.remove']);
    expect(r.git(['show', 'fix:f.txt'])).toBe('a');
    await changed(id, flow([part('fresh'), part('a')]));
    await ended(id);
    expect(r.git(['show', 'fix:f.txt'])).toBe('fresh\na');
  });

  it('has the work of what is kept on its branch, also where that was deleted, and does it again on another one', async () => {
    const parts = [sh('a', `cat b/c.txt; ${commits('echo a > f.txt')}`)];
    const id = await create(flow(parts));
    await ended(id);
    r.git(['branch', '--quiet', '-D', 'fix']);
    await changed(id, flow(parts), 'keep');
    await ended(id);
    expect(began(id)).toEqual(['work.add', 'work.remove']);
    expect(r.git(['show', 'fix:f.txt'])).toBe('a');
    await changed(id, flow(parts, 'branch: other\n'));
    await ended(id);
    expect(began(id)).toEqual(['work.add', 'a#1', 'work.remove']);
    expect(r.git(['show', 'other:f.txt'])).toBe('a');
  });

  it('removes the folder also where the files of what is kept are gone, and says that once', async () => {
    const parts = (word: string) => [sh('a', commits('echo a > f.txt')), sh('b', commits(`echo ${word} > b.txt`))];
    const drop = (id: string) => {
      const refs = r.git(['for-each-ref', '--format=%(refname)', `refs/toolang/${id}`]);
      for (const ref of refs.split('\n')) r.git(['update-ref', '-d', ref]);
    };
    const id = await create(flow(parts('one')));
    await ended(id);
    drop(id);
    await changed(id, flow(parts('two')));
    expect(await ended(id)).toContain('the files that "a#1" has left are not there');
    expect(store.run(id)?.error?.node).toBe('b');
    expect(existsSync(tree())).toBe(false);
    expect(failures(id)).toEqual(['b#1']);
    drop(id);
    await changed(id, flow(parts('one').slice(0, 1)));
    expect(await ended(id)).toContain('the files that "a#1" has left are not there');
    expect(existsSync(tree())).toBe(false);
    expect(failures(id)).toEqual(['work.remove']);
    expect(r.git(['worktree', 'list']).split('\n')).toHaveLength(1);
  });

  it('leaves the commits of people on the branch, and goes on from them', async () => {
    const parts = [sh('write', commits('echo v1 > f.txt')), sh('test', 'grep -q good f.txt && cat f.txt')];
    const id = await create(flow(parts));
    await ended(id);
    r.git(['switch', '--quiet', 'fix']);
    r.write(join(r.dir, 'f.txt'), 'good\n');
    r.git(['commit', '--quiet', '--all', '--message=mine']);
    r.git(['switch', '--quiet', 'trunk']);
    await changed(id, flow(parts), 'retry');
    expect(await ended(id)).toEqual({ ok: 'good' });
    expect(r.git(['log', '--format=%s', 'fix'])).toBe('mine\nw\nfirst');
    expect(notes(id, 'worktree.restored')).toMatchObject([
      { ahead: 'it begins with a commit on "fix" that no step of this run has made' },
    ]);
    await changed(id, flow([sh('write', commits('echo v2 > f.txt'))]));
    expect(await ended(id)).toMatch(/the branch "fix" has a commit that no step .* "git branch NAME fix", then/);
    expect(r.git(['log', '--format=%s', 'fix'])).toBe('mine\nw\nfirst');
  });

  it('makes the folder again that was taken away while it waited, though its step had begun', async () => {
    const parts = [sh('one', commits('echo 1 > one.txt')), sh('two', 'cat one.txt')];
    const text = flow(parts)
      .replace(/( +- id: two)/, '      - kind: approval\n        id: ok\n        request:\n          title: go?\n$1')
      .replace('children[2]', 'children[3]');
    const id = await create(text);
    await engine.drive(id);
    const [asked] = notes(id, 'approval.requested');
    const hash = asked && 'hash' in asked ? asked.hash : '';
    r.git(['worktree', 'remove', '--force', tree()]);
    engine.post(id, { by: 'ana', message: { kind: 'decide', node: 'ok', hash, approved: true } });
    expect(await ended(id)).toContain('is gone');
    await changed(id, text, 'retry');
    expect(await ended(id)).toEqual({ ok: '1' });
  });

  it.each([
    ['was stopped in the worktree', true],
    ['had left its folder to people', false],
  ])('goes on in the same folder under another name, where it %s', async (_, isStopped) => {
    writeFileSync(r.at('wait'), '');
    const text = (name: string) =>
      flow([
        sh('a', 'echo a > f.txt'),
        isStopped
          ? sh('b', `touch '${r.at('begun')}'; while test -e '${r.at('wait')}'; do sleep 0.01; done; cat f.txt`)
          : sh('b', `cat f.txt; echo ${name} > b.txt`),
      ]).replace('id: work', `id: ${name}`);
    const id = await create(text('work'));
    if (isStopped) {
      const hard = new AbortController();
      const driven = engine.drive(id, { hard: hard.signal });
      await until(() => existsSync(r.at('begun')));
      hard.abort();
      await driven;
    } else await ended(id);
    rmSync(r.at('wait'));
    await changed(id, text('job'));
    expect(await ended(id)).toEqual({ ok: 'a' });
    expect(began(id)).toEqual(['job.add', 'b#1', 'job.remove']);
    expect(notes(id, 'worktree.removed').at(-1)).toMatchObject({ path: tree() });
    expect(readFileSync(tree('f.txt'), 'utf8')).toBe('a\n');
  });

  it.each([
    ['is removed when the run is over', commits('echo a > f.txt'), false],
    ['stays where work is in it', 'echo a > f.txt', true],
  ])('that comes to a worktree no more: its folder %s', async (_, work, isLeft) => {
    const wait = sh('b', `touch '${r.at('begun')}'; sleep 100`);
    const id = await create(flow([sh('a', work), wait]));
    const hard = new AbortController();
    const driven = engine.drive(id, { hard: hard.signal });
    await until(() => existsSync(r.at('begun')));
    hard.abort();
    await driven;
    await changed(id, 'name: flow\ninput:\nsteps[1]:\n  - id: c\n    run: return "c"\n    output: string\n');
    expect(await ended(id)).toEqual({ ok: 'c' });
    expect(existsSync(tree('f.txt'))).toBe(isLeft);
    expect(r.git(['worktree', 'list']).split('\n')).toHaveLength(isLeft ? 2 : 1);
  });

  it('that comes to a worktree no more ends well also where there is no repository any more', async () => {
    const id = await create(flow([sh('a', 'false')]));
    await ended(id);
    await changed(id, 'name: flow\ninput:\nsteps[1]:\n  - id: c\n    run: return "c"\n    output: string\n');
    rmSync(join(r.dir, '.git'), { recursive: true });
    expect(await ended(id)).toEqual({ ok: 'c' });
  });

  it('as a fork works beside the other one, with the files as they were, and touches no branch', async () => {
    const text = flow([
      sh('one', 'echo 1 > one.txt; git add --all; git commit -qm one'),
      sh('two', 'echo 2 > two.txt; git add --all; git commit -qm two'),
      sh('three', 'ls; git log --format=%s; echo 3 > three.txt'),
    ]);
    const id = await create(text);
    await ended(id);
    const tip = r.git(['rev-parse', 'fix']);
    const before = filesIn(tree());
    const fork = await forked(id, 'two', text.replace('echo 2', 'echo forked'));
    expect(await ended(fork)).toEqual({ ok: 'a.txt\nb\none.txt\ntwo.txt\ntwo\none\nfirst' });
    expect(began(fork)).toEqual(['work.add', 'two#1', 'three#1', 'work.remove']);
    expect(notes(fork, 'worktree.added').at(-1)).toMatchObject({ path: `${tree()}-${fork}` });
    expect(filesIn(`${tree()}-${fork}`)).toMatchObject({ 'two.txt': 'forked\n', 'three.txt': '3\n' });
    expect(filesIn(tree())).toEqual(before);
    expect(r.git(['rev-parse', 'fix'])).toBe(tip);
  });

  it('as a fork goes on in the next worktree of a branch that it cannot have from what it has done in the first', async () => {
    const text = (word: string) =>
      all([
        treeOf('a', 'branch: fix', [stepIn(sh('write', commits(`echo ${word} > f.txt`)))]),
        treeOf('b', 'branch: fix', [stepIn(sh('look', 'cat f.txt'))]),
      ]);
    const id = await create(text('v1'));
    await ended(id);
    const fork = await forked(id, 'write', text('v2'));
    expect(await ended(fork)).toEqual({ ok: 'v2' });
    expect(r.git(['show', 'fix:f.txt'])).toBe('v1');
  });

  it('as a fork stays with the commits of an earlier round that no branch has, also where the last one does nothing', async () => {
    const text = (word: string) => {
      const write = sh('write', `test \${loop.iteration} = 2 || (${commits(`echo ${word} > f.txt`)}); cat f.txt`);
      const inner = treeOf('work', 'branch: fix', [stepIn(write)]);
      return `name: flow\ninput:\nsteps[1]:\n  - kind: loop\n    id: lp\n    until: "{loop.iteration} >= 2"\n    maxIterations: 2\n    children[1]:\n${inner.replace(/^/gm, '      ')}\n`;
    };
    const id = await create(text('v1'));
    await ended(id);
    const fork = await forked(id, 'write', text('v2'));
    expect(await ended(fork)).toEqual({ ok: 'v2' });
    expect(notes(fork, 'worktree.removed').at(-1)).toMatchObject({ kept: 'it holds commits that no branch has (1)' });
    expect(filesIn(r.at('work'))).toMatchObject({ 'f.txt': 'v2\n' });
  });

  it('as a fork of one whose folder is gone leaves its branch alone', async () => {
    const text = flow([
      sh('one', 'echo 1 > one.txt; git add --all; git commit -qm one'),
      sh('two', 'ls; echo 2 > two.txt; git add --all; git commit -qm two'),
    ]);
    const id = await create(text);
    await ended(id);
    expect(existsSync(tree())).toBe(false);
    const tip = r.git(['rev-parse', 'fix']);
    const fork = await forked(id, 'two', text.replace('-qm two', '-qm forked'));
    expect(await ended(fork)).toEqual({ ok: 'a.txt\nb\none.txt' });
    expect(r.git(['rev-parse', 'fix'])).toBe(tip);
    expect(notes(fork, 'worktree.added').at(-1)).toMatchObject({
      path: tree(),
      why: `the branch "fix" is left to the run ${id}, so it is on none`,
    });
    expect(notes(fork, 'worktree.removed').at(-1)).toMatchObject({ kept: 'it holds commits that no branch has (1)' });
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !holds(); await new Promise((done) => setTimeout(done, 5))) {
    if (Date.now() > end) throw new Error('it never came');
  }
}
