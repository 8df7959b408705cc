/** The tables of `docs/tools.md` hold: parameters as the code has them, and every row of the others is tried. */
import { readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../src/config/index.ts';
import { realClock } from '../src/sys/index.ts';
import { createSource } from '../src/text/index.ts';
import { readGlob } from '../src/tool/filesystem/glob-pattern.ts';
import { type Bench, createBench } from '../src/tool/filesystem/kit.ts';
import { readPathText } from '../src/tool/filesystem/path-text.ts';
import { builtinTools, describedTools, fetchTool, type OwnTool } from '../src/tool/index.ts';
import { printType } from '../src/type/index.ts';

const file = new URL('../docs/tools.md', import.meta.url);
const page = readFileSync(file, 'utf8');

let bench: Bench;
beforeAll(() => {
  bench = createBench();
});
afterAll(() => bench.remove());

/** The rows of the table that begins with this line; cells without backticks. */
function rowsBelow(head: string): string[][] {
  const start = page.indexOf(`\n${head}\n`);
  expect(start, head).toBeGreaterThan(-1);
  const lines = page.slice(start + 1).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

function tableOf(tool: OwnTool): string {
  const rows = tool.type.fields.map(
    ({ name, type, optional, doc }) => `| \`${name}${optional ? '?' : ''}\` | ${printType(type)} | ${doc} |`,
  );
  return [`<!-- parameters ${tool.name} -->`, '| parameter | type | meaning |', '|---|---|---|', ...rows].join('\n');
}

test('parameters are those of the code', () => {
  const tools = describedTools().filter(({ name }) => !name.startsWith('shell/'));
  const marks = [...page.matchAll(/<!-- parameters (\S+) -->/g)].map(([, name]) => name);
  expect(marks).toEqual(tools.map(({ name }) => name));
  const made = tools.reduce(
    (text, tool) =>
      text.replace(new RegExp(`<!-- parameters ${tool.name} -->\\n(\\|.*\\n)*`), () => `${tableOf(tool)}\n`),
    page,
  );
  // `TOOLANG_UPDATE=1` writes them.
  if (process.env.TOOLANG_UPDATE) writeFileSync(file, made);
  else expect(page).toBe(made);
});

test('the sets are those that there are', () => {
  const rows = rowsBelow('| set | tools | it is there |');
  const named = new Map(rows.map(([set = '', tools = '']) => [set, tools.split(', ')]));
  for (const [set, tools] of builtinTools) expect(named.get(set)).toEqual(tools);
});

test('patterns fit as it says', () => {
  for (const [pattern = '', path = '', expected] of rowsBelow('| pattern | path | fits |')) {
    const read = readGlob(pattern);
    expect([pattern, path, read.ok && read.start.after(path)?.fits === true ? 'yes' : 'no']).toEqual([
      pattern,
      path,
      expected,
    ]);
  }
});

test('paths are taken or refused as it says', () => {
  const rows = rowsBelow('| path | in a workspace `/ws` |');
  expect(rows.length).toBeGreaterThan(10);
  for (const [path = '', expected] of rows) {
    expect([path, readPathText(path, '/ws', posix).ok ? 'taken' : 'refused']).toEqual([path, expected]);
  }
});

test('what is off limits is so', async () => {
  const rows = rowsBelow('| path | read | written |');
  expect(rows.length).toBeGreaterThan(20);
  for (const [path = '', read, written] of rows) {
    bench.file(path, 'x');
    const results = [await bench.call('read', { path }), await bench.call('write', { path, content: 'x' })];
    expect([path, ...results.map((result) => (result.ok ? 'yes' : 'no'))]).toEqual([path, read, written]);
  }
});

test('addresses are fetched or refused as it says', async () => {
  const rows = rowsBelow('| address | |');
  expect(rows.length).toBeGreaterThan(10);
  for (const [url = '', expected] of rows) {
    // Who gets as far as to look the name up would have fetched it.
    const resolve = () => Promise.reject(new Error('looked up'));
    const context = {
      workspace: '/',
      signal: new AbortController().signal,
      clock: realClock,
      env: {},
      idempotencyKey: 'x',
    };
    const result = await fetchTool({ resolve }).run({ url }, context);
    const message = result.ok ? '' : result.error.message;
    expect([url, message.includes('looked up') ? 'fetched' : 'refused']).toEqual([url, expected]);
  }
});

test('its configuration is right', () => {
  const blocks = [...page.matchAll(/```toml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  expect(blocks).toHaveLength(1);
  for (const text of blocks) expect(loadConfig(createSource('config.toml', text)).diagnostics).toEqual([]);
});
