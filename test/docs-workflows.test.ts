/** Every sample, every expression and every table of `docs/workflows.md` is what the page says it is. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Schema } from 'effect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Block, readBlocks } from '../scripts/errors.mjs';
import { toEffect } from '../src/api/effect.ts';
import {
  type Env,
  fieldNames,
  globalNames,
  isTrue,
  methodNames,
  parseCondition,
  parseInterpolated,
  renderInterpolated,
  statics,
  valueOfInterpolated,
} from '../src/expr/index.ts';
import { agentTypes, type Planned, planWorkflow } from '../src/plan/index.ts';
import { reservedAs } from '../src/plan/read/reserved.ts';
import { checkSource, type Host, signaturesOf } from '../src/program/index.ts';
import { createModuleHost, type ModuleHost } from '../src/run/index.ts';
import { codes, createSource, painter } from '../src/text/index.ts';
import { builtinTools } from '../src/tool/index.ts';
import { formatToon, parseToon } from '../src/toon/index.ts';
import { validate } from '../src/type/index.ts';
import { graphOf, graphText } from '../src/view/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'docs/workflows.md'), 'utf8');
const blocks = readBlocks(page);
const samples = blocks.filter(({ words }) => words[0] === 'toon' && words[1] !== 'script');
const frame = marked('frame').text;

let folder: string;
let modules: ModuleHost;
beforeAll(() => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  // Inside of the repository, so that modules find `effect` and `zod`.
  folder = mkdtempSync(join(root, '.cache', 'docs-'));
  for (const block of blocks) {
    const name = fileOf(block);
    if (name !== undefined) writeFileSync(join(folder, name), block.text);
  }
  modules = createModuleHost({ cwd: folder, timeoutMs: 120_000 });
});
afterAll(async () => {
  await modules.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('samples', () => {
  for (const block of samples.filter(({ words }) => !words.includes('frame'))) {
    const { words } = block;
    const wrong = words.includes('wrong') ? words[words.indexOf('wrong') + 1] : undefined;
    test(`line ${lineOf(block)}: ${words.join(' ')}`, async () => {
      const { plan, diagnostics } = await check(textOf(block));
      const found = [...new Set(diagnostics.map(({ code }) => code))];
      if (words.includes('before')) expect(found).toEqual(expect.arrayContaining(['TOO3031']));
      else if (wrong !== undefined) expect(found).toEqual([wrong]);
      else {
        expect(found).toEqual([]);
        expect(plan !== undefined || fileOf(block) !== undefined).toBe(true);
      }
    });
  }

  test('stand in the layout of the formatter', () => {
    for (const block of samples) {
      if (block.words.includes('before')) continue;
      const { text, formatted } = formatToon(createSource('sample.toon', block.text));
      if (!block.words.includes('TOO3031')) expect(formatted && text).toBe(block.text);
    }
  });

  test('of scripts are plain TOON', () => {
    const scripts = blocks.filter(({ words }) => words[1] === 'script');
    expect(scripts.flatMap(({ text }) => parseToon(createSource('a.toon', text)).diagnostics)).toEqual([]);
    expect(scripts.map(({ text }) => formatToon(createSource('a.toon', text)).text)).toEqual(
      scripts.map(({ text }) => text),
    );
  });

  test('of agent files are right', () => {
    const host: Host = { tools: builtinTools, caps: [], hands: [], hasFile: () => false };
    const files = blocks.filter((block) => fileOf(block)?.endsWith('.too'));
    expect(files.length).toBeGreaterThan(0);
    for (const { text } of files) expect(checkSource(createSource('a.too', text), host).diagnostics).toEqual([]);
  });

  test('of files have names of their own', () => {
    const names = blocks.map(fileOf).filter((name) => name !== undefined);
    expect(new Set(names).size).toBe(names.length);
  });

  test('show what the formatter makes of one', () => {
    expect(formatToon(createSource('a.toon', marked('before').text)).text).toBe(marked('after').text);
    const relaxed = createSource('a.toon', marked('relaxed').text);
    expect(formatToon(relaxed, { strict: true }).text).toBe(marked('plain').text);
    const { relaxations } = parseToon(relaxed, { profile: true });
    expect([...new Set(relaxations.map(({ name }) => name))].sort()).toEqual(['bare-list', 'blank-lines', 'union']);
  });

  test('of plain TOON are that, and relaxed ones are refused when they must be', async () => {
    expect((await check(marked('plain').text, true)).diagnostics).toEqual([]);
    expect((await check(marked('relaxed').text, true)).diagnostics.length).toBeGreaterThan(2);
  });
});

describe('expressions', () => {
  const { skipped: _, ...values } = JSON.parse(blocks.find(({ words }) => words.includes('context'))?.text ?? '{}');
  const known: Record<string, unknown> = values;
  const names = new Set([...Object.keys(known), 'skipped']);
  const env: Env = {
    now: 0,
    lookup: (name) => (names.has(name) ? { found: true, value: known[name], isStep: true } : { found: false }),
  };
  const parse = (text: string) => {
    const { value, problems } = parseInterpolated(text, { names });
    if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
    return value;
  };

  test.each(rowsOf('Expression', 'Value'))('%s is %s', (text, value) => {
    expect(valueOfInterpolated(parse(code(text)), env)).toEqual(JSON.parse(code(value)));
  });

  test.each(rowsOf('Text', 'Reads'))('%s reads %s', (text, read) => {
    expect(renderInterpolated(parse(code(text)), env)).toBe(code(read));
  });

  test.each(rowsOf('Condition', 'Is'))('%s is %s', (text, value) => {
    const { expression, problems } = parseCondition(code(text), { names });
    expect(problems).toEqual([]);
    expect(expression && String(isTrue(expression, env))).toBe(value);
  });

  test.each([...rowsOf('Left out', 'Why'), ...rowsOf('Too much', 'Why')])('%s cannot be computed', (cell) => {
    for (const text of codesOf(cell)) expect(() => valueOfInterpolated(parse(text), env)).toThrow();
  });

  test('know what the page lists, and nothing else', () => {
    const listed = new Map(rowsOf('On', 'There is').map(([on, has]) => [on.replaceAll('`', ''), codesOf(has)]));
    const receivers = { strings: 'string', lists: 'array', numbers: 'number', booleans: 'boolean' } as const;
    for (const [on, kind] of Object.entries(receivers)) {
      expect(listed.get(on)?.sort()).toEqual([...methodNames[kind], ...fieldNames[kind]].sort());
    }
    const dates = methodNames.date.filter((name) => !/^[gs]et/.test(name));
    expect(listed.get('dates')?.filter((name) => !/^[gs]et/.test(name))).toEqual(expect.arrayContaining(dates));
    expect(dates).toHaveLength(listed.get('dates')?.filter((name) => !/^[gs]et/.test(name)).length ?? 0);
    for (const name of ['Array', 'Date', 'JSON', 'Object', 'String']) {
      expect(listed.get(name)?.filter((each) => !/[ (]/.test(each))).toEqual(statics[name]);
    }
    const named = [...listed].flatMap(([on, has]) => (on === 'by themselves' ? has : [on]));
    expect(globalNames.filter((name) => !named.includes(name) && !named.includes(`${name}(…)`))).toEqual([]);
    const math = Object.getOwnPropertyNames(Math).filter((name) => !statics.Math?.includes(name));
    expect(math.filter((name) => !/^(?:f16round|sumPrecise)$/.test(name))).toEqual(['random']);
    expect(statics.Number).toEqual(expect.arrayContaining(['isInteger', 'MAX_SAFE_INTEGER', 'parseFloat']));
  });
});

describe('tables', () => {
  test.each(rowsOf('Written', 'Fits', 'Does not fit', 'Effect'))(
    'the type %s takes %s and not %s',
    async (...cells) => {
      const [written, fits, not] = cells.slice(0, 3).map(code);
      const { plan, diagnostics } = await check(
        `name: types\ninput:\n  field: ${written}\nschemas:\n  Point:\n    x: number\n    label: string?\n` +
          'steps[1]:\n  - id: one\n    run: return 1\n    output: number\n',
      );
      expect(diagnostics).toEqual([]);
      const types = new Map(Object.entries(plan?.types ?? {}));
      const takes = (value: string) => plan && validate({ field: JSON.parse(value) }, plan.input, types).ok;
      expect([takes(fits ?? ''), takes(not ?? '')]).toEqual([true, false]);
      const [equivalent] = codesOf(cells[3]);
      if (equivalent === undefined || equivalent.includes('…')) return;
      const schema: Schema.Top = new Function('Schema', `return ${equivalent}`)(Schema);
      const [field] = plan?.input.kind === 'struct' ? plan.input.fields : [];
      expect(field && toEffect(field.type).ast).toEqual(schema.ast);
    },
  );

  test('have the types of agents with their fields', () => {
    const listed = rowsOf('Type', 'Needs', 'May have').map(([type, needs, may]) => [
      code(type),
      codesOf(needs),
      codesOf(may),
    ]);
    const real = [...agentTypes.values()].map(({ name, fields }) => {
      const names = (optional: boolean) => fields.filter((each) => each.optional === optional).map((each) => each.name);
      return [name, names(false), names(true)];
    });
    expect(listed).toEqual(real);
    const described = rowsOf('Field', 'Type', 'What it is').map(([name]) => code(name));
    const all = [...agentTypes.values()].flatMap(({ fields }) => fields.map(({ name }) => name));
    expect(described.sort()).toEqual([...new Set(all)].sort());
  });

  test('have the durations as they are read', async () => {
    for (const [written, ms] of rowsOf('Written', 'Milliseconds')) {
      const { plan } = await check(
        `name: times\ninput:\nsteps[1]:\n  - id: one\n    run: return 1\n    output: number\n    timeout: ${code(written)}\n`,
      );
      expect(plan?.children[0]).toMatchObject({ timeoutMs: Number(ms) });
    }
  });

  const nodes = [...page.matchAll(/^### kind: (\w+)$/gm)].map(([, kind = '']) => kind);
  test.each(['step', ...nodes])('have the keys of kind: %s', async (kind) => {
    const heading = kind === 'step' ? '## Steps' : `### kind: ${kind}`;
    const listed = rowsOf('Key', 'Needed', 'What it is', heading);
    const { diagnostics } = await check(`name: keys\ninput:\nsteps[1]:\n  - kind: ${kind}\n    zzzzzzzz: 1\n`);
    expect(listed.map(([key]) => code(key)).sort()).toEqual(keysIn(diagnostics));
    const missing = diagnostics.flatMap(({ message }) => {
      const [, names = ''] = /needs ((?:"\w+"(?:, | and )?)*)/.exec(message) ?? [];
      return names.match(/\w+(?=")/g) ?? [];
    });
    const needed = listed.filter(([key, need]) => need === 'yes' && key !== '`kind`').map(([key]) => code(key));
    expect(needed.sort()).toEqual(missing.sort());
  });

  test('have the keys of a file', async () => {
    const { diagnostics } = await check('name: keys\nzzzzzzzz: 1\ninput:\nsteps[1]:\n  - id: a\n');
    const listed = rowsOf('Key', 'Needed', 'What it is', '## The file');
    expect(listed.map(([key]) => code(key)).sort()).toEqual(keysIn(diagnostics));
  });

  test('of categories name those that there are', async () => {
    const { diagnostics } = await check(
      'name: keys\nimports:\n  zzzzzzzz: 1\ninput:\nsteps[1]:\n  - id: a\n    run: return 1\n    output: number\n',
    );
    const listed = rowsOf('Category', 'From a `.toon` file', 'From a module').map(([name]) => code(name));
    expect(listed.sort()).toEqual(keysIn(diagnostics));
  });
});

test('the drawing is that of the first sample', async () => {
  const { plan } = await check(samples[0]?.text ?? '');
  const shown = blocks.find(({ words }) => words.includes('graph'))?.text;
  expect(plan && graphText(graphOf(plan), painter(false))).toBe(shown);
});

test('the README shows a workflow that is right and in the usual layout', async () => {
  const readme = readBlocks(readFileSync(join(root, 'README.md'), 'utf8'));
  const sample = readme.find(({ words }) => words[0] === 'toon')?.text ?? '';
  expect((await check(sample)).diagnostics).toEqual([]);
  expect(formatToon(createSource('article.toon', sample)).text).toBe(sample);
});

test('the words that cannot be ids are reserved', () => {
  const [, list = ''] = /cannot be ids: ([^…]*)…/.exec(page) ?? [];
  expect(codesOf(list).length).toBeGreaterThan(12);
  for (const word of codesOf(list)) expect(`${word}: ${reservedAs(word) !== undefined}`).toBe(`${word}: true`);
});

test('every code on the page exists', () => {
  for (const [found] of page.matchAll(/TOO\d{4}/g)) expect(Object.keys(codes)).toContain(found);
});

function check(text: string, strictToon = false): Promise<Planned> {
  const file = join(folder, 'sample.toon');
  const read = async (path: string) => {
    try {
      return { ok: true as const, text: await readFile(path, 'utf8') };
    } catch {
      return { ok: false as const, message: `"${basename(path)}" is not there` };
    }
  };
  const thunks = async (path: string) => {
    const found = await read(path);
    return found.ok ? signaturesOf(createSource(basename(path), found.text)) : found;
  };
  return planWorkflow(createSource('sample.toon', text), { file, read, modules, thunks, strictToon });
}

/** A part stands in the frame; its imports may stand before its steps. */
function textOf({ words, text }: Block): string {
  return words.includes('part') ? frame + text : text;
}

function marked(word: string): Block {
  const found = samples.find(({ words }) => words[1] === word);
  if (!found) throw new Error(`there is no sample marked "${word}"`);
  return found;
}

function fileOf({ words }: Block): string | undefined {
  return words.find((word) => word.startsWith('file='))?.slice('file='.length);
}

function lineOf({ start }: Block): number {
  return page.slice(0, start).split('\n').length;
}

/** The keys that the checker knows, from what it says about one that it does not know. */
function keysIn(diagnostics: Planned['diagnostics']): string[] {
  const help = diagnostics.find(({ message }) => message.includes('zzzzzzzz'))?.help ?? '';
  return (
    /^Its keys are (.*)\.$/
      .exec(help)?.[1]
      ?.split(/, | and /)
      .sort() ?? []
  );
}

/** The rows of the tables with these columns; with a heading behind them, of the first one below it. */
function rowsOf(...columns: string[]): [string, string, string, string][] {
  const heading = columns.at(-1)?.startsWith('#') ? columns.pop() : undefined;
  const from = heading === undefined ? 0 : page.indexOf(`\n${heading}\n`);
  const tables = page.slice(from).matchAll(/^(\|.*\|)\n\|[-|]+\|\n((?:\|.*\|\n)*)/gm);
  const found = [...tables].filter(([, head = '']) => cellsOf(head).join('|') === columns.join('|'));
  if (found.length === 0) throw new Error(`there is no table of ${columns.join(', ')}`);
  const wanted = heading === undefined ? found : found.slice(0, 1);
  return wanted.flatMap(([, , rows = '']) => rows.trimEnd().split('\n').map(cellsOf)) as [
    string,
    string,
    string,
    string,
  ][];
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The one code in a cell. */
function code(cell: string): string {
  const [only, ...others] = codesOf(cell);
  if (only === undefined || others.length > 0) throw new Error(`not one code: ${cell}`);
  return only;
}

/** In two backticks one backtick may stand, and the blanks next to them are no part of it. */
function codesOf(cell: string): string[] {
  return [...cell.matchAll(/``\s(.*?)\s``|`([^`]+)`/g)].map(([, double, single]) => double ?? single ?? '');
}
