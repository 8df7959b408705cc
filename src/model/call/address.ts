/** Where a model is reached, and how that is shown: without what may be secret in an address. */
import type { ResolvedModel } from '../resolved.ts';
import { refused } from './error.ts';
import { providerOf } from './provider.ts';

export interface Address {
  /** Without a slash at its end, and without a query. */
  readonly base: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** Throws what is wrong with an address that cannot be used. */
export function addressOf(resolved: ResolvedModel): Address {
  const { home, path } = providerOf(resolved);
  const given = resolved.endpoint ?? home;
  if (given === undefined) throw refused(`it has no address; write one, such as endpoint = "http://127.0.0.1:8000/v1"`);
  const url = parsed(given);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw refused('its address is none of the web; write it whole, such as "https://example.com/v1"');
  }
  if (url.username !== '' || url.password !== '') {
    throw refused('its address has a user or a password in it; send them as a header instead');
  }
  const at = url.pathname === '/' ? path : url.pathname.replace(/\/+$/, '');
  const base = `${url.origin}${at}`;
  return url.search === '' ? { base } : { base, query: Object.fromEntries(url.searchParams) };
}

/** As messages have it. */
export function shownAddress(resolved: ResolvedModel): string | undefined {
  const given = resolved.endpoint ?? providerOf(resolved).home;
  const url = given === undefined ? null : parsed(given);
  return url === null || url.origin === 'null' ? undefined : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
