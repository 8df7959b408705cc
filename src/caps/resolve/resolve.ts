/**
 * Resolves references to exact targets and brings their files.
 * 1. Every repository is told all that may be wanted of it before it is asked (`expect`), so that it is asked once and
 *    fetched once; each reference then looks on its own, in its own order.
 * 2. Contents are fetched when all places are known: once for each repository.
 * 3. What is locked is taken as it is: nothing is looked up, and nothing is asked where the cache has it.
 */
import { systemCode } from '../../sys/index.ts';
import { allEnded } from '../git/gate.ts';
import { createGit, isNoGit } from '../git/git.ts';
import { createRepository, type Repository } from '../git/repository.ts';
import { sweepStores } from '../git/store.ts';
import { bring } from './bring.ts';
import { createDownloads } from './download.ts';
import { type Found, refuse } from './problem.ts';
import { searchOf } from './search.ts';
import type { Resolved, ResolveOptions, Wanted } from './target.ts';

export async function resolveAll(
  wanted: readonly Wanted[],
  options: ResolveOptions,
): Promise<ReadonlyMap<string, Resolved>> {
  const { cache, env, signal, limitMs, offline = false, progress = () => undefined } = options;
  signal?.throwIfAborted();
  const git = createGit({ cache, env, signal, limitMs });
  const repositories = new Map<string, Repository>();
  const repositoryOf = (owner: string, repo: string): Repository => {
    const key = `${owner}/${repo}`;
    const known = repositories.get(key) ?? createRepository({ git, cache, owner, repo, offline, progress });
    repositories.set(key, known);
    return known;
  };
  const download = createDownloads(options);
  const searches = wanted.map((one) => searchOf(one, { ...options, repositoryOf, download }));
  if (!offline) {
    const swept = await attempt(() => sweepStores(cache, Date.now()).then(nothing));
    if (!swept.ok) progress(swept.problem.message);
  }
  const found = await allEnded(searches.map((search) => attempt(search)));
  const spots = found.flatMap((each) => (each.ok && each.value.kind === 'spot' ? [each.value.spot] : []));
  const brought = await bring(spots, (work) => attempt(work));
  const resolved = new Map<string, Resolved>();
  for (const [index, each] of found.entries()) {
    const { key } = wanted[index] ?? { key: '' };
    if (!each.ok) resolved.set(key, each);
    else if (each.value.kind === 'resolved') resolved.set(key, each.value.resolved);
    else {
      const end = brought.get(each.value.spot);
      if (end === undefined) throw new Error(`${key} was found and not brought`);
      resolved.set(key, end);
    }
  }
  return resolved;
}

/** What the system refuses, and that there is no git, is told of each reference that needs it. */
async function attempt<T>(work: () => Promise<Found<T>>): Promise<Found<T>> {
  try {
    return await work();
  } catch (error) {
    if (isNoGit(error)) {
      const help = 'Install git 2.29 or newer: https://git-scm.com';
      return refuse('TOO5322', `${error.message}.`, help);
    }
    const code = systemCode(error) ?? systemCode(error instanceof Error ? error.cause : undefined);
    if (!(error instanceof Error) || code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    const help = 'Look at its permissions and at the space that is left.';
    const [said = ''] = error.message.split('\n', 1);
    return refuse('TOO5323', `the cache cannot be used: ${said.replace(/\.$/, '')}.`, help);
  }
}

function nothing(): Found<undefined> {
  return { ok: true, value: undefined };
}
