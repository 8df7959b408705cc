/** Who drives a run, when owners die, freeze, leave, and come at the same time. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { openDatabase } from '../../src/journal/sqlite.ts';
import { createPlace, idOf, type Place, type Started, until } from './kit.ts';

let w: Place;
beforeEach(() => {
  w = createPlace();
  w.write('steps.mjs', steps);
  w.write('slow.toon', slow);
  w.write('ask.toon', ask);
  w.write('deadly.toon', deadly);
});
afterEach(() => w.leave());

const steps = `import { appendFileSync, existsSync } from 'node:fs';
export async function first({ key, signal }) {
  appendFileSync('began', Date.now() + ' ' + key + '\\n');
  while (!existsSync('go') && !signal.aborted) await new Promise((done) => setTimeout(done, 5));
  return 'a';
}
export function kill() {
  appendFileSync('began', 'x\\n');
  if (!existsSync('calm')) process.kill(process.ppid, 'SIGKILL');
  return existsSync('calm') ? 'alive' : new Promise(() => setTimeout(() => {}, 60000));
}
`;
const slow = `name: slow
input:
steps[2]:
  - id: first
    handler: ./steps.mjs#first
    output: string
  - id: second
    run: "return first + 'b'"
    output: string
`;
const ask = `name: ask
input:
steps[2]:
  - kind: approval
    id: ok
    request:
      title: Go on?
  - id: last
    run: "return 'by ' + ok.decidedBy"
    output: string
`;
const deadly = `name: deadly
input:
steps[1]:
  - id: bad
    handler: ./steps.mjs#kill
    output: string
`;

const began = () => (existsSync(w.at('began')) ? readFileSync(w.at('began'), 'utf8').split('\n').slice(0, -1) : []);

async function interrupted(): Promise<string> {
  const run = w.start('run', 'slow.toon');
  await until(() => began().length === 1, 'the first step');
  run.kill('SIGKILL');
  await run.exit;
  return idOf(run);
}

describe.runIf(process.platform === 'linux')('owners', () => {
  it('resume begins the next step within a second after a kill, without flags', async () => {
    const id = await interrupted();
    const resumed = w.start('resume', id);
    await until(() => began().length === 2, 'the resumed step');
    const ms = Number(began()[1]?.split(' ')[0]) - resumed.at;
    console.log(`resume began the step after ${ms} ms`);
    // A second on a machine with nothing else to do.
    expect(ms).toBeLessThan(8000);
    w.write('go', '');
    expect(await resumed.exit).toMatchObject({ code: 0, out: 'ab\n' });
    expect(new Set(began().map((line) => line.split(' ')[1])).size).toBe(1);
  });

  it('a run that waits for an approval holds no process', async () => {
    const run = w.start('run', 'ask.toon');
    expect((await run.exit).code).toBe(3);
    expect(w.processes()).toEqual([]);
    const id = w.store().runIds()[0] ?? '';
    expect(w.store().lease(id)?.owner).toBeUndefined();
    expect(w.run(['approve', id], { env: { USER: 'ana' } })).toMatchObject({ status: 0, stdout: 'by ana\n' });
    expect(w.processes()).toEqual([]);
    expect(w.store().processes(id)).toEqual([]);
  });

  it('an owner that was frozen while somebody took over writes nothing, ends its steps, and says who drives', async () => {
    const run = w.start('run', 'slow.toon');
    await until(() => began().length === 1, 'the first step');
    run.kill('SIGSTOP');
    const db = openDatabase(w.at('.toolang/runs.db'), 5000);
    db.exec("UPDATE leases SET host = 'elsewhere', at = at - 120000");
    db.close();
    const id = idOf(run);
    const second = w.start('resume', id);
    await until(() => began().length === 2, 'the second owner');
    const store = w.store();
    const root = store.runIds()[0] ?? '';
    const before = [...store.events(root)].length;
    const rows = store.processes(root);
    run.kill('SIGCONT');
    const end = await run.exit;
    expect(end.code).toBe(1);
    expect(end.err).toContain(`is driven by the process ${second.pid} on `);
    expect([...store.events(root)]).toHaveLength(before);
    expect(store.processes(root)).toEqual(rows);
    expect(store.lease(root)?.owner?.pid).toBe(second.pid);
    w.write('go', '');
    expect(await second.exit).toMatchObject({ code: 0, out: 'ab\n' });
    expect(w.processes()).toEqual([]);
  });

  it('of two that resume a run at the same time one drives, and the other says which', async () => {
    const id = await interrupted();
    const both: readonly Started[] = [w.start('resume', id), w.start('resume', id)];
    const loser = await Promise.race(both.map((each) => each.exit.then((exit) => ({ each, exit }))));
    const winner = both.find((each) => each !== loser.each);
    expect(loser.exit.code).toBe(1);
    expect(loser.exit.err).toContain(`is driven by the process ${winner?.pid} on `);
    w.write('go', '');
    expect(await winner?.exit).toMatchObject({ code: 0, out: 'ab\n' });
    expect(began()).toHaveLength(2);
  });

  it('a step that kills its owner three times is not begun again by itself', async () => {
    const run = w.start('run', 'deadly.toon');
    expect((await run.exit).signal).toBe('SIGKILL');
    const id = idOf(run);
    for (let times = 2; times <= 3; times++) {
      expect((await w.start('resume', id).exit).signal).toBe('SIGKILL');
      expect(began()).toHaveLength(times);
    }
    const refused = w.run(['resume', id]);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('bad');
    expect(refused.stderr).toContain(`resume ${id} --again`);
    expect(began()).toHaveLength(3);
    expect((await w.start('resume', id, '--again').exit).signal).toBe('SIGKILL');
    expect(began()).toHaveLength(4);
    w.write('calm', '');
    expect(w.run(['resume', id]).status).toBe(1);
    expect(w.run(['resume', id, '--again'])).toMatchObject({ status: 0, stdout: 'alive\n' });
  });

  it('a step that kills its owner can be cancelled, and is not begun for that', async () => {
    const run = w.start('run', 'deadly.toon');
    await run.exit;
    expect(w.run(['cancel', idOf(run)])).toMatchObject({ status: 0 });
    expect(began()).toHaveLength(1);
    expect(w.run(['show', idOf(run)]).stdout).toContain('cancelled');
  });

  it('to be told to stop is no death', async () => {
    const run = w.start('run', 'slow.toon');
    await until(() => began().length === 1, 'the first step');
    run.kill('SIGTERM');
    expect((await run.exit).code).toBe(143);
    for (let times = 2; times <= 4; times++) {
      const resumed = w.start('resume', idOf(run));
      await until(() => began().length === times, 'the resumed step');
      resumed.kill('SIGTERM');
      expect((await resumed.exit).code).toBe(143);
    }
    w.write('go', '');
    expect(w.run(['resume', idOf(run)])).toMatchObject({ status: 0, stdout: 'ab\n' });
  });

  it('who approves and stays takes over when the owner dies before it looks', async () => {
    const run = w.start('run', 'ask.toon', '--wait');
    await until(() => run.err().includes('waiting for you'), 'the question');
    run.kill('SIGSTOP');
    const approving = w.start('approve', idOf(run), '--wait');
    await until(() => approving.err().includes('it is driven by'), 'the approval');
    run.kill('SIGKILL');
    expect(await approving.exit).toMatchObject({ code: 0, out: 'by ana\n' });
  });

  it('a cancel whose owner dies before its steps have ended is carried out by who comes next', async () => {
    const run = w.start('run', 'slow.toon');
    await until(() => began().length === 1, 'the first step');
    run.kill('SIGSTOP');
    const cancelling = w.start('cancel', idOf(run));
    await until(() => cancelling.err().includes('cancelling'), 'the cancel');
    run.kill('SIGKILL');
    expect((await cancelling.exit).code).toBe(0);
    expect(began()).toHaveLength(1);
    expect(w.processes()).toEqual([]);
  });
});

test.runIf(process.platform === 'linux')(
  '20 approvals while the owner is just leaving: none is left lying',
  async () => {
    const line = async (numbers: readonly number[]) => {
      for (const number of numbers) await approveLeaving(number);
    };
    await Promise.all([0, 1, 2, 3].map((at) => line([0, 1, 2, 3, 4].map((i) => at * 5 + i))));
    const store = w.store();
    expect(store.runs({ roots: true }).map(({ status }) => status)).toEqual(Array(20).fill('done'));
  },
);

/** The one who approves is here, so that it can be as quick as it takes; the owner is the program. */
async function approveLeaving(number: number): Promise<void> {
  const { openEngine } = await import('../../src/run/index.ts');
  w.write(`ask-${number}.toon`, ask.replace('name: ask', `name: ask-${number}`));
  const run = w.start('run', `ask-${number}.toon`);
  await until(() => existsSync(w.at('.toolang/runs.db')), 'the store');
  const store = w.store();
  const rowOf = () => store.runs({ roots: true }).find(({ name }) => name === `ask-${number}`);
  for (const end = Date.now() + 30_000; (rowOf()?.waiting?.length ?? 0) === 0; ) {
    if (Date.now() > end) throw new Error('it never asked');
    await new Promise((done) => setImmediate(done));
  }
  for (const end = Date.now() + (number % 7); Date.now() < end; );
  const row = rowOf();
  const hash = row?.waiting?.[0]?.hash ?? '';
  const engine = openEngine({ store, cwd: w.dir });
  const id = row?.id ?? '';
  engine.post(id, { by: 'bo', message: { kind: 'decide', node: 'ok', hash, approved: true } });
  for (const end = Date.now() + 30_000; store.run(id)?.endedAt === undefined; ) {
    if (Date.now() > end) throw new Error(`nobody drives ${JSON.stringify(store.run(id))} ${store.inbox(id).length}`);
    if (engine.driver(id) === undefined && store.inbox(id).length > 0) {
      appendFileSync(w.at('taken'), 'x');
      await engine.drive(id);
    } else await new Promise((done) => setTimeout(done, 5));
  }
  expect(store.inbox(id)).toEqual([]);
  await run.exit;
}
