/**
 * The transport of a service that is an address: streamable HTTP.
 * 1. Headers and logins go to the origin of the address alone: a redirect to elsewhere is not followed.
 * 2. They never go over plain http, but to this machine itself.
 * 3. Variables are put into headers for each request, and kept nowhere.
 */
import type { Transport } from '@modelcontextprotocol/client';
import type { Env } from '../child-env.ts';
import { cappedFetch } from './capped-fetch.ts';
import type { HttpDefinition, ServiceLimits } from './definition.ts';
import type { TokenSource } from './oauth/token-source.ts';
import { expandHeaders } from './secrets.ts';
import { trouble } from './trouble.ts';

export interface HttpOptions {
  readonly limits: ServiceLimits;
  readonly env: Env;
  /** The login, where there is one and the service sends no `Authorization` of its own. */
  readonly tokens?: TokenSource | undefined;
}

export async function httpTransport(definition: HttpDefinition, options: HttpOptions): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { tokens, limits, env } = options;
  const url = addressOf(definition);
  const send = cappedFetch(limits.messageBytes);
  return new StreamableHTTPClientTransport(url, {
    fetch: (input, init) => {
      if (new URL(input).origin !== url.origin) throw trouble('unavailable', 'its headers are sent nowhere else');
      return send(input, { ...init, headers: withHeaders(init?.headers, expandHeaders(definition, env)) });
    },
    redirectPolicy: 'same-origin',
    onInsufficientScope: 'throw',
    ...(tokens && !hasAuthorization(definition) && { authProvider: tokens }),
  });
}

/** Those of the protocol win. */
function withHeaders(given: RequestInit['headers'], more: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(more)) if (!headers.has(name)) headers.set(name, value);
  return headers;
}

export function hasAuthorization(definition: HttpDefinition): boolean {
  return Object.keys(definition.headers).some((header) => header.toLowerCase() === 'authorization');
}

/** Throws a trouble where nothing may be sent there. */
export function addressOf(definition: HttpDefinition): URL {
  const { target, headers } = definition;
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw trouble('unavailable', `${JSON.stringify(target)} is not an http or https address`, { final: true });
  }
  if (Object.keys(headers).length > 0 && isReadByOthers(url)) {
    const message =
      'its headers would be sent over plain http, where others can read them: write https in its "target"';
    throw trouble('unavailable', message, { final: true });
  }
  return url;
}

export function isReadByOthers(url: URL): boolean {
  return url.protocol === 'http:' && !/^(localhost|127(\.\d{1,3}){3}|\[::1\]|.+\.localhost)$/i.test(url.hostname);
}

/** Of an older server, which keeps something for us until it is told. It may be gone already: nothing depends on it. */
export async function endSession(transport: Transport, closeMs: number): Promise<void> {
  if (!('terminateSession' in transport) || transport.sessionId === undefined) return;
  const end = transport.terminateSession as () => Promise<void>;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMs);
  });
  await Promise.race([end.call(transport).catch(() => undefined), late]);
  clearTimeout(timer);
}
