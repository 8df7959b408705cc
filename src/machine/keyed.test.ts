import { expect, test } from 'vitest';
import { keyed, lazyStep } from './keyed.ts';
import type { ChildCommand } from './machine.ts';

test('keys and arguments are made when they are asked for', () => {
  const asked: string[] = [];
  const say = (word: string) => () => {
    asked.push(word);
    return word;
  };
  const child = keyed<ChildCommand>({ op: 'child', id: 'a', ref: { kind: 'thunk' }, input: null }, say('key'));
  const step = lazyStep({ op: 'step', id: 'b', spec: { kind: 'model' } }, say('args'), say('call'));
  step.timeoutMs = 5;
  expect([child.id, step.id, step.timeoutMs]).toEqual(['a', 'b', 5]);
  expect('args' in child).toBe(false);
  expect(asked).toEqual([]);
  expect([child.key, step.args, step.key]).toEqual(['key', 'args', 'call']);
  expect(asked).toEqual(['key', 'args', 'call']);
});

test('no object has getters of its own, which would keep alive what they reach', () => {
  const step = lazyStep(
    { op: 'step', id: 'b', spec: { kind: 'model' } },
    () => null,
    () => 'key',
  );
  expect(Object.keys(step)).toEqual(['op', 'id', 'spec']);
});
