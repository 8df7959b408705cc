/**
 * Which reply of a script a call gets: a pure function of the script, of what was taken before, and of the call.
 * 1. A call that took a reply before (it was in flight at a crash) gets the same one again.
 * 2. The list of the most specific name that has one is the list; when it is used up, no other is looked at.
 * 3. Calls that may be open at the same time never share a list: which of them came first would be chance. So what a
 *    call gets depends on the order of calls within its list alone, and that order is in the journal.
 */
import type { Reply, Script } from './script.ts';

/** What a call took: kept in the journal with the call. */
export interface TakenReply {
  /** The list, and the place in it, from 0. */
  readonly list: string;
  readonly nth: number;
}

export interface Taken {
  readonly of: (call: string) => TakenReply | undefined;
  /** How many replies of a list were taken. */
  readonly count: (list: string) => number;
  /** A call that has taken from the list and has not ended. */
  readonly open: (list: string) => string | undefined;
}

export interface TakenLedger extends Taken {
  readonly add: (call: string, reply: TakenReply) => void;
  readonly end: (call: string) => void;
  readonly hasOpen: () => boolean;
}

export type Take =
  | { readonly kind: 'reply'; readonly reply: Reply; readonly taken: TakenReply }
  /** No list has one of the names. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'used'; readonly list: string; readonly length: number }
  | { readonly kind: 'shared'; readonly list: string; readonly with: string };

/** `names`: what the call may be called, the most specific first. */
export function takeReply(script: Script, taken: Taken, call: string, names: readonly string[]): Take {
  const before = taken.of(call);
  const list = before?.list ?? names.find((name) => script.lists.has(name));
  if (list === undefined) return { kind: 'unknown' };
  const replies = script.lists.get(list) ?? [];
  if (before === undefined) {
    const other = taken.open(list);
    if (other !== undefined) return { kind: 'shared', list, with: other };
  }
  const nth = before?.nth ?? taken.count(list);
  const reply = replies[nth];
  if (reply === undefined) return { kind: 'used', list, length: replies.length };
  return { kind: 'reply', reply, taken: { list, nth } };
}

export function createTaken(): TakenLedger {
  const calls = new Map<string, TakenReply>();
  const counts = new Map<string, number>();
  const open = new Map<string, Set<string>>();
  return {
    of: (call) => calls.get(call),
    count: (list) => counts.get(list) ?? 0,
    open: (list) => open.get(list)?.values().next().value,
    hasOpen: () => open.size > 0,
    add(call, reply) {
      const { list, nth } = reply;
      if (!calls.has(call)) calls.set(call, reply);
      counts.set(list, Math.max(counts.get(list) ?? 0, nth + 1));
      const others = open.get(list);
      if (others) others.add(call);
      else open.set(list, new Set([call]));
    },
    end(call) {
      const list = calls.get(call)?.list ?? '';
      const others = open.get(list);
      if (others?.delete(call) && others.size === 0) open.delete(list);
    },
  };
}
