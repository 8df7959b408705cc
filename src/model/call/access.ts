/** What a request is sent with: the key and the headers, from the environment as it is when they are sent. */
import { createRedactor, type Redactor, type Secret } from '../../sys/index.ts';
import type { ResolvedModel } from '../resolved.ts';
import { lacking, refused } from './error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Access {
  readonly key?: string;
  /** The variable that it is from. */
  readonly keyName?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Takes the values of the key and of headers out of texts. */
  readonly redactor: Redactor;
}

const variable = /\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g;

/** Throws what is missing. */
export function accessOf({ keyEnv, headers = {}, endpoint = '' }: ResolvedModel, env: Environment): Access {
  const secrets: Secret[] = querySecrets(endpoint);
  const sent: Record<string, string> = {};
  for (const [name, written] of Object.entries(headers)) {
    const value = written.replace(variable, (_, braced: string | undefined, bare: string | undefined) => {
      const from = braced ?? bare ?? '';
      const found = env[from]?.trim();
      if (!found) throw lacking(`its header "${name}" needs the variable ${from}, which is not set`);
      secrets.push({ name: from, value: found });
      return found;
    });
    if (!isHeaderName(name)) throw refused(`"${name}" is no name of a header`);
    if (!isHeaderValue(value))
      throw refused(`the value of its header "${name}" has characters that no header can have`);
    secrets.push({ name: `header ${name}`, value });
    sent[name] = value;
  }
  const keyName = keyEnv.find((name) => (env[name] ?? '').trim() !== '');
  if (keyName === undefined) {
    if (keyEnv.length > 0) throw lacking(`no key is there: set ${keyEnv.join(' or ')}`);
    return { headers: sent, redactor: createRedactor(secrets) };
  }
  const key = (env[keyName] ?? '').trim();
  if (!isHeaderValue(key)) throw lacking(`${keyName} has characters that no key can have, such as a line break`);
  // First, so that a header that only repeats the key is known by its variable.
  return { key, keyName, headers: sent, redactor: createRedactor([{ name: keyName, value: key }, ...secrets]) };
}

/** A gateway may have its key behind the `?` of its address; a version is shorter. */
function querySecrets(endpoint: string): Secret[] {
  if (!URL.canParse(endpoint)) return [];
  const given = [...new URL(endpoint).searchParams];
  return given.flatMap(([name, value]) => (value.length < 16 ? [] : [{ name: `query ${name}`, value }]));
}

function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}

/** One line of Latin characters: what fetch takes. */
function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
