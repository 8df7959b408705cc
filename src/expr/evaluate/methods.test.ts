/** Nothing of JavaScript's standard is forgotten: it is there, or left out with a reason. */
import { describe, expect, it } from 'vitest';
import { hiddenMembers, leftOutMethods, leftOutStatics } from '../left-out.ts';
import { failure, run } from './evaluate-helper.ts';
import { globalNames, statics } from './globals.ts';
import { anyMethodNames, fieldNames, methodNames, type Receiver } from './methods.ts';

const prototypes: Readonly<Record<Receiver, object>> = {
  string: String.prototype,
  array: Array.prototype,
  number: Number.prototype,
  boolean: Boolean.prototype,
  date: Date.prototype,
  regexp: RegExp.prototype,
};
const samples: Readonly<Record<Receiver, string>> = {
  string: '"x"',
  array: '[]',
  number: '(1)',
  boolean: 'true',
  date: 'new Date(0)',
  regexp: '/x/',
};
const owners: Readonly<Record<string, object>> = { Array, Boolean, Date, JSON, Math, Number, Object, RegExp, String };
/** Of every function. */
const ofFunctions = ['length', 'name', 'prototype'];

describe.each(Object.keys(prototypes) as Receiver[])('every method of a %s', (kind) => {
  const reasons: Readonly<Record<string, string>> = {
    ...hiddenMembers,
    ...(kind === 'string' || kind === 'regexp' ? leftOutMethods[kind] : {}),
  };

  it('is there, or left out with a reason', () => {
    const ours = [...methodNames[kind], ...anyMethodNames, ...fieldNames[kind], ...Object.keys(reasons)];
    const missing = Object.getOwnPropertyNames(prototypes[kind]).filter((name) => !ours.includes(name));
    expect(missing).toEqual([]);
    const inherited = Object.getOwnPropertyNames(Object.prototype).filter((name) => !ours.includes(name));
    expect(inherited).toEqual([]);
  });

  it('is one of JavaScript', () => {
    const invented = methodNames[kind].filter((name) => !(name in prototypes[kind]));
    expect(invented).toEqual([]);
  });

  it('can be read as a function if it is there', () => {
    for (const name of methodNames[kind]) expect(run(`typeof ${samples[kind]}.${name}`), name).toBe('function');
  });

  it('fails with its reason if it is left out', () => {
    for (const [name, reason] of Object.entries(reasons)) {
      const error = failure(`${samples[kind]}[${JSON.stringify(name.slice(0, 2))} + ${JSON.stringify(name.slice(2))}]`);
      expect([error.code, error.message]).toEqual(['TOO6104', expect.stringContaining(reason)]);
    }
  });
});

describe('every static', () => {
  it.each(Object.keys(owners))('of %s is there, or left out with a reason', (owner) => {
    const ours = [...(statics[owner] ?? []), ...Object.keys(leftOutStatics[owner] ?? {}), ...ofFunctions];
    // What the last match of all was is kept there by old engines.
    const legacy = /^(?:\$.|input|lastMatch|lastParen|leftContext|rightContext)$/;
    const names = Object.getOwnPropertyNames(owners[owner]).filter(
      (name) => !(owner === 'RegExp' && legacy.test(name)),
    );
    expect(names.filter((name) => !ours.includes(name))).toEqual([]);
  });

  it('is one of JavaScript, with the same value if it is a constant', () => {
    for (const [owner, names] of Object.entries(statics)) {
      for (const name of names) {
        const real = (owners[owner] as Record<string, unknown>)[name];
        if (`${owner}.${name}` === 'Object.groupBy') continue;
        if (typeof real === 'number') expect(run(`${owner}.${name}`), name).toBe(real);
        else expect([run(`typeof ${owner}.${name}`), typeof real], name).toEqual(['function', 'function']);
      }
    }
  });

  it('groups as newer engines do', () => {
    expect(run('Object.groupBy([1, 2, 3], x => x % 2 ? "odd" : "even")')).toEqual({ odd: [1, 3], even: [2] });
  });
});

it('the globals are a short list', () => {
  expect(globalNames).toEqual(
    [
      ...['Array', 'Boolean', 'Date', 'Infinity', 'JSON', 'Math', 'NaN', 'Number', 'Object', 'RegExp', 'String'],
      ...['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'isFinite', 'isNaN', 'parseFloat'],
      ...['parseInt', 'undefined'],
    ].sort(),
  );
});
