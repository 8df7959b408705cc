/** Journals of every released machine are told by the machine of today as they were written. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { machineNumber } from '../plan/machine/index.ts';
import { isTold, retell } from './retell.ts';
import type { KeptJournal } from './simulate/simulate.ts';
import { makerOf } from './simulate/world.ts';

const folder = join(import.meta.dirname, '../../spec/journals');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

describe.each(files)('%s', (file) => {
  const journals = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, KeptJournal>;

  test.each(Object.entries(journals))('run %s is told again word by word, and ends the same', (_, kept) => {
    const { events, keys, end } = retell(kept.events, makerOf(kept.plan), { kind: 'workflow', plan: '' });
    const told = kept.events.filter(isTold).map(({ seq: _seq, ...event }) => event);
    expect(JSON.parse(JSON.stringify(events))).toEqual(told);
    expect(end).toEqual(kept.end);
    const begun = new Map(kept.events.flatMap(({ node, body }) => ('key' in body ? [[node, body.key]] : [])));
    for (const [id, key] of keys) expect(begun.get(id)).toBe(key);
  });
});

test('there is a journal with every kind of node', () => {
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('');
  const kinds = ['step', 'sequence', 'parallel', 'loop', 'approval', 'branch', 'workflow', 'component'];
  for (const kind of kinds) expect(text).toContain(`"kind":"${kind}"`);
  for (const kind of ['timer.fired', 'approval.decided', 'node.failed', 'child.ended', 'node.cancelled']) {
    expect(text).toContain(`"kind":"${kind}"`);
  }
});

test('there is one of every machine, and with tools since there are any', () => {
  expect(files).toEqual(Array.from({ length: machineNumber }, (_, at) => `machine-${at + 1}.json`));
  const text = readFileSync(join(folder, 'machine-2.json'), 'utf8');
  for (const kind of ['tool.asked', 'tool.answered', 'model.skipped']) expect(text).toContain(`"kind":"${kind}"`);
  for (const approved of [true, false]) {
    const decided = `\\/permit#\\d+","body":\\{"kind":"approval.decided","approved":${approved}`;
    expect(text).toMatch(new RegExp(decided));
  }
  expect(text).toMatch(/\/granted#\d+","body":\{"kind":"tool.answered"/);
});

test('there are thunks in those of the machine that began with them', () => {
  const text = readFileSync(join(folder, 'machine-3.json'), 'utf8');
  expect(text).toContain('"kind":"handoff"');
  for (const node of ['look[2]#1', 'sub[1]#1', 'weigh[1]#1/look[1]#1', 'recall#1', 'turn#1']) {
    expect(text).toContain(`/${node}","body"`);
  }
});
