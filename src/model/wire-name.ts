/**
 * The names of tools on the wire: providers take letters, digits, `_` and `-`, at most 64 of them, begun by a letter or `_`.
 * 1. `set/tool` is `set__tool`; any other character is `_`; what is too long is cut and ends with a hash of the whole name.
 * 2. Within a list no two names have the same one: where they would, each of them that was changed has a hash.
 * 3. A name has the same one in whatever order the list is; names that are no trouble to each other have it in every list.
 */
import { hash } from 'node:crypto';
import type { ModelCall } from './model.ts';

export interface WireNames {
  /** Of a name in the list. */
  readonly toWire: (name: string) => string;
  /** The name that a model means; it may write it as files do, too. */
  readonly fromWire: (wire: string) => string | undefined;
  readonly wires: () => readonly string[];
}

const longest = 64;
const hashLength = 8;

/** What the syntax of calls in text has for itself, and what every object has: packages of providers look names up in objects. */
const taken: ReadonlySet<string> = new Set(['result', ...Object.getOwnPropertyNames(Object.prototype)]);

export function createWireNames(names: Iterable<string>): WireNames {
  const all = [...new Set(names)];
  const plain = new Map(all.map((name) => [name, plainWire(name)]));
  const counts = new Map<string, number>();
  for (const wire of plain.values()) counts.set(wire, (counts.get(wire) ?? 0) + 1);
  const toWire = new Map<string, string>();
  const fromWire = new Map<string, string>();
  const late: string[] = [];
  for (const [name, wire] of plain) {
    const isAlone = counts.get(wire) === 1 && !taken.has(wire);
    if (isAlone || (wire === name && !taken.has(wire))) keep(name, wire);
    else late.push(name);
  }
  // In the order of the names: the same list, however it is sorted, gives the same.
  for (const name of late.sort()) {
    const wire = plain.get(name) ?? name;
    let round = 0;
    let hashed = withHash(wire, name);
    while (fromWire.has(hashed)) hashed = withHash(wire, `${name} ${++round}`);
    keep(name, hashed);
  }
  return {
    toWire(name) {
      const wire = toWire.get(name);
      if (wire === undefined) throw new Error(`"${name}" is not in the list of tools that have names on the wire`);
      return wire;
    },
    fromWire: (wire) => fromWire.get(wire) ?? (toWire.has(wire) ? wire : undefined),
    wires: () => [...fromWire.keys()],
  };

  function keep(name: string, wire: string): void {
    toWire.set(name, wire);
    fromWire.set(wire, name);
  }
}

/** Of the tools that are offered and of those that were called before. */
export function wireNamesOf({ tools = [], messages }: ModelCall): WireNames {
  return createWireNames([...tools.map(({ name }) => name), ...calledIn(messages)]);
}

export function calledIn(messages: ModelCall['messages']): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role === 'tool') return [message.tool];
    return message.role === 'assistant' ? (message.calls ?? []).map(({ tool }) => tool) : [];
  });
}

function plainWire(name: string): string {
  const safe = name.replaceAll('/', '__').replace(/[^A-Za-z0-9_-]/gu, '_');
  const begun = /^[A-Za-z_]/.test(safe) ? safe : `_${safe}`;
  return begun.length <= longest ? begun : withHash(begun, name);
}

function withHash(wire: string, of: string): string {
  const end = hash('sha256', of, 'hex').slice(0, hashLength);
  return `${wire.slice(0, longest - hashLength - 1)}_${end}`;
}
