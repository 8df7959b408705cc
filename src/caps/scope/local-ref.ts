/** Local references, which identify one cap that is written here: `inline://prompts/rewrite`, `home://services/github`. */
import { isCapName } from '../../config/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { type CapKind, capKinds } from '../../too/index.ts';
import type { RefProblem } from '../ref.ts';
import type { Scoped } from './effective.ts';
import { readScope, type Scope } from './scope.ts';

export interface LocalRef {
  /** That of `inline` is `here`. */
  readonly scope: Scope;
  readonly form: 'inline' | 'file';
  readonly kind: CapKind;
  readonly name: string;
}

export type LocalRefResult =
  | { readonly ok: true; readonly ref: LocalRef }
  | { readonly ok: false; readonly problem: RefProblem };

const schemes = { inline: 'here', home: 'home', root: 'root' } as const;
type Scheme = keyof typeof schemes;
const folders: ReadonlyMap<string, CapKind> = new Map(capKinds.map((kind) => [`${kind}s`, kind]));
const help =
  'Write inline://, home:// or root://, the kind in the plural, and the name, such as root://skills/reviewer.';

/** Whether a text is meant to be one; what is wrong with it is told by `readLocalRef`. */
export function isLocalRef(text: string): boolean {
  return /^(?:inline|home|root):\/\//i.test(text);
}

export function readLocalRef(text: string): LocalRefResult {
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s.exec(text);
  const [, scheme = '', rest = ''] = parts ?? [];
  if (!parts) return fail(`"${text}" is not a local reference.`);
  if (!isScheme(scheme)) return fail(...schemeProblem(scheme, rest));
  const [folder = '', name = '', ...more] = rest.split('/');
  const kind = folders.get(folder);
  if (kind === undefined) {
    const near = folders.has(`${folder}s`) ? `${folder}s` : closest(folder, folders.keys());
    const message = `"${folder}" in "${text}" is not a kind of caps.${didYouMean(near)}`;
    return fail(message, near && ifRight(`${scheme}://${near}${rest.slice(folder.length)}`));
  }
  // As the path of its file would be.
  const isFile = more.length === 0 ? name.endsWith('.md') : more.length === 1 && more[0] === 'SKILL.md';
  const bare = isFile && more.length === 0 ? name.slice(0, -3) : name;
  if (isFile && isCapName(bare)) {
    return fail(`"${text}" names a file, and not the ${kind}.`, ifRight(`${scheme}://${folder}/${bare}`));
  }
  if (name === '') return fail(`"${text}" gives no name for the ${kind}.`);
  if (more.length > 0) return fail(`"${text}" has more than a kind and a name.`);
  if (!isCapName(name)) return fail(`"${name}" in "${text}" is not a name that agents can use.`);
  return { ok: true, ref: { scope: schemes[scheme], form: scheme === 'inline' ? 'inline' : 'file', kind, name } };
}

/** Of a cap that is declared or lies here; one that comes from elsewhere goes by its own reference. */
export function localRefOf(cap: Scoped): string | undefined {
  const { kind, name, scope, form } = cap;
  if (form === 'inline') return `inline://${kind}s/${name}`;
  return form === 'file' && scope !== 'here' ? `${scope}://${kind}s/${name}` : undefined;
}

function isScheme(text: string): text is Scheme {
  return Object.hasOwn(schemes, text);
}

function schemeProblem(scheme: string, rest: string): [string, string | undefined] {
  const lower = scheme.toLowerCase();
  const other = readScope(lower);
  const meant = other.ok ? (other.scope === 'here' ? 'inline' : other.scope) : closest(scheme, Object.keys(schemes));
  const message = `"${scheme}://" does not begin a local reference.`;
  return [message + didYouMean(meant && `${meant}://`), meant && ifRight(`${meant}://${rest}`)];
}

function ifRight(fix: string): string | undefined {
  return readLocalRef(fix).ok ? fix : undefined;
}

function fail(message: string, fix?: string): LocalRefResult {
  return { ok: false, problem: { code: 'TOO5245', message, help, ...(fix !== undefined && { fix }) } };
}
