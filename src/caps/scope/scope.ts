/** The three scopes of caps, with the names that they go by: `here` (agent), `home` (shared), `root` (global). */
import { closest, didYouMean } from '../../text/index.ts';

/** The nearest first: that is the order in which they win. */
export const scopes = ['here', 'home', 'root'] as const;
export type Scope = (typeof scopes)[number];

const names: Readonly<Record<string, Scope>> = {
  here: 'here',
  agent: 'here',
  home: 'home',
  shared: 'home',
  root: 'root',
  global: 'root',
};

/** Reads either name of a scope; what is neither gives a message. */
export function readScope(
  text: string,
): { readonly ok: true; readonly scope: Scope } | { readonly ok: false; readonly message: string } {
  const scope = Object.hasOwn(names, text) ? names[text] : undefined;
  if (scope !== undefined) return { ok: true, scope };
  const near = closest(text, Object.keys(names));
  return { ok: false, message: `"${text}" is not a scope.${didYouMean(near)}` };
}

/** How a cap came to be: declared in a `.too`, by a `use` line, wired in a `config.toml`, or a file of its own. */
export const forms = ['inline', 'ref', 'wired', 'file'] as const;
export type Form = (typeof forms)[number];

/** `local` is another name of `file`. */
export function readForm(text: string): Form | undefined {
  if (text === 'local') return 'file';
  return forms.find((form) => form === text);
}

/** Which of the two goes first within one scope: inline before ref, file before ref before wired. */
export function formRank(form: Form): number {
  return ['inline', 'file', 'ref', 'wired'].indexOf(form);
}
