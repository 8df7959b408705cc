/**
 * Which node of a run another one means by a path of the plan.
 * 1. In loops that both stand in it is the one of the same round; of what stands behind it, and of itself, that of the round
 *    before.
 * 2. Of what stands in a loop from which it reads the last round counts.
 */
import { pathOf } from './run-change.ts';

/** In the order of the run. */
export interface Nameable {
  readonly name: string;
  readonly path: string;
  readonly id?: string;
}

export interface WhyNames<N extends Nameable> {
  readonly read: (reader: string, path: string) => N | undefined;
  /** Code reads by ids: the nearest of those around it, or the only one. `prefix`: of the paths of its workflow. */
  readonly readById: (reader: string, id: string, prefix: string) => N | undefined;
}

export function createWhyNames<N extends Nameable>(nodes: Iterable<N>): WhyNames<N> {
  /** By names of which rounds from any loop inwards are left out: the last of them. */
  const last = new Map<string, N>();
  const order = new Map<string, number>();
  const byId = new Map<string, Set<string>>();
  for (const node of nodes) {
    order.set(node.name, order.size);
    for (const name of shortNames(node.name)) last.set(name, node);
    if (node.id === undefined) continue;
    const paths = byId.get(node.id);
    if (paths) paths.add(node.path);
    else byId.set(node.id, new Set([node.path]));
  }

  function read(reader: string, path: string): N | undefined {
    const round = sharedRound(reader, path);
    if (round === undefined) return last.get(path);
    const rest = path.slice(pathOf(round).length);
    const found = last.get(round + rest);
    if (found && (order.get(found.name) ?? 0) < (order.get(reader) ?? 0)) return found;
    return last.get(roundBefore(round) + rest);
  }

  return {
    read,
    readById(reader, id, prefix) {
      const own = pathOf(reader);
      const paths = byId.get(id) ?? new Set();
      for (let at = own.lastIndexOf('/'); at >= prefix.length && at > 0; at = own.lastIndexOf('/', at - 1)) {
        const path = `${own.slice(0, at)}/${id}`;
        if (paths.has(path)) return read(reader, path);
      }
      if (paths.has(prefix + id)) return read(reader, prefix + id);
      const [only] = paths;
      return paths.size === 1 && only?.startsWith(prefix) ? read(reader, only) : undefined;
    },
  };
}

/** `a[1]/b[2]/c`, `a[1]/b/c`, `a/b/c`. */
function shortNames(name: string): string[] {
  const names = [name];
  for (let end = name.lastIndexOf('['); end > 0; end = name.lastIndexOf('[', end - 1)) {
    names.push(name.slice(0, end) + pathOf(name.slice(end)));
  }
  return names;
}

/** The innermost round that a node stands in together with what has a path: `a[1]/b[2]`. */
function sharedRound(reader: string, path: string): string | undefined {
  for (let end = reader.lastIndexOf(']'); end > 0; end = reader.lastIndexOf(']', end - 1)) {
    const round = reader.slice(0, end + 1);
    if (path.startsWith(`${pathOf(round)}/`)) return round;
  }
  return undefined;
}

function roundBefore(round: string): string {
  const start = round.lastIndexOf('[');
  return `${round.slice(0, start)}[${Number(round.slice(start + 1, -1)) - 1}]`;
}
