/**
 * The token of a service that somebody has logged in to.
 * 1. It is read for each request: a login in another process counts at once.
 * 2. One that has expired, or that the server refuses, is refreshed, by one process at a time; the others take what it got.
 * 3. Where only a login helps, the trouble says so.
 */
import { type Clock, inTurn } from '../../../sys/index.ts';
import { cappedFetch, type Fetch } from '../capped-fetch.ts';
import type { ServiceDefinition, ServiceLimits } from '../definition.ts';
import { hasAuthorization, isReadByOthers } from '../http-transport.ts';
import { loginTrouble, troubleOf } from '../reason.ts';
import { type Login, loginFile, readLogin, writeLogin } from './credentials.ts';
import type { TokenSource } from './token-source.ts';

export interface TokenOptions {
  /** The folder of logins. */
  readonly credentials?: string | undefined;
  readonly clock: Clock;
  readonly limits: ServiceLimits;
}

/** One that expires sooner is not sent any more. */
const sparedMs = 30_000;

/** Undefined where the service is no address, or sends an `Authorization` of its own. */
export function loginOf(definition: ServiceDefinition, options: TokenOptions): TokenSource | undefined {
  const { credentials, clock } = options;
  if (definition.transport !== 'http' || credentials === undefined || hasAuthorization(definition)) return undefined;
  const { name, target } = definition;
  if (!URL.canParse(target) || isReadByOthers(new URL(target))) return undefined;
  const seen = new Set<string>();
  let last: string | undefined;

  const note = (login: Login): string => {
    for (const secret of [login.accessToken, login.refreshToken, login.clientSecret]) {
      if (secret !== undefined) seen.add(secret);
    }
    last = login.accessToken;
    return login.accessToken;
  };
  const isOld = ({ expiresAt }: Login): boolean => expiresAt !== undefined && expiresAt - clock.now() < sparedMs;

  /** `refused` is what the server does not take any more. */
  const renew = (refused: string | undefined): Promise<Login> =>
    inTurn(`${loginFile(credentials, name, target)}.turn`, async () => {
      const login = await readLogin(credentials, name, target);
      if (!login) throw loginTrouble(name);
      note(login);
      if (login.accessToken !== refused && !isOld(login)) return login;
      const fresh = await refreshed(login, definition, options);
      await writeLogin(credentials, fresh);
      return fresh;
    });

  return {
    async token() {
      const login = await readLogin(credentials, name, target);
      if (!login) return undefined;
      note(login);
      return note(isOld(login) ? await renew(undefined) : login);
    },
    async onUnauthorized() {
      const login = await readLogin(credentials, name, target);
      if (!login) throw loginTrouble(name);
      note(await renew(last));
    },
    secrets: () => [...seen],
  };
}

async function refreshed(login: Login, definition: ServiceDefinition, options: TokenOptions): Promise<Login> {
  const { name } = definition;
  if (login.refreshToken === undefined) throw loginTrouble(name, 'its login has expired');
  const { refreshAuthorization } = await import('@modelcontextprotocol/client');
  try {
    const tokens = await refreshAuthorization(login.issuer, {
      metadata: {
        issuer: login.issuer,
        authorization_endpoint: login.issuer,
        token_endpoint: login.tokenEndpoint,
        response_types_supported: ['code'],
        ...(login.authMethods && { token_endpoint_auth_methods_supported: [...login.authMethods] }),
      },
      clientInformation: {
        client_id: login.clientId,
        ...(login.clientSecret !== undefined && { client_secret: login.clientSecret }),
      },
      refreshToken: login.refreshToken,
      ...(login.resource !== undefined && { resource: new URL(login.resource) }),
      fetchFn: timedFetch(options.limits),
    });
    return withTokens(login, tokens, options.clock);
  } catch (error) {
    // The server of tokens says what is wrong with them; everything else may pass.
    if (isRefusal(error)) throw loginTrouble(name, 'its login is not valid any more');
    const found = troubleOf(error, definition, 'unavailable');
    found.message = `its login could not be refreshed: ${found.message}`;
    throw found;
  }
}

/** What a token request gave, in a login. */
export function withTokens(
  login: Omit<Login, 'accessToken'>,
  tokens: {
    readonly access_token: string;
    readonly refresh_token?: string | undefined;
    readonly expires_in?: number | undefined;
    readonly scope?: string | undefined;
  },
  clock: Clock,
): Login {
  const { expiresAt: _old, ...rest } = login;
  return {
    ...rest,
    accessToken: tokens.access_token,
    ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
    ...(tokens.expires_in !== undefined && { expiresAt: clock.now() + tokens.expires_in * 1000 }),
    ...(tokens.scope !== undefined && { scope: tokens.scope }),
  };
}

/** Of small answers, in bounded time. */
export function timedFetch(limits: Pick<ServiceLimits, 'connectMs'>, signal?: AbortSignal): Fetch {
  return cappedFetch(1024 * 1024, (input, init) => {
    const late = AbortSignal.timeout(limits.connectMs);
    const signals = [late, signal, init?.signal].filter((one) => one !== undefined && one !== null);
    return fetch(input, { ...init, signal: AbortSignal.any(signals) });
  });
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(String(error.code));
}
