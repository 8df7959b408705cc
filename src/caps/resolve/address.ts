/**
 * A single file at a plain `https://` address, kept in the cache by the hash of its content. Nothing secret of an address
 * is printed: neither a user nor what stands behind "?".
 */
import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isCapName } from '../../config/index.ts';
import { systemCode, writeFileAtomic } from '../../sys/index.ts';
import { withoutSecrets } from '../git/trouble.ts';
import type { UrlRef } from '../ref.ts';
import type { Download } from './download.ts';
import { refuse } from './problem.ts';
import type { RemoteKind, Resolved, ResolveOptions, Target } from './target.ts';

export interface AddressContext extends Pick<ResolveOptions, 'cache' | 'offline' | 'progress'> {
  readonly download: Download;
}

export async function resolveAddress(
  kind: RemoteKind,
  ref: Pick<UrlRef, 'name' | 'url'>,
  locked: Target | undefined,
  options: AddressContext,
): Promise<Resolved> {
  const { url, name } = ref;
  const shown = withoutSecrets(url);
  const wanted = locked?.sha256;
  if (wanted !== undefined && !/^[0-9a-f]{64}$/.test(wanted)) {
    return refuse('TOO5320', `the lock of ${shown} has no SHA-256.`, 'Remove its entry from the lock.');
  }
  const kept = wanted === undefined ? undefined : await readKept(wanted, options);
  if (kept !== undefined && wanted !== undefined) return done(kept, wanted);
  if (options.offline) {
    const what = wanted === undefined ? 'what is there now cannot be known' : 'it is not in the cache';
    return refuse('TOO5319', `${shown}: ${what}, and nothing may be fetched.`, 'Do it once without --offline.');
  }
  const got = await options.download(url);
  if (!got.ok) return got;
  const sha256 = hash(got.value);
  if (wanted !== undefined && wanted !== sha256) {
    return refuse(
      'TOO5320',
      `${shown} has changed: its content has the SHA-256 ${sha256.slice(0, 12)}…, and the lock says ${wanted.slice(0, 12)}….`,
      'Look at what is there now, and update the reference if you trust it.',
    );
  }
  await mkdir(join(options.cache, 'url'), { recursive: true });
  await writeFileAtomic(keptPath(sha256, options), got.value);
  return done(got.value, sha256);

  function done(bytes: Uint8Array, sha256: string): Resolved {
    const base = isCapName(name) ? name : kind;
    const path = kind === 'skill' ? 'SKILL.md' : `${base}.${kind === 'agent' ? 'too' : 'md'}`;
    return { ok: true, target: { ref: url, url, sha256 }, files: [{ path, bytes, isExecutable: false }] };
  }
}

/** One that is not what its name says is removed. */
async function readKept(sha256: string, options: AddressContext): Promise<Uint8Array | undefined> {
  const path = keptPath(sha256, options);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  if (hash(bytes) === sha256) return bytes;
  options.progress?.(`a file of the cache is damaged (${sha256.slice(0, 12)}): it is fetched anew`);
  await rm(path, { force: true });
  return undefined;
}

function keptPath(sha256: string, { cache }: AddressContext): string {
  return join(cache, 'url', sha256);
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
