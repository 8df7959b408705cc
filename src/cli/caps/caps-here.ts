/** The caps of every scope as they are written, ranked as an activation would see them. */
import {
  type AuthoredCap,
  effectiveCaps,
  gatherAgent,
  gatherScope,
  type Lock,
  type Locked,
  lockKey,
  type Ranked,
  readLock,
} from '../../caps/index.ts';
import { displayPath } from '../../sys/index.ts';
import type { Diagnostic } from '../../text/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { homeOptions } from '../home-options.ts';
import { compileFor } from './compile.ts';
import type { CapPlaces } from './places.ts';
import { visibilityOf } from './visibility.ts';

export interface CapsHere {
  readonly all: readonly Ranked<AuthoredCap>[];
  readonly diagnostics: readonly Diagnostic[];
  /** What a reference came to, where it was synced. */
  readonly lockOf: (cap: AuthoredCap) => Locked | undefined;
  /** Whether somebody has logged in to a service; of one from elsewhere its address is not known here. */
  readonly hasLogin: (cap: AuthoredCap) => boolean;
}

export async function capsHere({ root, home, agent }: CapPlaces, args: Args, context: Context): Promise<CapsHere> {
  const shown = (file: string) => displayPath(file, context.cwd);
  const inRoot = await gatherScope(root, shown);
  const inHome = home && home.kind !== 'visiting' ? await gatherScope(home, shown) : undefined;
  const wider = [...(inHome?.caps ?? []), ...inRoot.caps];
  const own = agent && (await gatherAgent(agent, wider, compileFor(context, homeOptions(args.texts)), shown));
  const gathered = [own, inHome, inRoot].flatMap((each) => each ?? []);
  const locks = await locksOf([root.lock, ...(home ? [home.lock] : [])], shown);
  const { listLogins } = await import('../../tool/index.ts');
  const logins = await listLogins(root.credentials);
  const lock = (cap: AuthoredCap) => locks.locks[cap.scope === 'root' ? 0 : 1];
  return {
    all: effectiveCaps(
      gathered.flatMap(({ caps }) => caps),
      visibilityOf(args, agent?.kind),
    ).all,
    diagnostics: [...gathered.flatMap(({ diagnostics }) => diagnostics), ...locks.diagnostics],
    lockOf: (cap) => ('ref' in cap ? lock(cap)?.get(lockKey(cap.kind, cap.ref)) : undefined),
    hasLogin: (cap) => {
      const target = 'cap' in cap && cap.cap.kind === 'service' && cap.cap.transport === 'http' ? cap.cap.target : '';
      if (!URL.canParse(target)) return false;
      const { href } = new URL(target);
      return logins.some(({ service, url }) => service === cap.name && url === href);
    },
  };
}

async function locksOf(
  files: readonly string[],
  shown: (file: string) => string,
): Promise<{ readonly locks: readonly Lock[]; readonly diagnostics: readonly Diagnostic[] }> {
  const reads = await Promise.all(files.map((file) => readLock(file, shown(file))));
  return {
    locks: reads.map((read) => (read.ok ? read.lock : new Map())),
    diagnostics: reads.flatMap((read) => (read.ok ? [] : [read.diagnostic])),
  };
}
