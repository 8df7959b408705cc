/**
 * A process that drives made workflows to their ends, all of a folder at the same time, and answers what they ask. It may
 * be told to be killed at one of its commits; whatever else ends it comes from outside.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore, type Store } from '../../src/journal/index.ts';
import { type NewRun, openEngine } from '../../src/run/index.ts';
import { makeWorkflow, nameOf } from './made.ts';

export interface WorkerTask {
  readonly folder: string;
  readonly seeds: readonly number[];
  readonly hosts: number;
  /** Of the workflows: runs of an earlier one go on with this one. */
  readonly version?: number;
  readonly death?: Death;
}

/** Dies by SIGKILL at this commit, or says so there and is killed from outside at some moment after it. */
export interface Death {
  /** Counted from the moment in which all runs have begun. */
  readonly commit: number;
  readonly when: 'before' | 'within' | 'after' | 'from outside';
  /** Runs that may not end before it: it dies within the commit that would end one of them. */
  readonly spared: readonly number[];
}

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as WorkerTask;
const { folder } = task;
const store = mortal(openSqliteStore(join(folder, 'runs.db')));
const engine = openEngine({ store, cwd: folder, settings: async () => ({ hosts: task.hosts }) });
await Promise.all(task.seeds.map(drive));
store.close();

async function drive(seed: number): Promise<void> {
  const known = store.runs({ roots: true }).find(({ name }) => name === nameOf(seed));
  let root = known?.id;
  let epoch: number | undefined;
  if (root === undefined) {
    const created = engine.create(workflowOf(seed));
    root = created.id;
    epoch = created.epoch;
  } else if (engine.read(root).source !== sourceOf(task)) {
    const opened = await engine.reopen(root, { why: 'edit', ...workflowOf(seed) });
    if (opened.kind === 'held') throw new Error(`${nameOf(seed)} is driven by somebody else`);
    epoch = opened.epoch;
  }
  for (;;) {
    const end = await engine.drive(root, { again: true, ...(epoch !== undefined && { epoch }) });
    epoch = undefined;
    if (end.kind === 'ended' || end.kind === 'over') return;
    if (end.kind !== 'waiting') throw new Error(`${nameOf(seed)} was left: ${JSON.stringify(end)}`);
    for (const { node, hash = '' } of end.waiting) {
      // What a worker before this one answered is there already.
      engine.post(root, { by: 'ana', message: { kind: 'decide', node, hash, approved: (seed + node.length) % 4 > 0 } });
    }
  }
}

function workflowOf(seed: number): NewRun {
  const { plan, file } = makeWorkflow(seed, folder, task.version);
  return { plan, file, input: { topic: 'tea' }, source: sourceOf(task) };
}

function sourceOf({ version = 0 }: WorkerTask): string {
  return `version ${version}`;
}

function mortal(real: Store): Store {
  const { death } = task;
  if (death === undefined) return real;
  const spared = new Set(death.spared.map(nameOf));
  const isTooLate = () => real.runs({ roots: true }).some((run) => run.endedAt !== undefined && spared.has(run.name));
  let haveBegun = false;
  let commits = 0;
  return {
    ...real,
    write(work) {
      haveBegun ||= real.runs({ roots: true }).length === task.seeds.length;
      if (haveBegun) commits++;
      const when = commits === death.commit ? death.when : undefined;
      if (when === 'before') die();
      const result = real.write((writer) => {
        const inner = work(writer);
        if (when === 'within' || isTooLate()) die();
        return inner;
      });
      if (when === 'after') die();
      if (when === 'from outside') process.stdout.write('kill me\n');
      return result;
    },
  };
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}
