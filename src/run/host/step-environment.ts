/**
 * What users' code sees of our environment: all of it but secrets, because what a step prints and returns is kept. A secret
 * is a variable whose name says so, or whose value is an address with a password; the configuration may name those that
 * steps need (`[runs] env`). Shown or not, their values are taken out of whatever is kept.
 * Git tells by variables where its repository is to whatever it starts, as hooks: that is not where a step works, which may be
 * in a worktree, so steps do not see those either, unless the configuration names them.
 */
import type { Secret } from '../../sys/index.ts';

export interface EnvironmentOptions {
  /** Secrets that steps see nevertheless. */
  readonly shown?: readonly string[] | undefined;
  /** More names that they do not see, as `key_env` of the configuration. */
  readonly hidden?: readonly string[] | undefined;
}

/** Parts of names: what ends in a long one is one too (`PGPASSWORD`), and `MONKEY` is none. */
const secretPart = /(?:TOKEN|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|APIKEYS?|CREDENTIALS?)$|^(?:KEYS?|AUTH|PASS)$/;
/** Such a name says where something is: `SSH_AUTH_SOCK`, `AWS_SHARED_CREDENTIALS_FILE`. */
const placePart = /^(?:SOCK|SOCKET|FILE|PATH|DIR)$/;
/** Greedy: a password may hold what should have been escaped. */
const passwordInAddress = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#:@]*:([^\s/?#]+)@/i;
/** Which repository, which files and which index: git finds them by the folder. */
const gitPlaces = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_PREFIX',
  'GIT_NAMESPACE',
]);
/** Shorter values are words of any text. */
const shortest = 8;

export function stepEnvironment(
  env: NodeJS.ProcessEnv,
  options: EnvironmentOptions = {},
): Readonly<Record<string, string>> {
  const out: Record<string, string> = {};
  const isHidden = new Set(options.hidden?.map((name) => name.toUpperCase()));
  const isShown = new Set(options.shown?.map((name) => name.toUpperCase()));
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    const known = name.toUpperCase();
    const isSeen = !(gitPlaces.has(known) || isHidden.has(known) || isSecret(name, value));
    if (isSeen || isShown.has(known)) out[name] = value;
  }
  return out;
}

/** All values that must not be kept, of what steps see too. */
export function environmentSecrets(env: NodeJS.ProcessEnv, { hidden }: EnvironmentOptions = {}): Secret[] {
  const secrets: Secret[] = [];
  const add = (name: string, value: string) => {
    if (value.trim().length >= shortest) secrets.push({ name, value });
  };
  const isHidden = new Set(hidden?.map((name) => name.toUpperCase()));
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !(isHidden.has(name.toUpperCase()) || isSecret(name, value))) continue;
    add(name, value);
    const password = passwordInAddress.exec(value.trim())?.[1];
    if (password === undefined) continue;
    add(name, password);
    add(name, unescaped(password));
  }
  return secrets;
}

/** The names in a text that stand for a secret that steps do not see. */
export function hiddenNamesIn(
  text: string,
  env: NodeJS.ProcessEnv,
  shown: Readonly<Record<string, string>>,
): readonly string[] {
  const words = new Set(text.match(/[\p{L}\p{N}_]+/gu));
  const isMissed = (name: string) => !Object.hasOwn(shown, name) && !gitPlaces.has(name.toUpperCase());
  return Object.keys(env).filter((name) => words.has(name) && isMissed(name));
}

function isSecret(name: string, value: string): boolean {
  return saysSecret(name) || passwordInAddress.test(value.trim());
}

function saysSecret(name: string): boolean {
  // `API_KEY_2`, `npm_config__authToken`.
  const parts = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((part) => part !== '');
  // `GIT_CONFIG_KEY_0` is the name of a setting; without it git does nothing at all.
  if (placePart.test(parts.at(-1) ?? '') || parts.join('_') === 'GIT_CONFIG_KEY') return false;
  // `PWD` is a folder, `MYSQL_PWD` is none.
  return parts.some((part, at) => secretPart.test(part) || (part === 'PWD' && at > 0));
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
