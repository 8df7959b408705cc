/** An agent that visits: its source is fetched into a home of its own, as it was locked when it was accepted. */
import { mkdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { lockKey, readLock, renderLock, sha256, type VisitingAgent } from '../../caps/index.ts';
import { displayPath, readTextFile, writeFileAtomic } from '../../sys/index.ts';
import { guestFile } from '../caps/places.ts';
import type { AgentHere } from '../caps/sync-here.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { acceptAgent, fetchAgent } from './remote-agent.ts';

export interface VisitWish {
  readonly offline?: boolean;
  /** Take what the reference leads to now. */
  readonly update?: boolean;
  /** Fetch nothing and write nothing. */
  readonly check?: boolean;
  /** Take what is locked, or fail. */
  readonly frozen?: boolean;
}

/** Undefined, and told, where it is not accepted or not written as an agent is. */
export async function visit(
  { name, ref, home }: VisitingAgent,
  wish: VisitWish,
  args: Args,
  context: Context,
): Promise<AgentHere | undefined> {
  const file = guestFile(name, home);
  const read = await readLock(home.lock, displayPath(home.lock, context.cwd));
  if (!read.ok) throw new UsageError(`${read.diagnostic.message} (${read.diagnostic.code})`, read.diagnostic.help);
  const key = lockKey('agent', ref);
  const known = read.lock.get(key);
  const locked = wish.update ? undefined : known;
  const there = await readTextFile(file);
  const isAsKnown = known !== undefined && there.ok && sha256(there.text) === known.files[`${name}.too`];
  const here: AgentHere = { name, file, home };
  if (locked && isAsKnown) return here;
  if (wish.check) throw new UsageError(`"${ref}" was not fetched yet.`, `Run: toolang sync ${ref}`);
  if (wish.frozen && !locked) {
    const help = `Run: toolang sync ${ref}, without --frozen`;
    throw new UsageError(`the lock would change: nobody has accepted "${ref}" yet. (TOO5403)`, help);
  }
  const { offline } = wish;
  const agent = await fetchAgent(ref, home.root, context, {
    ...(offline !== undefined && { offline }),
    ...(locked && { locked: locked.target }),
    ...(known && isAsKnown && { before: { target: known.target, bytes: Buffer.from(there.text) } }),
  });
  if (agent === undefined) return undefined;
  const files = { [`${name}.too`]: sha256(agent.bytes) };
  if (locked && files[`${name}.too`] !== locked.files[`${name}.too`]) {
    throw new UsageError(
      `"${ref}" is not what was locked: nothing of it is used. (TOO5401)`,
      'If the change is wanted: toolang sync --update',
    );
  }
  const isAccepted = isDeepStrictEqual(known?.files, files) && known?.target.ref === agent.target.ref;
  if (!isAccepted && !(await acceptAgent(agent, args, context))) return undefined;
  await mkdir(home.dir, { recursive: true });
  await writeFileAtomic(file, agent.bytes);
  const entry = { kind: 'agent', ref, target: agent.target, files, usedBy: ['guest'] } as const;
  await writeFileAtomic(home.lock, renderLock(new Map([...read.lock, [key, entry]])));
  return here;
}
