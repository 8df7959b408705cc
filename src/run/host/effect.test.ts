/** Which copy of Effect made an Effect. */

import * as own from 'effect';
import { Effect, Exit, Layer } from 'effect';
import { expect, it } from 'vitest';
import { type EffectCopy, type EffectPackage, hasMade, isEffect, refuseOldEffect, thrownByCause } from './effect.ts';

const copy: EffectCopy = { file: 'own', api: own as unknown as EffectPackage };
const pipe = () => undefined;
const other: EffectCopy = { file: 'other', api: { Effect: { void: { pipe } } } as unknown as EffectPackage };

it.each<[string, unknown]>([
  ['a value', Effect.succeed(1)],
  ['a failure', Effect.fail('no')],
  ['a defect', Effect.die('no')],
  [
    'a generator',
    Effect.gen(function* () {
      return yield* Effect.void;
    }),
  ],
  ['a promise', Effect.promise(async () => 1)],
  ['one that was piped', Effect.succeed(1).pipe(Effect.map((n) => n + 1))],
  ['one with a layer', Effect.provide(Effect.void, Layer.empty)],
  ['an exit', Exit.succeed(1)],
])('%s is known by the copy that made it, and by no other', (_, effect) => {
  expect(isEffect(effect)).toBe(true);
  expect([hasMade(copy, effect), hasMade(other, effect)]).toEqual([true, false]);
});

it('nobody made what only looks like one', () => {
  const empty: EffectCopy = { file: 'empty', api: {} as unknown as EffectPackage };
  expect([copy, other, empty].map((each) => hasMade(each, { '~effect/Effect': {} }))).toEqual([false, false, false]);
});

it('an Effect of Effect 3 is known as one, and refused', () => {
  const old = { [Symbol.for('effect/Effect')]: {} };
  expect(isEffect(old)).toBe(true);
  expect(() => refuseOldEffect(old)).toThrow('it returned an Effect of Effect 3; Effects of Effect 4 are understood');
  expect(() => refuseOldEffect(Effect.void)).not.toThrow();
});

it.each([
  [undefined, 'import it under "imports.services", or provide it in the module'],
  ['plugin', 'the plugin returns it under "services", or provides it itself'],
  ['layer', 'a layer brings what it needs, with "Layer.provide"'],
] as const)('what lacks a service is told how it comes to it: %s', (whose, help) => {
  const defect = new Error('Service not found: Prices (defined at x.ts:1)');
  const { message, retryable } = thrownByCause({ reasons: [{ _tag: 'Die', defect }] }, () => '', whose);
  expect(message).toBe(`the Effect needs the service "Prices", which it was not given: ${help}`);
  expect(retryable).toBe(false);
});
