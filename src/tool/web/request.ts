/**
 * One request of the web, without following anything.
 * 1. A name is looked up once, and all its addresses are checked; the connection goes to one of those, not to what the name
 *    means a moment later. Where it went is checked again when it stands.
 * 2. Cookies, credentials, proxies of the environment and kept connections: none.
 * 3. No more than `most` bytes of the body are held, after unpacking; the rest is not fetched.
 */
import type { IncomingMessage, RequestOptions } from 'node:http';
import { isIPv6, type LookupFunction } from 'node:net';
import type { Transform } from 'node:stream';
import { systemCode } from '../../sys/index.ts';
import { ToolFailure } from '../define-tool.ts';
import { notPublic } from './address.ts';
import { hostOf, isPrivateAllowed, type PrivateHosts, privateRefusal } from './target.ts';

export interface WebAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
  /** There is more than was read. */
  readonly cut: boolean;
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface RequestHost {
  readonly privateHosts: PrivateHosts;
  readonly resolve: (host: string) => Promise<readonly ResolvedAddress[]>;
  readonly signal: AbortSignal;
  /** Bytes of a body. */
  readonly most: number;
}

const mostHeaders = 32 * 1024;

export async function requestOnce(url: URL, host: RequestHost): Promise<WebAnswer> {
  const addresses = await checkedAddresses(url, host);
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const options: RequestOptions = {
    method: 'GET',
    agent: false,
    lookup: lookupOf(addresses),
    maxHeaderSize: mostHeaders,
    signal: host.signal,
    headers: {
      'user-agent': 'toolang',
      accept: 'text/html, application/json, text/*;q=0.9, */*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
    },
  };
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(failureOf(url, error));
    const sent = request(url, options, (answer) => readBody(answer, host.most).then(resolve, fail));
    sent.on('error', fail);
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      fail(new Error('it wants to speak another protocol'));
    });
    sent.on('socket', (socket) =>
      socket.once('connect', () => {
        const remote = socket.remoteAddress;
        if (remote !== undefined && addresses.some(({ address }) => sameAddress(address, remote))) return;
        sent.destroy(new Error('the connection went to an address that was not checked'));
      }),
    );
    sent.end();
  });
}

/** All that a name stands for; every one must be public, unless the host is allowed by name. */
async function checkedAddresses(
  url: URL,
  { privateHosts, resolve, signal }: RequestHost,
): Promise<readonly ResolvedAddress[]> {
  const name = hostOf(url);
  const addresses = await orAborted(resolve(name), signal).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : failureOf(url, error);
  });
  if (addresses.length === 0) throw new ToolFailure('failed', `there is no host "${name}".`);
  if (isPrivateAllowed(url, privateHosts)) return addresses;
  for (const { address } of addresses) {
    const reason = notPublic(address);
    if (reason !== undefined) throw privateRefusal(name, `${reason} (${address})`);
  }
  return addresses;
}

function lookupOf(addresses: readonly ResolvedAddress[]): LookupFunction {
  const [first] = addresses;
  return (_, options, done) => {
    if (options.all)
      done(
        null,
        addresses.map(({ address, family }) => ({ address, family })),
      );
    else done(null, first?.address ?? '', first?.family ?? 0);
  };
}

/** Addresses are written in several ways; as the host of an address of the web there is one. */
function sameAddress(a: string, b: string): boolean {
  const plain = (text: string) => text.replace(/^::ffff:(?=[0-9]+\.)/i, '').replace(/%.*$/s, '');
  const written = (text: string) =>
    new URL(isIPv6(plain(text)) ? `http://[${plain(text)}]` : `http://${plain(text)}`).hostname;
  return written(a) === written(b);
}

async function readBody(answer: IncomingMessage, most: number): Promise<WebAnswer> {
  const status = answer.statusCode ?? 0;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let cut = false;
  const body = await unpacked(answer);
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      const room = most - size;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      size += Math.min(room, chunk.length);
      if (chunk.length <= room) continue;
      cut = true;
      break;
    }
  } finally {
    answer.destroy();
    body.destroy();
  }
  return { status, headers: answer.headers, body: Buffer.concat(chunks), cut };
}

async function unpacked(answer: IncomingMessage): Promise<IncomingMessage | Transform> {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return answer;
  const zlib = await import('node:zlib');
  const make = {
    gzip: zlib.createGunzip,
    'x-gzip': zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
  }[encoding];
  if (!make) {
    answer.destroy();
    throw new ToolFailure('failed', `the body is packed as "${encoding.slice(0, 40)}", which nobody asked for.`);
  }
  const unpacker = make();
  answer.on('error', (error) => unpacker.destroy(error));
  return answer.pipe(unpacker);
}

/** What is waited for, or the reason why it is waited for no longer. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'the connection was closed',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'there is no network to it',
  HPE_HEADER_OVERFLOW: 'its headers are too large',
};

function failureOf(url: URL, error: unknown): unknown {
  if (error instanceof ToolFailure || (error instanceof Error && error.name === 'AbortError')) return error;
  const code = systemCode(error) ?? '';
  const message = (error instanceof Error ? error.message : String(error)).split(/[\r\n]/, 1)[0] ?? '';
  const reason =
    reasons[code] ?? (code.startsWith('HPE_') ? `it does not speak HTTP as it should (${message})` : message);
  return new ToolFailure('failed', `${url.origin} was not fetched: ${reason}.`);
}
