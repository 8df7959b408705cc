/**
 * Which variables of an environment are secrets, and what of them must never be kept or shown. A secret is a variable whose
 * name says so, or whose value does: an address with a password, or what well-known services hand out as keys.
 */
import type { Secret } from './redact.ts';

/** Parts of names: what ends in a long one is one too (`PGPASSWORD`), and `MONKEY` is none. */
const secretPart = /(?:TOKEN|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|APIKEYS?|CREDENTIALS?)$|^(?:KEYS?|AUTH|PASS)$/;
/** Such a name says where something is: `SSH_AUTH_SOCK`, `AWS_SHARED_CREDENTIALS_FILE`. */
const placePart = /^(?:SOCK|SOCKET|FILE|PATH|DIR)$/;
/** Greedy: a password may hold what should have been escaped. */
const passwordInAddress = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#:@]*:([^\s/?#]+)@/i;
/** Of OpenAI, Anthropic and others, Stripe, GitHub, GitLab, Slack, Google, npm, Hugging Face, PyPI, SendGrid; tokens and keys of standards. */
const keyShape = new RegExp(
  [
    ...['sk-[\\w-]{16,}$', '[sr]k_(?:live|test)_\\w{8,}$', 'gh[pousr]_\\w{20,}$', 'github_pat_\\w{20,}$'],
    ...['glpat-[\\w-]{16,}', 'xox[abeoprs]-[\\w-]{10,}', 'AIza[\\w-]{30,}', 'ya29\\.[\\w-]{16,}', 'npm_\\w{20,}$'],
    ...['hf_\\w{20,}$', 'pypi-[\\w-]{16,}', 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}', 'eyJ[\\w-]{10,}\\.[\\w-]{10,}\\.'],
    '-----BEGIN [A-Z ]*PRIVATE KEY',
  ]
    .map((shape) => `^${shape}`)
    .join('|'),
);
/** The letters that those begin with: most values need not be looked at more closely. */
const keyStarts: ReadonlySet<string | undefined> = new Set('-ASeghnprsxy');
/** Shorter values are words of any text. */
const shortest = 8;

/** All values that must not be kept, whoever may see them. `hidden`: more names, as `key_env` of the configuration. */
export function environmentSecrets(
  env: Readonly<Record<string, string | undefined>>,
  { hidden }: { readonly hidden?: readonly string[] | undefined } = {},
): Secret[] {
  const secrets: Secret[] = [];
  const add = (name: string, value: string) => {
    if (value.trim().length >= shortest) secrets.push({ name, value });
  };
  const isHidden = new Set(hidden?.map((name) => name.toUpperCase()));
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !(isHidden.has(name.toUpperCase()) || isSecretVariable(name, value))) continue;
    add(name, value);
    const password = passwordInAddress.exec(value.trim())?.[1];
    if (password === undefined) continue;
    add(name, password);
    add(name, unescaped(password));
  }
  return secrets;
}

export function isSecretVariable(name: string, value: string): boolean {
  if (saysSecret(name)) return true;
  const text = value.trim();
  return (text.includes('://') && passwordInAddress.test(text)) || (keyStarts.has(text[0]) && keyShape.test(text));
}

/** A name without any of these says nothing: most are none, and need not be taken apart. */
const saying = /token|secret|pass|key|credential|auth|pwd/i;

function saysSecret(name: string): boolean {
  if (!saying.test(name)) return false;
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
