/**
 * The grammar is the judge. On the corpus, on the fixtures, and on thousands of generated and broken programs the parser
 * must accept what the grammar accepts, refuse what it refuses, and give the same tree and the same comments.
 * `TOOLANG_DEEP=1` tries 8 times as many, with other seeds.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCorpus } from '../grammar/corpus.ts';
import { loadGrammar, type Sexp } from '../grammar/wasm-tree.ts';
import { readSpecs } from '../scripts/spec.mjs';
import { checkProgram, type Host } from '../src/program/index.ts';
import { codes } from '../src/text/index.ts';
import { builtinTools } from '../src/tool/index.ts';
import { mistakes, plantMistake } from './generate/mistake.ts';
import { mutate } from './generate/mutate.ts';
import { generateProgram } from './generate/program.ts';
import {
  compare,
  type Difference,
  type Grammar,
  type KnownDifference,
  shrink,
  type Verdict,
} from './generate/verdict.ts';

/** None. What is added here needs a reason that holds for every text it matches. */
const knownDifferences: readonly KnownDifference[] = [];

/** Codes of these ranges that no `.too` text can cause, and why. */
const unreachable: Readonly<Record<string, string>> = {
  TOO5208: 'only the frontmatter of a cap file can run to the end of the file; in a fence it is TOO1203',
  TOO5209: 'only a cap file must have frontmatter',
  TOO5233: 'only the name of a cap file can be malformed here; of an inline cap it is TOO1105',
  TOO5236: 'only a remote skill has a directory whose name could differ',
  TOO5240: 'only a folder of skills can lack a file',
  TOO5242: 'only a folder of caps can hold what is none',
  TOO5243: 'only a folder of caps can hold links',
  TOO5244: 'only a folder of skills can hold too many files',
  TOO5245: 'only a command line takes local references',
  TOO5246: 'only a command line takes selectors',
  TOO5247: 'only a command line names agents',
  TOO5310: 'only in a file that is called agents.too',
  TOO5237: 'only a remote skill may have properties that are not known',
};

const deep = process.env.TOOLANG_DEEP === '1';
const programs = deep ? 20_000 : 2_500;
/** Checked as well: what the checker says is not compared, so fewer will do. */
const checkedEvery = deep ? 10 : 4;
const batch = 1000;

const host: Host = { tools: builtinTools, caps: [], hands: [], hasFile: () => false };
const hosts: readonly Host[] = [host, { ...host, models: ['model-1'] }];

const reachedKinds = new Map<string, number>();
const reachedCodes = new Map<string, number>();

let grammar: Grammar;

beforeAll(async () => {
  grammar = await loadGrammar();
});

describe('the parser agrees with the grammar', () => {
  it('on the corpus of the grammar', () => {
    const folder = new URL('../grammar/test/corpus/', import.meta.url);
    for (const file of readdirSync(folder)) {
      for (const { name, text } of readCorpus(readFileSync(new URL(file, folder), 'utf8'))) {
        for (const form of [text, `${text}\n`, text.replaceAll('\n', '\r\n'), `\ufeff${text}`]) {
          judge(form, `${file}: ${name}`, true);
        }
      }
    }
  });

  it('on the fixtures', () => {
    for (const { file, spec } of readSpecs()) {
      for (const { name, input } of spec.cases) judge(input, `${file}: ${name}`, true);
    }
    for (const folder of ['seed', 'fuzz']) {
      const files = new URL(`../spec/too/${folder}/`, import.meta.url);
      for (const file of readdirSync(files)) judge(readFileSync(new URL(file, files), 'utf8'), file, true);
    }
  });

  it('on every planted mistake, and the checker reports it', () => {
    for (const { code, text } of mistakes) {
      const found = judge(text, `mistake ${code}`, true);
      expect(found, `${code} in ${JSON.stringify(text.slice(0, 500))}`).toContain(code);
    }
  });

  it('on generated and mutated programs', async () => {
    for (let seed = 0; seed < programs; seed++) {
      // Long work without a break would look like a hang to the runner.
      if (seed % batch === 0) await new Promise(setImmediate);
      const isChecked = seed % checkedEvery === 0;
      const shift = deep ? 1_000_000 : 0;
      judge(programOf(seed + shift), `seed ${seed + shift}`, isChecked);
    }
    for (let seed = 0; seed < programs / 20; seed++) {
      if (seed % batch === 0) await new Promise(setImmediate);
      const { code, text } = plantMistake(seed);
      const found = judge(text, `planted ${seed}`, true);
      if (!found.includes(code)) expect.fail(`${code} is not reported in the planted program ${seed}: ${text}`);
      judge(mutate(text, seed), `planted and mutated ${seed}`, seed % checkedEvery === 0);
    }
  });
});

describe('the programs above', () => {
  it('reach every kind of node of the grammar', () => {
    const file = readFileSync(new URL('../grammar/src/node-types.json', import.meta.url), 'utf8');
    const types: { type: string; named: boolean }[] = JSON.parse(file);
    const wanted = types.filter(({ named }) => named).map(({ type }) => type);
    console.log(`kinds of node: ${listed(reachedKinds)}`);
    expect(wanted.filter((kind) => !reachedKinds.has(kind))).toEqual([]);
  });

  it('reach every code that a .too text can cause', () => {
    // Behind TOO5310 come those of what is fetched.
    const wanted = Object.keys(codes).filter((code) => /^TOO(?:[12]\d\d\d|52\d\d|530\d|5310)$/.test(code));
    console.log(`codes: ${listed(reachedCodes)}`);
    expect(wanted.filter((code) => !reachedCodes.has(code) && !Object.hasOwn(unreachable, code))).toEqual([]);
    expect(Object.keys(unreachable).filter((code) => reachedCodes.has(code) || !wanted.includes(code))).toEqual([]);
  });
});

/** Half of them as generated; of the others most mutated once, some many times. */
function programOf(seed: number): string {
  const program = generateProgram(seed);
  if (seed % 2 === 0) return program;
  let text = mutate(program, seed);
  if (seed % 8 === 1) for (let i = 1; i <= 1 + (seed % 7); i++) text = mutate(text, seed + i);
  return text;
}

/** Fails where the two differ; gives the codes that are reported. */
function judge(text: string, name: string, isChecked: boolean): string[] {
  const verdict = compare(grammar, text);
  const { difference, grammar: wasm, parsed } = verdict;
  if (difference && !isKnown(text, difference)) fail(text, name, difference, verdict);
  if (wasm.ok) countKinds(wasm.tree);
  if (wasm.comments.length > 0) count(reachedKinds, 'comment');
  const found = isChecked
    ? hosts.flatMap((each) => checkProgram(parsed, each).diagnostics.map(({ code }) => code))
    : parsed.diagnostics.map(({ code }) => code);
  for (const code of new Set(found)) count(reachedCodes, code);
  return found;
}

function isKnown(text: string, difference: Difference): boolean {
  return knownDifferences.some((known) => known.matches(text, difference));
}

function fail(text: string, name: string, difference: Difference, verdict: Verdict): never {
  const small = shrink(text, (part) => compare(grammar, part).difference?.kind === difference.kind);
  const after = compare(grammar, small);
  return expect.fail(
    [
      `${name}: ${difference.kind}`,
      `the grammar ${verdict.grammar.ok ? 'accepts' : 'refuses'} it; the parser reports ${verdict.parsed.diagnostics.length} problems`,
      `shrunk: ${JSON.stringify(small)}`,
      after.difference?.report ?? '',
      `whole: ${JSON.stringify(text)}`,
    ].join('\n'),
  );
}

function countKinds(node: Sexp): void {
  count(reachedKinds, node[0]);
  for (const child of node.slice(1)) if (typeof child === 'object') countKinds(child);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
}
