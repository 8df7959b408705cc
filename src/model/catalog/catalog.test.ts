/** The catalog against the published data that it is made of: the same names mean the same models, at the same prices. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { calcPrice, findProvider } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogFiles } from '../../../scripts/catalog.mjs';
import { costOf } from '../price.ts';
import { catalogProviders, infoOf, loadCatalog } from './catalog.ts';

const dir = fileURLToPath(new URL('./data/', import.meta.url));
const day = new Date('2026-11-17T03:00:00Z');
const theirName = (provider: string) => (provider === 'xai' ? 'x-ai' : provider);

function publishedModels(provider: string) {
  const found = findProvider({ providerId: theirName(provider) });
  if (!found) throw new Error(`no prices of ${provider}`);
  return found.models.filter(({ id }) => provider !== 'google' || !id.startsWith('claude'));
}

/** What the published package would take a name for. */
function publishedMatch(provider: string, id: string): string | undefined {
  const found = calcPrice({ input_tokens: 1 }, id, { providerId: theirName(provider), timestamp: day });
  // Google's has the models of others too, which we do not reach there.
  return found && found.provider.id === theirName(provider) && !(provider === 'google' && id.includes('claude'))
    ? found.model.id
    : undefined;
}

function literalsOf(rule: unknown): string[] {
  if (typeof rule === 'string') return [rule];
  return typeof rule === 'object' && rule !== null ? Object.values(rule).flatMap(literalsOf) : [];
}

describe('the data of the catalog', () => {
  it('is what the script makes', () => {
    const files = catalogFiles();
    expect(readdirSync(dir).sort()).toEqual([...files.keys()].sort());
    for (const [name, text] of files) expect(readFileSync(dir + name, 'utf8') === text, name).toBe(true);
  });

  it('is small, and has every provider', () => {
    const sizes = readdirSync(dir).map((name) => readFileSync(dir + name).length);
    expect(sizes.reduce((a, b) => a + b)).toBeLessThan(200_000);
    expect(readdirSync(dir).sort()).toEqual(catalogProviders.map((name) => `${name}.ts`).sort());
  });
});

describe('names', () => {
  it.each(catalogProviders)('mean what they mean in the published data: %s', async (provider) => {
    const catalog = await loadCatalog(provider);
    const models = publishedModels(provider);
    const all = models.flatMap(({ id, match }) => [id, ...literalsOf(match)]);
    // Theirs looks at all models for each name, and OpenRouter has hundreds.
    const words = all.filter((_, i) => process.env.TOOLANG_DEEP || provider !== 'openrouter' || i % 5 === 0);
    const names = words.flatMap((word) => [
      word,
      word.toUpperCase(),
      ` ${word}`,
      `${word}-20250807`,
      `${word}-2025-08-07`,
      `x${word}`,
    ]);
    for (const name of names) {
      const published = publishedMatch(provider, name);
      const ours = catalog.find(name)?.id;
      // What the prices do not have may still be known by its limits.
      if (published !== undefined || models.some(({ id }) => id === ours))
        expect([name, ours]).toEqual([name, published]);
    }
  });

  it('mean the same after any change', async () => {
    const catalogs = new Map(
      await Promise.all(catalogProviders.map(async (name) => [name, await loadCatalog(name)] as const)),
    );
    const ids = catalogProviders.flatMap((name) => publishedModels(name).map(({ id }) => [name, id] as const));
    const edit = fc.tuple(
      fc.nat(40),
      fc.nat(3),
      fc.constantFrom('', '-', 'a', '4', '-latest', '20251001', '/', ':free'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...ids), edit, ([provider, id], [at, cut, more]) => {
        const name = id.slice(0, at) + more + id.slice(at + cut);
        const published = publishedMatch(provider, name);
        const ours = catalogs.get(provider)?.find(name)?.id;
        if (published !== undefined || publishedModels(provider).some((model) => model.id === ours)) {
          expect([name, ours]).toEqual([name, published]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('of a provider without data mean nothing', async () => {
    const catalog = await loadCatalog('toString');
    expect([catalog.rows, catalog.find('gpt-5'), catalog.named('gpt-5')]).toEqual([[], undefined, undefined]);
  });

  it('without a provider are only those that a row has itself', async () => {
    const [openai, mistral, openrouter] = await Promise.all(['openai', 'mistral', 'openrouter'].map(loadCatalog));
    expect(openai?.named('gpt-5')?.id).toBe('gpt-5');
    expect(openai?.named('GPT-5-2025-08-07')?.id).toBe('gpt-5');
    expect(openai?.find('gpt-5-nano-x')).toBeDefined();
    expect(openai?.named('gpt-5-nano-x')).toBeUndefined();
    expect(openai?.named('gpt-5-nano-2025-08-07')?.id).toBe('gpt-5-nano');
    expect(mistral?.named('my-mistral-7b')).toBeUndefined();
    // The router knows no name without a vendor.
    expect(openrouter?.find('claude-3.5-sonnet')).toBeDefined();
    expect(openrouter?.named('claude-3.5-sonnet')).toBeUndefined();
  });
});

describe('prices', () => {
  it.each(catalogProviders)('are the published ones: %s', async (provider) => {
    const catalog = await loadCatalog(provider);
    let compared = 0;
    for (const { id, prices } of publishedModels(provider)) {
      const row = catalog.find(id);
      const byHour = Array.isArray(prices) && prices.some(({ constraint }) => constraint?.type === 'time_of_date');
      const price = row?.id === id && !byHour ? infoOf(row, id, day.getTime()).price : undefined;
      if (price === undefined) continue;
      for (const input of [1000, 150_000, 271_999, 272_000, 400_000]) {
        const theirs = calcPrice(
          { input_tokens: input, cache_read_tokens: 400, cache_write_tokens: 100, output_tokens: 2000 },
          id,
          { providerId: theirName(provider), timestamp: day },
        );
        const usage = { inputTokens: input, cacheReadTokens: 400, cacheWriteTokens: 100, outputTokens: 2000 };
        expect(costOf(usage, price), `${id} ${input}`).toBeCloseTo(theirs?.total_price ?? Number.NaN, 9);
      }
      compared++;
    }
    expect(compared).toBeGreaterThan(0);
  });

  it('that change later are those of the day', async () => {
    const row = (await loadCatalog('google')).find('gemini-3.8-flash');
    const at = (date: string) => row && infoOf(row, 'gemini-3.8-flash', Date.parse(date)).price?.input;
    const theirs = (date: string) => {
      const found = calcPrice({ input_tokens: 1e6 }, 'gemini-3.8-flash', {
        providerId: 'google',
        timestamp: new Date(date),
      });
      return found?.total_price;
    };
    expect(at('2026-12-31T23:59:59Z')).toBe(theirs('2026-12-31T23:59:59Z'));
    expect(at('2027-01-01T00:00:00Z')).toBe(theirs('2027-01-01T00:00:00Z'));
    expect(at('2026-12-31T23:59:59Z')).not.toBe(at('2027-01-01T00:00:00Z'));
  });

  it('by the hour are the dearest', async () => {
    const row = (await loadCatalog('deepseek')).find('deepseek-v4-pro');
    const price = row && infoOf(row, row.id, day.getTime()).price;
    const theirs = Array.from({ length: 24 }, (_, hour) => {
      const timestamp = new Date(Date.UTC(2026, 10, 17, hour, 30));
      return (
        calcPrice({ input_tokens: 1e6 }, 'deepseek-v4-pro', { providerId: 'deepseek', timestamp })?.total_price ?? 0
      );
    });
    expect(price?.input).toBe(Math.max(...theirs));
  });

  it('of what nobody knows are unknown, and not nothing', async () => {
    const openai = await loadCatalog('openai');
    expect(openai.find('gpt-99')).toBeUndefined();
    const google = await loadCatalog('google');
    const free = google.find('gemma-3n-e4b-it');
    expect(free && infoOf(free, 'gemma-3n-e4b-it', day.getTime()).price).toBeUndefined();
  });
});

describe('limits', () => {
  it('say how long answers are, and whether a model has tools', async () => {
    const openai = await loadCatalog('openai');
    const gpt5 = openai.find('gpt-5');
    expect(gpt5?.tools).toBe(true);
    expect(gpt5 && infoOf(gpt5, 'gpt-5', 0)).toMatchObject({ context: 400_000, output: 128_000 });
    expect(gpt5 && infoOf(gpt5, 'gpt-5-chat-latest', 0)).toMatchObject({ context: 128_000, output: 16_384 });
    expect(openai.find('o1-mini')?.tools).toBe(false);
    expect(openai.find('gpt-3.5-turbo')?.tools).toBeUndefined();
  });

  it('list what answers messages, under names that mean themselves', async () => {
    for (const provider of catalogProviders) {
      const { rows, find } = await loadCatalog(provider);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(find(row.id)).toBe(row);
    }
    const openai = await loadCatalog('openai');
    const ids = openai.rows.map(({ id }) => id);
    expect(ids).toContain('gpt-5');
    expect(ids).not.toContain('text-embedding-3-small');
    expect(ids).not.toContain('ft:gpt-4o');
  });
});
