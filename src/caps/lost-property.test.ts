/** Properties and frontmatter that the text of an inline cap has swallowed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, createSource, type Diagnostic, hasErrors, rangeOf } from '../text/index.ts';
import { type Cap, capKinds, isOneOf, parse } from '../too/index.ts';
import { validateCapFile, validateInlineCap } from './validate.ts';

fc.configureGlobal({ seed: 20 });

function check(text: string): Diagnostic[] {
  const source = createSource('agent.too', text);
  const parsed = parse(source);
  const caps = parsed.program.items.filter((item): item is Cap => isOneOf(item.kind, capKinds));
  return [...parsed.diagnostics, ...caps.flatMap((cap) => validateInlineCap(source, cap).diagnostics)];
}

/** `code line:column` of each, and what is left after its fix. */
function problems(text: string): string[] {
  return check(text).map((d) => {
    const { start } = rangeOf(d.source, d.span);
    return `${d.code} ${start.line}:${start.column}`;
  });
}

function fixed(text: string): string {
  return applyEdits(
    text,
    check(text).flatMap((d) => d.fix?.edits ?? []),
  ).text;
}

describe('an indented service', () => {
  const above = 'service x:\n  transport = http\n  target = https://x.y/mcp\n  description = d\n';

  test('is told that headers are one property, with all of them in it', () => {
    const text = `${above}  headers.Authorization = Bearer $A\n  headers.X-Team: docs\n  Body\n`;
    expect(problems(text)).toEqual(['TOO5223 5:3']);
    expect(check(text)[0]?.message).toBe(
      'service "x" has no "headers": this line is read as text, because headers are one property.',
    );
    const mended = `${above}  headers = Authorization: Bearer $A, X-Team: docs\n  Body\n`;
    expect(fixed(text)).toBe(mended);
    expect(problems(mended)).toEqual([]);
  });

  test('may speak of headers', () => {
    expect(problems(`${above}  Its headers.Authorization is checked.\n`)).toEqual([]);
  });
});

describe('an indented cap', () => {
  test('is told at the line that a property takes "="', () => {
    const [problem] = check('skill x:\n  description: d\n  Body\n');
    expect(problem).toMatchObject({
      code: 'TOO5223',
      message:
        'skill "x" has no "description": this line is read as text, because in an indented cap a property takes "=".',
      fix: { edits: [{ text: 'description = ' }] },
    });
  });

  test.each([
    ['a colon', 'skill x:\n  description: d\n  Body\n', 'skill x:\n  description = d\n  Body\n'],
    ['a colon and quotes', "skill x:\n  description : 'd: e'\n  B\n", 'skill x:\n  description = d: e\n  B\n'],
    ['a capital', 'skill x:\n  Description = d\n  Body\n', 'skill x:\n  description = d\n  Body\n'],
    ['a misspelt name', 'skill x:\n  descripton: d\n  Body\n', 'skill x:\n  description = d\n  Body\n'],
    ['a name before it', 'skill x:\n  name: x\n  description: d\n  Body\n', 'skill x:\n  description = d\n  Body\n'],
    ['windows line ends', 'skill x:\r\n  description: d\r\n  Body\r\n', 'skill x:\r\n  description = d\r\n  Body\r\n'],
    [
      'every line of a service',
      'service x:\n  Description: d\n\n  transport: http\n  target: https://x.y/mcp\n  env: A, B\n',
      'service x:\n  description = d\n\n  transport = http\n  target = https://x.y/mcp\n  env = A, B\n',
    ],
    [
      'right lines below a wrong one',
      'service x:\n  description: d\n  transport = http\n  target = https://x.y/mcp\n',
      'service x:\n  description = d\n  transport = http\n  target = https://x.y/mcp\n',
    ],
    [
      'lines below a comment',
      'service x:\n  # c\n  description = d\n  transport: http\n  target = https://x.y/mcp',
      'service x:\n  description = d\n  transport = http\n  target = https://x.y/mcp\n  # c',
    ],
  ])('is mended by its fixes: %s', (_, text, expected) => {
    expect(fixed(text)).toBe(expected);
    expect(check(expected)).toEqual([]);
  });

  test('is reported for each line that is wrong, and for what is wrong with its value', () => {
    expect(problems('service x:\n  description = d\n  transport: HTTP\n  target: a.b/c\n')).toEqual([
      'TOO5223 3:3',
      'TOO5227 3:14',
      'TOO5223 4:3',
      'TOO5228 4:11',
    ]);
    expect(problems('skill x:\n  description: d\n')).toEqual(['TOO5226 1:7', 'TOO5223 2:3']);
    expect(problems('service x:\n  transport: http\n  target: https://x.y\n  headers:\n    A: b\n  text\n')).toEqual([
      'TOO5224 1:9',
      'TOO5223 2:3',
      'TOO5223 3:3',
      'TOO5223 4:3',
    ]);
  });

  test('is told once where its text begins', () => {
    const [problem, ...more] = check('skill a:\n  Text.\n  description = x\n');
    expect(more).toEqual([]);
    expect(problem?.message).toContain('because the text begins at line 2.');
    expect(problem?.related.map((r) => r.source.text.slice(r.span.start, r.span.end))).toEqual(['Text.']);
    expect(problem?.fix).toBeUndefined();
    expect(problems('service a:\n  Text.\n  transport = http\n  more\n  target = x y\n')).toEqual([
      'TOO5224 1:9',
      'TOO5223 3:3',
      'TOO5228 5:12',
    ]);
    expect(problems('service a:\n  transport = http\n  target = https://x.y\n  T\n  description = d\n')).toEqual([
      'TOO5224 5:3',
    ]);
  });

  test.each([
    ['a sample in its text', 'skill a:\n  Text.\n  ```\n  description: x\n  ```\n', ['TOO5223 1:7']],
    ['deeper text', 'skill a:\n  Text.\n    description: x\n', ['TOO5223 1:7']],
    ['text that looks like a property it has', 'skill a:\n  description = d\n  Description: x\n', []],
    ['an address', 'skill a:\n  description = d\n  target://x\n', []],
    ['text of a psyche', 'psyche a:\n  Tone: calm\n', []],
  ])('is not misled by %s', (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  test('warns of a description that a psyche or prompt sends to the model', () => {
    expect(problems('prompt a:\n  Description: x\n  Hi\n')).toEqual(['TOO5212 2:3']);
    expect(problems('psyche a:\n  # c\n  description = x\n  Hi\n')).toEqual(['TOO5212 3:3']);
    expect(problems('prompt a:\n  description = x\n  description: y\n')).toEqual([]);
  });
});

describe('frontmatter out of place', () => {
  test.each([
    ['in an indented psyche', 'psyche x:\n  ---\n  a: b\n  ---\n  Body\n', ['TOO5212 2:3']],
    ['below a blank line', 'prompt x: ```md\n\n---\na: b\n---\nHi\n```\n', ['TOO5212 3:1']],
    ['in an indented skill', 'skill x:\n\n  ---\n  description: d\n  ---\n  Body ```` x\n', ['TOO5223 4:3']],
    [
      'below a blank line of a skill',
      'skill x: ```md\n \n  ---\n  description: d\n  ---\n  T\n  ```\n',
      ['TOO5223 4:3'],
    ],
    [
      'in an indented service',
      'service x:\n  ---\n  description: d\n  transport: stdio\n  target: uvx x\n  env:\n    - A\n  ---\n',
      ['TOO5223 4:3'],
    ],
  ])('is reported, and mended: %s', (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
    expect(check(fixed(text))).toEqual([]);
  });

  test('is told without a fix where none is sure', () => {
    for (const text of [
      'psyche x:\n  a = b\n  ---\n  c: d\n  ---\n  Body\n',
      'psyche x:\n  ---\n  a: b\n  what is this\n  ---\n  Body\n',
      'psyche x: # why\n  ---\n  a: b\n  ---\n  Body\n',
    ]) {
      expect(check(text)).toMatchObject([{ code: 'TOO5212' }]);
      expect(check(text)[0]?.fix).toBeUndefined();
    }
  });

  test('is not what stands between two rules of a text', () => {
    expect(problems('psyche x:\n  ---\n  Hello there.\n  ---\n  Body\n')).toEqual([]);
    expect(problems('psyche x:\n  ---\n  a: b\n')).toEqual([]);
    expect(problems('psyche x:\n  Text.\n  ---\n  a: b\n  ---\n')).toEqual([]);
  });

  test('of a file is found below blank lines', () => {
    const file = (kind: 'psyche' | 'skill', text: string) => validateCapFile(kind, 'x', createSource('x.md', text));
    const late = '\n\n---\ndescription: d\n---\nText.\n';
    for (const [kind, code] of [
      ['psyche', 'TOO5212'],
      ['skill', 'TOO5209'],
    ] as const) {
      const { diagnostics } = file(kind, late);
      expect(diagnostics.map((d) => [d.code, rangeOf(d.source, d.span).start.line])).toEqual([[code, 3]]);
      const mended = applyEdits(late, diagnostics[0]?.fix?.edits ?? []).text;
      expect(file(kind, mended)).toMatchObject({ cap: { kind }, diagnostics: [] });
    }
    expect(file('skill', '\n---\nname: x\n---\n').diagnostics.map((d) => d.code)).toEqual([
      'TOO5223',
      'TOO5226',
      'TOO5209',
      'TOO5222',
    ]);
  });
});

describe('whatever is written', () => {
  const word = fc.constantFrom(
    ...['description', 'Description', 'descripton', 'transport', 'target', 'headers', 'env', 'name', 'license', 'note'],
  );
  const mark = fc.constantFrom(':', ': ', ' = ', '=', ' : ', ' == ');
  const value = fc.constantFrom('d', 'http', 'HTTP', '"http"', 'https://x.y/mcp', 'a && b', '"a" b', '[x', '', 'A # c');
  const line = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(word, mark, value).map((parts) => parts.join('')) },
    { weight: 2, arbitrary: fc.constantFrom('---', '', '# comment', 'Text.', '  deeper: x', '- item', '```') },
  );
  const body = fc.array(line, { maxLength: 9 });
  const kind = fc.constantFrom(...capKinds);
  const indented = fc.tuple(kind, body).map(([k, lines]) => `${k} x:\n${lines.map((l) => `  ${l}\n`).join('')}`);
  const fenced = fc.tuple(kind, body).map(([k, lines]) => `${k} x: \`\`\`\`md\n${lines.join('\n')}\n\`\`\`\`\n`);

  test('a fix removes its report and adds no error', () => {
    fc.assert(
      fc.property(fc.oneof(indented, fenced), (text) => {
        const before = check(text);
        // Of what is written twice, the second has reports of its own only when the first is gone; and after a line
        // that cannot be read, nothing is said to be missing.
        if (before.some((d) => ['TOO5202', 'TOO5201', 'TOO5203', 'TOO5205'].includes(d.code))) return;
        for (const d of before) {
          if (!d.fix || d.code.startsWith('TOO1')) continue;
          const after = check(applyEdits(text, d.fix.edits).text);
          const count = (list: readonly Diagnostic[]) => list.filter((other) => other.code === d.code).length;
          expect(count(after), `${d.code} ${d.fix.title}`).toBeLessThan(count(before));
          const left = before.filter((other) => other !== d).map((other) => other.code);
          for (const other of after.filter((each) => each.severity === 'error')) {
            const at = left.indexOf(other.code);
            expect(at, `${d.code} ${d.fix.title} adds ${other.code} ${other.message}`).not.toBe(-1);
            left.splice(at, 1);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('what is wrong has an error', () => {
    fc.assert(
      fc.property(indented, (text) => {
        const source = createSource('agent.too', text);
        const parsed = parse(source);
        const cap = parsed.program.items.find((item): item is Cap => isOneOf(item.kind, capKinds));
        if (!cap) return;
        const result = validateInlineCap(source, cap);
        expect(result.cap !== undefined).toBe(!hasErrors(result.diagnostics));
      }),
    );
  });

  test('is answered in linear time', () => {
    const lines = process.env.TOOLANG_DEEP ? 20_000 : 5_000;
    for (const unit of ['  description: d\n', '  # c\n', '  ---\n', '  x = y\n', '  transport: http\n  target: x\n']) {
      for (const k of capKinds) expect(check(`${k} x:\n${unit.repeat(lines)}`).length).toBeGreaterThan(-1);
    }
  });
});
