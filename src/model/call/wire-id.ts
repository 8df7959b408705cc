/**
 * Ids of calls as services take them. Conversations may come from anywhere, and from several models: what was said in them by
 * two that count their calls has the same id twice, which some refuse.
 */
import { hash } from 'node:crypto';

export interface WireIds {
  /** Of the next call: one that no other has. */
  readonly ofCall: (id: string) => string;
  /** Of the result that follows it. */
  readonly ofResult: (id: string) => string;
}

/** For one conversation, from its beginning: what was said keeps its ids, whatever follows. */
export function createWireIds(length?: number): WireIds {
  const taken = new Set<string>();
  /** The calls of an id that have no result yet. */
  const open = new Map<string, string[]>();
  return {
    ofCall(id) {
      let wire = wireId(id, length);
      for (let nth = taken.size; taken.has(wire); nth++) wire = wireId(`${id}\n${nth}`, length);
      taken.add(wire);
      const waiting = open.get(id);
      if (waiting) waiting.push(wire);
      else open.set(id, [wire]);
      return wire;
    },
    ofResult: (id) => open.get(id)?.shift() ?? wireId(id, length),
  };
}

/** Ids that every provider takes, or of exactly so many letters and digits; conversations may come from anywhere. */
export function wireId(id: string, length?: number): string {
  if (length !== undefined) {
    const isOne = id.length === length && /^[A-Za-z0-9]+$/.test(id);
    return isOne ? id : hash('sha256', id, 'hex').slice(0, length);
  }
  return /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : `call_${hash('sha256', id, 'hex').slice(0, 32)}`;
}
