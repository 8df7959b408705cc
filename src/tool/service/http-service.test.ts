import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterEach, describe, expect, test } from 'vitest';
import { close, type FakeHttp, type FakeHttpOptions, fakeHttp, listen } from '../../../test/fake-services/http.ts';
import { address, baseEnv, type Harness, harness } from '../../../test/fake-services/kit.ts';
import { selfSigned } from '../../../test/fake-services/self-signed.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of closers.splice(0).reverse()) await each();
});

async function server(options: FakeHttpOptions = {}): Promise<FakeHttp> {
  const made = await fakeHttp(options);
  closers.push(() => made.close());
  return made;
}

function start(...args: Parameters<typeof harness>): Harness {
  const made = harness(...args);
  closers.push(() => made.services.close());
  return made;
}

const { signal } = new AbortController();

describe('a service that is an address', () => {
  test.each([{ era: 'both' }, { era: 'new', mode: 'json' }, { era: 'new', mode: 'sse' }, { era: 'old' }] as const)(
    'lists its tools and answers calls: $era $mode',
    async (options) => {
      const { url } = await server(options);
      const { services, tool, call } = start([address('fake', url)]);
      expect(await tool('fake/echo')).toMatchObject({ description: 'Says it again.', readOnly: true });
      expect(await call('fake/echo', { text: 'hä? 😀' })).toEqual({ ok: true, text: 'hä? 😀' });
      expect(await call('fake/add', { a: 2, b: 3 })).toEqual({ ok: true, text: '{"sum":5}' });
      expect(await call('fake/fail')).toMatchObject({ ok: false, error: { code: 'failed' } });
      expect(services.status('fake')).toMatchObject({ state: 'ready' });
    },
  );

  test('a session of the old era is ended when the run ends', async () => {
    const { url, ...rest } = await server({ era: 'old' });
    const made = harness([address('fake', url)]);
    await made.call('fake/echo', { text: 'x' });
    await made.services.close();
    expect(rest.requests?.at(-1)?.method).toBe('DELETE');
  });

  test('a session that the server has forgotten is begun anew', async () => {
    const { url, forgetSessions } = await server({ era: 'old' });
    const { call } = start([address('fake', url)]);
    expect(await call('fake/echo', { text: 'x' })).toEqual({ ok: true, text: 'x' });
    forgetSessions();
    expect(await call('fake/echo', { text: 'y' })).toEqual({ ok: true, text: 'y' });
  });

  test('variables are read for each request', async () => {
    const { url, requests } = await server();
    const env = baseEnv({ KEY: 'first-key' });
    const { call } = start([address('fake', url, { 'X-Key': '$KEY' })], { env });
    await call('fake/echo', { text: 'x' });
    env.KEY = 'second-key';
    expect(await call('fake/echo', { text: 'second-key' })).toEqual({ ok: true, text: '[redacted KEY]' });
    expect([...new Set(requests.map(({ headers }) => headers.get('x-key')))]).toEqual(['first-key', 'second-key']);
  });

  test.each(['both', 'old'] as const)('a list that changes is read again: %s', async (era) => {
    const { url } = await server({ era });
    const { call, tool } = start([address('fake', url)]);
    await expect(tool('fake/late')).rejects.toThrow('no tool');
    await call('fake/grow');
    await expect.poll(async () => (await tool('fake/late')).name).toBe('fake/late');
  });

  test.each(['both', 'old'] as const)('cancelling reaches the server: %s', async (era) => {
    const { url, state } = await server({ era });
    const { call } = start([address('fake', url)]);
    const stop = new AbortController();
    const slow = call('fake/slow', { id: 'one' }, stop.signal);
    await expect.poll(() => state.begun).toEqual(['one']);
    stop.abort(new Error('enough'));
    await expect(slow).rejects.toThrow('enough');
    await expect.poll(() => state.cancelled).toEqual(['one']);
  });

  test('a call that takes too long is given up', async () => {
    const { url, state } = await server();
    const { call } = start([address('fake', url)], { limits: { callMs: 500 } });
    expect(await call('fake/slow', { id: 'late' })).toMatchObject({ ok: false, error: { code: 'timeout' } });
    await expect.poll(() => state.cancelled).toEqual(['late']);
  });

  test.each(['json', 'sse'] as const)('an answer that is too large is refused, and it goes on: %s', async (mode) => {
    const { url } = await server({ mode });
    const { call } = start([address('fake', url)], { limits: { messageBytes: 1_000_000 } });
    expect(await call('fake/huge', { bytes: 1_100_000 })).toEqual({
      ok: false,
      error: { code: 'too-large', message: 'the service "fake": the answer is larger than 1 MB' },
    });
    expect(await call('fake/echo', { text: 'still here' })).toEqual({ ok: true, text: 'still here' });
  });

  test.each(['both', 'old'] as const)(
    'a connection that is cut in the middle of a call is a result: %s',
    async (era) => {
      const { url } = await server({ era });
      const { call } = start([address('fake', url)], { limits: { callMs: 3000 } });
      const result = await call('fake/die');
      expect(result).toMatchObject({ ok: false });
      expect(!result.ok && result.error.code).toMatch(/failed|unavailable/);
      expect(await call('fake/echo', { text: 'again' })).toEqual({ ok: true, text: 'again' });
    },
  );
});

describe('its headers', () => {
  const guarded = (): Promise<FakeHttp> =>
    server({
      before: (request) =>
        request.headers.get('x-key') === 'k-very-secret'
          ? undefined
          : new Response('who are you? k-very-secret', { status: 403 }),
    });

  test('are filled in from the environment, and never told', async () => {
    const { url, requests } = await guarded();
    const env = baseEnv({ KEY: 'k-very-secret' });
    const { call } = start([address('fake', url, { 'X-Key': '${KEY}', 'X-Team': 'docs' })], { env });
    expect(await call('fake/echo', { text: 'the key is k-very-secret' })).toEqual({
      ok: true,
      text: 'the key is [redacted KEY]',
    });
    expect(new Set(requests.map(({ headers }) => `${headers.get('x-key')} ${headers.get('x-team')}`))).toEqual(
      new Set(['k-very-secret docs']),
    );
  });

  test('a variable that is missing, empty or unfit is named', async () => {
    const { url, requests } = await guarded();
    const definition = address('fake', url, { 'X-Key': 'Bearer $KEY' });
    const reasons = new Map([
      [undefined, 'the environment variable KEY is not set'],
      ['', 'the environment variable KEY is not set'],
      ['a\nb', 'the environment variable KEY holds a line end that the header "X-Key" cannot'],
      ['ключ', 'the environment variable KEY holds a character that the header "X-Key" cannot'],
    ]);
    for (const [value, reason] of reasons) {
      const { services } = start([definition], { env: baseEnv(value === undefined ? {} : { KEY: value }) });
      expect(await services.tools('fake', signal)).toEqual({ ok: false, reason });
    }
    expect(requests).toEqual([]);
  });

  test('that are refused are told without them', async () => {
    const { url } = await guarded();
    const { services } = start([address('fake', url, { 'X-Key': '$KEY' })], { env: baseEnv({ KEY: 'wrong' }) });
    const reason = 'the server denies access (403)';
    expect(await services.tools('fake', signal)).toEqual({ ok: false, reason });
  });

  test('an "Authorization" that is refused is named as such', async () => {
    const { url } = await server({ before: () => new Response('', { status: 401 }) });
    const { services } = start([address('fake', url, { Authorization: 'Bearer $KEY' })], {
      env: baseEnv({ KEY: 'wrong-one' }),
    });
    const reason = 'the server refuses its "Authorization" header (401)';
    expect(await services.tools('fake', signal)).toEqual({ ok: false, reason });
  });

  test('are not sent over plain http to other machines', async () => {
    const { services } = start([address('far', 'http://mcp.example.com/mcp', { 'X-Key': 'abc' })]);
    expect(await services.tools('far', signal)).toMatchObject({ reason: expect.stringContaining('over plain http') });
  });

  test('do not follow a redirect to another origin', async () => {
    const other = await server();
    const { url } = await server({ before: () => Response.redirect(other.url, 307) });
    const { services } = start([address('fake', url, { 'X-Key': 'abc' })]);
    const result = await services.tools('fake', signal);
    expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('redirects to another place (307)') });
    expect(other.requests).toEqual([]);
  });
});

describe('addresses where no service answers', () => {
  test('nothing listens there', async () => {
    const gone = createServer();
    const url = await listen(gone);
    await close(gone);
    const { services } = start([address('fake', url)]);
    expect(await services.tools('fake', signal)).toEqual({
      ok: false,
      reason: 'nothing answers there (connection refused)',
    });
  });

  test.each([
    [404, 'no MCP server answers at this address (404)'],
    [405, 'no MCP server answers at this address (405)'],
    [500, 'the server answers with the status 500'],
    [401, 'the server asks for a login: run "toolang service login fake"'],
  ])('a status of %i', async (status, reason) => {
    const { url } = await server({ before: () => new Response('x'.repeat(1_000_000), { status }) });
    const { services } = start([address('fake', url)]);
    expect(await services.tools('fake', signal)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  test('a page of something else', async () => {
    const page = () => new Response('<html>hello</html>', { headers: { 'content-type': 'text/html' } });
    const { url } = await server({ before: page });
    const { services } = start([address('fake', url)]);
    expect(await services.tools('fake', signal)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('text/html'),
    });
  });

  test('one that never answers', async () => {
    const { url } = await server({ before: () => new Promise<never>(() => undefined) });
    const { services } = start([address('fake', url)], { limits: { connectMs: 200 } });
    expect(await services.tools('fake', signal)).toEqual({ ok: false, reason: 'it gave no answer within 200 ms' });
  });

  test('one that speaks no TLS', async () => {
    const { url } = await server();
    const { services } = start([address('fake', url.replace('http:', 'https:'))]);
    expect(await services.tools('fake', signal)).toMatchObject({ ok: false });
  });

  test('a certificate that nobody knows', async () => {
    const tls = createTlsServer(selfSigned, (_request, response) => response.end('{}'));
    const url = (await listen(tls as never)).replace('http:', 'https:');
    closers.push(() => close(tls as never));
    const { services } = start([address('fake', url)]);
    expect(await services.tools('fake', signal)).toEqual({
      ok: false,
      reason: 'the certificate of the server is signed by itself (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
  });
});
