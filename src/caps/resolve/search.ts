/** Looks for one reference: at its path, in the places of a shorthand, or where the lock says. */
import type { Refs } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { findRevision, fullCommit, type Revision, splitAddress } from '../git/revision.ts';
import { checkUseRef, type GitHubRef, type ShorthandRef } from '../ref.ts';
import { type AddressContext, resolveAddress } from './address.ts';
import type { Spot } from './bring.ts';
import { planFiles } from './content.ts';
import { type Lock, readLock } from './lock.ts';
import { type Located, locate, locateExactly, missingWords } from './path.ts';
import { probesOf } from './probe.ts';
import { type Found, failingProblem, type Refused, refuse } from './problem.ts';
import type { RemoteKind, RemoteProblem, Resolved, Wanted } from './target.ts';

/** Where it is in a repository; or all of it, or why not. */
export type Search = () => Promise<Found<{ kind: 'spot'; spot: Spot } | { kind: 'resolved'; resolved: Resolved }>>;

export interface SearchContext extends AddressContext {
  /** The same for the same. */
  readonly repositoryOf: (owner: string, repo: string) => Repository;
}

export function searchOf({ kind, ref: text, isWired, locked }: Wanted, context: SearchContext): Search {
  const { repositoryOf } = context;
  const resolved = (end: Resolved) => ({ ok: true, value: { kind: 'resolved', resolved: end } }) as const;
  const parsed = checkUseRef(kind, text, isWired ? 'config' : 'use');
  if (!parsed.ok) return async () => resolved({ ok: false, problem: withoutFix(parsed.problem) });
  const { ref } = parsed;
  if (ref.form === 'url') return async () => resolved(await resolveAddress(kind, ref, locked, context));
  const spotted = async (looking: Promise<Found<Spot>>) => {
    const found = await looking;
    return found.ok ? ({ ok: true, value: { kind: 'spot', spot: found.value } } as const) : found;
  };
  if (locked !== undefined) {
    const lock = readLock(locked);
    if (!lock.ok) return async () => lock;
    const repository = repositoryOf(lock.value.owner, lock.value.repo);
    repository.expect(lock.value);
    return () => spotted(findLocked(kind, lock.value, repository));
  }
  if (ref.form === 'github') {
    const repository = repositoryOf(ref.owner, ref.repo);
    expectRevision(repository, ref);
    return () => spotted(findPath(kind, ref, repository));
  }
  const probes = probesOf(kind, ref).map(({ repo, paths }) => ({ paths, repository: repositoryOf(ref.owner, repo) }));
  for (const { repository } of probes) expectRevision(repository, ref);
  return () => spotted(findShorthand(kind, text, ref, probes));
}

function expectRevision(repository: Repository, ref: GitHubRef | ShorthandRef): void {
  const commit = fullCommit(ref.rev);
  if (commit !== undefined) repository.expect({ commit });
  else {
    repository.expect({
      pick: (refs) => {
        const { revision } = readRevision(refs, ref, repository.where);
        return revision.ok ? revision.commit : undefined;
      },
    });
  }
}

function readRevision(
  refs: Refs,
  ref: GitHubRef | ShorthandRef,
  where: string,
): { readonly revision: Revision; readonly path: string } {
  if (ref.form === 'github' && ref.revAndPath !== undefined) return splitAddress(refs, ref.revAndPath, where);
  return { revision: findRevision(refs, ref.rev, where), path: ref.form === 'github' ? ref.path : '' };
}

async function findLocked(kind: RemoteKind, lock: Lock, repository: Repository): Promise<Found<Spot>> {
  const { commit, path } = lock;
  const read = await repository.tree(commit);
  if (!read.ok) return failingProblem(read.failing, repository.where, commit);
  const { tree } = read.value;
  const at = kind === 'skill' ? (path === '' ? 'SKILL.md' : `${path}/SKILL.md`) : path;
  const located = locateExactly(tree, kind, at);
  if (located === undefined) return nothingThere(repository, tree, kind, path, commit);
  return located.ok ? toSpot(lock, repository, commit, located.value) : located;
}

async function findPath(kind: RemoteKind, ref: GitHubRef, repository: Repository): Promise<Found<Spot>> {
  let commit = fullCommit(ref.rev);
  let { path } = ref;
  if (commit === undefined) {
    const refs = await repository.refs();
    if (!refs.ok) return failingProblem(refs.failing, repository.where);
    const read = readRevision(refs.value, ref, repository.where);
    if (!read.revision.ok) return revisionProblem(read.revision);
    ({ path } = read);
    commit = read.revision.commit;
  }
  const read = await repository.tree(commit);
  if (!read.ok) return failingProblem(read.failing, repository.where, commit);
  const located = locate(read.value.tree, kind, path);
  if (located === undefined) return nothingThere(repository, read.value.tree, kind, path, read.value.commit);
  return located.ok ? toSpot(ref, repository, read.value.commit, located.value) : located;
}

interface ProbePlace {
  readonly repository: Repository;
  readonly paths: readonly string[];
}

async function findShorthand(
  kind: RemoteKind,
  text: string,
  ref: ShorthandRef,
  probes: readonly ProbePlace[],
): Promise<Found<Spot>> {
  const misses: string[] = [];
  for (const { repository, paths } of probes) {
    const { where } = repository;
    const miss = (why: string) => misses.push(`${where} (${why})`);
    let commit = fullCommit(ref.rev);
    if (commit === undefined) {
      const refs = await repository.refs();
      if (!refs.ok) {
        if (refs.failing.kind !== 'absent') return failingProblem(refs.failing, where);
        miss(refs.failing.why);
        continue;
      }
      const { revision } = readRevision(refs.value, ref, where);
      if (!revision.ok) {
        if (revision.code === 'TOO5314') return revisionProblem(revision);
        miss(ref.rev === undefined ? 'it has no commits' : `no revision "${ref.rev}"`);
        continue;
      }
      commit = revision.commit;
    }
    const read = await repository.tree(commit);
    if (!read.ok) {
      const { failing } = read;
      if (failing.kind !== 'absent' && failing.kind !== 'no-object') return failingProblem(failing, where, commit);
      miss(failing.why);
      continue;
    }
    for (const path of paths) {
      const located = locateExactly(read.value.tree, kind, path);
      if (located?.ok) {
        return toSpot({ owner: ref.owner, repo: repoOf(where) }, repository, read.value.commit, located.value);
      }
      if (located) return located;
      misses.push(`${where}/${path} (no such file)`);
    }
  }
  return refuse(
    'TOO5316',
    `"${text}" was found in none of the places of ${kind}s: ${misses.join('; ')}.`,
    `Look at the spelling, or write the whole path: github://${ref.owner}/repo/path@rev.`,
  );
}

function repoOf(where: string): string {
  return where.slice(where.lastIndexOf('/') + 1);
}

function toSpot(
  { owner, repo }: { readonly owner: string; readonly repo: string },
  repository: Repository,
  commit: string,
  located: Located,
): Found<Spot> {
  const planned = planFiles(located, repository.where);
  if (!planned.ok) return planned;
  const { path } = located;
  const ref = `github://${owner}/${repo}${path === '' ? '' : `/${path}`}@${commit}`;
  return { ok: true, value: { repository, files: planned.value, target: { ref, url: repository.url, commit, path } } };
}

function nothingThere(
  { where }: Repository,
  tree: Parameters<typeof missingWords>[0],
  kind: RemoteKind,
  path: string,
  commit: string,
): Refused {
  const shown = path === '' ? where : `${where}/${path}`;
  return refuse(
    'TOO5315',
    `there is no ${kind} at ${shown} in ${commit.slice(0, 12)}: ${missingWords(tree, kind, path)}.`,
    'Look at the path and at its letter case, and whether it is in this revision.',
  );
}

function revisionProblem({ code, message, help }: Extract<Revision, { ok: false }>): Refused {
  return refuse(code, message, help);
}

function withoutFix({ code, message, help }: RemoteProblem): RemoteProblem {
  return help === undefined ? { code, message } : { code, message, help };
}
