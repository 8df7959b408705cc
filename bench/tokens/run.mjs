// How many tokens calls, results and instructions cost in the emoji-bracket syntax and in JSON:
// `npm install --prefix bench/tokens` once, then `node bench/tokens/run.mjs`. Prints Markdown. The calls, and the texts
// they carry, are copies in this folder, so the numbers change only with the syntax and the tokenizer.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** @typedef {import('../../src/calls/tool.ts').ToolSpec} ToolSpec */
/** @typedef {{ group: string, tool: string, args: Record<string, unknown> }} SampleCall */
/** @typedef {{ group: string, tool: string, ok: boolean, content: unknown }} SampleResult */
/** @typedef {{ name: string, count: (text: string) => number }} Tokenizer */
/** @typedef {{ group: string, texts: string[] }} Row one text for each way to write the same thing */

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));

/** @type {{ tools: ToolSpec[], calls: SampleCall[], results: SampleResult[] }} */
const samples = JSON.parse(readFileSync(join(here, 'calls.json'), 'utf8'));
const tokenizers = await loadTokenizers();
const { estimateTokens, planTool, toolPrompt, writeCall, writeResult } = await loadLibrary();
const plans = new Map(samples.tools.map((tool) => [tool.name, planTool(tool)]));

printCalls();
printResults();
printPrompt();
printEstimate();

function printCalls() {
  const rows = samples.calls.map(({ group, tool, args: written }, i) => {
    const plan = plans.get(tool);
    if (plan === undefined) throw new Error(`calls.json: call ${i} names "${tool}", which is none of the tools`);
    const args = withBodies(written);
    const json = JSON.stringify(args);
    return {
      group,
      texts: [
        json,
        JSON.stringify({ name: tool, arguments: args }),
        JSON.stringify({ id: `call_${i}`, type: 'function', function: { name: tool, arguments: json } }),
        writeCall(args, plan),
      ],
    };
  });
  console.log(
    `## Calls\n\nTokens of ${rows.length} calls. *arguments*: the bare JSON object, without the name of the tool.`,
  );
  console.log('*object*: `{"name", "arguments"}`, as models without an API write it. *message*: the tool call of an');
  console.log(
    'OpenAI-style message, its arguments in a string. *bracket*: this syntax. The percentages are those of bracket.',
  );
  const names = ['arguments', 'object', 'message', 'bracket'];
  for (const tokenizer of tokenizers) printTable(tokenizer, names, rows);
  printDearer('the bare arguments', rows, 0);
  printDearer('the object', rows, 1);
  const overhead = tokenizers.map(({ name, count }) => `${count('🛠️[]🛠️[/end]')} (${name})`).join(', ');
  console.log(
    `The markers of a call alone are ${overhead} tokens: only a call with a text that JSON must escape gets cheaper.`,
  );
  console.log('What hosted models write for their own tool calls is not public, so it is not in the table.\n');
}

function printResults() {
  const rows = samples.results.map(({ group, tool, ok, content }, i) => {
    const text = textOf(content);
    return {
      group,
      texts: [
        JSON.stringify(text),
        JSON.stringify({ role: 'tool', tool_call_id: `call_${i}`, content: text }),
        writeResult({ index: 0, tool, ok, content: text }),
      ],
    };
  });
  console.log(
    `## Results\n\nTokens of ${rows.length} results. *string*: the bare JSON string. *message*: the tool message of an`,
  );
  console.log('OpenAI-style conversation. *bracket*: this syntax.');
  for (const tokenizer of tokenizers) printTable(tokenizer, ['string', 'message', 'bracket'], rows);
  printDearer('the bare string', rows, 0);
  printDearer('the message', rows, 1);
  console.log('');
}

function printPrompt() {
  const { text } = toolPrompt(samples.tools);
  const list = samples.tools.map((tool) => ({ type: 'function', function: tool }));
  const schemas = samples.tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  console.log(
    `## Instructions\n\nTokens that teach a model the ${samples.tools.length} tools, paid with every request.`,
  );
  console.log('\n| | instructions of `toolPrompt` | JSON schemas alone | OpenAI-style `tools` |\n|---|--:|--:|--:|');
  for (const { name, count } of tokenizers) {
    const counts = [text, JSON.stringify(schemas), JSON.stringify(list)].map(count);
    console.log(`| ${name} | ${counts.join(' | ')} |`);
  }
  const rules = text.slice(0, text.indexOf('\nTools:\n'));
  const fixed = tokenizers.map(({ name, count }) => `${count(rules)} (${name})`).join(', ');
  console.log(`\nOf the instructions ${fixed} are the example and the rules; they do not grow with the tools.\n`);
}

function printEstimate() {
  const texts = [
    ['the instructions', toolPrompt(samples.tools).text],
    ['all calls', samples.calls.map(({ tool, args }) => writeSample(tool, args)).join('\n')],
    ['all results', samples.results.map(({ content }) => textOf(content)).join('\n')],
  ];
  console.log('## The estimate\n\nThe rule of thumb that counts when no tokenizer is passed, against the real count.');
  console.log(`\n| | estimate |${tokenizers.map(({ name }) => ` ${name} | error |`).join('')}`);
  console.log(`|---|--:|${tokenizers.map(() => '--:|--:|').join('')}`);
  for (const [name, text = ''] of texts) {
    const guess = estimateTokens(text);
    const cells = tokenizers.map(({ count }) => {
      const real = count(text);
      return `${real} | ${signed((guess / real - 1) * 100)} %`;
    });
    console.log(`| ${name} | ${guess} | ${cells.join(' | ')} |`);
  }
}

/**
 * @param {Tokenizer} tokenizer
 * @param {string[]} names
 * @param {Row[]} rows
 */
function printTable(tokenizer, names, rows) {
  const rest = names.slice(0, -1);
  console.log(`\n| ${tokenizer.name} | n | ${names.join(' | ')} | ${rest.map((name) => `of ${name}`).join(' | ')} |`);
  console.log(`|---|--:|${names.map(() => '--:|').join('')}${rest.map(() => '--:|').join('')}`);
  for (const { group, n, counts } of sums(tokenizer, rows)) {
    const shares = rest.map((_, i) => `${share(counts, i)} %`);
    console.log(`| ${group} | ${n} | ${counts.join(' | ')} | ${shares.join(' | ')} |`);
  }
}

/**
 * Says plainly where the syntax costs more.
 * @param {string} than
 * @param {Row[]} rows
 * @param {number} of
 */
function printDearer(than, rows, of) {
  const [{ name, count } = { name: '', count: () => 0 }] = tokenizers;
  const groups = sums({ name, count }, rows).filter(({ group, counts }) => group !== 'all' && share(counts, of) > 100);
  const list = groups.map(({ group, counts }) => `${group} (${share(counts, of)} %)`).join(', ');
  console.log(`\nDearer than ${than} (${name}): ${list || 'none'}.`);
}

/**
 * @param {Tokenizer} tokenizer
 * @param {Row[]} rows
 */
function sums({ count }, rows) {
  const groups = [...new Set(rows.map(({ group }) => group)), 'all'];
  return groups.map((group) => {
    const members = rows.filter((row) => group === 'all' || row.group === group);
    const counts = (members[0]?.texts ?? []).map((_, i) =>
      members.reduce((sum, { texts }) => sum + count(texts[i] ?? ''), 0),
    );
    return { group, n: members.length, counts };
  });
}

/**
 * The last count in percent of another.
 * @param {number[]} counts
 * @param {number} of
 */
function share(counts, of) {
  return Math.round(((counts.at(-1) ?? 0) / (counts[of] ?? 1)) * 100);
}

/** @param {number} value */
function signed(value) {
  return `${value < 0 ? '' : '+'}${value.toFixed(0)}`;
}

/**
 * @param {string} tool
 * @param {Record<string, unknown>} args
 */
function writeSample(tool, args) {
  const plan = plans.get(tool);
  return plan === undefined ? '' : writeCall(withBodies(args), plan);
}

/** @param {Record<string, unknown>} args */
function withBodies(args) {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, isFile(value) ? textOf(value) : value]));
}

/** @param {unknown} value */
function textOf(value) {
  if (typeof value === 'string') return value;
  if (isFile(value)) return readFileSync(join(here, 'bodies', value.file), 'utf8');
  throw new Error(`calls.json: ${JSON.stringify(value)} is neither a text nor { "file": … }`);
}

/**
 * @param {unknown} value
 * @returns {value is { file: string }}
 */
function isFile(value) {
  return typeof value === 'object' && value !== null && 'file' in value && typeof value.file === 'string';
}

/** @returns {Promise<Tokenizer[]>} */
async function loadTokenizers() {
  try {
    const [o200k, cl100k] = await Promise.all([
      import('gpt-tokenizer/encoding/o200k_base'),
      import('gpt-tokenizer/encoding/cl100k_base'),
    ]);
    return [
      { name: 'o200k', count: (text) => o200k.countTokens(text) },
      { name: 'cl100k', count: (text) => cl100k.countTokens(text) },
    ];
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    console.error('gpt-tokenizer is not installed: run `npm install --prefix bench/tokens` first');
    process.exit(1);
  }
}

/** @returns {Promise<typeof import('./calls.ts')>} */
async function loadLibrary() {
  const built = await rolldown({ input: { calls: join(here, 'calls.ts') }, cwd: root, platform: 'node' });
  const dir = join(root, '.cache/bench');
  await built.write({ dir, format: 'esm', entryFileNames: '[name].mjs' });
  await built.close();
  return import(pathToFileURL(join(dir, 'calls.mjs')).href);
}
