/**
 * Inference against JavaScript: what it lets through does not throw a TypeError, and what it refuses because it would
 * throw does throw for some values. Lists are never empty here: that `items[0]` is there is taken on trust.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arrayOf,
  booleanType,
  field,
  literalOf,
  numberType,
  refTo,
  type StructType,
  structOf,
  type Type,
  type TypeTable,
  textType,
} from '../../type/index.ts';
import { evaluate, isExpressionError } from '../evaluate/index.ts';
import type { Expression } from '../expression.ts';
import { parseExpression } from '../expression-parse.ts';
import type { Scope } from './context.ts';
import { inferExpression } from './infer.ts';
import { fromType } from './value-type.ts';

/** Choices, read in a circle. */
type Tape = (below: number) => number;

function tape(numbers: readonly number[]): Tape {
  let at = 0;
  return (below) => {
    const number = numbers[at++ % numbers.length] ?? 0;
    return (number + Math.floor(at / numbers.length)) % below;
  };
}

function one<T>(next: Tape, choices: readonly [T, ...T[]]): T {
  return choices[next(choices.length)] ?? choices[0];
}

const item = structOf([
  field('name', textType),
  field('size', numberType, { optional: true }),
  field('kind', literalOf('a', 'b')),
]);
const node: StructType = structOf(
  [field('value', numberType), field('next', refTo('Node'), { optional: true }), field('kids', arrayOf(refTo('Node')))],
  { name: 'Node' },
);
const table: TypeTable = new Map([['Node', node]]);
const input = structOf([
  field('text', textType),
  field('note', textType, { optional: true }),
  field('num', numberType),
  field('maybe', numberType, { optional: true }),
  field('flag', booleanType),
  field('level', literalOf('ok', 'bad', '')),
  field('tags', arrayOf(textType)),
  field('more', arrayOf(textType), { optional: true }),
  field('nums', arrayOf(numberType)),
  field('rec', structOf([field('name', textType), field('size', numberType, { optional: true })])),
  field('opt', item, { optional: true }),
  field('items', arrayOf(item)),
  field('node', refTo('Node')),
]);

function value(type: Type, next: Tape, absent: number, depth = 0): unknown {
  switch (type.kind) {
    case 'text':
      return one(next, ['', 'a', 'b,c', '12', ' x ']);
    case 'number':
      return one(next, [0, 1, -2.5, 100]);
    case 'boolean':
      return next(2) === 0;
    case 'literal':
      return type.values[next(type.values.length)];
    case 'array':
      return Array.from({ length: 1 + (depth > 2 ? 0 : next(2)) }, () => value(type.item, next, absent, depth + 1));
    case 'struct': {
      const out: Record<string, unknown> = {};
      for (const one of type.fields) {
        // Lists of nodes in nodes must end somewhere.
        if (one.name === 'kids' && depth > 2) out[one.name] = [{ value: 1, kids: [] }];
        else if (!one.optional || (depth < 4 && next(10) >= absent))
          out[one.name] = value(one.type, next, absent, depth + 1);
      }
      return out;
    }
    case 'ref':
      return value(node, next, absent, depth);
    default:
      throw new Error(type.kind);
  }
}

/** Expressions that are mostly meant, and sometimes not. */
function expression(next: Tape, names: readonly string[], depth: number): string {
  const again = () => expression(next, names, depth - 1);
  const dot = () => one(next, ['.', '.', '?.']);
  if (depth <= 0) return atom(next, names);
  switch (next(16)) {
    case 0:
      return atom(next, names);
    case 1:
      return `(${again()}${dot()}${one(next, ['length', 'name', 'size', 'kind', 'value', 'next'])})`;
    case 2:
      return `(${again()}${dot()}${one(next, ['trim()', 'toFixed(1)', 'join("-")', 'toUpperCase()', 'slice(0, 1)', 'includes("a")'])})`;
    case 3:
      return `(${again()} ${one(next, ['+', '-', '*', '<', '>', '>=', '==', '===', '!=', '!=='])} ${again()})`;
    case 4:
    case 5:
      return `(${again()} ${one(next, ['&&', '||', '??', '&&'])} ${again()})`;
    case 6:
      return `(${again()} ? ${again()} : ${again()})`;
    case 7: {
      const path = pathText(next);
      return `(${one(next, [path, `${path} != null`, `${path} !== undefined`, `!!${path}`])} && ${path}${use(next)})`;
    }
    case 8: {
      const path = pathText(next);
      return `(${one(next, [`!${path}`, `${path} == null`, `typeof ${path} === 'undefined'`])} || ${path}${use(next)})`;
    }
    case 9: {
      const name = `p${depth}`;
      const list = one(next, ['input.tags', 'input.items', 'input.nums', 'input.node.kids', again()]);
      const body = expression(next, [...names, name, name], depth - 1);
      return `(${list}${dot()}${one(next, ['map', 'filter', 'some', 'flatMap', 'find', 'every'])}(${name} => ${body}))`;
    }
    case 10: {
      const body = expression(next, [...names, 'size', 'name'], depth - 1);
      return `(${one(next, ['input.items', again()])}.map(({ name, size }) => ${body}))`;
    }
    case 11:
      return `(input.items.filter(f => ${one(next, ['f.size', 'f.size != null', 'f.size > 1', 'f.kind === "a"'])}).map(f => f.size${use(next)}))`;
    case 12:
      return `(input.nums.reduce((sum, n) => ${expression(next, [...names, 'sum', 'n'], depth - 1)}, ${one(next, ['0', '""', '[]'])}))`;
    case 13:
      return one(next, [
        `[${again()}, ...${again()}]`,
        `[${again()}]`,
        `({ name: ${again()}, ...${one(next, ['input.rec', 'input.opt', 'input.items[0]'])} })`,
        `[${again()}, 1][0]`,
      ]);
    case 14:
      return one(next, [
        `Object.keys(${again()})`,
        `Object.values(${again()})`,
        `String(${again()})`,
        `Math.round(${again()})`,
        `JSON.stringify(${again()})`,
      ]);
    default:
      return one(next, [
        `\`x\${${again()}}\``,
        `(typeof ${again()})`,
        `(!${again()})`,
        `("name" in ${again()})`,
        `(${again()}())`,
      ]);
  }
}

function atom(next: Tape, names: readonly string[]): string {
  const name = names.length > 0 && next(2) === 0 ? names[next(names.length)] : undefined;
  if (name !== undefined) return name + one(next, ['', '', '.name', '.size', '.value']);
  return one(next, [pathText(next), pathText(next), pathText(next), '(1)', '"a"', 'null', 'undefined', 'true']);
}

function pathText(next: Tape): string {
  return `input.${one(next, [
    'text',
    'note',
    'num',
    'maybe',
    'flag',
    'level',
    'tags',
    'tags[0]',
    'more',
    'nums',
    'rec',
    'rec.size',
    'opt',
    'opt?.name',
    'opt?.size',
    'items',
    'items[0].size',
    'node',
    'node.next',
    'node.next?.next',
    'node.kids[0]',
  ])}`;
}

function use(next: Tape): string {
  return one(next, [
    '.trim()',
    '.toFixed()',
    '.length',
    '.name',
    '.size',
    '.name.trim()',
    '?.size',
    '.next',
    '.value.toFixed()',
    '',
  ]);
}

interface Case {
  readonly text: string;
  readonly tree: Expression;
  readonly values: readonly unknown[];
}

function makeCase(numbers: readonly number[]): Case {
  const next = tape(numbers);
  const text = expression(next, [], 1 + next(4));
  const { expression: tree, problems } = parseExpression(text);
  if (tree === undefined) throw new Error(`${text}: ${problems[0]?.message ?? ''}`);
  const values = [10, 0, 5, 5, 5, 10, 3, 3].map((absent) => value(input, next, absent));
  return { text, tree, values };
}

const scope: Scope = new Map([['input', { type: fromType(input, table), absent: false, what: 'input' }]]);

/** Whether it throws a TypeError, which is what the machine gives for a value of the wrong type. */
function throwsFor(text: string, one: unknown): string | undefined {
  const run = new Function('input', `return (${text});`) as (value: unknown) => unknown;
  try {
    run(one);
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

const deep = process.env.TOOLANG_DEEP !== undefined;
const runs = deep ? 5_000 : 500;
const numbers = fc.array(fc.nat(1000), { minLength: 12, maxLength: 60 });

/** A problem of these says that it may throw. */
const throwing = new Set(['TOO3254', 'TOO3255', 'TOO3261', 'TOO3262']);

describe('inference', () => {
  it('lets nothing through that throws a TypeError', () => {
    let passed = 0;
    fc.assert(
      fc.property(numbers, (tapeNumbers) => {
        const { text, tree, values } = makeCase(tapeNumbers);
        if (inferExpression(tree, scope, { text }).problems.length > 0) return;
        passed++;
        for (const one of values) {
          const error = throwsFor(text, one);
          if (error !== undefined) throw new Error(`${text}\n${error}\n${JSON.stringify(one)}`);
        }
      }),
      { numRuns: runs },
    );
    expect(passed).toBeGreaterThan(runs / 5);
  });

  it('is right when it says that something may throw', () => {
    const alarms = new Map<string, string[]>();
    let told = 0;
    for (const tapeNumbers of fc.sample(numbers, deep ? runs : 1500)) {
      const { text, tree, values } = makeCase(tapeNumbers);
      const { problems } = inferExpression(tree, scope, { text });
      if (problems.length === 0 || problems.some(({ code }) => !throwing.has(code))) continue;
      told++;
      if (values.some((one) => throwsFor(text, one) !== undefined)) continue;
      for (const { code } of problems) alarms.set(code, [...(alarms.get(code) ?? []), text]);
    }
    const wrong = [...alarms.values()].reduce((sum, texts) => sum + texts.length, 0);
    // Fewer would say nothing about the share.
    expect(told).toBeGreaterThan(50);
    expect(wrong / told, JSON.stringify(Object.fromEntries(alarms), null, 1)).toBeLessThan(0.15);
  });

  it('lets nothing through that fails in the evaluator because a step has no value', () => {
    const absent: Scope = new Map([['input', { type: fromType(input, table), absent: true, what: 'step' }]]);
    fc.assert(
      fc.property(numbers, (tapeNumbers) => {
        const { text, tree, values } = makeCase(tapeNumbers);
        if (inferExpression(tree, absent, { text }).problems.length > 0) return;
        for (const one of [undefined, ...values.slice(0, 2)]) {
          try {
            evaluate(tree, { now: 0, lookup: (name) => ({ found: name === 'input', value: one, isStep: true }) });
          } catch (error) {
            if (!isExpressionError(error)) throw error;
            // A result that is a function is told by textProblems and assignableValue.
            if (error.code !== 'TOO6110')
              throw new Error(`${text}\n${error.code} ${error.message}\n${JSON.stringify(one)}`);
          }
        }
      }),
      { numRuns: deep ? runs : 300 },
    );
  });
});
