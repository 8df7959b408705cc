/** The parts of GitHub references: revisions, and the addresses people copy from the browser. */

/**
 * A revision follows the first `@` that does not begin a path segment, so that `@scope/name.md@main` and the tag
 * `name.md@pkg@1.2.0` are both read as they are meant.
 */
export function splitRevision(text: string): { path: string; rev?: string } {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    if (at > 0 && text[at - 1] !== '/') return { path: text.slice(0, at), rev: text.slice(at + 1) };
  }
  return { path: text };
}

/** Why git would not take it for a branch, a tag or a commit; a leading `-` would even be taken for an option. */
export function revisionProblem(rev: string): string | undefined {
  if (rev.startsWith('-')) return 'it begins with "-"';
  if (rev.includes('..') || rev.includes('@{')) return 'it holds ".." or "@{"';
  if (/[\s~^:?*[\\\u0000-\u001f\u007f]/.test(rev)) return 'it holds a character that none can have';
  if (rev.startsWith('/') || rev.endsWith('/') || rev.includes('//')) return 'it has an empty part';
  if (rev.endsWith('.') || rev.endsWith('.lock') || /(?:^|\/)\./.test(rev))
    return 'it has a part that begins with "." or ends in "." or ".lock"';
  return undefined;
}

export type GitHubUrl =
  | {
      readonly ok: true;
      readonly owner: string;
      readonly repo: string;
      readonly rev: string;
      readonly path: string;
      readonly revAndPath: string;
    }
  | { readonly ok: false; readonly message: string; readonly help: string };

/** Blob, tree and raw addresses. `segments` are those of the path, decoded. */
export function gitHubUrl(host: string, segments: readonly string[]): GitHubUrl {
  const [owner = '', repo = '', ...rest] = segments;
  if (host !== 'raw.githubusercontent.com') {
    const view = rest.shift();
    if (view !== 'blob' && view !== 'tree' && view !== 'raw') {
      return {
        ok: false,
        message: 'does not name a file in a repository.',
        help: 'Take the address of the file, with /blob/ or /tree/ in it, or write owner/repo/name.',
      };
    }
  }
  const revAndPath = rest.join('/');
  // Some addresses write the revision in full.
  const full = rest[0] === 'refs' && (rest[1] === 'heads' || rest[1] === 'tags') ? rest.slice(2) : rest;
  const [rev = '', ...path] = full;
  if (rev === '') return { ok: false, message: 'names no revision.', help: 'Take the address of the file itself.' };
  return { ok: true, owner, repo: repo.replace(/\.git$/, ''), rev, path: path.join('/'), revAndPath };
}
