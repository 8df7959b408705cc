/** Properties of generated types and values: what is read, what is checked and what the schema says agree. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignable } from './assignable.ts';
import { type JsonSchema, toJsonSchema, unwrap, wrapForProvider } from './json-schema.ts';
import { printType } from './print.ts';
import { readJson } from './read-json.ts';
import { sampleValue } from './sample.ts';
import {
  arrayOf,
  booleanType,
  field,
  jsonType,
  literalOf,
  messageType,
  numberType,
  refTo,
  type StructType,
  structOf,
  type Type,
  textType,
} from './type.ts';
import { validate } from './validate.ts';

fc.configureGlobal({ seed: 2401 });

const tree: StructType = structOf(
  [
    field('name', textType, { doc: 'What it is called.' }),
    field('children', arrayOf(refTo('Tree'))),
    field('left', refTo('Tree'), { optional: true }),
  ],
  { name: 'Tree', doc: 'A tree.' },
);
const point: StructType = structOf([field('x', numberType), field('y', numberType, { optional: true })], {
  name: 'Point',
});
const table = new Map([
  ['Tree', tree],
  ['Point', point],
]);

const fieldName = fc.constantFrom('a', 'b', 'path', 'constructor', 'to-do', '__proto__', 'value', 'x/y~z');

const types: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<Type>(textType, numberType, booleanType, jsonType, messageType, refTo('Tree'), refTo('Point')),
    fc.uniqueArray(fc.constantFrom('ok', 'bad', 'so "so"', ''), { minLength: 1 }).map((v) => literalOf(...v)),
    tie('type').map(arrayOf),
    fc
      .uniqueArray(fc.record({ name: fieldName, type: tie('type'), optional: fc.boolean() }), {
        selector: (f) => f.name,
        maxLength: 4,
      })
      .map((fields) => structOf(fields)),
  ),
})).type;

/** Text is not nothing but a JSON string or blanks: alone, such text is read as what it quotes. */
const texts = fc.oneof(fc.string(), fc.constantFrom('```', '{', 'a\nb', '{"a":1}', '}}', '\u2028', '//x'));
const messages = fc.oneof(
  texts,
  fc.record({
    role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
    content: fc.oneof(texts, fc.array(fc.record({ type: fc.constant('text'), text: texts }), { maxLength: 2 })),
  }),
);
const jsons = fc.jsonValue({ maxDepth: 3, depthSize: 'small' }).map(plain);

function valuesOf(type: Type, depth = 0): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'text':
      return texts;
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map(plain);
    case 'boolean':
      return fc.boolean();
    case 'json':
      return jsons;
    case 'message':
      return messages;
    case 'literal':
      return fc.constantFrom(...type.values);
    case 'array':
      return depth > 5 ? fc.constant([]) : fc.array(valuesOf(type.item, depth + 1), { maxLength: 3 });
    case 'ref':
      return valuesOf(table.get(type.name) ?? textType, depth);
    case 'struct': {
      const members = type.fields.map((f) => {
        if (f.optional && depth > 3) return fc.constant([] as [string, unknown][]);
        // Null for an optional field is read as absent, so it does not come back.
        const present = valuesOf(f.type, depth + 1).map((v): [string, unknown][] =>
          v === null && f.optional ? [] : [[f.name, v]],
        );
        return f.optional ? fc.oneof(fc.constant([] as [string, unknown][]), present) : present;
      });
      return fc.tuple(...members).map((parts) => Object.fromEntries(parts.flat()));
    }
  }
}

/** -0 does not survive JSON. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

const typed = types.chain((type) => fc.record({ type: fc.constant(type), value: valuesOf(type) }));
const inObject = typed.filter(({ value }) => typeof value === 'object' && value !== null);

/** The part of JSON Schema that we write. */
function accepts(schema: JsonSchema, value: unknown, root: JsonSchema = schema): boolean {
  if (schema.$ref !== undefined) {
    expect(Object.keys(schema)).toEqual(['$ref']);
    const name = decodeURIComponent(schema.$ref.slice('#/$defs/'.length)).replaceAll('~1', '/').replaceAll('~0', '~');
    const target = root.$defs?.[name];
    if (target === undefined) throw new Error(`no $defs for ${name}`);
    return accepts(target, value, root);
  }
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (schema.type !== undefined && ![schema.type].flat().includes(kind)) return false;
  if (schema.enum !== undefined && !schema.enum.some((v) => v === value)) return false;
  if (schema.anyOf !== undefined && !schema.anyOf.some((s) => accepts(s, value, root))) return false;
  if (Array.isArray(value)) return value.every((v) => schema.items === undefined || accepts(schema.items, v, root));
  if (kind !== 'object') return true;
  const record = value as Record<string, unknown>;
  if (schema.required?.some((name) => !Object.hasOwn(record, name))) return false;
  return Object.keys(record).every((name) => {
    if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) {
      return accepts(schema.properties[name] ?? {}, record[name], root);
    }
    return schema.additionalProperties !== false;
  });
}

describe('types and values', () => {
  it('validate gives a value of the type back', () => {
    fc.assert(
      fc.property(typed, ({ type, value }) => {
        expect(validate(value, type, table)).toEqual({ ok: true, value });
      }),
    );
  });

  it('the schema accepts exactly what validate accepts', () => {
    fc.assert(
      fc.property(
        types,
        fc.oneof(
          typed.map((t) => t.value),
          jsons,
        ),
        (type, value) => {
          expect(accepts(toJsonSchema(type, table), value)).toBe(validate(value, type, table).ok);
        },
      ),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(typed, ({ type, value }) => {
        expect(accepts(toJsonSchema(type, table), value)).toBe(true);
        const { schema, wrapped } = wrapForProvider(type, table);
        expect(schema.type).toBe('object');
        expect(accepts(schema, wrapped ? { value } : value)).toBe(true);
      }),
    );
  });

  it('readJson reads its own JSON back without a repair', () => {
    fc.assert(
      fc.property(typed, fc.constantFrom(undefined, 2), ({ type, value }, indent) => {
        if (type.kind === 'message') return;
        const result = readJson(JSON.stringify(value, null, indent), type, table);
        if (type.kind === 'text') expect(result).toMatchObject({ ok: true, value });
        else expect(result).toEqual({ ok: true, value, repairs: [] });
      }),
    );
  });

  it('readJson reads JSON in fences and in prose', () => {
    const around = fc.constantFrom(
      (json: string) => `Sure! Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\nHope this helps :] }`,
      (json: string) => `\`\`\`\n${json}\n\`\`\``,
      (json: string) => `~~ The result is ${json}. Don't hesitate to ask!`,
      (json: string) => `{not json} [nor this one] "it's": ${json}`,
      (json: string) => `\uFEFF\n// as asked\n${json}\n`,
    );
    fc.assert(
      fc.property(inObject, around, ({ type, value }, wrap) => {
        if (type.kind === 'message') return;
        expect(readJson(wrap(JSON.stringify(value)), type, table)).toMatchObject({ ok: true, value });
      }),
    );
  });

  it('what a provider gave in a wrapper is read out of it', () => {
    fc.assert(
      fc.property(typed, ({ type, value }) => {
        const { wrapped } = wrapForProvider(type, table);
        const sent = wrapped ? { value } : value;
        expect(readJson(JSON.stringify(sent), type, table, { wrapped })).toMatchObject({ ok: true, value });
        if (wrapped) expect(unwrap(sent)).toEqual(value);
      }),
    );
  });

  it('a damaged answer is read as it was or refused, never cut short', () => {
    fc.assert(
      fc.property(inObject, fc.nat(), ({ type, value }, at) => {
        if (type.kind === 'message') return;
        const json = JSON.stringify(value);
        const cut = json.slice(0, 1 + (at % (json.length - 1)));
        expect(readJson(`Here: ${cut}`, type, table).ok).toBe(false);
        // One bracket at the end may be anything, a smile too.
        if (cut.length > 1) expect(readJson(`First ${json}, then ${cut}`, type, table).ok).toBe(false);
      }),
    );
  });

  it('readJson never throws, and what it gives is valid', () => {
    const noise = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"',
        "'",
        ':',
        ',',
        '```',
        '\n',
        '\\',
        '/*',
        '//',
        '1',
        'a',
        '"a":',
        'true',
        ' ',
      ),
    );
    fc.assert(
      fc.property(
        types,
        fc.oneof(
          noise.map((n) => n.join('')),
          fc.string(),
        ),
        fc.boolean(),
        (type, text, wrapped) => {
          const result = readJson(text, type, table, { wrapped });
          if (result.ok) expect(validate(result.value, type, table)).toEqual({ ok: true, value: result.value });
          else expect(result.errors.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('strict JSON means here what it means to JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(readJson(json, jsonType, table)).toEqual({
          ok: true,
          value: JSON.parse(json),
          repairs: expect.any(Array),
        });
      }),
    );
  });

  it('a value of one type is a value of every type it is assignable to', () => {
    fc.assert(
      fc.property(types, types, (from, to) => {
        expect(assignable(from, from, table)).toBe(true);
        expect(assignable(from, jsonType, table)).toBe(true);
        if (!assignable(from, to, table)) return;
        for (const value of fc.sample(valuesOf(from), { numRuns: 5, seed: 7 })) {
          expect(validate(value, to, table).ok).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('samples are valid, and every type prints', () => {
    fc.assert(
      fc.property(types, (type) => {
        expect(validate(sampleValue(type, table, 'x'), type, table).ok).toBe(true);
        expect(printType(type)).not.toBe('');
      }),
    );
  });
});
