/** Every statement about caps is shown by tests that are there: `spec/caps/statements.json`. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Statement {
  readonly says: string;
  readonly became?: string;
  readonly shownBy: readonly { readonly file: string; readonly test: string }[];
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const { about: _about, ...pages } = JSON.parse(read('spec/caps/statements.json'));

describe.each(Object.entries(pages as Record<string, readonly Statement[]>))('%s', (_page, statements) => {
  test('each statement stands there once, and is shown by a test', () => {
    expect(statements.length).toBeGreaterThan(40);
    expect(new Set(statements.map(({ says }) => says)).size).toBe(statements.length);
    expect(statements.filter(({ shownBy }) => shownBy.length === 0)).toEqual([]);
  });

  test('every test that is named is there', () => {
    const missing = statements.flatMap(({ says, shownBy }) =>
      shownBy.filter(({ file, test: title }) => !titlesOf(file).has(title)).map((each) => ({ says, ...each })),
    );
    expect(missing).toEqual([]);
  });

  test('what became of a statement is told in docs/capability-model.md', () => {
    const page = read('docs/capability-model.md');
    for (const { says, became } of statements) {
      if (became !== undefined) expect(page).toContain(`| ${says} | ${became} |`);
    }
  });
});

const known = new Map<string, ReadonlySet<string>>();

/** The titles of the tests of a file, as they are written there; none of those that are skipped. */
function titlesOf(file: string): ReadonlySet<string> {
  const found = known.get(file);
  if (found) return found;
  const calls = read(file).matchAll(/(?:\b(?:test|it)\(|\)\()\s*(['"`])((?:\\.|(?!\1).)*)\1/g);
  const titles = new Set([...calls].map(([, , title = '']) => title.replaceAll("\\'", "'")));
  known.set(file, titles);
  return titles;
}
