import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileCode } from './compile.ts';
import { readCode } from './read-code.ts';

const runs = process.env.TOOLANG_DEEP ? 2000 : 100;

type Run = (...values: unknown[]) => Promise<unknown>;

function compile(code: string, parameters: readonly string[]): Run {
  return new Function(`return ${compileCode(code, parameters)}`)();
}

/** Blocks that declare `draft` in every way there is, or not; `U` stands for a use of it. Every use is reached. */
const { block } = fc.letrec<{ block: string; statement: string }>((tie) => ({
  block: fc
    .tuple(
      fc.constantFrom(
        '',
        '',
        '',
        'let draft = 1;',
        'const draft = 1;',
        'const { a: draft = 2 } = {};',
        'let [draft] = [1];',
        'class draft {}',
        'function draft() {}',
      ),
      fc.array(tie('statement'), { maxLength: 3 }),
    )
    .map(([declaration, statements]) => `${declaration} U; ${statements.join(' ')}`),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      'U;',
      '({ draft: 1 }).draft;',
      'draft: U;',
      '(function () { U; { var draft = 5; } U; })();',
      '(function (p = (U, 1)) { var draft = p; U; })();',
      '(class { static { U; { var draft = 1; } } });',
    ),
    tie('block').map((inner) => `{ ${inner} }`),
    tie('block').map((inner) => `(function () { ${inner} })();`),
    tie('block').map((inner) => `(() => { ${inner} })();`),
    tie('block').map((inner) => `(function draft() {{ ${inner} }})();`),
    tie('block').map((inner) => `((draft) => {{ ${inner} }})(3);`),
    tie('block').map((inner) => `(({ x: [draft = 1], ...y }, z = (U, 1)) => {{ ${inner} }})({ x: [] });`),
    tie('block').map((inner) => `try { throw 1 } catch (draft) {{ ${inner} }}`),
    tie('block').map((inner) => `for (let draft = 0; draft < 1; draft++) { ${inner} }`),
    tie('block').map((inner) => `for (const draft of [1]) { ${inner} }`),
    tie('block').map((inner) => `switch ((U, 1)) { default: ${inner} }`),
  ),
}));

test('what is read is what running the code reads', async () => {
  await fc.assert(
    fc.asyncProperty(block, async (program) => {
      let count = 0;
      const text = `${program} return 1`.replace(/\bU\b/g, () => `log.push([${count++}, draft])`);
      const log: [number, unknown][] = [];
      const { code, reads, problems } = await readCode(text, { names: new Set(['draft']), context: new Set(['log']) });
      expect(problems).toEqual([]);
      await compile(code, ['draft', 'log'])('STEP', log);
      const ran = log.filter(([, value]) => value === 'STEP').map(([number]) => number);
      const found = reads
        .filter(({ name }) => name === 'draft')
        .map(({ start, end }) => {
          expect(text.slice(start, end)).toBe('draft');
          return Number(/\[(\d+), $/.exec(text.slice(0, start))?.[1]);
        });
      expect([...new Set(found)].sort()).toEqual([...new Set(ran)].sort());
    }),
    { numRuns: runs },
  );
});

/** Ids with hyphens, and the plain names that mean the same. None of the locals is the last part of an id. */
const ids = ['research-web', 'a-b-c', 'a-b', 'get-new', 'draft-2'] as const;
const locals = ['research', 'a', 'x', 'get'] as const;

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...ids.map((id) => `<${id}>`)),
    fc.constantFrom('1', "'a-b'", '`a-b`', ...locals),
    fc
      .tuple(tie('expression'), fc.constantFrom(' - ', '-', '+', ' * ', ' < '), tie('expression'))
      .map(([a, op, b]) => `(${a})${op}(${b})`),
    fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...locals)).map(([id, local]) => `<${id}>-${local}`),
    tie('expression').map((inner) => `\`x\${${inner}}y\``),
    tie('expression').map((inner) => `[...[${inner}], { a: ${inner} }.a].join()`),
    fc.tuple(fc.constantFrom(...locals), tie('expression')).map(([local, inner]) => `((${local}) => ${inner})(3)`),
    fc
      .tuple(fc.constantFrom(...locals), tie('expression'), tie('expression'))
      .map(([local, a, b]) => `(function () { const ${local} = 2; if (${a}) return ${b}; return ${a} })()`),
  ),
}));

test('code with hyphenated ids runs as the same code with plain names', async () => {
  const plainName = (id: string) => id.replaceAll('-', '_');
  const context = new Set<string>(locals);
  const values = new Map(ids.map((id, index) => [id, 10 ** index]));
  const outer = locals.map((_, index) => index + 0.5);
  await fc.assert(
    fc.asyncProperty(expression, fc.boolean(), async (made, typed) => {
      const body = (name: (id: string) => string) =>
        `return ${made.replace(/<([\w-]+)>/g, (_, id: string) => name(id))}`;
      const text = typed ? `const t: number = 1; ${body((id) => id)}` : body((id) => id);
      const { code, problems } = await readCode(text, { names: new Set(ids), context });
      expect(problems).toEqual([]);
      const hyphenated = await compile(code, [...locals, 'steps'])(...outer, Object.fromEntries(values));
      const plain = await compile(body(plainName), [...locals, ...ids.map(plainName)])(...outer, ...values.values());
      expect(hyphenated).toEqual(plain);
    }),
    { numRuns: runs },
  );
});

/** Statements that declare a name of their own and use those before; every name is known. */
const lines: readonly ((own: string, other: string) => string)[] = [
  (own, other) => `const ${own} = input.list.map((each) => each + ${other});`,
  (own, other) => `let ${own} = ${other}\n`,
  (own, other) => `function ${own}(x, { y }) { return x + y + ${other} }`,
  (own, other) => `const { a: ${own}, b: [d${own}] } = ${other};`,
  (own, other) => `const ${own} = async (z) => {\n  const w = z\n  return w + ${other}\n}\n`,
  (own, other) => `class ${own} { m(p) { return p ? ${other} : { q: p } } }`,
  (own, other) => `let ${own}; for (const i of ${other}) { if (i) ${own} = i; else break }`,
  (own, other) => `var ${own} = \`a \${${other}} b\`; try { ${own}() } catch (e) { throw e }`,
  (own, other) => `const ${own}: string = ${other} as string;`,
];

test('a mistake of syntax makes no known name unknown', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(lines.length - 1), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(
        ...['(', ')', '[', ']', '{', '}', ',', 'input input', 'const', '=>', ':', 'return', '=', '?', '.', ';'],
      ),
      fc.nat(),
      async (made, junk, at) => {
        const names = ['input', ...made.map((_, index) => `v${index}`)];
        const words =
          `${made.map((line, index) => lines[line]?.(`v${index}`, names[index] ?? '')).join(' ')} return ${names.at(-1)}`.split(
            ' ',
          );
        words.splice(at % words.length, 0, junk);
        const { problems, reads } = await readCode(words.join(' '), {
          names: new Set(['e', 'x', 'z']),
          context: new Set(['input']),
        });
        // It may be right after all, and mean something else.
        fc.pre(problems.some(({ code }) => code === 'TOO3301' || code === 'TOO3302'));
        // With types around it nobody knows as well where JavaScript went wrong.
        if (!made.includes(lines.length - 1)) expect(problems.length).toBe(1);
        expect(problems.filter(({ code }) => code === 'TOO3307' || code === 'TOO3308')).toEqual([]);
        expect(reads.filter(({ name }) => name !== 'input')).toEqual([]);
      },
    ),
    { numRuns: runs * 2 },
  );
});

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'draft',
        'research-web',
        'a-b',
        'steps',
        'steps.',
        'input',
        'return ',
        'const ',
        'let x',
        'x',
        'await ',
        'import ',
        'import x from "y"',
        'export ',
        'enum ',
        'function ',
        'class ',
        'async ',
      ),
      fc.constantFrom(...'(){}[]<>=+-*/.,;:?!`\'"\\$#@&|^~%\n\r\t 019é😀·'),
      fc.constantFrom(
        '=>',
        '${',
        '?.',
        '...',
        ' as ',
        ': string',
        '<T>',
        '/*',
        '*/',
        '//',
        '\u2028',
        '\ud800',
        'type X = 1;',
      ),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));

test('no text breaks the reader, and what it accepts compiles', async () => {
  const names = new Set(['draft', 'research-web', 'a-b']);
  const context = new Set(['input', 'steps']);
  await fc.assert(
    fc.asyncProperty(soup, async (text) => {
      const { code, problems, reads, returns } = await readCode(text, { names, context, needsReturn: false });
      for (const { start, end } of [...problems, ...reads, ...returns]) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(text.length);
      }
      for (const { name, start, end } of reads) expect(text.slice(start, end)).toBe(name);
      if (problems.length === 0) compile(code, ['draft', 'steps', 'input']);
    }),
    { numRuns: runs * 5 },
  );
});

const fill = (piece: string, length = 60_000): string => piece.repeat(Math.floor(length / piece.length));
const list = (item: (index: number) => string, count = 4_000): string =>
  Array.from({ length: count }, (_, i) => item(i)).join('');

const huge: readonly (readonly [string, string])[] = [
  ['hyphens', `return ${fill('a-')}a`],
  ['hyphens of ids', `return ${fill('a-a-a-')}a`],
  ['members', `return draft${fill('.x')}`],
  ['unknown names', list((i) => `u${i};`)],
  ['broken texts', `return [${fill("'\n',")}]`],
  ['one broken text', `return '${fill('\n')}'`],
  ['imports', fill("import a from 'a';\n")],
  ['an import without an end', `import ${fill('a ')}`],
  ['blanks', fill(' ')],
  ['dots', `return ${fill('. ')}`],
  ['open brackets', fill('f(')],
  ['open objects', fill('{a:')],
  ['quotes', `${fill("'")}'`],
  ['ticks', `return ${fill('`${')}`],
  ['types', `let ${list((i) => `v${i}: A = 1,`, 3_000)} x; return v1`],
  ['declarations', `${list((i) => `{ let v${i} = input; }`, 2_000)} return 1`],
  ['vars in blocks', `${'{'.repeat(200)}${fill('var q;', 50_000)}${'}'.repeat(200)} return q`],
];

test.each(huge)(
  'linear time: %s',
  async (_, text) => {
    expect(text.length).toBeLessThan(65_536);
    const found = await readCode(text, {
      names: new Set(['draft', 'a-b', 'a-a-a-b']),
      context: new Set(['input', 'a']),
    });
    expect(found.problems.length).toBeLessThanOrEqual(text.length);
  },
  10_000,
);
