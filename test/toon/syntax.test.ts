/** Runs the fixtures `spec/toon/syntax-*.json`: what TOON 4.0 and the workflow profile take and refuse, and where. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { printSyntaxSpec, readSyntaxSpecs, type SyntaxCase, syntaxOutcome } from '../../scripts/toon-spec.mjs';
import * as text from '../../src/text/index.ts';
import * as toon from '../../src/toon/index.ts';

const api = { text, toon };
const specs = readSyntaxSpecs();

for (const { file, path, spec } of specs) {
  describe(file, () => {
    for (const given of spec.cases) {
      test(`${given.rule} — ${given.name}`, () => {
        const { accept, value, relaxations, diagnostics } = syntaxOutcome(api, given);
        expect(diagnostics).toEqual(given.diagnostics);
        expect(accept).toBe(given.accept);
        expect(JSON.stringify(value)).toBe(JSON.stringify(given.value));
        expect(relaxations).toEqual(given.relaxations);
      });
    }

    test('every fix removes what it mends and adds no error', () => {
      for (const given of spec.cases) for (const problem of fixProblems(given)) expect.soft(problem).toBe('');
    });

    test('the file is written as scripts/toon-spec.mjs writes it', () => {
      expect(readFileSync(path, 'utf8')).toBe(printSyntaxSpec(spec));
    });
  });
}

describe('all fixtures', () => {
  const cases = specs.flatMap(({ spec }) => spec.cases);

  test('have a name of their own for each rule', () => {
    const names = specs.flatMap(({ file, spec }) => spec.cases.map(({ rule, name }) => `${file}: ${rule} — ${name}`));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('reach every code of TOON documents', () => {
    const reached = new Set(cases.flatMap((given) => given.diagnostics.map((d) => d.code)));
    const wanted = Object.keys(text.codes).filter((code) => /^TOO3[01]\d\d$/.test(code));
    expect(wanted.filter((code) => !reached.has(code))).toEqual([]);
  });

  test('reach every relaxation', () => {
    const reached = new Set(cases.flatMap((given) => given.relaxations ?? []));
    expect([...reached].sort()).toEqual(['bare-list', 'blank-lines', 'union']);
  });
});

/** What is wrong with the fixes of a case: what they mend is still there, or there is an error that was not. */
function fixProblems({ name, input, profile }: SyntaxCase): string[] {
  const look = (written: string) =>
    toon.parseToon(text.createSource('input.toon', written), { profile: profile === true }).diagnostics;
  const before = look(input);
  return before.flatMap((d) => {
    if (!d.fix) return [];
    const { text: mended, skipped } = text.applyEdits(input, d.fix.edits);
    const after = look(mended);
    const kept = before.filter((other) => other !== d && other.severity === 'error').map((other) => other.code);
    const added = after.filter((other) => {
      const index = other.severity === 'error' ? kept.indexOf(other.code) : 0;
      if (index !== -1 && other.severity === 'error') kept.splice(index, 1);
      return index === -1;
    });
    const count = (list: readonly text.Diagnostic[]) => list.filter((other) => other.code === d.code).length;
    const place = `${name}: "${d.fix.title}"`;
    return [
      ...(skipped.length > 0 ? [`${place} has edits that overlap`] : []),
      ...(count(after) >= count(before) ? [`${place} leaves ${d.code}`] : []),
      ...added.map((other) => `${place} adds ${other.code} ${other.message}`),
    ];
  });
}
