/**
 * Texts that are no programs: nothing throws, nothing hangs, no place lies outside of the text, and what is declared
 * after a mistake is still read. What ever failed is kept in `spec/too/fuzz` and tried again.
 * `TOOLANG_DEEP=1` tries 10 times as many, with other seeds.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkRecovery, checkText } from './generate/invariants.ts';
import { plantMistake } from './generate/mistake.ts';
import { mutate } from './generate/mutate.ts';
import { generateProgram } from './generate/program.ts';
import { realisticProgram } from './generate/realistic.ts';
import { randomText, tokenSoup } from './generate/soup.ts';
import { shrink } from './generate/verdict.ts';

const deep = process.env.TOOLANG_DEEP === '1';
const rounds = deep ? 1_200 : 120;
const batch = 250;

const kinds: Readonly<Record<string, (seed: number) => string>> = {
  'random characters': randomText,
  'words of the language in any order': tokenSoup,
  'broken programs': (seed) => mutate(mutate(generateProgram(seed), seed), seed + 1),
  'mistakes made worse': (seed) =>
    seed % 3 === 0 ? mutate(realisticProgram(seed, 20), seed) : mutate(plantMistake(seed).text, seed),
};

describe('nothing fails on', () => {
  for (const [name, write] of Object.entries(kinds)) {
    it(name, async () => {
      for (let i = 0; i < rounds; i++) {
        // Long work without a break would look like a hang to the runner.
        if (i % batch === 0) await new Promise(setImmediate);
        const seed = i + (deep ? 5_000_000 : 0);
        attack(write(seed), `${name}, seed ${seed}`);
      }
    });
  }

  it('what failed before', () => {
    const folder = new URL('../spec/too/fuzz/', import.meta.url);
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.too')) : [];
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) attack(readFileSync(new URL(file, folder), 'utf8'), file);
  });
});

function attack(text: string, name: string): void {
  for (const check of [checkText, checkRecovery]) {
    const problem = problemOf(check, text);
    if (problem === undefined) continue;
    const small = shrink(text, (part) => problemOf(check, part)?.kind === problem.kind);
    const report = problemOf(check, small)?.report ?? '';
    expect.fail(
      `${name}: ${problem.report}\nshrunk: ${JSON.stringify(small)}\n${report}\nwhole: ${JSON.stringify(text)}`,
    );
  }
}

/** `kind` is the report without numbers, so that shrinking keeps to one problem. */
function problemOf(check: (text: string) => void, text: string): { kind: string; report: string } | undefined {
  try {
    check(text);
    return undefined;
  } catch (error) {
    const report = error instanceof Error ? error.message : String(error);
    return { kind: report.replace(/(?<!TOO\d*)\d+/g, 'n').slice(0, 40), report };
  }
}
