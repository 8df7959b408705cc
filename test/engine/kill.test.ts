/** Owners that are killed at any moment, and whoever goes on: nothing is lost, nothing recorded is done twice. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFact, openSqliteStore } from '../../src/journal/index.ts';
import { createRandom, type Random } from '../generate/random.ts';
import { bundleWorker } from './bundle.ts';
import { nameOf } from './made.ts';
import type { WorkerTask } from './worker.ts';

const runs = process.env.TOOLANG_DEEP ? 300 : 10;
/** They share a process, and die together. */
const groupSize = 10;
const edited = process.env.TOOLANG_DEEP ? 60 : 5;
const mostDeaths = 5;
const first = Number(process.env.TOOLANG_SEED) || 1;
const limitMs = 240_000;

let program: string;
let top: string;
beforeAll(async () => {
  program = await bundleWorker();
  top = mkdtempSync(join(tmpdir(), 'toolang-kill-'));
});
afterAll(() => {
  rmSync(top, { recursive: true, force: true });
  rmSync(dirname(program), { recursive: true, force: true });
});

interface Left {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly said: string;
}

/** `delay`: milliseconds between its word that it may be killed from outside, and the kill. */
function work(task: WorkerTask, delay = 0): Promise<Left> {
  const file = join(task.folder, 'task.json');
  mkdirSync(task.folder, { recursive: true });
  writeFileSync(file, JSON.stringify(task));
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let isStuck = false;
  const timers = [
    setTimeout(() => {
      isStuck = true;
      child.kill('SIGKILL');
    }, limitMs),
  ];
  child.stderr.on('data', (part) => (said += part));
  child.stdout.once('data', () => timers.push(setTimeout(() => child.kill('SIGKILL'), delay)));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      for (const timer of timers) clearTimeout(timer);
      resolve({ code, signal, said: isStuck ? `${said}it is stuck` : said });
    });
  });
}

/** What is recorded, and which steps began after it. */
interface Snapshot {
  readonly facts: ReadonlySet<string>;
  readonly lines: number;
  /** Names of the runs that have begun and not ended. */
  readonly open: readonly string[];
}

function linesOf(folder: string): string[] {
  const file = join(folder, 'steps.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

function snapshot(folder: string): Snapshot {
  const facts = new Set<string>();
  const open: string[] = [];
  if (existsSync(join(folder, 'runs.db'))) {
    const store = openSqliteStore(join(folder, 'runs.db'));
    for (const { id, name, endedAt } of store.runs({ roots: true })) {
      if (endedAt === undefined) open.push(name);
      let prefix = id;
      for (const { seq, node, body } of store.events(id)) {
        if (body.kind === 'segment.opened') prefix = `${id}.${seq}`;
        if (node === undefined || !isFact(body)) continue;
        if (facts.has(`${prefix}/${node}`)) throw new Error(`${prefix}/${node} has two facts`);
        facts.add(`${prefix}/${node}`);
      }
    }
    store.close();
  }
  return { facts, lines: linesOf(folder).length, open };
}

/** How many results were kept over an edit. */
function keptIn(folder: string): number {
  const store = openSqliteStore(join(folder, 'runs.db'));
  let kept = 0;
  for (const { id } of store.runs({ roots: true }))
    for (const { body } of store.events(id)) if ('of' in body && body.of !== undefined) kept++;
  store.close();
  return kept;
}

function resultsOf(folder: string, seeds: readonly number[]): readonly string[] {
  const store = openSqliteStore(join(folder, 'runs.db'));
  const rows = store.runs({ roots: true });
  const results = seeds.map((seed) => {
    const row = rows.find(({ name }) => name === nameOf(seed));
    const text = JSON.stringify([seed, row?.status, row?.output, row?.error]);
    return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  });
  store.close();
  return results;
}

/**
 * Kills the process of the runs up to `mostDeaths` times. When depends on how their journals grow, and not on a time: none
 * of them ends before it was killed once, however fast or slow the machine is. `isEdited`: whoever goes on does so with
 * another version. Gives how often each was killed, and the last version.
 */
async function disturbed(
  folder: string,
  seeds: readonly number[],
  random: Random,
  isEdited = false,
): Promise<{ readonly deaths: readonly number[]; readonly version: number }> {
  let version = 0;
  const hosts = 1 + random.below(2);
  const snapshots: Snapshot[] = [];
  const deaths = new Map(seeds.map((seed) => [nameOf(seed), 0]));
  const spared = () => seeds.filter((seed) => deaths.get(nameOf(seed)) === 0);
  const wanted = isEdited ? mostDeaths : 1 + random.below(mostDeaths);
  for (let number = 1; number <= wanted; number++) {
    // Each of them is edited in a commit of its own, and what is done before that is what can be kept.
    const commit = 1 + random.below(30) + (isEdited ? 2 * seeds.length : 0);
    const when = random.pick(['before', 'within', 'after', 'from outside'] as const);
    const end = await work(
      { folder, seeds, hosts, version, death: { commit, when, spared: isEdited ? [] : spared() } },
      random.below(50),
    );
    if (isEdited) version++;
    const found = snapshot(folder);
    snapshots.push(found);
    if (end.signal !== 'SIGKILL' || end.said !== '') {
      expect(end).toEqual({ code: 0, signal: null, said: '' });
      break;
    }
    for (const name of found.open) deaths.set(name, (deaths.get(name) ?? 0) + 1);
  }
  expect(await work({ folder, seeds, hosts, version })).toEqual({ code: 0, signal: null, said: '' });
  const lines = linesOf(folder);
  for (const { facts, lines: from } of snapshots) {
    const again = lines.slice(from).filter((line) => facts.has(line.split(' ')[2] ?? ''));
    expect(again, 'steps that ran again though their results were recorded').toEqual([]);
  }
  snapshot(folder);
  return { deaths: [...deaths.values()], version };
}

describe('killed owners', () => {
  test(`${runs} random workflows, each killed 1 to ${mostDeaths} times, come to the same results`, async () => {
    const groups = Array.from({ length: Math.ceil(runs / groupSize) }, (_, group) =>
      Array.from({ length: groupSize }, (_, index) => first * 1000 + group * groupSize + index),
    );
    let next = 0;
    const deaths: number[] = [];
    let toolCalls = 0;
    const began = Date.now();
    const line = async () => {
      for (let group = groups[next++]; group !== undefined; group = groups[next++]) {
        const folder = join(top, `calm-${group[0]}`);
        const rough = join(top, `rough-${group[0]}`);
        expect(await work({ folder, seeds: group, hosts: 2 })).toEqual({ code: 0, signal: null, said: '' });
        deaths.push(...(await disturbed(rough, group, createRandom(group[0] ?? 0))).deaths);
        toolCalls += linesOf(rough).filter((text) => text.startsWith('tool ')).length;
        const wanted = resultsOf(folder, group);
        expect(resultsOf(rough, group)).toEqual(wanted);
        for (const result of wanted) expect(result).toContain('"done"');
      }
    };
    await Promise.all([line(), line(), line()]);
    expect(deaths).toHaveLength(runs);
    if (process.platform !== 'win32') expect(toolCalls).toBeGreaterThan(runs / 2);
    expect(Math.min(...deaths)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...deaths)).toBeLessThanOrEqual(mostDeaths);
    const all = deaths.reduce((sum, each) => sum + each, 0);
    console.log(`${runs} workflows died ${all} times, ${Date.now() - began} ms`);
  });

  test(`${edited} workflows that are edited between the kills come to what new runs come to`, async () => {
    for (let from = 0; from < edited; from += groupSize) {
      const seeds = Array.from({ length: Math.min(groupSize, edited - from) }, (_, i) => first * 2000 + from + i);
      const rough = join(top, `edited-${seeds[0]}`);
      const { version } = await disturbed(rough, seeds, createRandom(seeds[0] ?? 0), true);
      const folder = join(top, `new-${seeds[0]}`);
      expect(await work({ folder, seeds, hosts: 2, version })).toEqual({ code: 0, signal: null, said: '' });
      expect(resultsOf(rough, seeds)).toEqual(resultsOf(folder, seeds));
      expect(keptIn(rough)).toBeGreaterThan(0);
    }
  });
});
