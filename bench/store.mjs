// What keeping a step costs, against raw commits of SQLite in the same run: `node bench/store.mjs`.
// Both write with WAL and synchronous=FULL, in turns, so that whatever else the disk does hits both alike. Raw: one short
// row. Ours: the fact of a step, the note that the next one has begun, and the row of the run, under the lease.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { bundle, load, root } from './bundle.mjs';
import { cpuOf, median, tableOf, verdict } from './measure.mjs';

/** @typedef {typeof import('../src/journal/index.ts')} Journal */
/** @typedef {import('../src/journal/index.ts').Store} Store */

const goal = 1.3;
const goalBytes = 1000;
const commits = 1500;

/** @type {Journal} */
const journal = await load(await bundle('journal', 'src/journal/index.ts'));
mkdirSync(join(root, '.cache'), { recursive: true });
// On the disk of the project, as stores are; the folder for temporary files may be in memory.
const dir = mkdtempSync(join(root, '.cache/store-'));
let gross = false;
try {
  const rows = [compareCommits(), compareReads()];
  console.log(`keeping steps, medians of ${commits} commits on Node ${process.versions.node}`);
  console.log(tableOf([['', 'raw', 'ours', 'ratio', 'goal', '', 'CPU of ours'], ...rows]));
  console.log('');
  console.log(tableOf([['', 'file', 'a step', 'goal', ''], growth(200), growth(2000)]));
} finally {
  rmSync(dir, { recursive: true, force: true });
}
if (gross) process.exitCode = 1;

function compareCommits() {
  const raw = rawCommits(join(dir, 'raw.db'));
  const ours = stepCommits(openStore('ours.db'));
  /** @type {number[]} */
  const rawTimes = [];
  /** @type {number[]} */
  const ourTimes = [];
  for (let i = -100; i < commits; i++) {
    const rawTime = onceMs(raw);
    const ourTime = onceMs(ours);
    // The first ones warm up.
    if (i < 0) continue;
    rawTimes.push(rawTime);
    ourTimes.push(ourTime);
  }
  const ratio = median(ourTimes) / median(rawTimes);
  const cpuTime = cpuOf(() => {
    for (let i = 0; i < commits; i++) ours();
  });
  return rowOf('one commit', median(rawTimes), median(ourTimes), ratio, goal, cpuTime / commits);
}

/** A resumed run reads its journal: against the parts of that which nobody can leave out. */
function compareReads() {
  const store = openStore('read.db');
  const write = stepCommits(store);
  for (let i = 0; i < 1000; i++) write();
  const db = new DatabaseSync(join(dir, 'read.db'));
  const all = db.prepare('SELECT seq, body FROM events WHERE root = ? ORDER BY seq');
  const raw = () => all.all('r1').map((row) => JSON.parse(row.body)).length;
  const ours = () => [...store.events('r1')].length;
  /** @type {number[][]} */
  const times = [[], []];
  for (let round = 0; round < 30; round++) {
    times[0]?.push(onceMs(raw) / 2000);
    times[1]?.push(onceMs(ours) / 2000);
  }
  const [rawTime = 0, ourTime = 0] = times.map(median);
  return rowOf('one event read', rawTime, ourTime, ourTime / rawTime, undefined, undefined);
}

/**
 * @param {string} name
 * @param {number} raw milliseconds
 * @param {number} ours
 * @param {number} ratio
 * @param {number | undefined} most
 * @param {number | undefined} cpuTime
 */
function rowOf(name, raw, ours, ratio, most, cpuTime) {
  const judged = most === undefined ? undefined : verdict(ratio, most, 'most');
  if (judged?.gross) gross = true;
  const us = (/** @type {number} */ ms) => `${(ms * 1000).toFixed(ms < 0.1 ? 1 : 0)} µs`;
  return [
    name,
    us(raw),
    us(ours),
    `${ratio.toFixed(2)}x`,
    most === undefined ? '' : `<= ${most}x`,
    judged?.text ?? '',
    cpuTime === undefined ? '' : us(cpuTime),
  ];
}

/** @param {number} steps */
function growth(steps) {
  const name = `growth-${steps}.db`;
  const store = openStore(name);
  const write = stepCommits(store);
  for (let i = 0; i < steps; i++) write();
  store.close();
  const { size } = statSync(join(dir, name));
  const judged = verdict(size / steps, goalBytes, 'most');
  if (judged.gross) gross = true;
  return [
    `${steps} steps`,
    `${(size / 1000).toFixed(0)} kB`,
    `${(size / steps).toFixed(0)} bytes`,
    `<= ${goalBytes}`,
    judged.text,
  ];
}

/** @param {string} name */
function openStore(name) {
  const store = journal.openSqliteStore(join(dir, name));
  store.write((w) => {
    w.addRun({ id: 'r1', root: 'r1', name: 'bench', status: 'running', startedAt: 1, updatedAt: 1 });
    w.takeLease('r1', { host: 'h', boot: 'b', pid: 1, started: 's' }, undefined, 1);
  });
  return store;
}

/**
 * @param {Store} store
 * @returns {() => void}
 */
function stepCommits(store) {
  let n = 0;
  return () => {
    n += 1;
    const at = 1_700_000_000_000 + n;
    store.write((w) => {
      w.append('r1', 1, [
        { at, run: 'r1', node: `step-${n}#1`, body: { kind: 'node.done', output: { n } } },
        { at, run: 'r1', node: `step-${n + 1}#1`, body: { kind: 'node.started', key: 'k'.repeat(32) } },
      ]);
      w.updateRun('r1', { status: 'running', updatedAt: at });
    });
  };
}

/**
 * @param {string} file
 * @returns {() => void}
 */
function rawCommits(file) {
  const db = new DatabaseSync(file);
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON',
  );
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = db.prepare('INSERT INTO t (text) VALUES (?)');
  const text = 'x'.repeat(100);
  return () => {
    db.exec('BEGIN IMMEDIATE');
    insert.run(text);
    db.exec('COMMIT');
  };
}

/** @param {() => unknown} work */
function onceMs(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}
