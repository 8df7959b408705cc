/** Who may import whom: the sources against the table in AGENTS.md, and the judge against made-up houses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { importsOf, readRules, violations } from './layers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function table(...rows: string[]): string {
  return ['# Map', '', '| folder | it holds | may import |', '|---|---|---|', ...rows, '', 'Words.'].join('\n');
}

const small = readRules(
  table(
    '| `text` | texts | – |',
    '| `sys` | system | – |',
    '| `type` | types | text |',
    '| `too`, `toon` | trees | text |',
    '| `view` | folds | type |',
    '| `run` | driver | all above but view |',
    '| `cluster` | driver | as run, and run |',
    '| `chat serve` | surfaces | all above, not each other |',
    '| `cli` | commands | everything; nothing imports it |',
  ),
);

/** Violations of a house where every folder has an empty index. */
function judge(files: Record<string, string>): string[] {
  const all = new Map([...small.keys()].map((folder) => [`${folder}/index.ts`, '']));
  for (const [name, text] of Object.entries(files)) all.set(name, text);
  return violations(small, all);
}

describe('the house', () => {
  it('keeps to the table in AGENTS.md', () => {
    const rules = readRules(readFileSync(join(root, 'AGENTS.md'), 'utf8'));
    const src = join(root, 'src');
    const names = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const files = new Map(names.map((name) => [name.split(sep).join('/'), readFileSync(join(src, name), 'utf8')]));
    expect(files.size).toBeGreaterThan(10);
    expect(violations(rules, files)).toEqual([]);
  });
});

describe('the table', () => {
  it('is read with all its turns of phrase', () => {
    const of = (folder: string) => [...(small.get(folder) ?? [])].sort();
    expect(of('text')).toEqual([]);
    expect(of('sys')).toEqual([]);
    expect(of('toon')).toEqual(['text']);
    expect(of('run')).toEqual(['sys', 'text', 'too', 'toon', 'type']);
    expect(of('cluster')).toEqual(['run', 'sys', 'text', 'too', 'toon', 'type']);
    expect(of('serve')).toEqual(['cluster', 'run', 'sys', 'text', 'too', 'toon', 'type', 'view']);
    expect(of('cli')).toContain('chat');
  });

  it('is refused when it is missing, empty, double or says what nobody understands', () => {
    expect(() => readRules('# no table')).toThrow('has no table');
    expect(() => readRules(table())).toThrow('is empty');
    expect(() => readRules(table('| `a` | x | – |', '| `a` | y | – |'))).toThrow('"a" twice');
    expect(() => readRules(table('| `a` | x | b |'))).toThrow('allows "b"');
    expect(() => readRules(table('| `a` | x | most of the above |'))).toThrow('allows "most"');
    expect(() => readRules(table('| `a` | x | as b |', '| `b` | x | – |'))).toThrow('above the row');
    expect(() => readRules(table('| `a` | x |'))).toThrow('not three cells');
  });
});

describe('the judge', () => {
  it('lets allowed imports, packages and tests pass', () => {
    expect(
      judge({
        'type/a.ts': "import { x } from '../text/index.ts'; import './b.ts'; import fs from 'node:fs'; import 'yaml';",
        'type/b.ts': '',
        'type/a.test.ts': "import '../cli/index.ts'; import '../run/deep.ts';",
        'cli/deep/x.ts': "import '../../chat/index.ts'; import '../y.ts';",
        'cli/y.ts': "export const load = () => import('./deep/x.ts');",
      }),
    ).toEqual([]);
  });

  it.for([
    ["import { x } from '../view/index.ts';", '"type" may not import "view"'],
    ["import type { X } from '../view/index.ts';", '"type" may not import "view"'],
    ["export { x } from '../view/index.ts';", '"type" may not import "view"'],
    ["export * from '../view/index.ts';", '"type" may not import "view"'],
    ["export const f = () => import('../view/index.ts');", '"type" may not import "view"'],
    ['export const f = () => import(`../view/index.ts`);', '"type" may not import "view"'],
    ["export type T = import('../view/index.ts').T;", '"type" may not import "view"'],
    ["if (true) { const s = /'/; await import('../view/index.ts'); }", '"type" may not import "view"'],
    ["import '../cli/index.ts';", '"type" may not import "cli"'],
    ["import '../sys/index.ts';", '"type" may not import "sys"'],
    ["import '../text/span.ts';", 'other folders are imported through "text/index.ts"'],
    ["import '../text/index.js';", 'relative imports end in ".ts"'],
    ["import '../text';", 'relative imports end in ".ts"'],
    ["import '../../package.json';", 'which is outside src'],
    ["import './gone.ts';", 'which is not there'],
    ["import './x.test.ts';", 'which is a test'],
    ["import '../attic/index.ts';", 'which is in no folder of the map'],
  ])('refuses %s', ([text, problem]) => {
    const found = judge({
      'type/bad.ts': text ?? '',
      'type/x.test.ts': '',
      'text/span.ts': '',
      'attic/index.ts': '',
    }).filter((line) => line.startsWith('src/type/bad.ts'));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(problem);
  });

  it('is not fooled by comments, strings, templates and regular expressions', () => {
    const text = [
      "// import '../view/index.ts'",
      "/* export * from '../view/index.ts' */",
      'export const a = "import \'../view/index.ts\'";',
      "export const b = `import '../view/index.ts' ${1}`;",
      "export const c = /import '..\\/view'/;",
    ].join('\n');
    expect(judge({ 'type/a.ts': text })).toEqual([]);
    expect(importsOf('a.ts', text)).toEqual([]);
  });

  it('refuses text to sys, surfaces to each other, and files of no folder', () => {
    expect(judge({ 'sys/a.ts': "import '../text/index.ts';" })[0]).toContain('"sys" may not import "text"');
    expect(judge({ 'chat/a.ts': "import '../serve/index.ts';" })[0]).toContain('"chat" may not import "serve"');
    expect(judge({ 'stray.ts': '' })).toEqual(['src/stray.ts is in no folder of the map']);
    expect(judge({ 'attic/a.ts': '' })).toEqual(['src/attic/a.ts is in no folder of the map']);
  });

  it('finds circles, but not of types or of what is loaded later', () => {
    expect(
      judge({
        'type/a.ts': "import './b.ts';",
        'type/b.ts': "export * from './c.ts';",
        'type/c.ts': "import './a.ts';",
      }),
    ).toEqual(['imports go round in a circle: src/type/a.ts → src/type/b.ts → src/type/c.ts → src/type/a.ts']);
    expect(judge({ 'type/a.ts': "import './a.ts';" })).toHaveLength(1);
    expect(judge({ 'type/a.ts': "import './b.ts';", 'type/b.ts': "import type { A } from './a.ts';" })).toEqual([]);
    expect(judge({ 'type/a.ts': "import './b.ts';", 'type/b.ts': "await import('./a.ts');" })).toEqual([]);
    expect(judge({ 'type/a.ts': "import { type B } from './b.ts';", 'type/b.ts': "import './a.ts';" })).toHaveLength(1);
  });

  it('says which file cannot be read', () => {
    expect(() => judge({ 'type/a.ts': 'const = ;' })).toThrow('src/type/a.ts cannot be read');
  });
});
