/** What may be spent: prices that are known before, and those that are told afterwards. */
import { describe, expect, it } from 'vitest';
import type { StepCommand } from '../machine/index.ts';
import { createGate } from './gate.ts';
import { limitRequest } from './limits.ts';
import { createModelPrice } from './model-price.ts';
import type { OpenStep } from './open-command.ts';
import { createPurse } from './purse.ts';
import { createTakenReplies } from './taken-replies.ts';

describe('a price that is told afterwards', () => {
  it('fits while any dollars are left, and never when they are spent', () => {
    const purse = createPurse({ usd: 1 }, {});
    expect(purse.reserve('a', 'afterwards', true)).toBe('go');
    purse.charge('a', { cost: 0.9 });
    expect(purse.fits('afterwards', true)).toBe('now');
    purse.charge('b', { cost: 0.1 });
    expect([purse.fits('afterwards', true), purse.reserve('c', 'afterwards', true)]).toEqual(['never', 'wait']);
    purse.add('usd', 0.01);
    expect(purse.fits('afterwards', true)).toBe('now');
  });

  it('waits for what others have set aside', () => {
    const purse = createPurse({ usd: 1 }, {});
    purse.reserve('dear', 1, true);
    expect(purse.fits('afterwards', true)).toBe('later');
    purse.charge('dear', { cost: 0.5 });
    expect(purse.fits('afterwards', true)).toBe('now');
  });

  it('is no matter without a limit in dollars, and what costs nothing needs no dollars', () => {
    const unlimited = createPurse({ tokens: 10 }, { cost: 100 });
    expect(unlimited.reserve('a', 'afterwards', true)).toBe('go');
    const spent = createPurse({ usd: 1 }, { cost: 1 });
    expect([spent.fits(0, true), spent.fits('afterwards', true)]).toEqual(['now', 'never']);
  });

  it.each([
    [0.4, 0.5, 0.11],
    [0.5, 0.5, 0.01],
    [1, 1.2, 0.21],
    [0, 0, 0.01],
  ])('with a limit of %d and %d spent, asks for as much as lets the next begin', async (usd, cost, least) => {
    const purse = createPurse({ usd }, { cost });
    const gate = createGate({
      purse,
      mostCost: () => 'afterwards',
      ticks: () => 0,
      isHeld: () => false,
      isRecalled: () => false,
    });
    const effect: StepCommand = { op: 'step', id: 'a#1/model#1', spec: { kind: 'model' }, args: null, key: 'k' };
    gate.add({ effect, notes: [] } as unknown as OpenStep);
    expect((await gate.admit()).begin).toEqual([]);
    expect(gate.missing()).toBe(0);
    const request = limitRequest(purse, gate.missing() ?? 0, ['a']);
    expect(request).toMatchObject({ unit: 'usd', least, title: expect.stringContaining('is reached') });
    purse.add('usd', least);
    expect((await gate.admit()).begin).toHaveLength(1);
  });
});

describe('the price of a call', () => {
  const plugin = { module: './p.ts', name: 'default', config: null };
  const call = (more: object): StepCommand => ({
    op: 'step',
    id: 'a#1/model#1',
    spec: { kind: 'model', agent: { name: 'e', type: 'echo', fields: {}, ...more }, for: ['a', 'e'] },
    args: null,
    key: 'k',
  });
  const replies = createTakenReplies(undefined);

  it('of an agent of a plugin is told afterwards, and of one that nobody can ask there is none', async () => {
    const price = createModelPrice({ scriptFor: async () => ({ kind: 'none' }), replies, runId: 'r' });
    expect(await price(call({ plugin }))).toBe('afterwards');
    expect(await price(call({}))).toBe(0);
  });

  it('is nothing where a script that cannot be read would answer', async () => {
    const scriptFor = async () => ({ kind: 'problem', message: 'no' }) as const;
    expect(await createModelPrice({ scriptFor, replies, runId: 'r' })(call({ plugin }))).toBe(0);
  });
});
