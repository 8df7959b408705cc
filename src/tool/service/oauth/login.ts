/**
 * Logging in to a service that is an address, by OAuth: who gives tokens is found from the service, we are registered there,
 * a person says yes in a browser, and the code that comes back is changed for a token (PKCE). What is kept is in
 * `credentials.ts`.
 */
import { randomBytes } from 'node:crypto';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { Clock } from '../../../sys/index.ts';
import type { Env } from '../../child-env.ts';
import type { Fetch } from '../capped-fetch.ts';
import type { HttpDefinition, ServiceLimits } from '../definition.ts';
import { addressOf, hasAuthorization, isReadByOthers } from '../http-transport.ts';
import { statusTrouble, troubleOf } from '../reason.ts';
import { expandHeaders } from '../secrets.ts';
import { trouble } from '../trouble.ts';
import { hrefOf, type Login, writeLogin } from './credentials.ts';
import { timedFetch, withTokens } from './login-token.ts';
import { awaitRedirect, type Redirect } from './redirect.ts';

export interface LoginOptions {
  /** The folder of logins. */
  readonly credentials: string;
  readonly env: Env;
  readonly clock: Clock;
  readonly limits: ServiceLimits;
  /** Of this program. */
  readonly version?: string | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Shows the address to a person, and opens it. */
  readonly show: (url: URL) => Promise<void>;
  /** Of a client that was registered by hand; without it we register ourselves. */
  readonly clientId?: string | undefined;
  readonly port?: number | undefined;
}

/** Throws a trouble, or the reason of the signal. */
export async function logIn(definition: HttpDefinition, options: LoginOptions): Promise<Login> {
  const { signal } = options;
  refuseUnfit(definition);
  const state = randomBytes(24).toString('base64url');
  const redirect = await awaitRedirect({ state, signal, port: options.port });
  try {
    const login = await flow(definition, options, redirect, state);
    await writeLogin(options.credentials, login);
    return login;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw troubleOf(error, definition, 'failed');
  } finally {
    await redirect.close();
  }
}

function refuseUnfit(definition: HttpDefinition): void {
  const url = addressOf(definition);
  if (hasAuthorization(definition)) {
    const message = 'it sends an "Authorization" header of its own: a login would not be used';
    throw trouble('failed', message, { final: true });
  }
  if (isReadByOthers(url)) {
    throw trouble('failed', 'its token would be sent over plain http, where others can read it', { final: true });
  }
}

async function flow(
  definition: HttpDefinition,
  options: LoginOptions,
  redirect: Redirect,
  state: string,
): Promise<Login> {
  const { auth } = await import('@modelcontextprotocol/client');
  const fetchFn = timedFetch(options.limits, options.signal);
  const asked = await challenge(definition, options, fetchFn);
  const kept: Kept = options.clientId === undefined ? {} : { client: { client_id: options.clientId } };
  const provider = providerOf(kept, redirect.url, state, options);
  const common = { serverUrl: addressOf(definition), fetchFn, ...asked };
  const first = await auth(provider, common);
  if (first !== 'REDIRECT') throw trouble('failed', 'the server of logins sent nobody to a browser');
  const { code, iss } = await redirect.answer;
  await auth(provider, { ...common, authorizationCode: code, ...(iss !== undefined && { iss }) });
  return loginFrom(definition, kept, options.clock);
}

/** What the service says when it is asked without a token: where the rest is to be found. */
async function challenge(
  definition: HttpDefinition,
  options: LoginOptions,
  fetchFn: Fetch,
): Promise<{ resourceMetadataUrl?: URL; scope?: string }> {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  const clientInfo = { name: 'toolang', version: options.version ?? 'unknown' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const response = await fetchFn(addressOf(definition), {
    method: 'POST',
    redirect: 'manual',
    headers: {
      ...expandHeaders(definition, options.env),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await response.body?.cancel();
  if (response.ok) throw trouble('failed', 'the service asks for no login', { final: true });
  if (response.status !== 401) throw statusTrouble(response.status, definition, undefined);
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
}

/** What the steps of one login leave for the next of them. */
interface Kept {
  client?: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0];
  tokens?: Parameters<OAuthClientProvider['saveTokens']>[0];
  verifier?: string;
  discovery?: OAuthDiscoveryState;
  resource?: string;
}

function providerOf(kept: Kept, redirectUrl: string, state: string, options: LoginOptions): OAuthClientProvider {
  const { clientId } = options;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Toolang',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => kept.client,
    // A client that was registered by hand is not replaced.
    ...(clientId === undefined && {
      saveClientInformation: (client: NonNullable<Kept['client']>) => {
        kept.client = client;
      },
    }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    async redirectToAuthorization(url) {
      if (url.protocol !== 'https:' && isReadByOthers(url)) {
        throw trouble('failed', 'the page of the login is not https', { final: true });
      }
      await options.show(url);
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier() {
      if (kept.verifier === undefined) throw trouble('failed', 'no login was begun');
      return kept.verifier;
    },
    saveDiscoveryState: (discovery) => {
      kept.discovery = discovery;
    },
    discoveryState: () => kept.discovery,
    saveResourceUrl: (resource) => {
      kept.resource = resource;
    },
    resourceUrl: () => kept.resource,
  };
}

function loginFrom(definition: HttpDefinition, kept: Kept, clock: Clock): Login {
  const { client, tokens, discovery, resource } = kept;
  const metadata = discovery?.authorizationServerMetadata;
  const issuer = metadata?.issuer ?? discovery?.authorizationServerUrl;
  if (!tokens || issuer === undefined) throw trouble('failed', 'the server of logins gave no token');
  const clientId = client?.client_id;
  if (clientId === undefined) throw trouble('failed', 'the server of logins gave us no name');
  const methods = metadata?.token_endpoint_auth_methods_supported;
  return withTokens(
    {
      service: definition.name,
      url: hrefOf(definition.target),
      issuer,
      tokenEndpoint: metadata?.token_endpoint ?? new URL('/token', issuer).href,
      clientId,
      ...(client?.client_secret !== undefined && { clientSecret: client.client_secret }),
      ...(methods !== undefined && { authMethods: methods }),
      ...(resource !== undefined && { resource }),
    },
    tokens,
    clock,
  );
}
