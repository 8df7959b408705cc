/** Which commit a revision means in a repository. Nothing is guessed: what could mean two commits is refused. */
import { type Code, closest, didYouMean } from '../../text/index.ts';
import { isObjectId, type Refs } from './refs.ts';

export type Revision =
  | { readonly ok: true; readonly commit: string }
  | { readonly ok: false; readonly code: Code; readonly message: string; readonly help: string };

/** Of a web address: the revision is the longest that fits, and the rest is the path. */
export type AddressRevision = { readonly revision: Revision; readonly path: string };

/** A commit that is written in full needs no repository to say what it means. */
export function fullCommit(rev: string | undefined): string | undefined {
  const lower = rev?.toLowerCase();
  return lower !== undefined && isObjectId(lower) ? lower : undefined;
}

/** `where`: the repository, as people know it. Without `rev`: the default branch. */
export function findRevision(refs: Refs, rev: string | undefined, where: string): Revision {
  if (rev === undefined || rev === 'HEAD') return defaultBranch(refs, where);
  const full = fullCommit(rev);
  if (full !== undefined) return { ok: true, commit: full };
  const exact = /^refs\/(heads|tags)\/(.+)$/.exec(rev);
  if (exact) {
    const [, kind, name = ''] = exact;
    const commit = (kind === 'heads' ? refs.branches : refs.tags).get(name);
    if (commit !== undefined) return { ok: true, commit };
    return notFound(refs, rev, where);
  }
  const branch = refs.branches.get(rev);
  const tag = refs.tags.get(rev);
  if (branch !== undefined && tag !== undefined && branch !== tag) {
    return {
      ok: false,
      code: 'TOO5314',
      message: `"${rev}" is a branch and a tag of ${where}, at different commits.`,
      help: `Write @refs/heads/${rev} for the branch or @refs/tags/${rev} for the tag.`,
    };
  }
  const commit = branch ?? tag;
  if (commit !== undefined) return { ok: true, commit };
  return /^[0-9a-f]{4,63}$/i.test(rev) ? shortCommit(refs, rev, where) : notFound(refs, rev, where);
}

/** `revAndPath` of `https://github.com/owner/repo/blob/…`: branches may hold slashes. */
export function splitAddress(refs: Refs, revAndPath: string, where: string): AddressRevision {
  const exact = /^refs\/(?:heads|tags)\//.exec(revAndPath)?.[0] ?? '';
  const segments = revAndPath.slice(exact.length).split('/');
  for (let count = segments.length; count > 0; count--) {
    const name = segments.slice(0, count).join('/');
    const isThere =
      (exact !== 'refs/tags/' && refs.branches.has(name)) || (exact !== 'refs/heads/' && refs.tags.has(name));
    if (isThere) {
      return { revision: findRevision(refs, exact + name, where), path: segments.slice(count).join('/') };
    }
  }
  const [first = '', ...path] = segments;
  return { revision: findRevision(refs, exact + first, where), path: path.join('/') };
}

function defaultBranch({ head, headName, branches, commits }: Refs, where: string): Revision {
  if (head !== undefined) return { ok: true, commit: head };
  if (commits.size === 0) {
    return {
      ok: false,
      code: 'TOO5313',
      message: `${where} has no commits yet.`,
      help: 'Look whether it is the repository that you mean.',
    };
  }
  const named = headName === undefined ? 'has no default branch' : `has no branch "${headName}", its default`;
  return {
    ok: false,
    code: 'TOO5313',
    message: `${where} ${named}.`,
    help: `Say which one after "@"${branches.size === 0 ? '' : `: ${some(branches)}`}.`,
  };
}

function shortCommit(refs: Refs, rev: string, where: string): Revision {
  const lower = rev.toLowerCase();
  const found = [...refs.commits].filter((commit) => commit.startsWith(lower));
  const [only] = found;
  if (only !== undefined && found.length === 1) return { ok: true, commit: only };
  const several = found.length > 1;
  return {
    ok: false,
    code: several ? 'TOO5314' : 'TOO5313',
    message: several
      ? `"${rev}" is the beginning of ${found.length} commits of ${where}.`
      : `"${rev}" is no branch and no tag of ${where}, and the beginning of no commit that one of them stands for.`,
    help: 'Write all digits of a commit: "git rev-parse" shows them.',
  };
}

function notFound(refs: Refs, rev: string, where: string): Revision {
  const names = [...refs.branches.keys(), ...refs.tags.keys()];
  const exact = /^refs\/(?:heads|tags)\//.exec(rev)?.[0] ?? '';
  const near = names.length > 5000 ? undefined : closest(rev.slice(exact.length), names);
  const what = exact === '' ? 'branch and no tag' : exact === 'refs/heads/' ? 'branch' : 'tag';
  const message = `${where} has no ${what} "${rev.slice(exact.length)}".${didYouMean(near)}`;
  const help = names.length === 0 ? 'It has none at all.' : `It has ${some(refs.branches)}${tagWords(refs)}.`;
  return { ok: false, code: 'TOO5313', message, help };
}

function tagWords({ tags }: Refs): string {
  return tags.size === 0 ? '' : `; tags: ${some(tags)}`;
}

function some(names: ReadonlyMap<string, string>): string {
  const all = [...names.keys()];
  const shown = all.slice(-5).map((name) => `"${name}"`);
  return all.length > shown.length ? `${shown.join(', ')} and ${all.length - shown.length} more` : shown.join(', ');
}
