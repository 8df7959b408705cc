/** The decode fixtures of the TOON spec 3.3, as far as they are still TOON 4.0 and strict. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSource, hasErrors } from '../../src/text/index.ts';
import { parseToon, toPlain } from '../../src/toon/index.ts';

interface Fixture {
  readonly name: string;
  readonly input: string;
  readonly expected: unknown;
  readonly shouldError?: boolean;
  readonly options?: { readonly strict?: boolean; readonly indent?: number };
}

const folder = join(import.meta.dirname, '../../node_modules/@toon-format/spec/tests/fixtures/decode');

/** Fixtures that do not apply, by name. All with `strict: false` are here, and no others of it. */
const skipped: Readonly<Record<string, string>> = {
  'accepts correct indentation with custom indent size (4 spaces with indent=4)': 'two blanks a level, always',
};

const files = readdirSync(folder).filter((file) => file !== 'path-expansion.json');

for (const file of files) {
  const { tests } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { tests: Fixture[] };
  describe(file, () => {
    for (const fixture of tests) {
      const { name, input, expected, shouldError = false, options } = fixture;
      const why = options?.strict === false ? 'we are strict only' : skipped[name];
      test.skipIf(why !== undefined)(why === undefined ? name : `${name} (${why})`, () => {
        const { document, diagnostics } = parseToon(createSource('fixture.toon', input));
        expect(hasErrors(diagnostics), diagnostics.map((d) => d.message).join('; ')).toBe(shouldError);
        if (!shouldError) expect(toPlain(document.root)).toEqual(expected);
      });
    }
  });
}

test('only what is named is skipped', () => {
  const names = files.flatMap((file) => {
    const { tests } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { tests: Fixture[] };
    return tests.filter((fixture) => fixture.options?.strict === false || fixture.name in skipped);
  });
  expect(names.length).toBe(12);
});
