/**
 * A process that drives made workflows to their ends, all of a folder at the same time, and answers what they ask. It may
 * be told to be killed at one of its commits; whatever else ends it comes from outside.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore, type Store } from '../../src/journal/index.ts';
import { openEngine } from '../../src/run/index.ts';
import { makeWorkflow, nameOf } from './made.ts';

export interface WorkerTask {
  readonly folder: string;
  readonly seeds: readonly number[];
  readonly hosts: number;
  /** Dies by SIGKILL at this commit. */
  readonly death?: { readonly commit: number; readonly when: 'before' | 'within' | 'after' };
}

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as WorkerTask;
const { folder } = task;
const store = mortal(openSqliteStore(join(folder, 'runs.db')));
const engine = openEngine({ store, cwd: folder, settings: async () => ({ hosts: task.hosts }) });
process.stdout.write('ready\n');
await Promise.all(task.seeds.map(drive));
store.close();
process.stdout.write('done\n');

async function drive(seed: number): Promise<void> {
  const known = store.runs({ roots: true }).find(({ name }) => name === nameOf(seed));
  let root = known?.id;
  let epoch: number | undefined;
  if (root === undefined) {
    const { plan, file } = makeWorkflow(seed, folder);
    const created = engine.create({ plan, file, input: { topic: 'tea' }, source: '' });
    root = created.id;
    epoch = created.epoch;
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

function mortal(real: Store): Store {
  const { death } = task;
  let commits = 0;
  return {
    ...real,
    write(work) {
      commits++;
      const when = commits === death?.commit ? death.when : undefined;
      if (when === 'before') die();
      const result = real.write((writer) => {
        const inner = work(writer);
        if (when === 'within') die();
        return inner;
      });
      if (when === 'after') die();
      return result;
    },
  };
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}
