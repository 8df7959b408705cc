/** What a repository says it has: branches, tags (as the commits they stand for) and its default branch. */

export interface Refs {
  readonly branches: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  /** Of the default branch; undefined where it has no commit, or there is none. */
  readonly head?: string;
  /** The default branch's name, where it is told. */
  readonly headName?: string;
  /** Every object that any of its refs stands for. */
  readonly commits: ReadonlySet<string>;
}

/** Reads `ls-remote --symref`. Lines that are none of its own are passed over: git may print notes there. */
export function readRefs(text: string): Refs {
  const branches = new Map<string, string>();
  const tags = new Map<string, string>();
  const peeled = new Map<string, string>();
  const others = new Set<string>();
  let head: string | undefined;
  let headName: string | undefined;
  for (const line of text.split('\n')) {
    const tab = line.indexOf('\t');
    if (tab === -1) continue;
    const left = line.slice(0, tab);
    const name = line.slice(tab + 1);
    if (left.startsWith('ref: ')) {
      if (name === 'HEAD' && left.startsWith('ref: refs/heads/')) headName = left.slice('ref: refs/heads/'.length);
      continue;
    }
    if (!isObjectId(left)) continue;
    if (name === 'HEAD') head = left;
    else if (name.startsWith('refs/heads/')) branches.set(name.slice('refs/heads/'.length), left);
    else if (!name.startsWith('refs/tags/')) others.add(left);
    else if (name.endsWith('^{}')) peeled.set(name.slice('refs/tags/'.length, -3), left);
    else tags.set(name.slice('refs/tags/'.length), left);
  }
  for (const [name, id] of peeled) tags.set(name, id);
  const commits = new Set([...branches.values(), ...tags.values(), ...others]);
  return {
    branches,
    tags,
    commits,
    ...(head !== undefined && { head }),
    ...(headName !== undefined && { headName }),
  };
}

/** In full: SHA-1 or SHA-256. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}
