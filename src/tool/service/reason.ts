/** What went wrong between us and a server, in words: errors of the client, of the network and of certificates. */
import { systemCode } from '../../sys/index.ts';
import type { ToolErrorCode } from '../tool.ts';
import type { ServiceDefinition } from './definition.ts';
import { isTooLarge, tooLargeText } from './too-large.ts';
import { isTrouble, type ServiceTrouble, trouble } from './trouble.ts';

const network: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there (connection refused)',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ETIMEDOUT: 'nothing answers there (timeout)',
  UND_ERR_CONNECT_TIMEOUT: 'nothing answers there (timeout)',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

const cut = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is signed by an authority that is not known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
};

/** `otherwise` is the kind of what is not known better. */
export function troubleOf(error: unknown, definition: ServiceDefinition, otherwise: ToolErrorCode): ServiceTrouble {
  const chain = causesOf(error);
  const own = chain.find(isTrouble);
  if (own) return own;
  const status = httpStatus(error);
  if (status !== undefined) return statusTrouble(status, definition, error);
  const codes = chain.map(systemCode).filter((code) => code !== undefined);
  const known = codes.find((code) => code in network || code in certificates);
  if (known !== undefined && known in certificates) {
    const message = `the certificate of the server ${certificates[known]} (${known})`;
    return trouble('unavailable', message, { final: true, cause: error });
  }
  if (known !== undefined) {
    // What was cut off may have been done.
    const kind = cut.includes(known) ? otherwise : 'unavailable';
    return trouble(kind, network[known] ?? known, { cause: error });
  }
  if (codes.includes('REQUEST_TIMEOUT')) return trouble('timeout', 'it gave no answer in time', { cause: error });
  if (codes.includes('CONNECTION_CLOSED')) return trouble(otherwise, 'the connection was closed', { cause: error });
  return trouble(otherwise, lineOf(chain[0]), { cause: error });
}

/** Of an answer that takes the place of one that is too long. */
export function tooLargeTrouble(error: unknown, most: number): ServiceTrouble | undefined {
  return isTooLarge(error) ? trouble('too-large', tooLargeText(most), { cause: error }) : undefined;
}

export function statusTrouble(status: number, definition: ServiceDefinition, cause: unknown): ServiceTrouble {
  const { name } = definition;
  const headers = definition.transport === 'http' ? Object.keys(definition.headers) : [];
  const hasAuthorization = headers.some((header) => header.toLowerCase() === 'authorization');
  if (status === 401 && hasAuthorization) {
    return trouble('unavailable', 'the server refuses its "Authorization" header (401)', { final: true, cause });
  }
  if (status === 401) return loginTrouble(name);
  if (status === 403) return trouble('unavailable', 'the server denies access (403)', { final: true, cause });
  if (status === 404 || status === 405) {
    const message = `no MCP server answers at this address (${status}); servers of the older HTTP+SSE kind are not supported`;
    return trouble('unavailable', message, { cause });
  }
  if (status >= 300 && status < 400) {
    const message = `the server redirects to another place (${status}), and its headers are sent nowhere else`;
    return trouble('unavailable', message, { final: true, cause });
  }
  return trouble('unavailable', `the server answers with the status ${status}`, { cause });
}

export function loginTrouble(name: string, why = 'the server asks for a login'): ServiceTrouble {
  return trouble('unavailable', `${why}: run "toolang service login ${name}"`, { final: true });
}

/** Of an answer that is an error of HTTP. */
export function httpStatus(error: unknown): number | undefined {
  return causesOf(error)
    .map(statusOf)
    .find((found) => found !== undefined);
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'UnauthorizedError') return 401;
  if (!('data' in error) || typeof error.data !== 'object' || error.data === null) return undefined;
  const { data } = error;
  return 'status' in data && typeof data.status === 'number' ? data.status : undefined;
}

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at = error; at !== undefined && at !== null && chain.length < 10; ) {
    chain.push(at);
    if (at instanceof AggregateError) chain.push(...at.errors.slice(0, 5));
    at = at instanceof Error ? at.cause : undefined;
  }
  return chain;
}

function lineOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').trim().slice(0, 500) || 'no reason was given';
}
