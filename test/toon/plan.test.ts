/** Runs the fixtures `spec/toon/workflow-*.json`: every rule of workflow files with what is right and what is wrong by it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  lookWorkflow,
  printWorkflowSpec,
  readWorkflowSpecs,
  type WorkflowCase,
  workflowOutcome,
} from '../../scripts/spec.mjs';
import { readSyntaxSpecs } from '../../scripts/toon-spec.mjs';
import * as caps from '../../src/caps/index.ts';
import * as config from '../../src/config/index.ts';
import * as expr from '../../src/expr/index.ts';
import * as model from '../../src/model/index.ts';
import * as plan from '../../src/plan/index.ts';
import * as program from '../../src/program/index.ts';
import * as run from '../../src/run/index.ts';
import * as sys from '../../src/sys/index.ts';
import * as text from '../../src/text/index.ts';
import * as too from '../../src/too/index.ts';
import * as tool from '../../src/tool/index.ts';
import * as toon from '../../src/toon/index.ts';

const api = { text, too, program, tool, caps, config, sys, expr, toon, plan, run, model };
const specs = readWorkflowSpecs();

for (const { file, path, spec } of specs) {
  describe(file, () => {
    for (const given of spec.cases) {
      test(`${given.rule} — ${given.name}`, async () => {
        const { accept, diagnostics } = await workflowOutcome(api, given);
        expect(diagnostics).toEqual(given.diagnostics);
        expect(accept).toBe(given.accept);
      });
    }

    test('every fix removes what it mends and adds no error', async () => {
      for (const given of spec.cases) {
        for (const problem of await fixProblems(given)) expect.soft(problem).toBe('');
      }
    });

    test('the file is written as scripts/spec.mjs writes it', () => {
      expect(readFileSync(path, 'utf8')).toBe(printWorkflowSpec(spec));
    });
  });
}

describe('all fixtures of workflows', () => {
  const cases = specs.flatMap(({ spec }) => spec.cases);

  test('have a name of their own for each rule', () => {
    const names = specs.flatMap(({ file, spec }) => spec.cases.map(({ rule, name }) => `${file}: ${rule} — ${name}`));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('reach every code that a .toon file can give', () => {
    const all = [...cases, ...readSyntaxSpecs().flatMap(({ spec }) => spec.cases)];
    const reached = new Set(all.flatMap((given) => given.diagnostics.map((d) => d.code)));
    const wanted = Object.keys(text.codes).filter((code) => /^TOO[34]\d{3}$/.test(code));
    expect(wanted.filter((code) => !reached.has(code) && !elsewhere.has(code))).toEqual([]);
    expect([...elsewhere.keys()].filter((code) => reached.has(code) || !wanted.includes(code))).toEqual([]);
  });

  test('an accepted file has a plan, and a refused one has none', async () => {
    for (const given of cases) {
      const { plan: planned } = await lookWorkflow(api, given);
      const isWorkflow = /^name:/m.test(given.input);
      expect.soft(planned !== undefined, given.name).toBe(given.accept && isWorkflow);
    }
  });

  test('show what is right and what is wrong by most rules', () => {
    const accepted = cases.filter((given) => given.accept).length;
    expect(accepted).toBeGreaterThan(200);
    expect(cases.length - accepted).toBeGreaterThan(300);
  });
});

describe('a file with many mistakes', () => {
  const [made, mended] = specs.find(({ file }) => file === 'workflow-many.json')?.spec.cases ?? [];
  if (!made || !mended) throw new Error('the fixtures are gone');

  test('tells each once, on its own', () => {
    const places = made.diagnostics.map(({ at }) => at);
    expect(new Set(places).size).toBe(places.length);
    expect(new Set(made.diagnostics.map(({ code }) => code)).size).toBeGreaterThanOrEqual(15);
    expect(made.diagnostics.filter(({ fix }) => fix !== undefined).length).toBeGreaterThanOrEqual(12);
  });

  test('is mended by its fixes, but for the lines of those without one', async () => {
    const { found } = await lookWorkflow(api, made);
    const fixed = text.applyEdits(
      made.input,
      found.flatMap((d) => d.fix?.edits ?? []),
    );
    expect(fixed.skipped).toEqual([]);
    const left = await workflowOutcome(api, { ...made, input: fixed.text });
    expect(left.diagnostics.map(({ code }) => code)).toEqual(
      made.diagnostics.filter(({ fix }) => fix === undefined).map(({ code }) => code),
    );
    const right = mended.input.split('\n');
    const lines = fixed.text.split('\n');
    const byHand = lines.flatMap((line, index) => (line === right[index] ? [] : [index + 1]));
    expect(byHand).toEqual(left.diagnostics.map(({ at }) => Number(at.split(':')[0])));
    expect(lines.length).toBe(right.length);
  });
});

/** Codes that no text alone can give, and what it takes. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['TOO3310', 'code of more than 65,536 characters'],
  ['TOO3320', 'the compiler of the project'],
  ['TOO3321', 'the compiler of the project'],
  ['TOO3322', 'a project without a compiler'],
  ['TOO4216', 'a hundred thousand nodes'],
  ['TOO4262', 'a module'],
  ['TOO4264', 'a module'],
]);

/** What is wrong with the fixes of a case: what they mend is still there, or there is an error that was not. */
async function fixProblems(given: WorkflowCase): Promise<string[]> {
  const { source, found: before } = await lookWorkflow(api, given);
  const problems: string[] = [];
  for (const d of before) {
    if (!d.fix) continue;
    const { text: mended, skipped } = text.applyEdits(d.source.text, d.fix.edits);
    const changed =
      d.source === source
        ? { ...given, input: mended }
        : { ...given, files: { ...given.files, [d.source.name]: mended } };
    const { found: after } = await lookWorkflow(api, changed);
    const place = `${given.name}: "${d.fix.title}"`;
    const kept = before.filter((other) => other !== d && other.severity === 'error').map((other) => other.code);
    const added = after.filter((other) => other.severity === 'error' && !takeOne(kept, other.code));
    const count = (list: readonly text.Diagnostic[]) => list.filter((other) => other.code === d.code).length;
    if (skipped.length > 0) problems.push(`${place} has edits that overlap`);
    if (count(after) >= count(before)) problems.push(`${place} leaves ${d.code}`);
    for (const other of added) problems.push(`${place} adds ${other.code} ${other.message}`);
  }
  return problems;
}

function takeOne(list: string[], item: string): boolean {
  const index = list.indexOf(item);
  if (index !== -1) list.splice(index, 1);
  return index !== -1;
}
