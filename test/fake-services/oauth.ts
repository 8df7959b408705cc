/**
 * A fake service behind OAuth, and the server that gives tokens for it, on one address. It follows the specifications and is
 * strict: PKCE by S256, codes and refresh tokens that work once, redirects as they were registered, tokens for this service
 * alone. Everybody who asks is let in, unless told otherwise.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type FakeHttp, fakeHttp } from './http.ts';

export interface FakeOAuth extends FakeHttp {
  /** Every token that was given, refresh tokens too. */
  readonly given: readonly string[];
  readonly counts: { registered: number; codes: number; refreshes: number };
  readonly set: FakeOAuthSettings;
}

export interface FakeOAuthSettings {
  /** Of access tokens, in seconds; none is told if undefined. */
  expiresIn: number | undefined;
  /** Access tokens that are not taken any more. */
  revoked: Set<string>;
  /** Says no to whoever logs in. */
  deny: boolean;
  /** Refresh tokens are refused. */
  refuseRefresh: boolean;
  /** The server of tokens fails. */
  failTokens: boolean;
  registration: boolean;
  /** Clients that were registered by hand; they may come back to any port of this machine. */
  byHand: string[];
}

interface Code {
  readonly client: string;
  readonly redirect: string;
  readonly challenge: string;
  readonly resource: string;
}

export async function fakeOAuth(settings: Partial<FakeOAuthSettings> = {}): Promise<FakeOAuth> {
  const set: FakeOAuthSettings = {
    expiresIn: 3600,
    revoked: new Set(),
    deny: false,
    refuseRefresh: false,
    failTokens: false,
    registration: true,
    byHand: [],
    ...settings,
  };
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, Code>();
  const access = new Set<string>();
  const refresh = new Map<string, string>();
  const given: string[] = [];
  const counts = { registered: 0, codes: 0, refreshes: 0 };

  const tokens = (client: string): Response => {
    const pair = { access_token: `at-${randomUUID()}`, refresh_token: `rt-${randomUUID()}` };
    access.add(pair.access_token);
    refresh.set(pair.refresh_token, client);
    given.push(pair.access_token, pair.refresh_token);
    return json({ ...pair, token_type: 'Bearer', ...(set.expiresIn !== undefined && { expires_in: set.expiresIn }) });
  };

  const register = async (request: Request): Promise<Response> => {
    const body = (await request.json()) as { redirect_uris: string[] };
    if (!body.redirect_uris.every((uri) => new URL(uri).hostname === '127.0.0.1'))
      return refusal('invalid_redirect_uri');
    const client = `client-${randomUUID()}`;
    clients.set(client, body.redirect_uris);
    counts.registered++;
    return json({ ...body, client_id: client }, 201);
  };

  const authorize = (url: URL): Response => {
    const query = url.searchParams;
    const client = query.get('client_id') ?? '';
    const redirect = query.get('redirect_uri') ?? '';
    const isHome = set.byHand.includes(client) && new URL(redirect).hostname === '127.0.0.1';
    if (!isHome && !clients.get(client)?.includes(redirect)) return refusal('invalid_redirect_uri');
    const back = new URL(redirect);
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', url.origin);
    const isRight =
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      query.get('resource') === `${url.origin}/mcp`;
    if (set.deny || !isRight) {
      back.searchParams.set('error', set.deny ? 'access_denied' : 'invalid_request');
      back.searchParams.set('error_description', 'not <today>');
    } else {
      const code = `code-${randomUUID()}`;
      const challenge = query.get('code_challenge') ?? '';
      codes.set(code, { client, redirect, challenge, resource: query.get('resource') ?? '' });
      counts.codes++;
      back.searchParams.set('code', code);
    }
    return new Response(null, { status: 302, headers: { location: back.href } });
  };

  const token = async (request: Request): Promise<Response> => {
    if (set.failTokens) return new Response('out of order', { status: 503 });
    const form = new URLSearchParams(await request.text());
    const client = form.get('client_id') ?? '';
    if (!clients.has(client) && !set.byHand.includes(client)) return refusal('invalid_client', 401);
    if (form.get('grant_type') === 'authorization_code') {
      const code = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const isRight =
        code?.client === client &&
        code.challenge === proof &&
        code.redirect === form.get('redirect_uri') &&
        code.resource === form.get('resource');
      return isRight ? tokens(client) : refusal('invalid_grant');
    }
    const old = form.get('refresh_token') ?? '';
    if (form.get('grant_type') !== 'refresh_token') return refusal('unsupported_grant_type');
    if (set.refuseRefresh || refresh.get(old) !== client) return refusal('invalid_grant');
    refresh.delete(old);
    counts.refreshes++;
    return tokens(client);
  };

  const before = async (request: Request): Promise<Response | undefined> => {
    const url = new URL(request.url);
    const { origin } = url;
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
      case '/.well-known/oauth-authorization-server':
        return json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          ...(set.registration && { registration_endpoint: `${origin}/register` }),
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          authorization_response_iss_parameter_supported: true,
        });
      case '/register':
        return set.registration ? register(request) : new Response('', { status: 404 });
      case '/authorize':
        return authorize(url);
      case '/token':
        return token(request);
      case '/mcp': {
        const bearer = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
        if (access.has(bearer) && !set.revoked.has(bearer)) return undefined;
        const where = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
        return new Response('', { status: 401, headers: { 'www-authenticate': where } });
      }
      default:
        return new Response('', { status: 404 });
    }
  };
  const server = await fakeHttp({ before });
  return Object.assign(server, { given, counts, set });
}

function json(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: { 'cache-control': 'no-store' } });
}

function refusal(error: string, status = 400): Response {
  return json({ error, error_description: `it is ${error}` }, status);
}
