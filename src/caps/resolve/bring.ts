/** Brings the contents of all files that were found: one fetch for each repository, and no content twice. */
import { allEnded } from '../git/gate.ts';
import type { Repository } from '../git/repository.ts';
import { type Planned, sizeProblem, withContents } from './content.ts';
import { type Found, failingProblem, type Refused } from './problem.ts';
import type { Resolved, Target } from './target.ts';

/** Where a reference was found, and the files that belong to it. */
export interface Spot {
  readonly repository: Repository;
  readonly target: Target;
  readonly files: readonly Planned[];
}

type Attempt = (work: () => Promise<Found<undefined>>) => Promise<Found<undefined>>;

/** How much is read by one command. */
const mostAtOnce = 32 * 1024 * 1024;

export async function bring(spots: readonly Spot[], attempt: Attempt): Promise<ReadonlyMap<Spot, Resolved>> {
  const ends = new Map<Spot, Resolved>();
  const groups = new Map<string, Spot[]>();
  for (const spot of spots) {
    const key = `${spot.repository.url} ${spot.target.commit?.length}`;
    const group = groups.get(key) ?? [];
    group.push(spot);
    groups.set(key, group);
  }
  await allEnded(
    [...groups.values()].map(async (group) => {
      const done = await attempt(() => bringGroup(group, ends));
      if (!done.ok) for (const spot of group) if (!ends.has(spot)) ends.set(spot, done);
    }),
  );
  return ends;
}

/** All of one repository. */
async function bringGroup(group: readonly Spot[], ends: Map<Spot, Resolved>): Promise<Found<undefined>> {
  const [first] = group;
  if (first === undefined) return { ok: true, value: undefined };
  const { repository } = first;
  const { where } = repository;
  const sizes = await repository.sizes(idsOf(group));
  if (!sizes.ok) return separately(group, ends, failingProblem(sizes.failing, where, first.target.commit));
  const taken = group.filter((spot) => {
    const problem = sizeProblem(spot.files, sizes.value, where);
    if (problem) ends.set(spot, problem);
    return problem === undefined;
  });
  const contents = new Map<string, Uint8Array>();
  for (const ids of portions(idsOf(taken), sizes.value)) {
    const read = await repository.blobs(ids);
    if (!read.ok) return failingProblem(read.failing, where, first.target.commit);
    for (const [id, bytes] of read.value) contents.set(id, bytes);
  }
  for (const spot of taken) {
    const files = withContents(spot.files, contents, where);
    ends.set(spot, files.ok ? { ok: true, target: spot.target, files: files.value } : files);
  }
  return { ok: true, value: undefined };
}

/** What of it is in the cache is not lost because something else cannot be fetched. */
async function separately(
  group: readonly Spot[],
  ends: Map<Spot, Resolved>,
  problem: Refused,
): Promise<Found<undefined>> {
  if (group.length === 1) return problem;
  for (const spot of group) {
    const there = await spot.repository.hasAll(idsOf([spot]));
    const end = there ? await bringGroup([spot], ends) : problem;
    if (!end.ok) ends.set(spot, end);
  }
  return { ok: true, value: undefined };
}

function idsOf(spots: readonly Spot[]): readonly string[] {
  return [...new Set(spots.flatMap(({ files }) => files.map(({ id }) => id)))];
}

function* portions(ids: readonly string[], sizes: ReadonlyMap<string, number>): Generator<readonly string[]> {
  let portion: string[] = [];
  let total = 0;
  for (const id of ids) {
    const size = sizes.get(id) ?? 0;
    if (portion.length > 0 && total + size > mostAtOnce) {
      yield portion;
      portion = [];
      total = 0;
    }
    portion.push(id);
    total += size;
  }
  if (portion.length > 0) yield portion;
}
