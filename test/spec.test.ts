/** Runs the fixtures of `spec/too/`: every rule of the language with what is right and what is wrong by it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { look, outcome, printSpec, readSpecs, type SpecCase, type SpecFile } from '../scripts/spec.mjs';
import * as caps from '../src/caps/index.ts';
import * as config from '../src/config/index.ts';
import * as expr from '../src/expr/index.ts';
import * as model from '../src/model/index.ts';
import * as plan from '../src/plan/index.ts';
import * as program from '../src/program/index.ts';
import * as run from '../src/run/index.ts';
import * as sys from '../src/sys/index.ts';
import * as text from '../src/text/index.ts';
import * as too from '../src/too/index.ts';
import * as tool from '../src/tool/index.ts';
import * as toon from '../src/toon/index.ts';

const api = { text, too, program, tool, caps, config, sys, expr, toon, plan, run, model };
const specs = readSpecs();

for (const { file, path, spec } of specs) {
  describe(file, () => {
    for (const given of spec.cases) {
      test(`${given.rule} — ${given.name}`, () => {
        const { accept, tree, texts, docs, diagnostics } = outcome(api, spec, given);
        expect(diagnostics).toEqual(given.diagnostics);
        expect(accept).toBe(given.accept);
        expect(tree).toEqual(given.tree);
        expect(texts).toEqual(given.texts);
        expect(docs).toEqual(given.docs);
        expect(joinedTokens(given.input)).toBe(given.input);
      });
    }

    test('every fix removes what it mends and adds no error', () => {
      for (const given of spec.cases) for (const problem of fixProblems(spec, given)) expect.soft(problem).toBe('');
    });

    test('the file is written as scripts/spec.mjs writes it', () => {
      expect(readFileSync(path, 'utf8')).toBe(printSpec(spec));
    });
  });
}

describe('all fixtures', () => {
  const cases = specs.flatMap(({ spec }) => spec.cases);

  test('have a name of their own for each rule', () => {
    const seen = new Set<string>();
    for (const { file, spec } of specs) {
      for (const { rule, name } of spec.cases) {
        const key = `${file}: ${rule} — ${name}`;
        expect(seen.has(key), key).toBe(false);
        seen.add(key);
      }
    }
  });

  test('reach every code that a .too file can give', () => {
    const reached = new Set(cases.flatMap((given) => given.diagnostics.map((d) => d.code)));
    // Behind TOO5310 come those of what is fetched.
    const wanted = Object.keys(text.codes).filter((code) => /^TOO(?:[12]\d\d\d|52\d\d|530\d|5310)$/.test(code));
    expect(wanted.filter((code) => !reached.has(code) && !onlyInFiles.has(code))).toEqual([]);
    expect([...onlyInFiles].filter((code) => reached.has(code) || !wanted.includes(code))).toEqual([]);
  });

  test('reach every kind of node', () => {
    const kinds = new Set<unknown>();
    const walk = (node: unknown) => {
      if (!Array.isArray(node)) return;
      kinds.add(node[0]);
      node.forEach(walk);
    };
    for (const given of cases) walk(given.tree);
    expect(nodeKinds.filter((kind) => !kinds.has(kind))).toEqual([]);
    expect([...kinds].filter((kind) => !nodeKinds.includes(String(kind)))).toEqual([]);
  });

  test('show what is right and what is wrong by most rules', () => {
    const accepted = cases.filter((given) => given.accept).length;
    expect(accepted).toBeGreaterThan(250);
    expect(cases.length - accepted).toBeGreaterThan(250);
  });
});

/** Codes of 52xx and 53xx that only cap files, their folders, remote caps and words of a command line can give. */
const onlyInFiles = new Set([
  ...['TOO5208', 'TOO5209', 'TOO5233', 'TOO5236', 'TOO5237'],
  ...['TOO5240', 'TOO5242', 'TOO5243', 'TOO5244', 'TOO5245', 'TOO5246', 'TOO5247'],
]);

const nodeKinds = [
  ...['program', 'use', 'cap_kind', 'cap_uri', 'cap_shorthand', 'struct', 'type_name', 'field', 'value_name'],
  ...['optional_marker', 'type', 'type_suffix', 'psyche', 'skill', 'service', 'prompt', 'property', 'property_key'],
  ...['property_value', 'raw_text', 'fence', 'fence_open', 'language', 'frontmatter', 'fence_content', 'fence_close'],
  ...['context', 'instruct', 'thunk', 'params', 'param', 'output_type', 'directive', 'directive_key', 'directive_op'],
  ...['bare_value', 'context_block', 'instruct_block', 'block_name', 'inline_text', 'message_block', 'message_kind'],
];

function joinedTokens(input: string): string {
  const { tokens } = too.parse(text.createSource('input.too', input));
  return tokens.map((token) => input.slice(token.start, token.end)).join('');
}

/** What is wrong with the fixes of a case: what they mend is still there, or there is an error that was not. */
function fixProblems(spec: SpecFile, given: SpecCase): string[] {
  const before = look(api, spec.stage, given.input, given.host).found;
  return before.flatMap((d) => {
    if (!d.fix) return [];
    const { text: mended, skipped } = text.applyEdits(given.input, d.fix.edits);
    const after = look(api, spec.stage, mended, given.host).found;
    const place = `${given.name}: "${d.fix.title}"`;
    const kept = before.filter((other) => other !== d && other.severity === 'error').map((other) => other.code);
    const added = after.filter((other) => other.severity === 'error' && !takeOne(kept, other.code));
    const count = (list: readonly text.Diagnostic[]) => list.filter((other) => other.code === d.code).length;
    return [
      ...(skipped.length > 0 ? [`${place} has edits that overlap`] : []),
      ...(count(after) >= count(before) ? [`${place} leaves ${d.code}`] : []),
      ...added.map((other) => `${place} adds ${other.code} ${other.message}`),
    ];
  });
}

function takeOne(list: string[], item: string): boolean {
  const index = list.indexOf(item);
  if (index !== -1) list.splice(index, 1);
  return index !== -1;
}
