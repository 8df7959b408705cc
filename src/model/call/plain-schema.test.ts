/** Schemas of tools, in words that services know. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsGoogle, googleParameters, withItems } from './plain-schema.ts';

const of = (property: unknown) => googleParameters({ type: 'object', properties: { a: property } }).properties;

describe('lists', () => {
  it('have items, wherever they are', () => {
    const list = { type: 'array' };
    const given = {
      type: 'object',
      properties: { a: list, b: { anyOf: [list] }, c: { type: 'array', items: list } },
      $defs: { d: list },
    };
    const full = { type: 'array', items: {} };
    expect(withItems(given)).toEqual({
      type: 'object',
      properties: { a: full, b: { anyOf: [full] }, c: { type: 'array', items: full } },
      $defs: { d: full },
    });
  });

  it('of an older draft are written in the way of the newest', () => {
    expect(withItems({ type: 'array', items: [{ type: 'string' }, { type: 'array' }] })).toEqual({
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'array', items: {} }],
      items: {},
    });
  });

  it('that say what they hold stay as they are, and so does what is only named like one', () => {
    const given = {
      type: 'object',
      properties: { items: { type: 'string' }, type: { type: 'array', items: { enum: ['array'] } } },
    };
    expect(withItems(given)).toEqual(given);
  });
});

describe('for Google', () => {
  it.each([
    [
      'one of several',
      { oneOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ],
    [
      'all of several',
      {
        allOf: [
          { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
          { properties: { y: { type: 'boolean' } } },
        ],
      },
      { type: 'object', properties: { y: { type: 'boolean' }, x: { type: 'string' } }, required: ['x'] },
    ],
    ['a constant', { const: 'x', description: 'It.' }, { description: 'It.', type: 'string', enum: ['x'] }],
    ['a choice with null', { enum: ['x', null] }, { type: ['string', 'null'], enum: ['x'] }],
    [
      'a choice with an empty text',
      { type: 'string', enum: ['', 'x'] },
      { description: 'One of "", "x".', type: 'string' },
    ],
    ['a format', { type: 'string', format: 'uri' }, { type: 'string' }],
    ['a time', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    ['a list without a type', { items: { type: 'string' } }, { type: 'array', items: { type: 'string' } }],
    ['an open object', { type: 'object', additionalProperties: { type: 'string' } }, { type: 'object' }],
    [
      'a needed field that there is not',
      { type: 'object', properties: { x: { type: 'string' } }, required: ['x', 'y'] },
      { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
    ],
    ['a reference', { $ref: '#/$defs/x', description: 'It.' }, { $ref: '#/$defs/x' }],
  ])('%s', (_, given, expected) => {
    expect(of(given)).toEqual({ a: expected });
  });

  it('anything is any of what there is', () => {
    for (const any of [{}, true, { description: 'It.' }])
      expect(of(any)).toMatchObject({ a: { anyOf: { length: 5 } } });
  });

  it('a mixed choice is told in words', () => {
    expect(of({ enum: ['a', 1] })).toMatchObject({ a: { description: 'One of "a", 1.', anyOf: { length: 5 } } });
  });

  it('whatever comes is no trouble', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => void of(value)));
  });

  it('an answer is held to a schema only where it says the same', () => {
    const closed = (properties: object) => ({ type: 'object', properties, required: [], additionalProperties: false });
    expect(
      fitsGoogle(
        closed({
          a: { type: ['string', 'null'] },
          b: { anyOf: [closed({ c: { type: 'boolean' } }), { type: 'null' }] },
        }),
      ),
    ).toBe(true);
    for (const other of [
      {},
      closed({}),
      { type: 'object' },
      { type: 'array' },
      { $ref: '#/$defs/x' },
      { type: 'string', enum: [''] },
      { oneOf: [] },
    ]) {
      expect(fitsGoogle(closed({ a: other }))).toBe(false);
    }
  });
});
