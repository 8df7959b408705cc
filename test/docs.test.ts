/** Pages are true: those made from the code are as new as the code, links lead somewhere, the README shows what happens. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePages, oldPages } from '../scripts/docs.mjs';
import { readBlocks } from '../scripts/errors.mjs';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { loadConfig } from '../src/config/index.ts';
import { createSource } from '../src/text/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

let s: Scratch;
beforeAll(() => {
  s = scratch();
});
afterAll(() => s.remove());

it('has the generated pages that the code makes now', async () => {
  const made = await makePages();
  expect(made.map((page) => page.file)).toEqual(['docs/cli.md', 'docs/config.md']);
  expect(oldPages(made).map((page) => `${page.file} is old: run \`npm run docs\``)).toEqual([]);
  expect(oldPages([{ file: 'docs/cli.md', text: 'other' }])).toHaveLength(1);
});

it('shows a config that is right', () => {
  const sample = readBlocks(read('docs/config.md')).find(({ words }) => words[0] === 'toml');
  expect(loadConfig(createSource('config.toml', sample?.text ?? '=')).diagnostics).toEqual([]);
});

describe('links', () => {
  const pages = [
    ...[
      'README.md',
      'AGENTS.md',
      'CONTRIBUTING.md',
      'DESIGN.md',
      'CHANGELOG.md',
      'spec/README.md',
      'grammar/README.md',
    ],
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name)),
  ];

  it('lead to files and headings that are there', () => {
    const broken: string[] = [];
    for (const page of pages) {
      for (const target of linksOf(read(page))) {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? page : relative(root, join(root, dirname(page), decodeURIComponent(path)));
        const there = existsSync(join(root, file)) && !file.startsWith('..');
        if (!there || (anchor && !headingsOf(read(file)).includes(anchor))) broken.push(`${page}: ${target}`);
      }
    }
    expect(broken).toEqual([]);
  });
});

describe('the README', () => {
  const blocks = readBlocks(read('README.md'));
  const sample = blocks.find(({ words }) => words[0] === 'too')?.text ?? '';
  const shown = blocks.find(({ text }) => text.startsWith('$ toolang check reviewer.too\n'))?.text ?? '';

  it('shows an agent without errors and warnings, in the usual layout, whose thunks can be explained', async () => {
    s.write('reviewer.too', sample);
    expect(JSON.parse((await s.cli(['check', 'reviewer.too', '--json'])).out)).toMatchObject({
      errors: 0,
      warnings: 0,
    });
    expect((await s.cli(['fmt', '--check', 'reviewer.too'])).code).toBe(0);
    for (const thunk of ['review', 'explain']) expect((await s.cli(['explain', 'reviewer.too', thunk])).code).toBe(0);
  });

  it('shows the error that its mistake gives', async () => {
    expect(sample).toContain('\n  tools = filesystem\n');
    s.write('reviewer.too', sample.replace('\n  tools = filesystem\n', '\n  tool = filesystem\n'));
    const { out, err } = await s.cli(['check', 'reviewer.too']);
    expect(shown).toBe(`$ toolang check reviewer.too\n${out}${err}`);
  });

  it('names only scripts, commands and codes that there are', async () => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const page of ['README.md', 'CONTRIBUTING.md']) {
      for (const [, name = ''] of read(page).matchAll(/npm run ([a-z:]+)/g))
        expect(Object.keys(scripts)).toContain(name);
      for (const [, name = ''] of read(page).matchAll(/`toolang ([a-z]+)/g)) {
        expect((await s.cli([name, '--help'])).code).toBe(0);
      }
    }
  });
});

/** The targets of the relative links of a page, less its code. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
}

function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
