import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdits, createSource, type Span } from '../../text/index.ts';
import { parseToon, type ToonDocument, type ToonValue } from '../../toon/index.ts';
import { readWorkflow, requireRunnable } from './workflow.ts';

const deep = process.env.TOOLANG_DEEP !== undefined;
const numRuns = deep ? 10_000 : 300;

const sample = `name: release-notes
imports:
  schemas[1]{from,use}:
    ./schemas.ts,"Ticket, Verdict"
  plugins[1]:
    - from: "@acme/slack"
      config:
        channel: "#dev"
agents:
  writer:
    type: anthropic
    model: m
  judge:
    type: too
    use: ./judge.too#review
input:
  repo: string
  since: string?
schemas:
  Review:
    level: "ok" | "bad"?
    all: "string[]"
    findings[1]:
      - path: string
components:
  Brief:
    params:
      text: string
    steps[1]:
      - id: "{id}-short"
        agent: writer
        prompt[2]:
          - Shorten
          - "{params.text}"
        output: Review
steps[4]:
  - id: review
    agent: judge
    with:
      readers: all
  - id: changes
    run: "return { a: 1 }"
    output:
      lines: "string[]"
    timeout: 5m
    retry:
      maxAttempts: 3
      initialDelay: 1s
    cache:
      by[1]: "{input.repo}"
      version: 2
    needs[2]: a,b
  - kind: loop
    id: polish
    until: "{review.approved}"
    maxIterations: 3
    children[1]:
      - kind: component
        id: brief
        use: Brief
        with:
          text: "{changes.lines}"
  - kind: approval
    id: publish
    request:
      title: "Publish {input.repo}?"
    onDeny: fail
`;

/** Every word of the language, so that random trees come close to it. */
const words = [...new Set(sample.match(/[A-Za-z]+/g)), 'else', 'then', 'kind', 'branch', 'path', 'use', 'as', 'keep'];
const word = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: fc.string() });
const span = fc
  .tuple(fc.nat(sample.length), fc.nat(40))
  .map(([start, length]): Span => ({ start, end: Math.min(start + length, sample.length) }));
const key = fc.record({ text: word, span, quoted: fc.boolean() });
const text = fc.record({
  kind: fc.constant('string' as const),
  span,
  text: fc.oneof(word, fc.constantFrom('string[]', '5m', '{id}-x', 'a, b', '"a" | "b"', 'x # y', '["', 'Array<')),
  quoted: fc.boolean(),
});

const { value } = fc.letrec<{ value: ToonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.record({ kind: fc.constant('number' as const), span, value: fc.double() }),
    fc.record({ kind: fc.constant('boolean' as const), span, value: fc.boolean() }),
    fc.record({ kind: fc.constant('null' as const), span }),
    fc.record({ kind: fc.constant('union' as const), span, members: fc.array(text) }),
    fc.record({
      kind: fc.constant('object' as const),
      span,
      entries: fc.uniqueArray(fc.record({ key, value: tie('value'), span }), { selector: (entry) => entry.key.text }),
    }),
    fc.record(
      {
        kind: fc.constant('array' as const),
        span,
        items: fc.array(tie('value')),
        header: fc.record({
          span,
          form: fc.constantFrom('inline', 'list', 'table'),
          length: fc.record({ value: fc.nat(5), span }),
          delimiter: fc.constant(','),
          fields: fc.array(key),
        }),
      },
      { requiredKeys: ['kind', 'span', 'items'] },
    ),
  ) as fc.Arbitrary<ToonValue>,
}));

function check(document: ToonDocument): void {
  const { draft, diagnostics } = readWorkflow(document);
  const { length } = document.source.text;
  for (const d of [...diagnostics, ...requireRunnable(draft)]) {
    expect(d.span.start >= 0 && d.span.end <= length && d.span.start <= d.span.end, d.message).toBe(true);
    expect(d.message).not.toMatch(/undefined|\[object|\.$/);
    if (d.fix) expect(applyEdits(document.source.text, d.fix.edits).skipped, d.message).toEqual([]);
  }
  expect(readWorkflow(document).diagnostics).toEqual(diagnostics);
}

test('random trees never crash', () => {
  const source = createSource('flow.toon', sample);
  fc.assert(
    fc.property(value, (root) => check({ kind: 'document', source, root, comments: [] })),
    { numRuns },
  );
});

test('a file with a few wrong characters never crashes, and is read the same twice', () => {
  const edit = fc.tuple(
    fc.nat(sample.length),
    fc.nat(12),
    fc.oneof(word, fc.constantFrom('', ':', ' ', '\n', '"', '- ', '[2]', '42', '?', '{', '|')),
  );
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      let changed = sample;
      for (const [at, length, put] of edits) changed = changed.slice(0, at) + put + changed.slice(at + length);
      check(parseToon(createSource('flow.toon', changed), { profile: true }).document);
    }),
    { numRuns: numRuns / 2 },
  );
});

test('a fix of a file with one mistake never makes it worse', () => {
  const errors = (changed: string) => {
    const { document, diagnostics } = parseToon(createSource('flow.toon', changed), { profile: true });
    return { parsed: diagnostics.length, found: readWorkflow(document).diagnostics };
  };
  const places = [...sample.matchAll(/[A-Za-z0-9]+/g)].map((found) => [found.index, found[0].length] as const);
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.oneof(word, fc.constantFrom('42', 'strin', '5 min')),
      ([at, length], put) => {
        const changed = sample.slice(0, at) + put + sample.slice(at + length);
        const { parsed, found } = errors(changed);
        const [first] = found;
        if (parsed > 0 || !first?.fix) return;
        const after = errors(applyEdits(changed, first.fix.edits).text);
        expect(after.parsed, first.message).toBe(0);
        expect(after.found.length, first.message).toBeLessThanOrEqual(found.length);
      },
    ),
    { numRuns: numRuns / 2 },
  );
});

test('thousands of levels are an error of the decoder, not a crash', () => {
  const lines = Array.from(
    { length: 3000 },
    (_, i) => `${'  '.repeat(2 * i)}- kind: sequence\n${'  '.repeat(2 * i + 1)}children[1]:`,
  );
  const text = `steps[1]:\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}\n`;
  const { document, diagnostics } = parseToon(createSource('flow.toon', text), { profile: true });
  expect(diagnostics.length).toBeGreaterThan(0);
  check(document);
});

test('every mistake of a large file is reported', () => {
  const steps = (count: number) =>
    `steps[${count}]:\n${Array.from({ length: count }, (_, i) => `  - id: s${i}\n    run: x\n    outptu: str\n    needs: a, b`).join('\n')}\n`;
  const { document } = parseToon(createSource('flow.toon', steps(5000)), { profile: true });
  expect(readWorkflow(document).diagnostics).toHaveLength(15_000);
});
