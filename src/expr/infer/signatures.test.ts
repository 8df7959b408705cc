/** The tables of inference against those of the evaluator: what one knows, the other does too. */
import { describe, expect, it } from 'vitest';
import { anyMethodNames, fieldNames, globalNames, methodNames, type Receiver, statics } from '../evaluate/index.ts';
import { findMember } from './member.ts';
import { resultOf } from './result.ts';
import { globals, membersOfKind } from './signatures.ts';
import {
  anyValue,
  booleanValue,
  dateValue,
  listOf,
  numberValue,
  regexpValue,
  stringValue,
  type ValueType,
} from './value-type.ts';

const kinds: Readonly<Record<Receiver, ValueType>> = {
  string: stringValue,
  array: listOf(stringValue),
  number: numberValue,
  boolean: booleanValue,
  date: dateValue,
  regexp: regexpValue,
};

describe('the tables', () => {
  it.each(Object.entries(kinds))('have the members of a %s that the evaluator has', (kind, type) => {
    const known = new Set([...membersOfKind(type).keys(), ...anyMethodNames]);
    expect([...known].sort()).toEqual(
      [...new Set([...methodNames[kind as Receiver], ...fieldNames[kind as Receiver], ...anyMethodNames])].sort(),
    );
  });

  it('have the globals and statics that the evaluator has', () => {
    expect([...globals.keys(), 'undefined', 'NaN', 'Infinity'].sort()).toEqual([...globalNames].sort());
    for (const [name, members] of Object.entries(statics)) {
      expect([...(globals.get(name)?.members?.keys() ?? [])].sort(), name).toEqual([...members].sort());
    }
  });

  it('give a type for every member and every call', () => {
    const types: readonly ValueType[] = [...Object.values(kinds), ...globals.values()];
    for (const type of types) {
      for (const name of membersOfKind(type).keys()) {
        const found = findMember(type, name).type;
        expect(found, name).toBeDefined();
        if (found?.kind !== 'function' || found.call === undefined) continue;
        const args = [{ type: anyValue, spread: false }];
        expect(resultOf({ call: found.call, self: type, args }).kind, name).toBeDefined();
      }
    }
  });
});
