/**
 * One repository during one resolution.
 * 1. It is asked for its refs at most once, and only where a revision needs that.
 * 2. All commits that anybody may want are named before the first is looked for (`expect`): one fetch gets those that are
 *    missing. Contents are fetched once too, by whoever has collected them.
 * 3. What is in the cache is not fetched. A cache that cannot be read is thrown away and made anew.
 */
import type { GitExit } from '../../sys/index.ts';
import { allEnded } from './gate.ts';
import type { Git } from './git.ts';
import { type ObjectHead, readBlobs, readHeads } from './objects.ts';
import { type Refs, readRefs } from './refs.ts';
import { createStore, type Store } from './store.ts';
import { readTree, type Tree } from './tree.ts';
import { plainWords, readTrouble, type Trouble } from './trouble.ts';

/** `offline`: it is not in the cache, and nobody may be asked. `damaged`: it could not be read. */
export type Failing = Trouble | { readonly kind: 'offline' | 'damaged'; readonly why: string };
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failing: Failing };

export interface Repository {
  /** As people know it: `github.com/owner/repo`. */
  readonly where: string;
  readonly url: string;
  /** Told before anything else: what may be asked for. From refs it picks the commits that are wanted of them. */
  readonly expect: (want: { readonly commit: string } | { readonly pick: (refs: Refs) => string | undefined }) => void;
  readonly refs: () => Promise<Outcome<Refs>>;
  /** The commit itself where a tag's own id was given, and its files. */
  readonly tree: (commit: string) => Promise<Outcome<{ readonly commit: string; readonly tree: Tree }>>;
  /** The sizes of contents of files, after those that are missing were fetched. All have ids of one length. */
  readonly sizes: (ids: readonly string[]) => Promise<Outcome<ReadonlyMap<string, number>>>;
  /** Whether all of them are in the cache. */
  readonly hasAll: (ids: readonly string[]) => Promise<boolean>;
  /** The contents themselves. */
  readonly blobs: (ids: readonly string[]) => Promise<Outcome<ReadonlyMap<string, Uint8Array>>>;
}

export interface RepositoryOptions {
  readonly git: Git;
  readonly cache: string;
  readonly owner: string;
  readonly repo: string;
  readonly offline: boolean;
  readonly progress: (text: string) => void;
}

/** The cache is not as git left it. */
class Damage extends Error {}

export function createRepository({ git, cache, owner, repo, offline, progress }: RepositoryOptions): Repository {
  const where = `github.com/${owner}/${repo}`;
  const url = `https://${where}`;
  const commits = new Set<string>();
  const picks: ((refs: Refs) => string | undefined)[] = [];
  const stores = new Map<number, Store>();
  /** The caches that were thrown away, by their marks. */
  const discarded = new Map<string, Promise<void>>();
  let asked: Promise<Outcome<Refs>> | undefined;
  let fetched: Promise<ReadonlyMap<string, Failing>> | undefined;
  const trees = new Map<string, Promise<Outcome<{ commit: string; tree: Tree }>>>();

  function storeOf(id: string): Store {
    const store = stores.get(id.length) ?? createStore(cache, owner, repo, id.length);
    stores.set(id.length, store);
    return store;
  }

  function refs(): Promise<Outcome<Refs>> {
    asked ??= offline ? Promise.resolve(isOffline) : ask();
    return asked;
  }

  async function ask(): Promise<Outcome<Refs>> {
    progress(`asking ${where}`);
    const exit = await git.ask(['ls-remote', '--symref', '--', url]);
    if (exit.code !== 0) return { ok: false, failing: readTrouble(exit.err, exit.isLate) };
    return { ok: true, value: readRefs(exit.out.toString('utf8')) };
  }

  /** What is not there of the commits that are expected, fetched at once; those that cannot be, with the reason. */
  async function fetchExpected(): Promise<ReadonlyMap<string, Failing>> {
    const wanted = new Set(commits);
    if (picks.length > 0) {
      const known = await refs();
      const found = known.ok ? picks.map((pick) => pick(known.value)) : [];
      for (const commit of found) if (commit !== undefined) wanted.add(commit);
    }
    const failed = new Map<string, Failing>();
    for (const digits of [40, 64]) {
      const ids = [...wanted].filter((id) => id.length === digits);
      const heads = ids.length === 0 ? [] : await peeled(ids);
      const missing = ids.filter((_, index) => heads[index] === undefined);
      for (const [id, failing] of await fetchCommits(missing)) failed.set(id, failing);
    }
    return failed;
  }

  async function fetchCommits(ids: readonly string[]): Promise<ReadonlyMap<string, Failing>> {
    if (ids.length === 0) return new Map();
    const failing = await fetchObjects(ids, ['--depth=1']);
    if (failing === undefined) return new Map();
    // One that is not there spoils it for all.
    if (failing.kind !== 'no-object' || ids.length === 1) return new Map(ids.map((id) => [id, failing]));
    const each = await allEnded(ids.map((id) => fetchCommits([id])));
    return new Map(each.flatMap((failed) => [...failed]));
  }

  async function fetchObjects(ids: readonly string[], options: readonly string[]): Promise<Failing | undefined> {
    if (offline) return isOffline.failing;
    const store = storeOf(ids[0] ?? '');
    const fresh = await store.fresh();
    progress(`fetching ${where}`);
    const settings = [
      `remote.toolang.url=${url}`,
      // Not in its configuration, so that nothing but this is ever fetched from there.
      'remote.toolang.promisor=true',
      'remote.toolang.partialCloneFilter=blob:none',
      'fetch.negotiationAlgorithm=noop',
    ].flatMap((setting) => ['-c', setting]);
    const args = ['fetch', '--quiet', '--no-progress', '--no-tags', '--no-write-fetch-head', '--no-auto-gc'];
    const more = ['--recurse-submodules=no', '--filter=blob:none', ...options, '--stdin', 'toolang'];
    try {
      const exit = await git.ask(
        [...args, ...more],
        [`--git-dir=${fresh}`, ...settings],
        ids.map((id) => `${id}\n`).join(''),
      );
      if (exit.code !== 0) return readTrouble(exit.err, exit.isLate);
      await store.adopt(fresh);
      return undefined;
    } finally {
      await store.remove(fresh);
    }
  }

  async function look(store: Store, args: readonly string[], input?: string): Promise<GitExit> {
    const exit = await git.look(await store.open(), args, input);
    // That an object is there and no commit is no damage.
    const isBad = /^(?:error|fatal):(?! \S+: expected commit type)/m.test(exit.err);
    if (exit.code !== 0 || isBad) throw new Damage(plainWords(exit.err));
    return exit;
  }

  async function heads(ids: readonly string[], suffix: string): Promise<readonly (ObjectHead | undefined)[]> {
    const store = storeOf(ids[0] ?? '');
    if (!store.isThere()) return ids.map(() => undefined);
    const exit = await look(store, ['cat-file', '--batch-check'], ids.map((id) => `${id}${suffix}\n`).join(''));
    const found = readHeads(exit.out.toString('utf8'), ids.length);
    if (found === undefined) throw new Damage('cat-file said too little');
    return found;
  }

  const peeled = (ids: readonly string[]) => heads(ids, '^{commit}');

  async function readCommit(id: string): Promise<Outcome<{ commit: string; tree: Tree }>> {
    let [head] = await peeled([id]);
    if (head === undefined) {
      fetched ??= fetchExpected();
      const failing = (await fetched).get(id);
      if (failing !== undefined) return { ok: false, failing };
      [head] = await peeled([id]);
      if (head === undefined) {
        const [other] = await heads([id], '');
        if (other === undefined) throw new Damage(`${id} is not where it was put`);
        return { ok: false, failing: { kind: 'no-object', why: `${id} is a ${other.type}, and no commit` } };
      }
    }
    const exit = await look(storeOf(id), ['ls-tree', '-r', '-t', '-z', '--full-tree', head.id]);
    const tree = readTree(exit.out);
    if (tree === undefined) throw new Damage('ls-tree said too little');
    return { ok: true, value: { commit: head.id, tree } };
  }

  async function readSizes(ids: readonly string[]): Promise<Outcome<ReadonlyMap<string, number>>> {
    if (ids.length === 0) return { ok: true, value: new Map() };
    let found = await heads(ids, '');
    const missing = ids.filter((_, index) => found[index] === undefined);
    if (missing.length > 0) {
      const failing = await fetchObjects(missing, []);
      if (failing !== undefined) return { ok: false, failing };
      found = await heads(ids, '');
    }
    const sizes = new Map<string, number>();
    for (const [index, head] of found.entries()) {
      if (head === undefined) throw new Damage(`${ids[index]} is not where it was put`);
      sizes.set(head.id, head.size);
    }
    return { ok: true, value: sizes };
  }

  async function readContents(ids: readonly string[]): Promise<Outcome<ReadonlyMap<string, Uint8Array>>> {
    if (ids.length === 0) return { ok: true, value: new Map() };
    const input = ids.map((id) => `${id}\n`).join('');
    const exit = await look(storeOf(ids[0] ?? ''), ['cat-file', '--batch'], input);
    const found = readBlobs(exit.out);
    if (found === undefined || ids.some((id) => !found.has(id)))
      throw new Damage('contents are not what was put there');
    return { ok: true, value: found };
  }

  /**
   * Does it again with a cache made anew, where it shows that this one is damaged. Several processes may find that out:
   * who sees another cache than before takes that, and does not throw it away too.
   */
  async function soundly<T>(id: string, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const store = storeOf(id);
    for (let tries = 1; ; tries++) {
      const mark = store.mark();
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
        if (offline || tries === 3) return { ok: false, failing: { kind: 'damaged', why: error.message } };
        fetched = undefined;
        if (mark === '' || store.mark() !== mark) continue;
        const discarding = discarded.get(mark) ?? discard(store, error.message);
        discarded.set(mark, discarding);
        await discarding;
      }
    }
  }

  async function discard(store: Store, why: string): Promise<void> {
    progress(`the cache of ${where} is damaged (${why}): it is fetched anew`);
    await store.discard();
  }

  return {
    where,
    url,
    expect(want) {
      if ('pick' in want) picks.push(want.pick);
      else commits.add(want.commit);
    },
    refs,
    tree(commit) {
      const known = trees.get(commit) ?? soundly(commit, () => readCommit(commit));
      trees.set(commit, known);
      return known;
    },
    async hasAll(ids) {
      if (ids.length === 0) return true;
      try {
        return !(await heads(ids, '')).includes(undefined);
      } catch (error) {
        if (error instanceof Damage) return false;
        throw error;
      }
    },
    sizes: (ids) => soundly(ids[0] ?? '', () => readSizes(ids)),
    blobs(ids) {
      let isAgain = false;
      return soundly(ids[0] ?? '', async () => {
        // Of a cache that is made anew, they have to come again.
        const sizes = isAgain ? await readSizes(ids) : undefined;
        isAgain = true;
        return sizes && !sizes.ok ? sizes : readContents(ids);
      });
    },
  };
}

const isOffline = { ok: false, failing: { kind: 'offline', why: 'nothing may be fetched' } } as const;
