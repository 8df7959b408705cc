/** The rules on docs/permissions.md give the verdicts that its tables say. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config/index.ts';
import { createSource } from '../src/text/index.ts';
import { createPolicy, fetchTool, filesystemTools, shellTool, type Tool } from '../src/tool/index.ts';

const page = readFileSync(fileURLToPath(new URL('../docs/permissions.md', import.meta.url)), 'utf8');
const workspace = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

interface Row {
  readonly tool: string;
  readonly call: string;
  readonly verdict: string;
}

/** Each block of rules, with the rows of the table behind it. */
const samples = [...page.matchAll(/```toml\n([\s\S]*?)```([\s\S]*?)(?=```toml|$)/g)].map(
  ([, toml = '', behind = '']) => ({
    toml,
    rows: [...behind.matchAll(/^\| `([a-z]+\/[a-z_]+)` \| (.*?) \| (allowed|refused|asked) \|$/gm)].map(
      ([, tool = '', cell = '', verdict = '']): Row => ({ tool, call: textOf(cell), verdict }),
    ),
  }),
);

function textOf(cell: string): string {
  const inner = /^(`+) ?([\s\S]*?) ?\1$/.exec(cell)?.[2] ?? '';
  return inner.replaceAll('\\|', '|').replaceAll('⏎', '\n');
}

const tools = new Map<string, Pick<Tool, 'name' | 'subjects'>>(
  [shellTool(), fetchTool(), ...filesystemTools()].map((tool) => [tool.name, tool]),
);

const argument: Readonly<Record<string, string>> = { shell: 'command', web: 'url' };

function decide(toml: string, { tool: name, call }: Row): string {
  const { layer, diagnostics } = loadConfig(createSource('config.toml', toml));
  expect(diagnostics).toEqual([]);
  const policy = createPolicy({ deny: [], allow: [], ask: [], ...layer.config.permissions });
  const args: Record<string, string> = { [argument[name.split('/')[0] ?? ''] ?? 'path']: call };
  if (name === 'filesystem/write') args.content = '';
  if (name === 'filesystem/edit') Object.assign(args, { old: 'a', new: 'b' });
  // Of services nothing is known but their names.
  const tool = tools.get(name) ?? { name, subjects: () => [] };
  const { verdict } = policy.decide(tool, args, { workspace });
  return { allow: 'allowed', deny: 'refused', ask: 'asked' }[verdict];
}

describe.skipIf(process.platform === 'win32')('docs/permissions.md', () => {
  it('has rules with tables', () => {
    expect(samples.length).toBeGreaterThan(8);
    expect(samples.flatMap(({ rows }) => rows).length).toBeGreaterThan(60);
    // Those of the sandbox have no table.
    expect(samples.filter(({ toml, rows }) => toml.includes('[permissions]') && rows.length === 0)).toEqual([]);
    expect((page.match(/^\| `[a-z]+\/[a-z_]+` \|/gm) ?? []).length).toBe(samples.flatMap(({ rows }) => rows).length);
  });

  for (const { toml, rows } of samples) {
    for (const row of rows) {
      it(`${row.tool} ${JSON.stringify(row.call)} is ${row.verdict}`, () =>
        expect(decide(toml, row)).toBe(row.verdict));
    }
  }

  it('has settings that can be loaded', () => {
    for (const { toml } of samples) expect(loadConfig(createSource('config.toml', toml)).diagnostics).toEqual([]);
  });
});
