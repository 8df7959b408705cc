/**
 * A process of the tests: appends numbered events to a store until it is killed, and says how far it is sure to be. A
 * number as its mode is that of the transactions after which it kills itself.
 */
import { readSync } from 'node:fs';
import { openDatabase } from './sqlite.ts';
import { openSqliteStore } from './sqlite-store.ts';

const [file = '', root = '', mode = ''] = process.argv.slice(-3);
const owner = { host: 'h', boot: 'b', pid: process.pid, started: 's' };

if (mode === 'open') {
  // Many at once make one store.
  openSqliteStore(file).close();
  process.stdout.write('done\n');
} else if (mode.startsWith('hog')) {
  // Writes without a pause, so that hardly anybody else gets in between.
  const db = openDatabase(file, 60_000);
  db.exec('BEGIN IMMEDIATE');
  process.stdout.write('begun\n');
  for (const until = performance.now() + Number(mode.slice(3)); performance.now() < until; ) {
    const next = performance.now() + 20;
    while (performance.now() < next);
    db.exec(`UPDATE runs SET updated_at = ${Math.floor(next)}; COMMIT; BEGIN IMMEDIATE`);
  }
  db.exec('COMMIT');
  db.close();
} else {
  const store = openSqliteStore(file);
  const from = store.lease(root)?.epoch;
  const epoch = store.write((w) => w.takeLease(root, owner, from, 1)) ?? 0;
  let count = [...store.events(root)].length;
  for (;;) {
    const text = `${count} `.repeat(mode === 'large' && count % 7 === 0 ? 30_000 : 5);
    const seq = store.write((w) => {
      w.updateRun(root, { updatedAt: count + 1 });
      w.append(root, epoch, [{ at: count, run: root, node: `n${count}`, body: { kind: 'node.done', output: text } }]);
      return w.append(root, epoch, [{ at: count, run: root, body: { kind: 'node.started', key: text.slice(0, 10) } }]);
    });
    count += 2;
    process.stdout.write(`${seq}\n`);
    if (count === 2 * Number(mode)) process.kill(process.pid, 'SIGKILL');
    // Goes on when it is told to.
    if (mode === 'asked') readSync(0, Buffer.alloc(1));
  }
}
