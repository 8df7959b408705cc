// Writes what is known of models (`src/model/catalog/data/`) from published data. `npm run catalog [-- --check] [-- --limits DIR]`
// Prices, contexts and the rules by which names are matched come from `@pydantic/genai-prices`. It says nothing of tools and
// of the longest answers: those are in `catalog-limits.json`, which `--limits` makes anew from an unpacked
// `@earendil-works/pi-ai` (MIT; its data is that of models.dev, and has only models that call tools).
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findProvider } from '@pydantic/genai-prices';

const here = dirname(fileURLToPath(import.meta.url));
const limitsFile = join(here, 'catalog-limits.json');
const dataDir = join(dirname(here), 'src/model/catalog/data');

/** Prices as they are on this day; those of later days are kept beside them. Moved when the data is made anew. */
const asOf = '2026-11-17';

/** Our name, that of the prices, that of the limits. */
const providers = [
  ['openai', 'openai', 'openai'],
  ['anthropic', 'anthropic', 'anthropic'],
  ['google', 'google', 'google'],
  ['openrouter', 'openrouter', 'openrouter'],
  ['deepseek', 'deepseek', 'deepseek'],
  ['groq', 'groq', 'groq'],
  ['mistral', 'mistral', 'mistral'],
  ['xai', 'x-ai', 'xai'],
];

/** Models that are served under the provider's name in the data, and not where we reach it: those of Vertex AI. */
const elsewhere = { google: /^claude/ };

/** What does not answer messages with text. */
const others =
  /embed|whisper|tts|transcri|image|moderation|realtime|audio|-ocr|voice|voxtral|-live|safeguard|llama-guard|nano-banana|deep-research|computer-use|^(?:ada|babbage|curie|davinci|text-|gpt-3\.5-turbo-instruct|gpt-3\.5-0301)/;

/** Known to have no tools of their own; the limits name only those that have. */
const toolless = {
  openai: /^(?:o1-mini|o1-preview|gpt-4-vision-preview|chatgpt-4o-latest|gpt-4o-search-preview|gpt-3\.5-0301)$/,
  anthropic: /^claude-(?:2|v1)$/,
  google: /^(?:gemma-2-27b-it|gemma-3|gemma-3n|gemini-1\.0-pro-vision-001)$/,
  groq: /^(?:gemma-7b-it|llama2-70b-4096)$/,
};

/**
 * @typedef {{ context: number, output: number, price?: Price | undefined }} Limit
 * @typedef {{ input: number, output: number, cacheRead?: number, cacheWrite?: number, long?: { above: number, input: number, output: number, cacheRead?: number, cacheWrite?: number } }} Price
 * @typedef {import('@pydantic/genai-prices').MatchLogic} Match
 */

/** @returns {Map<string, string>} file name to text */
export function catalogFiles() {
  /** @type {Record<string, Record<string, Limit>>} */
  const limits = JSON.parse(readFileSync(limitsFile, 'utf8')).providers;
  const files = new Map();
  for (const [name = '', priced = '', limited = ''] of providers) {
    const rows = rowsOf(name, priced, limits[limited] ?? {});
    const lines = rows.map((row) => `  ${JSON.stringify(row)},\n`).join('');
    files.set(
      `${name}.ts`,
      `// Made by scripts/catalog.mjs from published data: do not edit.\nimport type { CatalogRow } from '../row.ts';\n\nexport const rows: readonly CatalogRow[] = [\n${lines}];\n`,
    );
  }
  return files;
}

/**
 * In the order of the prices, because the first row whose rule fits is meant; behind them what only the limits know.
 * @param {string} name
 * @param {string} priced
 * @param {Record<string, Limit>} limits
 */
function rowsOf(name, priced, limits) {
  const provider = findProvider({ providerId: priced });
  if (!provider) throw new Error(`no prices of ${priced}`);
  const models = provider.models.filter(({ id }) => !elsewhere[/** @type {'google'} */ (name)]?.test(id));
  /** @type {Map<string, [string, Limit][]>} */
  const found = new Map();
  /** @type {[string, Limit][]} */
  const left = [];
  for (const [id, limit] of Object.entries(limits)) {
    const model = models.find(({ match }) => fits(match, id.toLowerCase()));
    if (!model) left.push([id, limit]);
    else found.set(model.id, [...(found.get(model.id) ?? []), [id, limit]]);
  }
  const rows = models.map((model) => {
    const known = found.get(model.id) ?? [];
    const usual = known.find(([id]) => id === model.id)?.[1] ?? known[0]?.[1];
    const hasTools = known.length > 0 ? true : isToolless(name, model.id) ? false : undefined;
    // Of ids that share a row, those that differ from it.
    const own = known.filter(([, limit]) => limit.output !== usual?.output || limit.context !== usual?.context);
    const { price = freeOf(name, model.id), later } = pricesOf(model.id, model.prices);
    return compact({
      id: model.id,
      match: ruleOf(model.match, model.id),
      context: model.context_window ?? usual?.context,
      output: usual?.output,
      tools: hasTools,
      other: known.length === 0 && others.test(model.id) ? true : undefined,
      price,
      later,
      // Names that the rule fits and does not say.
      names: unless(
        known.map(([id]) => id).filter((id) => id !== model.id && !literals(model.match).includes(id)),
        ({ length }) => length === 0,
      ),
      own: unless(
        Object.fromEntries(own.map(([id, limit]) => [id, { context: limit.context, output: limit.output }])),
        (value) => Object.keys(value).length === 0,
      ),
    });
  });
  const more = left
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { context, output, price }]) => {
      return compact({ id, context, output, tools: true, other: others.test(id) ? true : undefined, price });
    });
  return [...rows, ...more];
}

/** @param {Match} match @returns {string[]} */
function literals(match) {
  if ('or' in match) return match.or.flatMap(literals);
  return 'equals' in match ? [match.equals.toLowerCase()] : [];
}

/** @template T @param {T} value @param {(value: T) => boolean} isEmpty */
function unless(value, isEmpty) {
  return isEmpty(value) ? undefined : value;
}

/** @param {string} name @param {string} id */
function isToolless(name, id) {
  return toolless[/** @type {keyof typeof toolless} */ (name)]?.test(id) ?? false;
}

/**
 * A rule as it is kept: a text with `*` at its ends, `/…/` for a regular expression, a list of which one must fit, `all` for
 * one of which all must. Nothing, where it is the id alone.
 * @param {Match} match @param {string} id
 * @returns {unknown}
 */
function ruleOf(match, id) {
  if ('equals' in match && match.equals.toLowerCase() === id) return undefined;
  if ('or' in match && match.or.length === 1 && match.or[0]) return ruleOf(match.or[0], id);
  return written(match);
}

/** @param {Match} match @returns {unknown} */
function written(match) {
  if ('or' in match) return match.or.map(written);
  if ('and' in match) return { all: match.and.map(written) };
  if ('regex' in match) return `/${match.regex}/`;
  if ('equals' in match) return plain(match.equals);
  if ('starts_with' in match) return `${plain(match.starts_with)}*`;
  if ('ends_with' in match) return `*${plain(match.ends_with)}`;
  if ('contains' in match) return `*${plain(match.contains)}*`;
  throw new Error(`unknown rule ${JSON.stringify(match)}`);
}

/** @param {string} text */
function plain(text) {
  if (text.includes('*') || text.startsWith('/')) throw new Error(`"${text}" cannot be written as a rule`);
  return text.toLowerCase();
}

/** @param {Match} match @param {string} id @returns {boolean} */
function fits(match, id) {
  if ('or' in match) return match.or.some((each) => fits(each, id));
  if ('and' in match) return match.and.every((each) => fits(each, id));
  if ('regex' in match) return new RegExp(match.regex).test(id);
  if ('equals' in match) return id === match.equals.toLowerCase();
  if ('starts_with' in match) return id.startsWith(match.starts_with.toLowerCase());
  if ('ends_with' in match) return id.endsWith(match.ends_with.toLowerCase());
  return id.includes(match.contains.toLowerCase());
}

/**
 * What holds on the day, and what comes later. Where it depends on the hour, the dearest: it is there to bound what is spent.
 * @param {string} id
 * @param {import('@pydantic/genai-prices').ModelInfo['prices']} prices
 */
function pricesOf(id, prices) {
  if (!Array.isArray(prices)) return { price: priceOf(id, prices) };
  const hours = prices.filter(({ constraint }) => constraint?.type === 'time_of_date');
  const days = prices.filter(({ constraint }) => constraint?.type !== 'time_of_date');
  /** @type {{ from: string, price: Price }[]} */
  const later = [];
  let now = days[0]?.prices ?? {};
  for (const { constraint, prices: each } of days) {
    if (constraint?.type !== 'start_date') continue;
    const price = priceOf(id, each);
    if (constraint.start_date <= asOf) now = each;
    else if (price) later.push({ from: constraint.start_date, price });
  }
  const all = [now, ...hours.map(({ prices: each }) => each)].flatMap((each) => priceOf(id, each) ?? []);
  const price = all.sort((a, b) => b.input + b.output - a.input - a.output)[0];
  return { price, later: later.length > 0 ? later : undefined };
}

/** The router says in the name what is free. @param {string} name @param {string} id */
function freeOf(name, id) {
  return name === 'openrouter' && id.endsWith(':free') ? { input: 0, output: 0 } : undefined;
}

/** @param {string} id @param {import('@pydantic/genai-prices').ModelPrice} prices @returns {Price | undefined} */
function priceOf(id, prices) {
  const { input_mtok: input, output_mtok: output, cache_read_mtok: read, cache_write_mtok: write } = prices;
  if (input === undefined || output === undefined) return undefined;
  const parts = { input, output, cacheRead: read, cacheWrite: write };
  const starts = new Set(
    Object.values(parts).flatMap((each) => (typeof each === 'object' ? each.tiers.map(({ start }) => start) : [])),
  );
  if (starts.size > 1) throw new Error(`${id} has several tiers`);
  const base = mapped(parts, (each) => (typeof each === 'object' ? each.base : each));
  const [above] = starts;
  if (above === undefined) return base;
  return {
    ...base,
    long: { above, ...mapped(parts, (each) => (typeof each === 'object' ? each.tiers[0]?.price : each)) },
  };
}

/**
 * @template T
 * @param {{ input: T, output: T, cacheRead: T | undefined, cacheWrite: T | undefined }} parts
 * @param {(part: T) => number | undefined} of
 */
function mapped({ input, output, cacheRead, cacheWrite }, of) {
  return /** @type {Price} */ (
    compact({
      input: of(input),
      output: of(output),
      cacheRead: cacheRead === undefined ? undefined : of(cacheRead),
      cacheWrite: cacheWrite === undefined ? undefined : of(cacheWrite),
    })
  );
}

/** @template {object} T @param {T} value @returns {T} */
function compact(value) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)));
}

/** @param {string} dir an unpacked package */
function limitsFrom(dir) {
  const { version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  /** @type {Record<string, Record<string, Limit>>} */
  const all = {};
  for (const [, , name = ''] of providers) {
    const apis = JSON.parse(readFileSync(join(dir, 'dist/providers/data', `${name}.json`), 'utf8'));
    /** @type {[string, Limit][]} */
    const models = [];
    for (const { type, id, contextWindow, maxTokens, cost } of Object.values(apis).flatMap(Object.values)) {
      // The price of a batch is not that of a call.
      if (type !== 'chat' || id.endsWith(':batch')) continue;
      models.push([id, compact({ context: contextWindow, output: maxTokens, price: costOf(id, cost) })]);
    }
    all[name] = Object.fromEntries(models.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  const lines = Object.entries(all).map(([name, models]) => {
    const rows = Object.entries(models).map(([id, limit]) => `      ${JSON.stringify(id)}: ${JSON.stringify(limit)}`);
    return `    ${JSON.stringify(name)}: {\n${rows.join(',\n')}\n    }`;
  });
  const from = JSON.stringify(`@earendil-works/pi-ai ${version}`);
  return `{\n  "from": ${from},\n  "providers": {\n${lines.join(',\n')}\n  }\n}\n`;
}

/**
 * Nothing means that nothing is known, but where the name says that it is free. Of several tiers the dearest counts from the
 * first on.
 * @param {string} id
 * @param {{ input: number, output: number, cacheRead: number, cacheWrite: number, tiers?: (Price & { inputTokensAbove: number })[] }} cost
 * @returns {Price | undefined}
 */
function costOf(id, { tiers = [], ...cost }) {
  if (!(cost.input > 0 && cost.output > 0)) return id.endsWith(':free') ? { input: 0, output: 0 } : undefined;
  /** @param {Omit<Price, 'long'>} from */
  const known = ({ input, output, cacheRead, cacheWrite }) =>
    compact({ input, output, cacheRead: cacheRead || undefined, cacheWrite: cacheWrite || undefined });
  const [first] = tiers;
  const last = tiers.at(-1);
  return /** @type {Price} */ (
    first && last ? { ...known(cost), long: { above: first.inputTokensAbove, ...known(last) } } : known(cost)
  );
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, limits: { type: 'string' } } });
  if (values.limits !== undefined) writeFileSync(limitsFile, limitsFrom(resolve(values.limits)));
  const files = catalogFiles();
  mkdirSync(dataDir, { recursive: true });
  const stale = readdirSync(dataDir).filter((name) => !files.has(name));
  for (const [name, text] of files) {
    const path = join(dataDir, name);
    if (!values.check) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text) stale.push(name);
  }
  if (stale.length > 0) {
    console.error(`not what the script makes: ${stale.join(', ')}; run "npm run catalog"`);
    process.exitCode = 1;
  }
}
