/** For how long people were waited for: what waits for them at the same time counts once. */

export interface Waiting {
  readonly begin: (id: string, at: number) => void;
  /** Of what did not wait it says nothing. */
  readonly end: (id: string, at: number) => void;
  /** In milliseconds, up to this time. */
  readonly ms: (at: number) => number;
}

export function createWaiting(): Waiting {
  const open = new Set<string>();
  let since = 0;
  let sum = 0;
  return {
    begin(id, at) {
      if (open.size === 0) since = at;
      open.add(id);
    },
    end(id, at) {
      if (open.delete(id) && open.size === 0) sum += at - since;
    },
    ms: (at) => (open.size === 0 ? sum : sum + at - since),
  };
}
