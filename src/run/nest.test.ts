/** Machines inside of machines: what stands where, and what is told when. */
import { expect, test } from 'vitest';
import type { Command, Fact, Machine, MakeMachine } from '../machine/index.ts';
import { createNest } from './nest.ts';

const signal: Command = { op: 'signal', id: 'ask', kind: 'approval', request: { title: 'Go?' } };
const child = (id: string): Command => ({ op: 'child', id, ref: { kind: 'failing' }, input: null, key: id });

/** `failing` ends as soon as it starts; the root takes everything back when a child fails. */
function makerOf(commands: readonly Command[]): MakeMachine {
  const failing: Machine = {
    start: () => [],
    deliver: () => [],
    end: { err: { code: 'x', message: '', retryable: false } },
  };
  return (ref) => {
    if (ref.kind === 'failing') return failing;
    const open = new Set(commands.flatMap((command) => (command.op === 'cancel' ? [] : [command.id])));
    const recalled = new Set<string>();
    return {
      start: () => commands,
      deliver(fact: Fact): Command[] {
        open.delete(fact.id);
        const targets = [...open].filter((id) => !recalled.has(id));
        for (const id of targets) recalled.add(id);
        return targets.map((target) => ({ op: 'cancel', target }));
      },
      get end() {
        return open.size === 0 ? { none: true as const } : undefined;
      },
    };
  };
}

test('what is emitted beside a child that ends at once can be cancelled by what it caused', () => {
  const nest = createNest({ make: makerOf([child('a'), signal]), ref: { kind: 'root' }, runId: 'r', input: null });
  const said = nest.start(1).map((each) => (each.kind === 'effect' ? `${each.effect.op}` : each.kind));
  expect(said).toEqual(['child', 'signal', 'end', 'cancel']);
});

test('children that end at once together are told one after the other', () => {
  const nest = createNest({ make: makerOf([child('a'), child('b')]), ref: { kind: 'root' }, runId: 'r', input: null });
  expect(nest.start(1).map(({ kind }) => kind)).toEqual(['child', 'child', 'end', 'end']);
  expect(nest.end()).toEqual({ none: true });
});
