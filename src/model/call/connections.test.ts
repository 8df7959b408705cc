/** Connections that fail, with real sockets where a socket can do it. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { closedPort } from '../../../test/closed-port.ts';
import { openModel } from '../open-model.ts';
import { asking, env, errorOf, listening, resolvedFor, type Wire, wireAnswer, wires } from './wire-test-kit.ts';

describe('connections', () => {
  const open: Server[] = [];
  afterEach(() => {
    for (const server of open.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(handler: Parameters<typeof createServer>[1]): Promise<string> {
    const server = createServer(handler as never);
    open.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const ask = async (wire: Wire, endpoint: string) =>
    (await openModel(resolvedFor(wire, { endpoint }), { env })).generate(asking('hi'), listening());

  test.each(wires)('%s: refused', async (wire) => {
    expect(await ask(wire, `http://127.0.0.1:${closedPort}`)).toMatchObject({
      ok: false,
      error: { code: 'model-connection', retryable: true, message: expect.stringContaining('refused (ECONNREFUSED)') },
    });
  });

  test.each(wires)('%s: closed before the answer', async (wire) => {
    const address = await serve((request: { socket: { destroy: () => void } }) => request.socket.destroy());
    expect(await ask(wire, address)).toMatchObject({ ok: false, error: { code: 'model-connection', retryable: true } });
  });

  test.each(wires)('%s: closed in the middle of the answer keeps what came', async (wire) => {
    const address = await serve((_request: unknown, response: import('node:http').ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '100000' });
      response.write(wireAnswer(wire, { text: 'Some words', end: 'none' }), () =>
        setImmediate(() => response.destroy()),
      );
    });
    expect(await ask(wire, address)).toMatchObject({ ok: true, answer: { text: 'Some words', finish: 'cut' } });
  });

  test('a host that is not there', async () => {
    const lookup = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('getaddrinfo ENOTFOUND nobody.invalid'), { code: 'ENOTFOUND' }),
    });
    const error = await errorOf('openai', () => Promise.reject(lookup));
    expect(error).toMatchObject({
      code: 'model-connection',
      retryable: true,
      message: expect.stringContaining('no such host (ENOTFOUND)'),
    });
  });

  test('several addresses that all refuse', async () => {
    const one = (code: string) => Object.assign(new Error(code), { code });
    const all = Object.assign(new AggregateError([one('ECONNREFUSED'), one('ECONNREFUSED')], ''), {
      code: 'ECONNREFUSED',
    });
    const error = await errorOf('anthropic', () => Promise.reject(new TypeError('fetch failed', { cause: all })));
    expect(error).toMatchObject({
      code: 'model-connection',
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('a certificate: %s is not tried again', async (code) => {
    const cause = Object.assign(new Error('bad certificate'), { code });
    const error = await errorOf('google', () => Promise.reject(new TypeError('fetch failed', { cause })));
    expect(error).toMatchObject({ code: 'model-connection', retryable: false, message: expect.stringContaining(code) });
  });

  test.each([
    ['UND_ERR_HEADERS_TIMEOUT', 'took too long to begin'],
    ['UND_ERR_CONNECT_TIMEOUT', 'the connection took too long'],
    ['EHOSTUNREACH', 'the host is not reached'],
  ])('%s: %s', async (code, words) => {
    const cause = Object.assign(new Error('x'), { code });
    const error = await errorOf('openai-compatible', () => Promise.reject(new TypeError('fetch failed', { cause })));
    expect(error).toMatchObject({ code: 'model-connection', retryable: true, message: expect.stringContaining(words) });
  });

  test('a port that is not for the web', async () => {
    expect(await ask('openai', 'http://127.0.0.1:1/v1')).toMatchObject({
      ok: false,
      error: { code: 'model-request', retryable: false },
    });
  });
});
