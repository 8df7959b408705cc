/** The packages of providers are loaded by a call of a model of theirs, and by nothing else. */
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

async function chunksOf(entry: string): Promise<readonly OutputChunk[]> {
  const built = await rolldown({
    input: { entry: `${root}${entry}` },
    cwd: root,
    platform: 'node',
    treeshake: { moduleSideEffects: [{ test: /[\\/](?:src|acorn)[\\/]/, sideEffects: false }] },
    external: [/^node:/, 'jiti', '@swc/wasm-typescript', 'effect'],
  });
  const { output } = await built.generate({ format: 'esm' });
  await built.close();
  return output.filter((each) => each.type === 'chunk');
}

/** The modules that come with a chunk, without what is imported later. */
function loadedWith(chunk: OutputChunk, all: readonly OutputChunk[]): string[] {
  const byName = new Map(all.map((each) => [each.fileName, each]));
  const seen = new Set([chunk]);
  for (const each of seen) {
    for (const name of each.imports) {
      const next = byName.get(name);
      if (next) seen.add(next);
    }
  }
  return [...seen].flatMap(({ moduleIds }) => moduleIds).map((id) => id.replaceAll('\\', '/'));
}

/** `openai`, `anthropic` …; what they share is nobody's. */
function providersIn(modules: readonly string[]): string[] {
  const names = modules.flatMap((id) => /@ai-sdk\/([^/]+)\/dist\//.exec(id)?.[1] ?? []);
  return [...new Set(names)].filter((name) => name !== 'provider' && name !== 'provider-utils').sort();
}

it('models come without providers, without calls in text, and a call loads one provider', async () => {
  const all = await chunksOf('src/model/index.ts');
  const entry = all.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('there is no entry');
  expect(
    loadedWith(entry, all).filter((id) => /@ai-sdk|src\/model\/(?:brackets|call)\/|src\/calls\//.test(id)),
  ).toEqual([]);
  const later = all.map((chunk) => ({ providers: providersIn(loadedWith(chunk, all)), chunk }));
  const names = later.filter(({ chunk }) => chunk.isDynamicEntry).map(({ providers }) => providers.join(' '));
  expect(names.filter((each) => each !== '').sort()).toEqual(['anthropic', 'google', 'openai', 'openai-compatible']);
  for (const { chunk, providers } of later) {
    const isOurs = chunk.moduleIds.some((id) => /[\\/]src[\\/]model[\\/]call[\\/]/.test(id));
    if (isOurs) expect(providers).toEqual([]);
  }
});

it('no command of the program loads one before a model is called', async () => {
  const all = await chunksOf('src/cli/process.ts');
  expect(all.length).toBeGreaterThan(50);
  for (const chunk of all) {
    const isOurs = chunk.moduleIds.some((id) => id.startsWith(`${root}src`));
    if (isOurs) expect(loadedWith(chunk, all).filter((id) => id.includes('@ai-sdk'))).toEqual([]);
  }
});

it('a run without tools loads none of them, and no client of services', async () => {
  const all = await chunksOf('src/run/index.ts');
  const entry = all.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('there is no entry');
  const loaded = loadedWith(entry, all);
  expect(loaded.filter((id) => /src\/tool\/(?!names)|@modelcontextprotocol/.test(id))).toEqual([]);
  expect(all.some(({ moduleIds }) => moduleIds.some((id) => /[\\/]src[\\/]tool[\\/]toolbox/.test(id)))).toBe(true);
});
