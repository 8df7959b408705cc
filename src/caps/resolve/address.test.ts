/** Plain addresses: what is taken, what is refused, what is kept. No network: `fetch` is an argument. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { resolveAll } from './resolve.ts';
import type { RemoteKind, Resolved, ResolveOptions, Target } from './target.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-url-')));
let cache = top;
let count = 0;
beforeEach(() => {
  cache = join(top, String(count++));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

interface Case extends Partial<ResolveOptions> {
  readonly url?: string;
  readonly kind?: RemoteKind;
  readonly locked?: Target;
}

async function resolveUrl(answer: (url: string) => Response | Promise<Response>, options: Case = {}) {
  const asked: string[] = [];
  const { url = 'https://x.y/rewrite.md?token=s3cret', kind = 'prompt', locked, ...rest } = options;
  const get: typeof fetch = async (input) => {
    asked.push(String(input));
    return answer(String(input));
  };
  const wanted = { key: 'k', kind, ref: url, ...(locked && { locked }) };
  const resolved = (await resolveAll([wanted], { cache, env: {}, fetch: get, ...rest })).get('k');
  if (!resolved) throw new Error('there is no answer');
  return { resolved, asked };
}

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const lock = (text: string): Target => ({
  ref: 'https://x.y/rewrite.md',
  url: 'https://x.y/rewrite.md',
  sha256: sha(text),
});

function textOf(resolved: Resolved): string {
  return resolved.ok ? Buffer.from(resolved.files[0]?.bytes ?? []).toString('utf8') : resolved.problem.message;
}

test('the content is the target, and is kept', async () => {
  const { resolved } = await resolveUrl(() => new Response('Do\r\nit.\n'));
  const url = 'https://x.y/rewrite.md?token=s3cret';
  expect(resolved).toEqual({
    ok: true,
    target: { ref: url, url, sha256: sha('Do\r\nit.\n') },
    files: [{ path: 'rewrite.md', bytes: Buffer.from('Do\r\nit.\n'), isExecutable: false }],
  });
  expect(readdirSync(join(cache, 'url'))).toEqual([sha('Do\r\nit.\n')]);
});

test.each<[RemoteKind, string, string]>([
  ['skill', 'https://x.y/pdf/SKILL.md', 'SKILL.md'],
  ['prompt', 'https://x.y/rewrite', 'rewrite.md'],
  ['agent', 'https://x.y/zoe.too', 'zoe.too'],
])('%s %s is %s', async (kind, url, path) => {
  const { resolved } = await resolveUrl(() => new Response('x'), { kind, url });
  expect(resolved).toMatchObject({ ok: true, files: [{ path }] });
});

describe('with a lock', () => {
  test('the cache answers first, and offline', async () => {
    await resolveUrl(() => new Response('A'));
    const { resolved, asked } = await resolveUrl(() => new Response('B'), { locked: lock('A'), offline: true });
    expect(textOf(resolved)).toBe('A');
    expect(asked).toEqual([]);
  });

  test('other content is refused, and not kept', async () => {
    const { resolved } = await resolveUrl(() => new Response('B'), { locked: lock('A') });
    expect(resolved).toMatchObject({ problem: { code: 'TOO5320' } });
    expect(existsSync(join(cache, 'url'))).toBe(false);
  });

  test('a damaged file of the cache is fetched anew, and that is told', async () => {
    await resolveUrl(() => new Response('A'));
    writeFileSync(join(cache, 'url', sha('A')), 'tampered');
    const told: string[] = [];
    const { resolved } = await resolveUrl(() => new Response('A'), {
      locked: lock('A'),
      progress: (t) => told.push(t),
    });
    expect(textOf(resolved)).toBe('A');
    expect(told.join('\n')).toMatch(/damaged/);
    expect(readFileSync(join(cache, 'url', sha('A')), 'utf8')).toBe('A');
  });

  test('one without a hash is refused', async () => {
    const { resolved } = await resolveUrl(() => new Response('A'), { locked: { ref: '', url: '', sha256: '../../x' } });
    expect(resolved).toMatchObject({ problem: { code: 'TOO5320' } });
  });
});

test('offline without a lock: what is there now is not known', async () => {
  const { resolved, asked } = await resolveUrl(() => new Response('A'), { offline: true });
  expect(resolved).toMatchObject({ problem: { code: 'TOO5319' } });
  expect(asked).toEqual([]);
});

const to = (location: string) => new Response(null, { status: 302, headers: { location } });

test('redirects are followed to https, five of them', async () => {
  const { resolved, asked } = await resolveUrl((url) =>
    url.endsWith('5') ? new Response('A') : to(`/${asked0(url) + 1}`),
  );
  expect(textOf(resolved)).toBe('A');
  expect(asked).toHaveLength(6);
});

function asked0(url: string): number {
  return Number(/\/(\d)$/.exec(url)?.[1] ?? 0);
}

test.each<[string, () => Response, string, RegExp]>([
  ['too many redirects', () => to('https://x.y/again'), 'TOO5321', /more than 5 times/],
  ['a redirect to http', () => to('http://x.y/a'), 'TOO5321', /no https/],
  ['a redirect to a file', () => to('file:///etc/passwd'), 'TOO5321', /no https/],
  ['a redirect with a password', () => to('https://a:s3cret@x.y/a'), 'TOO5321', /no https/],
  ['a redirect to nowhere', () => new Response(null, { status: 302 }), 'TOO5321', /no https/],
  [
    'a page',
    () => new Response('x', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    'TOO5321',
    /web page/,
  ],
  [
    'a page that does not say so',
    () => new Response('\ufeff\n<!DOCTYPE html><p>', { headers: { 'content-type': 'text/plain' } }),
    'TOO5321',
    /web page/,
  ],
  ['404', () => new Response('x', { status: 404 }), 'TOO5321', /nothing at .*404/],
  ['401', () => new Response('x', { status: 401 }), 'TOO5321', /may not be read \(401\)/],
  ['403', () => new Response('x', { status: 403 }), 'TOO5321', /may not be read \(403\)/],
  ['500', () => new Response('x', { status: 500 }), 'TOO5312', /500/],
  ['204', () => new Response(null, { status: 204 }), 'TOO5321', /204/],
  [
    'a long one that says so',
    () => new Response('x', { headers: { 'content-length': '10485761' } }),
    'TOO5318',
    /10 MB/,
  ],
  ['a long one that does not', () => new Response(new Uint8Array(10 * 1024 * 1024 + 1)), 'TOO5318', /10 MB/],
])('%s is refused', async (_, answer, code, message) => {
  const { resolved } = await resolveUrl(answer);
  expect(resolved).toMatchObject({ ok: false, problem: { code, message: expect.stringMatching(message) } });
  expect(JSON.stringify(resolved)).not.toContain('s3cret');
});

test.each<[string, RegExp]>([
  ['ENOTFOUND', /host was not found/],
  ['ECONNREFUSED', /refused/],
  ['EOTHER', /in other words/],
])('%s: it cannot be reached', async (code, message) => {
  const failing = () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('in other words'), { code }) }));
  const { resolved } = await resolveUrl(failing);
  expect(resolved).toMatchObject({ problem: { code: 'TOO5312', message: expect.stringMatching(message) } });
});

test('who aborts is thrown the reason', async () => {
  const stop = new AbortController();
  const failing = () => {
    stop.abort(new Error('enough'));
    return Promise.reject(stop.signal.reason);
  };
  await expect(resolveUrl(failing, { signal: stop.signal })).rejects.toThrow('enough');
});

test('one address is fetched once for all', async () => {
  let times = 0;
  const get: typeof fetch = async () => new Response(String(++times));
  const wanted = ['a', 'b'].map((key) => ({ key, kind: 'prompt' as const, ref: 'https://x.y/rewrite.md' }));
  const all = await resolveAll(wanted, { cache, env: {}, fetch: get });
  expect([...all.values()].map(textOf)).toEqual(['1', '1']);
});
