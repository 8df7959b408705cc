/** Sub-workflows of which all was kept. */
import { describe, expect, it } from 'vitest';
import type { EventBody } from '../journal/index.ts';
import { createRunNodes } from './run-nodes.ts';

type Told = readonly [string, EventBody];

const call = (id: string): Told => [id, { kind: 'child.started', child: `run-${id}`, name: 'w' }];
const ends = (id: string): Told => [id, { kind: 'child.ended', outcome: { ok: 'x' } }];
const kept = (id: string): Told => [`${id}#1`, { kind: 'node.done', output: 'x', from: 'kept', of: 1 }];
const began = (id: string): Told => [`${id}#1`, { kind: 'node.started', key: '' }];
const done = (id: string): Told => [`${id}#1`, { kind: 'node.done', output: 'x' }];

function statusesAfter(...told: readonly Told[]): Record<string, string> {
  const { nodes, add } = createRunNodes();
  for (const [i, [node, body]] of told.entries()) add({ at: i, node, body });
  return Object.fromEntries(Array.from(nodes.values(), ({ name, status }) => [name, status]));
}

describe('a sub-workflow', () => {
  it('was kept where all in it was, or left out', () => {
    const left: Told = ['c/y#1', { kind: 'node.skipped', why: '' }];
    expect(statusesAfter(call('c'), kept('c/x'), left, ends('c'))).toMatchObject({ c: 'kept' });
  });

  it('is done where anything in it was done, or taken from elsewhere, also deep inside', () => {
    expect(statusesAfter(call('c'), kept('c/x'), began('c/y'), done('c/y'), ends('c'))).toMatchObject({ c: 'done' });
    const cached: Told = ['c/x#1', { kind: 'node.done', output: 'x', from: 'cache' }];
    expect(statusesAfter(call('c'), cached, kept('c/y'), ends('c'))).toMatchObject({ c: 'done' });
    const deep = [call('c'), kept('c/x'), call('c/l[1]/d'), began('c/l[1]/d/y'), done('c/l[1]/d/y'), ends('c/l[1]/d')];
    expect(statusesAfter(...deep, ends('c'))).toMatchObject({ c: 'done', 'c/l[1]/d': 'done' });
    const inner = [call('c'), began('c/x'), done('c/x'), call('c/d'), kept('c/d/y'), ends('c/d'), ends('c')];
    expect(statusesAfter(...inner)).toMatchObject({ c: 'done', 'c/d': 'kept' });
  });

  it('is done where nothing was in it, and failed where it failed', () => {
    expect(statusesAfter(call('c'), ends('c'))).toEqual({ c: 'done' });
    const error = { code: 'code', message: 'no', retryable: false };
    const failed: Told = ['c', { kind: 'child.ended', outcome: { err: error } }];
    expect(statusesAfter(call('c'), kept('c/x'), failed)).toMatchObject({ c: 'failed' });
  });

  it('is not what stands beside it, nor what a segment before had in it', () => {
    const segment: EventBody = {
      ...{ kind: 'segment.opened', why: 'edit', name: '', plan: '', source: '' },
      ...{ input: null, machine: 1, models: {} },
    };
    const { nodes, add } = createRunNodes();
    const told: Told[] = [call('c'), began('c/x')];
    for (const [node, body] of told) add({ at: 0, node, body });
    add({ at: 1, body: segment });
    for (const [node, body] of [call('c'), began('cc/x'), kept('c/x'), ends('c')]) add({ at: 2, node, body });
    expect(nodes.get('c')?.status).toBe('kept');
  });
});
