/** Who may begin: alone, and where places are shared with other runs. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StepCommand } from '../machine/index.ts';
import { createGate, type Gate, type GateOptions } from './gate.ts';
import type { OpenStep } from './open-command.ts';
import { createPlaces } from './places.ts';
import { createPurse } from './purse.ts';

function opened(id: string, kind = 'run'): OpenStep {
  const effect: StepCommand = { op: 'step', id, spec: { kind }, args: null, key: 'k' };
  return { effect, notes: [] } as unknown as OpenStep;
}

let now = 0;
beforeEach(() => {
  now = 0;
});

/** Each look at the clock finds so much time gone that no place is kept for long. */
function gate(options: Partial<GateOptions> = {}): Gate {
  const ticks = () => {
    now += 1000;
    return now;
  };
  return createGate({ ticks, isHeld: () => false, isRecalled: () => false, ...options });
}

async function begun(each: Gate): Promise<readonly string[]> {
  return (await each.admit()).begin.map(({ effect }) => effect.id);
}

describe('the gate', () => {
  it('lets the steps of a run begin in their order, those that need no place at once', async () => {
    const one = gate({ places: [createPlaces(['run'], 1)] });
    const steps = [opened('a'), opened('ask', 'model'), opened('b')];
    for (const each of steps) one.add(each);
    expect(await begun(one)).toEqual(['a', 'ask']);
    one.add(opened('c'));
    expect(await begun(one)).toEqual([]);
    one.ended(steps[0] as OpenStep, undefined);
    expect(await begun(one)).toEqual(['b']);
  });

  it('takes turns with other runs, and rings when it is the turn of one', async () => {
    const places = [createPlaces(['run'], 1)];
    const rung: string[] = [];
    const [one, two] = ['one', 'two'].map((name) => gate({ places, ring: () => void rung.push(name) })) as [Gate, Gate];
    const steps = ['a', 'b', 'c'].map((id) => opened(id));
    for (const each of steps) one.add(each);
    const other = opened('x');
    two.add(other);
    expect([await begun(one), await begun(two)]).toEqual([['a'], []]);
    // It goes on with the place that it has, and waits behind the other for the next.
    one.ended(steps[0] as OpenStep, undefined);
    expect(rung).toEqual([]);
    expect([await begun(two), await begun(one)]).toEqual([[], ['b']]);
    one.ended(steps[1] as OpenStep, undefined);
    expect(rung.splice(0)).toEqual(['two']);
    expect([await begun(one), await begun(two)]).toEqual([[], ['x']]);
    two.ended(other, undefined);
    expect(await begun(two)).toEqual([]);
    expect(rung).toEqual(['one']);
    expect(await begun(one)).toEqual(['c']);
  });

  it('goes on with a place that it has, for a while; what it does not use is free at once', async () => {
    const places = [createPlaces(['run'], 1)];
    const rung: string[] = [];
    const [one, two] = ['one', 'two'].map((name) =>
      gate({ places, ticks: () => now, ring: () => void rung.push(name) }),
    ) as [Gate, Gate];
    const [a, b, c] = ['a', 'b', 'c'].map((id) => opened(id)) as [OpenStep, OpenStep, OpenStep];
    const other = opened('x');
    one.add(a);
    two.add(other);
    expect([await begun(one), await begun(two)]).toEqual([['a'], []]);
    now = 199;
    one.ended(a, undefined);
    one.add(b);
    expect(rung).toEqual([]);
    expect(await begun(one)).toEqual(['b']);
    now = 399;
    one.ended(b, undefined);
    one.add(c);
    expect(rung.splice(0)).toEqual(['two']);
    expect([await begun(one), await begun(two)]).toEqual([[], ['x']]);
    two.ended(other, undefined);
    expect(await begun(two)).toEqual([]);
    expect(rung.splice(0)).toEqual(['one']);
    expect(await begun(one)).toEqual(['c']);
    two.add(opened('y'));
    expect(await begun(two)).toEqual([]);
    one.ended(c, undefined);
    one.stop();
    expect(rung).toEqual(['two']);
    expect(await begun(two)).toEqual(['y']);
  });

  it('keeps no place for what was taken back, for who stops, and for who has left', async () => {
    const places = [createPlaces(['run'], 1)];
    const rung: string[] = [];
    const [one, two, three] = ['one', 'two', 'three'].map((name) =>
      gate({ places, ring: () => void rung.push(name) }),
    ) as [Gate, Gate, Gate];
    const first = opened('a');
    one.add(first);
    two.add(opened('b'));
    three.add(opened('c'));
    for (const each of [one, two, three]) await each.admit();
    one.ended(first, undefined);
    expect(rung).toEqual([]);
    expect(await begun(one)).toEqual([]);
    expect(rung.splice(0)).toEqual(['two']);
    expect(two.remove('b')).toBe(true);
    expect(rung.splice(0)).toEqual(['three']);
    expect(await begun(three)).toEqual(['c']);
    one.add(opened('d'));
    two.add(opened('e'));
    expect([await begun(one), await begun(two)]).toEqual([[], []]);
    one.stop();
    three.close();
    expect(rung).toEqual(['two']);
    expect(await begun(two)).toEqual(['e']);
    two.close();
    two.close();
    const last = gate({ places });
    for (const id of ['f', 'g']) last.add(opened(id));
    expect(await begun(last)).toEqual(['f']);
  });

  it('keeps no place for what nobody wants any more when its turn comes', async () => {
    const places = [createPlaces(['run'], 1)];
    const recalled = new Set<string>();
    const rung: string[] = [];
    const [one, two, three] = ['one', 'two', 'three'].map((name) =>
      gate({ places, ring: () => void rung.push(name), isRecalled: (id) => recalled.has(id) }),
    ) as [Gate, Gate, Gate];
    const first = opened('a');
    one.add(first);
    two.add(opened('b'));
    three.add(opened('c'));
    for (const each of [one, two, three]) await each.admit();
    one.ended(first, undefined);
    await one.admit();
    recalled.add('b');
    expect(await begun(two)).toEqual([]);
    expect(rung).toEqual(['two', 'three']);
    expect(await begun(three)).toEqual(['c']);
  });

  it('a price that cannot be told leaves no place taken when the run is left', async () => {
    const places = [createPlaces(['run'], 1)];
    const purse = createPurse({ usd: 1 }, {});
    const one = gate({ places, purse, mostCost: async () => Promise.reject(new Error('no price')) });
    one.add(opened('a'));
    await expect(one.admit()).rejects.toThrow('no price');
    one.close();
    const two = gate({ places });
    two.add(opened('b'));
    expect(await begun(two)).toEqual(['b']);
  });

  it('what waits for money holds no place, and what waits for a place holds no money', async () => {
    const places = [createPlaces(['dear'], 1)];
    const purse = createPurse({ usd: 1 }, {});
    const one = gate({ places, purse, mostCost: () => 1 });
    const [a, b, c] = ['a', 'b', 'c'].map((id) => opened(id, 'dear')) as [OpenStep, OpenStep, OpenStep];
    one.add(a);
    one.add(b);
    expect(await begun(one)).toEqual(['a']);
    expect([purse.fits(0.5, false), one.poor().length]).toEqual(['later', 0]);
    one.ended(a, { cost: 0.5 });
    expect(await begun(one)).toEqual([]);
    expect([purse.fits(0.5, false), one.poor().map(({ effect }) => effect.id)]).toEqual(['now', ['b']]);
    const two = gate({ places });
    two.add(c);
    expect(await begun(two)).toEqual(['c']);
    // There is money now, and no place: it waits for one and holds none.
    purse.add('usd', 0.5);
    expect(await begun(one)).toEqual([]);
    expect([purse.fits(1, false), one.poor()]).toEqual(['now', []]);
    two.ended(c, undefined);
    await two.admit();
    expect(await begun(one)).toEqual(['b']);
  });

  it('shared by runs that do as they like, never begins too many, and all that is wanted comes to its end', async () => {
    const act = fc.record({
      run: fc.nat(3),
      what: fc.constantFrom('add', 'add', 'add', 'end', 'end', 'remove', 'stop'),
      pick: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(act, { maxLength: 50 }), async (most, acts) => {
        const places = [createPlaces(['run'], most)];
        const rung = new Set<number>();
        const runs = [0, 1, 2, 3].map((at) => ({
          gate: gate({ places, ticks: () => now, ring: () => void rung.add(at) }),
          waiting: new Set<string>(),
          running: new Map<string, OpenStep>(),
          isStopped: false,
        }));
        let ids = 0;
        const look = async (at: number) => {
          const run = runs[at];
          if (run === undefined) return;
          if (run.isStopped) return run.gate.stop();
          for (const each of (await run.gate.admit()).begin) {
            expect(run.waiting.delete(each.effect.id)).toBe(true);
            run.running.set(each.effect.id, each);
          }
          expect(runs.reduce((sum, { running }) => sum + running.size, 0)).toBeLessThanOrEqual(most);
        };
        /** Bells are answered, in any order. */
        const settle = async () => {
          for (let at = [...rung].pop(); at !== undefined; at = [...rung].pop()) {
            rung.delete(at);
            await look(at);
          }
        };
        const end = async (at: number, id: string) => {
          const run = runs[at];
          const step = run?.running.get(id);
          if (run === undefined || step === undefined) return;
          run.running.delete(id);
          run.gate.ended(step, undefined);
          await look(at);
        };
        for (const { run: at, what, pick } of acts) {
          const run = runs[at];
          if (run === undefined) continue;
          now += pick % 150;
          const some = (all: Iterable<string>) => {
            const names = [...all];
            return names[pick % Math.max(1, names.length)] ?? '';
          };
          if (what === 'add' && !run.isStopped) {
            const id = `s${++ids}`;
            run.waiting.add(id);
            run.gate.add(opened(id));
            await look(at);
          } else if (what === 'end') await end(at, some(run.running.keys()));
          else if (what === 'remove') {
            const id = some(run.waiting);
            expect(run.gate.remove(id)).toBe(run.waiting.delete(id));
          } else if (what === 'stop') {
            run.isStopped = true;
            run.gate.stop();
            run.waiting.clear();
          }
          if (pick % 2 === 0) await settle();
        }
        for (;;) {
          await settle();
          const at = runs.findIndex(({ running }) => running.size > 0);
          if (at === -1) break;
          for (const id of runs[at]?.running.keys() ?? []) await end(at, id);
        }
        expect(runs.map(({ waiting }) => waiting.size)).toEqual([0, 0, 0, 0]);
      }),
    );
  });
});
