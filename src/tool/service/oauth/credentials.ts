/**
 * Logins, kept as files in the root: one for each service and address, so that another address never gets a token of this
 * one. Only their owner can read them; they are written whole or not at all.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { systemCode, writeFileAtomic } from '../../../sys/index.ts';
import { trouble } from '../trouble.ts';

export interface Login {
  readonly service: string;
  readonly url: string;
  /** Who gives tokens for it, and where. */
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** How a client may show who it is there. */
  readonly authMethods?: readonly string[];
  /** What a token is asked for. */
  readonly resource?: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
  readonly scope?: string;
}

export function loginFile(directory: string, service: string, url: string): string {
  const hash = createHash('sha256')
    .update(`${service}\0${hrefOf(url)}`)
    .digest('hex')
    .slice(0, 20);
  const name = service
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '_')
    .slice(0, 40);
  return nodePath.join(directory, `${name}-${hash}.json`);
}

/** Undefined where nobody has logged in. */
export async function readLogin(directory: string, service: string, url: string): Promise<Login | undefined> {
  const file = loginFile(directory, service, url);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    const message = `its login in ${JSON.stringify(file)} cannot be read: ${systemCode(error)}`;
    throw trouble('unavailable', message, { final: true, cause: error });
  }
  const login = loginIn(text);
  if (login?.service === service && login.url === hrefOf(url)) return login;
  const message = `its login in ${JSON.stringify(file)} is damaged: run "toolang service login ${service}"`;
  throw trouble('unavailable', message, { final: true });
}

export async function writeLogin(directory: string, login: Login): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = loginFile(directory, login.service, login.url);
  await writeFileAtomic(file, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
}

/** Of a service, whatever its address; how many there were. */
export async function removeLogins(directory: string, service: string): Promise<number> {
  const logins = (await listLogins(directory)).filter((login) => login.service === service);
  for (const { file } of logins) await rm(file, { force: true });
  return logins.length;
}

/** Whose logins there are, without what is secret in them. One that is damaged is none. */
export async function listLogins(
  directory: string,
): Promise<readonly { readonly service: string; readonly url: string; readonly file: string }[]> {
  let names: string[];
  try {
    names = await readdir(directory);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
  const logins = [];
  for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
    const file = nodePath.join(directory, name);
    const login = loginIn(await readFile(file, 'utf8'));
    if (login) logins.push({ service: login.service, url: login.url, file });
  }
  return logins;
}

/** The address as all of its spellings have it. */
export function hrefOf(url: string): string {
  return new URL(url).href;
}

function loginIn(text: string): Login | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const read = value as Partial<Record<keyof Login, unknown>>;
  const needed = ['service', 'url', 'issuer', 'tokenEndpoint', 'clientId', 'accessToken'] as const;
  const free = ['resource', 'clientSecret', 'refreshToken', 'scope'] as const;
  const isRight =
    needed.every((key) => typeof read[key] === 'string') &&
    free.every((key) => read[key] === undefined || typeof read[key] === 'string') &&
    (read.authMethods === undefined || Array.isArray(read.authMethods)) &&
    (read.expiresAt === undefined || typeof read.expiresAt === 'number');
  return isRight ? (read as unknown as Login) : undefined;
}
