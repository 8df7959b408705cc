/** What was typed before: gone through with the arrows, the newest first; what is being written waits at its end. */

export interface History {
  /** The one before; undefined where there is none. `draft`: what stands there now. */
  readonly before: (draft: string) => string | undefined;
  readonly after: (draft: string) => string | undefined;
  /** What was sent off: going through begins at the end again. */
  readonly add: (text: string) => void;
}

/** Of entries. */
export const mostKept = 500;
/** A longer text is not kept: it was pasted. */
export const mostText = 10_000;

export function createHistory(entries: readonly string[], most = mostKept): History {
  const all = entries.slice(-most);
  /** What they were changed to on the way, by their places. */
  let changed = new Map<number, string>();
  let at = all.length;

  function go(by: -1 | 1, draft: string): string | undefined {
    const to = at + by;
    if (to < 0 || to > all.length) return undefined;
    changed.set(at, draft);
    at = to;
    return changed.get(to) ?? all[to] ?? '';
  }

  return {
    before: (draft) => go(-1, draft),
    after: (draft) => go(1, draft),
    add(text) {
      if (isKept(text) && all.at(-1) !== text) all.push(text);
      if (all.length > most) all.shift();
      changed = new Map();
      at = all.length;
    },
  };
}

export function isKept(text: string): boolean {
  return text.trim() !== '' && text.length <= mostText;
}
