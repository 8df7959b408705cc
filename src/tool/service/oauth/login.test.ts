import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { address, baseEnv, type Harness, harness } from '../../../../test/fake-services/kit.ts';
import { type FakeOAuth, type FakeOAuthSettings, fakeOAuth } from '../../../../test/fake-services/oauth.ts';
import { realClock } from '../../../sys/index.ts';
import { serviceLimits } from '../definition.ts';
import { listLogins, loginFile, readLogin, removeLogins } from './credentials.ts';
import { type LoginOptions, logIn } from './login.ts';

const closers: (() => Promise<void>)[] = [];
let credentials = '';
beforeEach(() => {
  credentials = join(mkdtempSync(join(tmpdir(), 'toolang-login-')), 'credentials');
});
afterEach(async () => {
  for (const each of closers.splice(0).reverse()) await each();
  rmSync(join(credentials, '..'), { recursive: true });
});

async function server(settings: Partial<FakeOAuthSettings> = {}): Promise<FakeOAuth> {
  const made = await fakeOAuth(settings);
  closers.push(() => made.close());
  return made;
}

function start(url: string): Harness {
  const made = harness([address('fake', url)], { credentials });
  closers.push(() => made.services.close());
  return made;
}

/** A browser that goes where it is sent, and whose person says yes. */
async function browse(url: URL): Promise<void> {
  await (await fetch(url)).text();
}

function login(url: string, more: Partial<LoginOptions> = {}) {
  const limits = { ...serviceLimits, connectMs: 5000 };
  const { signal } = new AbortController();
  const options = { credentials, env: baseEnv(), clock: realClock, limits, signal, show: browse, ...more };
  return logIn(address('fake', url), options);
}

const { signal } = new AbortController();

describe('a login', () => {
  test('lets a service be used, and is kept for its owner alone', async () => {
    const { url, given } = await server();
    const before = start(url);
    const reason = 'the server asks for a login: run "toolang service login fake"';
    expect(await before.services.tools('fake', signal)).toEqual({ ok: false, reason });
    await login(url);
    const { call } = start(url);
    expect(await call('fake/echo', { text: `hello ${given[0]} ${given[1]}` })).toEqual({
      ok: true,
      text: 'hello [redacted] [redacted]',
    });
    const file = loginFile(credentials, 'fake', url);
    if (process.platform !== 'win32') {
      expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
      expect((statSync(credentials).mode & 0o777).toString(8)).toBe('700');
    }
    expect(readdirSync(credentials)).toHaveLength(1);
  });

  test('belongs to its address and its name', async () => {
    const { url, requests } = await server();
    await login(url);
    expect(await readLogin(credentials, 'fake', url)).toBeDefined();
    expect(await readLogin(credentials, 'fake', `${url}/other`)).toBeUndefined();
    expect(await readLogin(credentials, 'other', url)).toBeUndefined();
    const other = await server();
    const { services } = start(other.url);
    expect(await services.tools('fake', signal)).toMatchObject({ ok: false, reason: expect.stringContaining('login') });
    expect(other.requests.filter(({ headers }) => headers.has('authorization'))).toEqual([]);
    expect(requests.length).toBeGreaterThan(0);
  });

  test('that has expired is refreshed, once for all who ask', async () => {
    const { url, counts, set } = await server({ expiresIn: 1 });
    await login(url);
    set.expiresIn = 3600;
    const users = [start(url), start(url), start(url)];
    const results = await Promise.all(users.map(({ call }) => call('fake/echo', { text: 'x' })));
    expect(results.map((result) => result.ok)).toEqual([true, true, true]);
    expect(counts.refreshes).toBe(1);
  });

  test('whose token is refused in the middle of a run is refreshed', async () => {
    const { url, counts, set, given } = await server({ expiresIn: undefined });
    await login(url);
    const { call } = start(url);
    expect((await call('fake/echo', { text: 'x' })).ok).toBe(true);
    for (const token of given) set.revoked.add(token);
    expect(await call('fake/echo', { text: 'y' })).toEqual({ ok: true, text: 'y' });
    expect(counts.refreshes).toBe(1);
    expect((await readLogin(credentials, 'fake', url))?.accessToken).toBe(given[2]);
  });

  test('that cannot be refreshed any more asks for another', async () => {
    const { url, set } = await server({ expiresIn: 1 });
    await login(url);
    set.refuseRefresh = true;
    const { services } = start(url);
    expect(await services.tools('fake', signal)).toEqual({
      ok: false,
      reason: 'its login is not valid any more: run "toolang service login fake"',
    });
    set.refuseRefresh = false;
    set.failTokens = true;
    const other = start(url);
    expect(await other.services.tools('fake', signal)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('its login could not be refreshed: '),
    });
    // What may pass is tried again.
    set.failTokens = false;
    expect((await other.call('fake/echo', { text: 'x' })).ok).toBe(true);
  });

  test('that is removed is gone', async () => {
    const { url } = await server();
    await login(url);
    expect(await listLogins(credentials)).toMatchObject([{ service: 'fake', url }]);
    expect(await removeLogins(credentials, 'other')).toBe(0);
    expect(await removeLogins(credentials, 'fake')).toBe(1);
    expect(await removeLogins(credentials, 'fake')).toBe(0);
    const { services } = start(url);
    expect(await services.tools('fake', signal)).toMatchObject({ ok: false });
  });

  test('in a file that is damaged, or of another service, is not used', async () => {
    const { url } = await server();
    await login(url);
    const file = loginFile(credentials, 'fake', url);
    const text = readFileSync(file, 'utf8');
    for (const wrong of ['', '{', '[]', text.replace('"fake"', '"else"'), text.replace(/"url": ".*"/, '"url": 1')]) {
      writeFileSync(file, wrong);
      const { services } = start(url);
      const result = await services.tools('fake', signal);
      expect(result).toMatchObject({
        ok: false,
        reason: expect.stringContaining('is damaged: run "toolang service login fake"'),
      });
    }
  });
});

describe('a login that does not come about', () => {
  test('is refused by the person', async () => {
    const { url } = await server({ deny: true });
    await expect(login(url)).rejects.toThrow('the login was refused: access_denied not <today>');
    expect(await readLogin(credentials, 'fake', url)).toBeUndefined();
  });

  test('an answer with another state does not count', async () => {
    const { url, counts } = await server();
    const pages: number[] = [];
    const show = async (to: URL) => {
      const forged = new URL(to.searchParams.get('redirect_uri') ?? '');
      forged.search = 'code=stolen&state=guessed';
      pages.push((await fetch(forged)).status);
      forged.pathname = '/else';
      pages.push((await fetch(forged)).status);
      await browse(to);
    };
    await login(url, { show });
    expect(pages).toEqual([400, 404]);
    expect(counts.codes).toBe(1);
  });

  test('a page of the answer shows no markup of others', async () => {
    const { url } = await server({ deny: true });
    let page = '';
    const show = async (to: URL) => {
      page = await (await fetch(to)).text();
    };
    await expect(login(url, { show })).rejects.toThrow('refused');
    expect(page).toContain('&#60;today&#62;');
  });

  test('is left when its signal is aborted, and listens no more', async () => {
    const { url } = await server();
    const stop = new AbortController();
    let back = '';
    const show = async (to: URL) => {
      back = to.searchParams.get('redirect_uri') ?? '';
      stop.abort(new Error('enough'));
    };
    await expect(login(url, { show, signal: stop.signal })).rejects.toThrow('enough');
    await expect(fetch(back)).rejects.toThrow();
  });

  test('where nobody can register says so, and takes a client that was registered by hand', async () => {
    const { url, counts } = await server({ registration: false, byHand: ['by-hand'] });
    await expect(login(url)).rejects.toThrow(/registration/);
    expect(await login(url, { clientId: 'by-hand' })).toMatchObject({ clientId: 'by-hand' });
    expect(counts.registered).toBe(0);
  });

  test('to what needs none, or sends a header of its own, is refused', async () => {
    const { url } = await server();
    const own = logIn(address('fake', url, { authorization: 'Bearer x' }), {
      credentials,
      env: baseEnv(),
      clock: realClock,
      limits: serviceLimits,
      signal,
      show: browse,
    });
    await expect(own).rejects.toThrow('"Authorization" header of its own');
    await expect(login('http://example.com/mcp')).rejects.toThrow('over plain http');
  });
});
