import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression, ExpressionProblem, Pattern, RecordEntry, Spread } from './expression.ts';
import { parseCondition, parseExpression } from './expression-parse.ts';
import { readsOf } from './expression-reads.ts';
import { parseInterpolated } from './interpolation.ts';

const runs = process.env.TOOLANG_DEEP ? 6_000 : 900;
const names = new Set(['a-b', 'step-2', 'research-web', 'a', 'b']);

/** The same tree without its places. */
function bare(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) =>
      key === 'start' || key === 'end' || key === 'nameStart' ? undefined : (inner as unknown),
    ),
  );
}

function shifted(expression: Expression, by: number): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key, inner) =>
      key === 'start' || key === 'end' || key === 'nameStart' ? (inner as number) + by : (inner as unknown),
    ),
  );
}

// A printer that puts parentheses around everything: what it prints has one meaning only.
function print(node: Expression | Spread): string {
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'number' ? `(${node.value})` : JSON.stringify(node.value);
    case 'regexp':
      return `/${node.pattern}/${node.flags}`;
    case 'name':
      return node.name;
    case 'member':
      return `${print(node.object)}${node.optional ? '?.' : '.'}${node.name}`;
    case 'index':
      return `${print(node.object)}${node.optional ? '?.' : ''}[${print(node.index)}]`;
    case 'chain':
      return `(${print(node.expression)})`;
    case 'call':
      return `${print(node.callee)}${node.optional ? '?.' : ''}(${node.args.map(print).join(', ')})`;
    case 'new':
      return `(new ${node.callee}(${node.args.map(print).join(', ')}))`;
    case 'unary':
      return `(${node.op} ${print(node.operand)})`;
    case 'binary':
    case 'logical':
      return `(${print(node.left)} ${node.op} ${print(node.right)})`;
    case 'conditional':
      return `(${print(node.test)} ? ${print(node.then)} : ${print(node.else)})`;
    case 'template': {
      const quoted = node.texts.map((text) => text.replace(/[\\`$]/g, '\\$&').replaceAll('\r', '\\r'));
      return `\`${quoted.map((text, i) => (i === 0 ? text : `\${${printAt(node.expressions, i - 1)}}${text}`)).join('')}\``;
    }
    case 'list':
      return `[${node.items.map((item) => (item === null ? ',' : `${print(item)},`)).join('')}]`;
    case 'record':
      return `({${node.entries.map((entry) => (entry.kind === 'entry' ? printEntry(entry) : print(entry))).join(', ')}})`;
    case 'spread':
      return `...${print(node.expression)}`;
    case 'arrow':
      return `(${node.params.map(printPattern).join(', ')}) => ${print(node.body)}`;
    case 'sequence':
      return `(${node.expressions.map(print).join(', ')})`;
  }
}

function printAt(nodes: readonly Expression[], index: number): string {
  const node = nodes[index];
  return node === undefined ? '' : print(node);
}

function printEntry({ key, value }: RecordEntry): string {
  return `${typeof key === 'string' ? JSON.stringify(key) : `[${print(key)}]`}: ${print(value)}`;
}

function printPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'name-pattern':
      return pattern.name;
    case 'list-pattern':
      return `[${pattern.items.map((item) => (item === null ? ',' : `${printPattern(item)},`)).join('')}]`;
    case 'record-pattern': {
      const entries = pattern.entries.map(({ key, value }) => `${JSON.stringify(key)}: ${printPattern(value)}`);
      return `{${[...entries, ...(pattern.rest === undefined ? [] : [`...${pattern.rest}`])].join(', ')}}`;
    }
    case 'rest-pattern':
      return `...${printPattern(pattern.pattern)}`;
    case 'default-pattern':
      return `${printPattern(pattern.pattern)} = ${print(pattern.value)}`;
  }
}

const place = { start: 0, end: 0 };
const word = fc.constantFrom('a', 'b', 'input', 'research-web', 'step-2', 'x1', 'größe', '$', '_');
const memberName = fc.constantFrom('a', 'b', 'length', 'if', 'class', 'größe', 'map');
const text = fc.string({
  unit: fc.constantFrom('a', '"', "'", '`', '$', '{', '}', '\\', '\n', '\u2028', 'é', '😀', '/'),
});

const { expression } = fc.letrec<{ expression: Expression; operand: Expression; link: Expression }>((tie) => {
  const item = fc.oneof(
    { weight: 4, arbitrary: tie('expression') },
    { weight: 1, arbitrary: tie('expression').map((e): Spread => ({ kind: 'spread', ...place, expression: e })) },
  );
  const items = fc.array(item, { maxLength: 3 });
  const param = fc.oneof(
    fc.constantFrom<Pattern>({ kind: 'name-pattern', ...place, name: 'p' }),
    tie('expression').map(
      (value): Pattern => ({
        kind: 'default-pattern',
        ...place,
        pattern: { kind: 'list-pattern', ...place, items: [null, { kind: 'name-pattern', ...place, name: 'q' }] },
        value,
      }),
    ),
    fc.constantFrom<Pattern>({
      kind: 'record-pattern',
      ...place,
      entries: [{ key: 'k y', value: { kind: 'name-pattern', ...place, name: 'r' } }],
      rest: 's',
    }),
  );
  const arrow = fc.record({
    kind: fc.constant('arrow' as const),
    start: fc.constant(0),
    end: fc.constant(0),
    params: fc.option(param, { nil: undefined }).map((p) => (p === undefined ? [] : [p])),
    body: tie('expression'),
  });
  const argument = fc.oneof({ weight: 5, arbitrary: item }, { weight: 1, arbitrary: arrow });
  const node = <K extends Expression['kind'], T extends object>(
    kind: K,
    fields: { [P in keyof T]: fc.Arbitrary<T[P]> },
  ) => fc.record(fields).map((rest) => ({ kind, ...place, ...rest }) as unknown as Expression);
  return {
    operand: fc.oneof(
      { maxDepth: 4 },
      word.map((name): Expression => ({ kind: 'name', ...place, name })),
      tie('link'),
    ),
    link: fc.oneof(
      { maxDepth: 4 },
      word.map((name): Expression => ({ kind: 'name', ...place, name })),
      node('member', {
        object: tie('link'),
        name: memberName,
        nameStart: fc.constant(0),
        optional: fc.constant(false),
      }),
      node('index', { object: tie('link'), index: tie('expression'), optional: fc.constant(false) }),
      node('call', { callee: tie('link'), args: fc.array(argument, { maxLength: 2 }), optional: fc.constant(false) }),
      node('chain', {
        expression: node('member', {
          object: node('index', { object: tie('link'), index: tie('expression'), optional: fc.constant(true) }),
          name: memberName,
          nameStart: fc.constant(0),
          optional: fc.boolean(),
        }),
      }),
    ),
    expression: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      tie('operand'),
      fc
        .oneof(
          text,
          fc.nat(),
          fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
          fc.boolean(),
          fc.constant(null),
        )
        .map((value): Expression => ({ kind: 'literal', ...place, value: Object.is(value, -0) ? 0 : value })),
      fc.constantFrom<Expression>(
        { kind: 'regexp', ...place, pattern: '[/}]\\/{2}', flags: 'g' },
        { kind: 'regexp', ...place, pattern: '"', flags: '' },
      ),
      node('unary', { op: fc.constantFrom('!', '-', '+', '~', 'typeof', 'void'), operand: tie('expression') }),
      node('binary', {
        op: fc.constantFrom('+', '-', '*', '/', '%', '==', '!==', '<', '>=', '&', '>>>', 'in'),
        left: tie('expression'),
        right: tie('expression'),
      }),
      node('logical', { op: fc.constantFrom('&&', '||', '??'), left: tie('expression'), right: tie('expression') }),
      fc
        .tuple(tie('expression'), tie('expression'), tie('expression'))
        // biome-ignore lint/suspicious/noThenProperty: the name of the field
        .map(([test, yes, no]): Expression => ({ kind: 'conditional', ...place, test, then: yes, else: no })),
      node('new', { callee: fc.constantFrom('Date', 'RegExp'), args: items }),
      node('list', { items: fc.array(fc.option(item, { nil: null }), { maxLength: 3 }) }),
      node('record', {
        entries: fc.array(
          fc.record({
            kind: fc.constant('entry'),
            key: fc.oneof(text, tie('operand')),
            value: tie('expression'),
          }),
          { maxLength: 2 },
        ),
      }),
      fc.tuple(text, fc.array(fc.tuple(tie('expression'), text), { maxLength: 2 })).map(
        ([first, rest]): Expression => ({
          kind: 'template',
          ...place,
          texts: [first, ...rest.map(([, t]) => t)],
          expressions: rest.map(([e]) => e),
        }),
      ),
      fc.array(tie('expression'), { minLength: 2, maxLength: 3 }).map(
        (expressions): Expression => ({
          kind: 'sequence',
          ...place,
          expressions,
        }),
      ),
    ),
  };
});

const piece = fc.constantFrom(
  ...'{ } {{ }} ( ) [ ] " \' ` ${ / \\ \n - -- + ++ = == === => . ?. ? : ; , ! ... // /* */ # “ ” 1 2n 0 a b a-b step-2'.split(
    ' ',
  ),
  ...'x if return function class await new Date this typeof in and not or constructor __proto__ import'.split(' '),
  ' ',
  '\n',
  '"a": ',
  'é',
  '😀',
  '\ud800',
);
const noise = fc.oneof(
  { weight: 4, arbitrary: fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')) },
  { weight: 2, arbitrary: fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(' ')) },
  { weight: 1, arbitrary: fc.string() },
);

function inPlace(source: string, problems: readonly ExpressionProblem[]): void {
  for (const { start, end } of problems) {
    expect(0 <= start && start <= end && end <= source.length, JSON.stringify({ source, start, end })).toBe(true);
  }
  const starts = problems.map((problem) => problem.start);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
}

describe('a printed expression', () => {
  it('is read as what was printed', () => {
    fc.assert(
      fc.property(expression, (tree) => {
        const source = print(tree);
        const parsed = parseExpression(source, { names });
        expect(parsed.problems, source).toEqual([]);
        expect(bare(parsed.expression), source).toEqual(bare(tree));
        expect(() => readsOf(parsed.expression ?? tree)).not.toThrow();
      }),
      { numRuns: Math.min(runs, 20_000) },
    );
  });

  it('is one hole in a text, whatever braces it holds', () => {
    fc.assert(
      fc.property(expression, fc.constantFrom('', '{{', '}}', 'x ', "'"), (tree, around) => {
        const source = `${around}{ ${print(tree)} }${around}`;
        const { value, problems } = parseInterpolated(source, { names });
        expect(problems, source).toEqual([]);
        expect(value.parts.filter((part) => part.kind === 'hole').map((part) => bare(part.expression))).toEqual([
          bare(tree),
        ]);
      }),
      { numRuns: Math.min(runs, 20_000) / 3 },
    );
  });
});

describe('any text', () => {
  it('is parsed without an exception, with problems in place and in order', () => {
    fc.assert(
      fc.property(noise, (source) => {
        for (const parse of [parseExpression, parseCondition]) {
          const parsed = parse(source, { names });
          inPlace(source, parsed.problems);
          expect(parsed.expression !== undefined || parsed.problems.length > 0).toBe(true);
        }
        const { value, problems } = parseInterpolated(source, { names });
        inPlace(source, problems);
        expect(value.parts.map((part) => source.slice(part.start, part.end)).join('')).toBe(source);
      }),
      { numRuns: runs },
    );
  });

  it('is the same expression in the braces of a condition', () => {
    fc.assert(
      fc.property(
        noise.filter((source) => !/[{}]/.test(source)),
        (source) => {
          const plain = parseExpression(source, { names });
          const braced = parseCondition(`{${source}}`, { names });
          if (plain.expression === undefined || plain.problems.length > 0) return;
          if (source.includes('//')) return;
          expect(braced.problems).toEqual([]);
          expect(braced.expression).toEqual(shifted(plain.expression, 1));
        },
      ),
      { numRuns: runs },
    );
  });

  it('has one problem less, and no other, when one is mended', () => {
    fc.assert(
      fc.property(noise, fc.constantFrom(parseExpression, parseCondition, parseInterpolated), (source, parse) => {
        const before = parse(source, { names }).problems;
        for (const problem of before) {
          if (problem.replacement === undefined) continue;
          const mended = source.slice(0, problem.start) + problem.replacement + source.slice(problem.end);
          const after = parse(mended, { names }).problems;
          expect(after.length, JSON.stringify({ source, mended, before, after }, null, 1)).toBeLessThan(before.length);
        }
      }),
      { numRuns: runs },
    );
  });
});
