/** Tools with nasty names and schemas, and arguments that fit them. The seed decides all. Fast: 100,000 take seconds. */
import type { ToolSchema, ToolSpec } from '../../src/calls/tool.ts';
import { createRandom, type Random } from '../generate/random.ts';

export interface ToolCase {
  readonly seed: number;
  readonly tool: ToolSpec;
  /** They fit the schema. */
  readonly args: Record<string, unknown>;
  /** Others for the same tool, new ones with each call. */
  readonly others: () => Record<string, unknown>;
}

type Choices<T> = readonly [T, ...T[]];

const E = '\u{1f6e0}';
const M = `${E}\ufe0f`;

const toolNames: Choices<string> = ['run', 'create-file', 'x', '@json', '/ending', 'Result', 'a=b', '"q"', '[', '工具'];

const paramNames: Choices<string> = [
  'path',
  'mode',
  'limit',
  'content',
  'command',
  'query',
  'a',
  'b',
  '__proto__',
  'constructor',
  'toString',
  'my file',
  'x=y',
  '"q',
  "it's",
  ']',
  '0',
  '12',
  '',
  '名前',
  `${M}[/end]`,
  'line\nbreak',
  '\ud800',
];

/** Parts of strings: what the syntax uses, and what it could mistake for something else. */
const pieces: Choices<string> = [
  'a',
  'word',
  'don',
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\t',
  '\u00a0',
  '\u2028',
  '"',
  "'",
  '\\',
  '\\\\',
  'C:\\dir\\',
  ']',
  '[',
  '=',
  'path=',
  'content=',
  'a=1',
  '@json',
  'null',
  'true',
  'FALSE',
  '5',
  '1.50',
  '-0',
  '1e5',
  '9007199254740993',
  `${M}[/end]`,
  `${M}\\[/end]`,
  `${E}\\\\[/end]`,
  `${E}\ufe0e[/end]`,
  `${M}[run`,
  `${M}[`,
  M,
  E,
  '\ud83d',
  '\udee0',
  '\ufe0f',
  '[/end]',
  '/end]',
  '{"a":1}',
  '```json\n',
  '```',
  '\0',
  '\ufeff',
  'é',
  '👩‍🚀',
  '__proto__',
  'long '.repeat(900),
];

const numbers: Choices<number> = [
  0,
  1,
  -1,
  7,
  1.5,
  -2.25,
  1e21,
  1e-7,
  2 ** 53,
  2 ** 60,
  2 ** 64,
  5e-324,
  1.7976931348623157e308,
];
const integers: Choices<number> = [0, 1, -1, 10, 2 ** 31, 2 ** 53 - 1, 2 ** 60, 2 ** 64, 1e21, 1e300];

/** A schema, and a value that fits it. */
interface Kind {
  readonly schema: unknown;
  readonly value: (random: Random) => unknown;
}

export function generateTool(seed: number): ToolCase {
  const random = createRandom(seed);
  const defs: Record<string, unknown> = {};
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  const args: Record<string, unknown> = {};
  const kinds: { readonly name: string; readonly kind: Kind; readonly needed: boolean }[] = [];
  const complex = random.chance(25);
  const count = random.chance(30) ? 1 : random.below(6);
  for (let i = 0; i < count; i++) {
    // Many tools have a body, and few names are needed for that.
    const name = random.chance(25) ? 'content' : random.pick(paramNames);
    if (Object.hasOwn(properties, name)) continue;
    const plain = name === 'content' && random.chance(70);
    let kind = complex && random.chance(40) ? complexKind(random, 2) : plain ? textKind : scalarKind(random);
    if (random.chance(10)) kind = referred(kind, defs, random);
    define(properties, name, kind.schema);
    const needed = random.chance(60);
    if (needed) required.push(name);
    kinds.push({ name, kind, needed });
    if (needed || random.chance(60)) define(args, name, kind.value(random));
  }
  const closed = random.chance(20);
  if (!closed && random.chance(3)) define(args, 'more', anyValue(random, 2));
  const schema: ToolSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 || random.chance(50) ? { required } : {}),
    ...(closed ? { additionalProperties: false } : {}),
    ...(Object.keys(defs).length > 0 ? { $defs: defs } : {}),
  };
  const tool: ToolSpec = {
    name: random.pick(toolNames),
    ...(count > 0 || random.chance(50) || Object.keys(args).length > 0 ? { parameters: schema } : {}),
    ...bodyChoice(random, properties, complex),
  };
  const others = () => {
    const others: Record<string, unknown> = {};
    for (const { name, kind, needed } of kinds)
      if (needed || random.chance(60)) define(others, name, kind.value(random));
    if (!closed && tool.parameters && random.chance(3)) define(others, 'more', anyValue(random, 2));
    return others;
  };
  return { seed, tool, args, others };
}

/** A string of nasty pieces. */
export function generateText(random: Random): string {
  if (random.chance(10)) return '';
  if (random.chance(30)) return random.pick(['a.txt', 'src/x y.ts', 'hello', 'two words\n', "don't"]);
  let text = '';
  for (let left = 1 + random.below(random.chance(20) ? 12 : 4); left > 0; left--) text += random.pick(pieces);
  return text;
}

function bodyChoice(random: Random, properties: Record<string, unknown>, complex: boolean): { body?: string | null } {
  if (complex || random.chance(50)) return {};
  const texts = Object.keys(properties).filter((name) => isText(properties[name]));
  const [first, ...rest] = texts;
  return first === undefined || random.chance(10) ? { body: null } : { body: random.pick([first, ...rest]) };
}

function isText(schema: unknown): boolean {
  const type = (schema as ToolSchema).type;
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}

const textKind: Kind = { schema: { type: 'string' }, value: generateText };

function scalarKind(random: Random): Kind {
  const text = () => generateText(random);
  const integer = () => random.pick(integers);
  const number = () => random.pick(numbers);
  const truth = () => random.chance(50);
  const kinds: Choices<() => Kind> = [
    () => textKind,
    () => ({ schema: { type: 'string', description: 'a text' }, value: text }),
    () => ({ schema: { type: 'integer' }, value: integer }),
    () => ({ schema: { type: 'number' }, value: number }),
    () => ({ schema: { type: 'boolean' }, value: truth }),
    () => ({ schema: { type: 'null' }, value: () => null }),
    () => ({ schema: { type: ['string', 'null'] }, value: () => (random.chance(30) ? null : text()) }),
    () => ({ schema: { type: 'integer', nullable: true }, value: () => (random.chance(30) ? null : integer()) }),
    () => ({ schema: { type: ['string', 'integer'] }, value: () => (random.chance(50) ? integer() : text()) }),
    () => ({
      schema: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] },
      value: () => random.pick([text, number, truth, () => null] as Choices<() => unknown>)(),
    }),
    () => listed(random, [text(), text(), 'Celsius', 'celsius', 'kelvin']),
    () => listed(random, [text(), 5, '5', null, 'null', true, 'true', 1.5]),
    () => listed(random, [0, 1, 2, false]),
    () => {
      const fixed = random.pick([text(), 7, true, null] as Choices<unknown>);
      return { schema: { const: fixed }, value: () => fixed };
    },
    () => ({ schema: { allOf: [{ type: ['string', 'integer'] }, { type: 'string' }] }, value: text }),
  ];
  return random.pick(kinds)();
}

function listed(random: Random, values: Choices<unknown>): Kind {
  return { schema: { enum: values }, value: () => random.pick(values) };
}

function complexKind(random: Random, depth: number): Kind {
  const inner = depth > 0 && random.chance(40) ? complexKind(random, depth - 1) : scalarKind(random);
  const kinds: Choices<() => Kind> = [
    () => ({
      schema: random.pick([true, {}, { description: 'anything' }] as Choices<unknown>),
      value: (r) => anyValue(r, 2),
    }),
    () => ({
      schema: { type: 'array', items: inner.schema },
      value: (r) => Array.from({ length: r.below(4) }, () => inner.value(r)),
    }),
    () => ({
      schema: { type: 'object', properties: { inner: inner.schema }, required: ['inner'] },
      value: (r) => ({ inner: inner.value(r), ...(r.chance(20) ? { other: generateText(r) } : {}) }),
    }),
    () => ({
      schema: { type: 'object', additionalProperties: inner.schema },
      value: (r) => {
        const value = {};
        for (let left = r.below(3); left > 0; left--) define(value, r.pick(paramNames), inner.value(r));
        return value;
      },
    }),
  ];
  return random.pick(kinds)();
}

function anyValue(random: Random, depth: number): unknown {
  if (depth > 0 && random.chance(40)) return complexKind(random, depth - 1).value(random);
  return scalarKind(random).value(random);
}

function referred(kind: Kind, defs: Record<string, unknown>, random: Random): Kind {
  const name = random.pick(['def', 'a/b', 'c~d', 'e f']);
  if (Object.hasOwn(defs, name)) return kind;
  define(defs, name, kind.schema);
  const pointer = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
  return { schema: { $ref: `#/$defs/${pointer}` }, value: kind.value };
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
