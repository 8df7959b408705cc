/**
 * Parses the reference of a `use` line. Remote ones only: `github://owner/repo/path@rev`, addresses of files, and the
 * shorthands `owner/name` and `owner/repo/name`. No network here.
 */
import { isCapName } from '../config/index.ts';
import { type Code, closest, didYouMean } from '../text/index.ts';
import { gitHubUrl, revisionProblem, splitRevision } from './github-ref.ts';
import type { RemoteKind } from './resolve/target.ts';

/** A file or directory in a GitHub repository. */
export interface GitHubRef {
  readonly form: 'github';
  readonly name: string;
  readonly owner: string;
  readonly repo: string;
  /** Without a slash at either end; empty for a skill that is the repository itself. */
  readonly path: string;
  readonly rev: string;
  /**
   * Of a web address only: revision and path as they stand there. A branch may hold slashes, so where the one ends and
   * the other begins is known only to the repository; `rev` and `path` take the first segment for the revision.
   */
  readonly revAndPath?: string;
}

/** One Markdown file at an address. */
export interface UrlRef {
  readonly form: 'url';
  readonly name: string;
  readonly url: string;
}

/** To be looked for in the places of its kind. */
export interface ShorthandRef {
  readonly form: 'shorthand';
  readonly name: string;
  readonly owner: string;
  readonly repo?: string;
  readonly rev?: string;
}

export type UseRef = GitHubRef | UrlRef | ShorthandRef;

export interface RefProblem {
  readonly code: Code;
  readonly message: string;
  readonly help: string;
  /** The reference as it should be written, where that can be told. */
  readonly fix?: string;
}

export type RefResult =
  | { readonly ok: true; readonly ref: UseRef }
  | { readonly ok: false; readonly problem: RefProblem };

const forms = 'Write owner/name, owner/repo/name, github://owner/repo/path@rev or an https:// address.';

/** Where a reference is written: in a `use` line, or in `config.toml`, where the key gives the name. */
export type RefPlace = 'use' | 'config';

export function checkUseRef(kind: RemoteKind, text: string, place: RefPlace = 'use'): RefResult {
  if (text === '') return fail('TOO5301', 'there is no reference.', forms);
  if (/[\s\u0000-\u001f\u007f]/.test(text)) return fail('TOO5301', `"${text}" has a blank in it.`, forms);
  if (text.length > 2048) return fail('TOO5308', 'this reference is longer than 2048 characters.', forms);
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1];
  if (scheme !== undefined) return withScheme(kind, text, scheme, place);
  return shorthand(kind, text, place);
}

function withScheme(kind: RemoteKind, text: string, scheme: string, place: RefPlace): RefResult {
  const lower = scheme.toLowerCase();
  const rest = text.slice(scheme.length + 3);
  if (['inline', 'home', 'root', 'file'].includes(lower)) return local(kind, text, place);
  if (lower === 'github') return gitHub(kind, text, rest, place);
  if (lower === 'https') return address(kind, text, rest, place);
  if (lower === 'http') {
    const help = 'What an agent is made of must not be changed on its way: write https://.';
    return fail('TOO5306', `"${text}" is not a safe address.`, help, `https://${rest}`);
  }
  const near = closest(lower, ['github', 'https']);
  return fail(
    'TOO5306',
    `"${scheme}://" is not a scheme of references.${didYouMean(near)}`,
    forms,
    near && `${near}://${rest}`,
  );
}

function gitHub(kind: RemoteKind, text: string, rest: string, place: RefPlace): RefResult {
  const { path: whole, rev } = splitRevision(rest);
  const unsound = segmentProblem(text, whole);
  if (unsound) return unsound;
  const [owner = '', repo = '', ...path] = whole.split('/');
  const wrong = ownerProblem(text, owner, repo);
  if (wrong) return wrong;
  if (path.length === 0 && kind !== 'skill') {
    return fail(
      'TOO5308',
      `"${text}" names a repository, and no ${kind} in it.`,
      `Write github://${owner}/${repo}/path/name.${kind === 'agent' ? 'too' : 'md'}@rev.`,
    );
  }
  if (path.at(-1)?.startsWith('@')) {
    return fail(
      'TOO5308',
      `in "${text}" the revision stands where the name should.`,
      `Write github://owner/repo/path@rev.`,
    );
  }
  if (rev === undefined || rev === '') {
    const fix = `github://${whole}@main`;
    return fail(
      'TOO5305',
      `"${text}" does not say which revision.`,
      `Add one, such as a branch, a tag or a commit: ${fix}.`,
      fix,
    );
  }
  const bad = revisionProblem(rev);
  if (bad)
    return fail('TOO5308', `"${rev}" cannot be a revision: ${bad}.`, 'Write a branch, a tag or a commit after "@".');
  return named(kind, text, [repo, ...path], place, (name) => ({
    form: 'github',
    name,
    owner,
    repo,
    path: path.join('/'),
    rev,
  }));
}

function address(kind: RemoteKind, text: string, rest: string, place: RefPlace): RefResult {
  const bare = rest.split(/[?#]/, 1)[0] ?? '';
  const [authority = '', ...segments] = bare.split('/');
  if (authority.includes('@')) {
    return fail(
      'TOO5308',
      'an address with a user name or password in it is not used.',
      'Write the address without them.',
    );
  }
  if (!/^[A-Za-z0-9.[\]:-]+$/.test(authority) || !URL.canParse(text))
    return fail('TOO5308', `"${text}" is not an address.`, forms);
  const path = decode(segments.join('/'));
  if (path === undefined) return fail('TOO5308', `"${text}" has a "%" that encodes nothing.`, forms);
  const unsound = path === '' ? undefined : segmentProblem(text, path);
  if (unsound) return unsound;
  if (/^(?:www\.)?github\.com$|^raw\.githubusercontent\.com$/i.test(authority)) {
    const found = gitHubUrl(authority.toLowerCase(), path.split('/'));
    if (!found.ok) return fail('TOO5308', `"${text}" ${found.message}`, found.help);
    const { owner, repo, rev, revAndPath } = found;
    const wrong = ownerProblem(text, owner, repo);
    if (wrong) return wrong;
    const bad = revisionProblem(rev);
    if (bad) return fail('TOO5308', `"${rev}" cannot be a revision: ${bad}.`, forms);
    if (found.path === '' && kind !== 'skill')
      return fail('TOO5308', `"${text}" names no file.`, `Take the address of the ${kind}'s file.`);
    const parts = [repo, ...found.path.split('/').filter(Boolean)];
    return named(kind, text, parts, place, (name) => ({
      form: 'github',
      name,
      owner,
      repo,
      path: found.path,
      rev,
      revAndPath,
    }));
  }
  return named(kind, text, path.split('/'), place, (name) => ({ form: 'url', name, url: text }));
}

function shorthand(kind: RemoteKind, text: string, place: RefPlace): RefResult {
  if (/^(?:\.{0,2}\/|\.{1,2}$|~|[A-Za-z]:[\\/])/.test(text) || text.includes('\\')) return local(kind, text, place);
  if (text.startsWith('@')) {
    const fix = text.slice(1);
    return fail(
      'TOO5304',
      `"${text}" begins with "@".`,
      'Owners are written without it.',
      fix.includes('/') ? fix : undefined,
    );
  }
  const colon = /^(?:[\w.-]+@)?([\w.-]+):/.exec(text);
  if (colon) {
    const message = `"${text}" is not a reference: what stands before ":" is no scheme.`;
    return fail('TOO5306', message, forms);
  }
  const { path: whole, rev } = splitRevision(text);
  const unsound = segmentProblem(text, whole);
  if (unsound) return unsound;
  const parts = whole.split('/');
  if (kind === 'skill' && parts.length > 2 && parts.at(-1) === 'SKILL.md') parts.pop();
  const [owner = '', second = '', third] = parts;
  if (parts.length === 1) {
    return fail(
      'TOO5303',
      `"${text}" does not say whose ${kind} it is.`,
      kind === 'agent'
        ? `Write owner/${owner}.`
        : `Write owner/${owner}; a ${kind} of your own ${place === 'use' ? 'needs no "use"' : 'need not be wired'}.`,
    );
  }
  if (parts.length > 3) {
    const fix = `github://${whole}@${rev || 'main'}`;
    return fail('TOO5308', `"${text}" has too many parts for owner/repo/name.`, `Write the whole path: ${fix}.`, fix);
  }
  const wrong = ownerProblem(text, owner, third === undefined ? 'x' : second);
  if (wrong) return wrong;
  if (rev !== undefined) {
    const bad = rev === '' ? 'it is empty' : revisionProblem(rev);
    if (bad)
      return fail('TOO5308', `"${rev}" cannot be a revision: ${bad}.`, 'Write a branch, a tag or a commit after "@".');
  }
  return named(kind, text, parts.slice(1), 'use', (name) => ({
    form: 'shorthand',
    name,
    owner,
    ...(third !== undefined && { repo: second }),
    ...(rev !== undefined && { rev }),
  }));
}

/**
 * The last segment without `.md` and `@rev`; of a skill, its directory; of an agent, without `.too`. The key of a
 * `config.toml` gives a name itself: there any will do, but that of a shorthand is looked for.
 */
function named(
  kind: RemoteKind,
  text: string,
  segments: readonly string[],
  place: RefPlace,
  make: (name: string) => UseRef,
): RefResult {
  const parts = [...segments];
  if (kind === 'skill' && /^SKILL\.md(?:@.*)?$/.test(parts.at(-1) ?? '')) parts.pop();
  const last = parts.at(-1) ?? '';
  const ending = kind === 'agent' ? /\.too$/ : /\.md$/;
  const name = last.replace(ending, '').replace(/@.*$/, '').replace(ending, '');
  if (place === 'config' || isCapName(name)) return { ok: true, ref: make(name) };
  const message =
    name === '' ? `"${text}" gives no name for the ${kind}.` : `"${name}" is not a name that agents can use.`;
  return fail(
    'TOO5309',
    message,
    'A name has letters, digits, "_", "-" and "."; wire the reference in config.toml to give it another.',
  );
}

function local(kind: RemoteKind, text: string, place: RefPlace): RefResult {
  if (kind === 'agent') return fail('TOO5302', `"${text}" is local, and no reference to a remote agent.`, forms);
  return fail(
    'TOO5302',
    `"${text}" is local, and ${place === 'use' ? '"use" takes' : '"ref" names'} what is remote.`,
    `A ${kind} in the ${kind}s folder of the home or of the root is there without ${place === 'use' ? '"use"' : 'it'}.`,
  );
}

function segmentProblem(text: string, path: string): RefResult | undefined {
  const segments = path.split('/');
  if (segments.includes('..') || segments.includes('.')) {
    return fail(
      'TOO5307',
      `"${text}" has a "." or ".." in its path.`,
      'Write the path from the top of the repository.',
    );
  }
  if (path.includes('\\') || /[\u0000-\u001f\u007f]/.test(path)) {
    return fail('TOO5307', `"${text}" has a character that no path can have.`, 'Separate the parts with "/".');
  }
  if (segments.includes('')) {
    const fix = text.replace(/\/+$/, '');
    const trailing = fix !== text && !/[^:]\/\//.test(fix) && /[^/:]\/[^/]/.test(fix);
    return fail(
      'TOO5307',
      `"${text}" has an empty part in its path.`,
      'Write one "/" between parts, and none at the end.',
      trailing ? fix : undefined,
    );
  }
  return undefined;
}

function ownerProblem(text: string, owner: string, repo: string): RefResult | undefined {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(owner))
    return fail('TOO5308', `"${owner}" in "${text}" is not the name of an owner.`, forms);
  if (repo === '') return fail('TOO5308', `"${text}" names no repository.`, forms);
  if (!/^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(repo))
    return fail('TOO5308', `"${repo}" in "${text}" is not the name of a repository.`, forms);
  return undefined;
}

/** Undefined when it is not well encoded: what one reader decodes and another does not could hide a `..`. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function fail(code: Code, message: string, help: string, fix?: string): RefResult {
  return { ok: false, problem: { code, message, help, ...(fix !== undefined && { fix }) } };
}
