/**
 * Why git could not fetch, from what it said. Only what is known to mean "there is no such repository for you" is taken
 * for that; whatever else it says, a search must not go on to another owner's second choice because of it.
 */

/**
 * `absent`: not there, or not for this user. `no-object`: the repository is there, the commit is not. `local`: it is not
 * the repository, but this machine.
 */
export interface Trouble {
  readonly kind: 'absent' | 'no-object' | 'unreachable' | 'local';
  /** In a few words, without anything secret. */
  readonly why: string;
}

const unreachable: readonly (readonly [RegExp, string])[] = [
  [/could not resolve (?:host|hostname|proxy)|name or service not known|name resolution/i, 'its host was not found'],
  [/connection refused|failed to connect|couldn't connect/i, 'no connection was possible'],
  [/timed? ?out/i, 'it did not answer in time'],
  [/network is unreachable|no route to host/i, 'the network is unreachable'],
  [/host key verification failed/i, 'the key of its host is not known'],
  [/certificate|SSL|TLS/, 'the secure connection failed'],
  [/proxy/i, 'the proxy refused'],
  [/returned error: 429|rate limit/i, 'it asks to come back later (429)'],
];

const absent: readonly (readonly [RegExp, string])[] = [
  [/repository (?:'[^']*' )?not found|returned error: 404/i, 'there is no such repository, or it is private'],
  [/could not read (?:Username|Password)/i, 'there is no such repository, or it is private'],
  [/does not appear to be a git repository|repository '[^']*' does not exist/i, 'there is no such repository'],
  [/returned error: 40[13]|authentication failed|permission denied \(|permission to .* denied to/i, 'it refuses'],
];

export function readTrouble(err: string, isLate = false): Trouble {
  if (isLate) return { kind: 'unreachable', why: 'it did not answer in time' };
  // What a server says of itself (`remote: …`) is anybody's text; only that a repository is not found is read there.
  const own = beginning(err).replace(/^remote: (?!.*repository not found).*$/gim, '');
  if (/not our ref|unadvertised object|no such remote ref|couldn't find remote ref/i.test(own)) {
    return { kind: 'no-object', why: 'it has no such commit' };
  }
  const words = plainWords(own);
  if (/no space left|disk quota|read-only file system|unable to (?:create|write)/i.test(words)) {
    return { kind: 'local', why: words };
  }
  for (const [pattern, why] of absent) if (pattern.test(own)) return { kind: 'absent', why };
  for (const [pattern, why] of unreachable) if (pattern.test(own)) return { kind: 'unreachable', why };
  return { kind: 'unreachable', why: words || 'git said nothing' };
}

/** One line, without hints, and without names and passwords in addresses. */
export function plainWords(err: string): string {
  const lines = beginning(err)
    .split('\n')
    .map((line) => line.replace(/^(?:fatal|error): /, '').trim());
  const text = lines.filter((line) => line !== '' && !/^(?:hint|warning|remote):/.test(line)).join('; ');
  return withoutSecrets(text)
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .slice(0, 300);
}

/** Whole lines, so that no half of an address is left; what is said is at the start. */
function beginning(err: string): string {
  return err.length <= 16_000 ? err : err.slice(0, Math.max(0, err.lastIndexOf('\n', 16_000)));
}

/** Addresses without user, password and query. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/'"]*@/gi, '$1')
    .replace(/\b(https?:\/\/[^\s?'"]*)\?[^\s'"]*/gi, '$1');
}
