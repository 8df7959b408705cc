/** Where the servers of this machine are. */
import type { Env } from './providers.ts';
import { isSet } from './providers.ts';

export type LocalName = 'ollama' | 'llamacpp' | 'lmstudio';

export interface LocalAddress {
  readonly name: LocalName;
  /** Without a slash at its end. */
  readonly address: string;
}

/** The ports that they listen on out of the box; tests have their own. */
export interface LocalPorts {
  readonly ollama?: number;
  readonly llamacpp?: number;
  readonly lmstudio?: number;
}

const usual: Required<LocalPorts> = { ollama: 11_434, llamacpp: 8080, lmstudio: 1234 };

/** In the order in which a model is looked for. */
export function localAddresses(env: Env, ports: LocalPorts = {}): readonly LocalAddress[] {
  const { ollama, llamacpp, lmstudio } = { ...usual, ...ports };
  return [
    { name: 'ollama', address: isSet(env, 'OLLAMA_HOST') ? ollamaHost(env.OLLAMA_HOST ?? '') : here(ollama) },
    { name: 'llamacpp', address: here(llamacpp) },
    { name: 'lmstudio', address: here(lmstudio) },
  ];
}

function here(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** As Ollama reads it: a host, a port behind it or not, a scheme before it or not. */
function ollamaHost(text: string): string {
  const given = text.trim();
  const [, scheme, rest = given] = /^(https?):\/\/(.*)$/i.exec(given) ?? [];
  const port = scheme === undefined ? usual.ollama : scheme.toLowerCase() === 'https' ? 443 : 80;
  const slash = rest.indexOf('/');
  const [place, path] = slash === -1 ? [rest, ''] : [rest.slice(0, slash), rest.slice(slash)];
  // Nobody can be asked with a user in the address, and nobody is shown a password.
  const [host, own = port] = splitPort(place.replace(/^.*@/, '…@'));
  return `${(scheme ?? 'http').toLowerCase()}://${reached(host)}:${own}${path.replace(/\/+$/, '')}`;
}

/** An address of many colons may stand without its brackets; then it has no port. */
function splitPort(place: string): [host: string, port?: string] {
  if (!place.startsWith('[') && place.split(':').length > 2) return [`[${place}]`];
  const [, host = place, port] = /^(.*?)(?::(\d+))?$/.exec(place) ?? [];
  return port === undefined ? [host] : [host, port];
}

/** Where a server listens to everybody, it is reached here. */
function reached(host: string): string {
  if (host === '' || host === '0.0.0.0') return '127.0.0.1';
  return host === '[::]' ? '[::1]' : host;
}
