/** Which addresses of the web may be asked for at all, before anything is looked up. */
import { isIP } from 'node:net';
import { ToolFailure } from '../define-tool.ts';
import { notPublic } from './address.ts';

/** Hosts that may be reached though their addresses are not public: `localhost:8080`, `10.1.2.3`, `wiki.acme.test`. */
export type PrivateHosts = readonly string[];

const mostLength = 4096;

/** Throws a `ToolFailure` that says why not. What stands behind `#` is not sent, and goes. */
export function readTarget(text: string, hosts: PrivateHosts): URL {
  const shown = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
  if (text.length > mostLength)
    throw refused('arguments', `the address has ${text.length} characters; at most ${mostLength} are taken.`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw refused('arguments', `${shown} is no address: write it whole, as "https://example.com/page".`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused(
      'denied',
      `${shown} is refused: only http and https are spoken here, not "${url.protocol.slice(0, -1)}".`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(
      'denied',
      'the address is refused: it holds a name or a password. Leave out what stands before the "@".',
    );
  }
  if (url.hostname === '') throw refused('arguments', `${shown} names no host.`);
  url.hash = '';
  if (isPrivateAllowed(url, hosts)) return url;
  const port = Number(url.port || 0);
  if (port !== 0 && port < 1024 && port !== 80 && port !== 443) {
    throw refused(
      'denied',
      `${shown} is refused: port ${port} belongs to another protocol. Below 1024 only 80 and 443 are asked.`,
    );
  }
  const reason = notPublicHost(url);
  if (reason !== undefined) throw privateRefusal(hostOf(url), reason);
  return url;
}

/** The host as it is looked up: without brackets, and without a dot at its end. */
export function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

export function isPrivateAllowed(url: URL, hosts: PrivateHosts): boolean {
  const host = hostOf(url);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return hosts.some((each) => {
    const plain = each.toLowerCase();
    return plain === host || plain === `${host}:${port}` || plain === `[${host}]:${port}`;
  });
}

export function privateRefusal(host: string, reason: string): ToolFailure {
  return refused(
    'denied',
    `"${host}" is refused: it is ${reason}. Only public addresses are fetched; others are allowed by name in config.toml, [tools.web] private.`,
  );
}

function notPublicHost(url: URL): string | undefined {
  const host = hostOf(url);
  if (isIP(host) !== 0) return notPublic(host);
  if (host === 'localhost' || host.endsWith('.localhost')) return 'this machine';
  if (/(^|\.)(local|internal|home\.arpa|lan|intranet|corp)$/.test(host)) return 'a name of a private network';
  return undefined;
}

function refused(code: 'arguments' | 'denied', message: string): ToolFailure {
  return new ToolFailure(code, message);
}
