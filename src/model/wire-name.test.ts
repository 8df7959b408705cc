import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWireNames } from './wire-name.ts';

const allowed = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

function wiresOf(...names: string[]): string[] {
  const { toWire } = createWireNames(names);
  return names.map(toWire);
}

describe('names on the wire', () => {
  test.each([
    ['filesystem/read', 'filesystem__read'],
    ['github/create_issue', 'github__create_issue'],
    ['skill', 'skill'],
    ['a b.c', 'a_b_c'],
    ['7zip/list', '_7zip__list'],
    ['', '_'],
    ['größe/μ', 'gr__e___'],
    ['set/🛠', 'set___'],
  ])('%s is %s', (name, wire) => {
    expect(wiresOf(name)).toEqual([wire]);
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'what every object has gets a hash: %s',
    (name) => {
      const names = createWireNames([name]);
      const wire = names.toWire(name);
      expect(wire in {}).toBe(false);
      expect([names.fromWire(wire), names.fromWire(name)]).toEqual([name, name]);
    },
  );

  test('a long one is cut, and ends with a hash of the whole', () => {
    const [a = '', b = ''] = wiresOf(`${'x'.repeat(200)}1`, `${'x'.repeat(200)}2`);
    expect([a.length, b.length]).toEqual([64, 64]);
    expect(a).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(a).not.toBe(b);
  });

  test('those that would be the same get a hash, but for one that was not changed', () => {
    const [slash, plain, dot] = wiresOf('a/b', 'a__b', 'a..b');
    expect(plain).toBe('a__b');
    expect(slash).toMatch(/^a__b_[0-9a-f]{8}$/);
    expect(dot).toMatch(/^a__b_[0-9a-f]{8}$/);
    expect(slash).not.toBe(dot);
  });

  test('"result" belongs to the syntax of calls in text', () => {
    expect(wiresOf('result')[0]).toMatch(/^result_[0-9a-f]{8}$/);
  });

  test('a model may write a name as files do', () => {
    const { fromWire } = createWireNames(['filesystem/read']);
    expect(fromWire('filesystem/read')).toBe('filesystem/read');
    expect(fromWire('filesystem__read')).toBe('filesystem/read');
    expect(fromWire('filesystem_read')).toBeUndefined();
    expect(fromWire('__proto__')).toBeUndefined();
  });

  const piece = fc.constantFrom('a', 'b', '/', '_', '.', '__', '-', 'é', '😀', 'result', '1', 'x'.repeat(30));
  const name = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 100 }),
  );

  test('every list: each name is allowed, the only one, comes back, and the order is of no matter', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 40 }), (names) => {
        const { toWire, fromWire, wires } = createWireNames(names);
        for (const each of names) {
          expect(toWire(each)).toMatch(allowed);
          expect(fromWire(toWire(each))).toBe(each);
        }
        expect(new Set(wires()).size).toBe(names.length);
        const reversed = createWireNames(names.toReversed());
        for (const each of names) expect(reversed.toWire(each)).toBe(toWire(each));
      }),
      { numRuns: process.env.TOOLANG_DEEP ? 20_000 : 500 },
    );
  });

  test('a name whose hash another one has already is told apart', () => {
    const [hashed = ''] = wiresOf('a/b', 'a__b');
    const wires = wiresOf('a/b', 'a__b', hashed);
    expect(new Set(wires).size).toBe(3);
    expect(wires[2]).toBe(hashed);
  });
});
