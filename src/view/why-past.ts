/**
 * What a run came to in each of its segments, as far as it says why the last one is as it is. A fold over its journal.
 * 1. A result that was kept belongs together with what was written in each segment in which it counted, under the name that it
 *    had there, whatever was tried in between.
 * 2. What ran again is compared with what it came to last, in whichever segment that was.
 */
import { type FrameBody, isFact, type JournalEvent } from '../journal/index.ts';
import { isKept } from './kept-calls.ts';
import { roundsOf } from './node-id.ts';
import { pathOf } from './run-change.ts';
import type { RunNode } from './run-node.ts';
import { createRunNodes } from './run-nodes.ts';
import { createWhyNames, type Nameable, type WhyNames } from './why-names.ts';

type Reads = Readonly<Record<string, string>>;

export interface WhySegment {
  readonly body: FrameBody;
  readonly at: number;
  /** Of a fork: the step from which on all is done again. */
  readonly from?: string;
  readonly nodes: ReadonlyMap<string, RunNode>;
  /** Hashes of what code has read, by nodes. */
  readonly reads: ReadonlyMap<string, Reads>;
  /** Of what was begun, by nodes. */
  readonly keys: ReadonlyMap<string, string>;
}

/** Where a result counted: the number of the segment, and its name there. */
export interface Counted {
  readonly segment: number;
  readonly name: string;
  /** Where it had counted before that. */
  readonly before?: Counted;
}

export interface EarlierNode {
  readonly segment: number;
  readonly node: RunNode;
}

export interface WhyPast {
  /** In order; the last is that of now. */
  readonly segments: readonly WhySegment[];
  readonly now: WhySegment | undefined;
  /** The name of the node that a command of the last segment is about. */
  readonly read: (id: string) => string;
  /** Of what the last segment kept, by names: where it had counted last. */
  readonly kept: ReadonlyMap<string, Counted>;
  /** The last segment before that of now which says something of a node, and what. */
  readonly earlier: (name: string) => EarlierNode | undefined;
  /** What a node had come to when a segment ended. */
  readonly nodeAt: (segment: number, name: string) => RunNode | undefined;
  /** Which nodes others meant then. */
  readonly namesAt: (segment: number) => WhyNames<Nameable & { readonly node: RunNode }>;
  /** How many rounds loops had, by their names. */
  readonly roundsAt: (segment: number) => ReadonlyMap<string, number>;
  readonly readsAt: (segment: number, name: string) => Reads | undefined;
  /** Under which it was begun last. */
  readonly keyAt: (segment: number, name: string) => string | undefined;
}

export function readWhyPast(events: Iterable<JournalEvent>): WhyPast {
  const fold = createRunNodes();
  const segments: { -readonly [K in keyof WhySegment]: WhySegment[K] }[] = [];
  let reads = new Map<string, Reads>();
  let keys = new Map<string, string>();
  const names = new Map<number, string>();
  /** By the events that hold results. */
  const counted = new Map<number, Counted>();
  const kept = new Map<string, Counted>();
  for (const event of events) {
    const { body, node, seq, at } = event;
    if (body.kind === 'run.started' || body.kind === 'segment.opened') {
      const last = segments.at(-1);
      if (last) last.nodes = new Map(fold.nodes);
      kept.clear();
      reads = new Map();
      keys = new Map();
      const from = body.kind === 'segment.opened' && body.before !== undefined ? names.get(body.before) : undefined;
      segments.push({ body, at, nodes: fold.nodes, reads, keys, ...(from !== undefined && { from }) });
    }
    fold.add(event);
    if (node === undefined) continue;
    const { name, inner } = fold.read(node);
    names.set(seq, name);
    const isBegin = body.kind === 'node.started' || body.kind === 'child.started';
    if (isBegin && body.key !== undefined && inner === '') keys.set(name, body.key);
    if (body.kind === 'node.done' && body.reads) reads.set(name, body.reads);
    const result = isKept(body) && 'of' in body ? (body.of ?? seq) : seq;
    const before = result === seq ? undefined : counted.get(result);
    if (before) kept.set(name, before);
    if (isFact(body)) counted.set(result, { segment: segments.length - 1, name, ...(before && { before }) });
  }
  const last = segments.length - 1;
  const rounds = new Map<number, ReadonlyMap<string, number>>();
  const meant = new Map<number, ReturnType<WhyPast['namesAt']>>();
  return {
    segments,
    now: segments[last],
    read: (id) => fold.read(id).name,
    kept,
    earlier(name) {
      for (let segment = last - 1; segment >= 0; segment--) {
        const node = segments[segment]?.nodes.get(name);
        if (node && node.status !== 'skipped') return { segment, node };
      }
      return undefined;
    },
    nodeAt: (segment, name) => back(segment, (each) => each.nodes.get(name)),
    namesAt(segment) {
      const known = meant.get(segment) ?? createWhyNames(planned(segments[segment]?.nodes.values() ?? []));
      meant.set(segment, known);
      return known;
    },
    roundsAt(segment) {
      const known = rounds.get(segment) ?? roundsOf(segments[segment]?.nodes.values() ?? []);
      rounds.set(segment, known);
      return known;
    },
    readsAt: (segment, name) => back(segment, (each) => each.reads.get(name)),
    keyAt: (segment, name) => back(segment, (each) => each.keys.get(name)),
  };

  /** From a segment back to the first, the first answer. */
  function back<T>(from: number, ask: (segment: WhySegment) => T | undefined): T | undefined {
    for (let at = from; at >= 0; at--) {
      const segment = segments[at];
      const found = segment && ask(segment);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Those that the plan may have: nobody reads hands by a name. */
function* planned(nodes: Iterable<RunNode>): Generator<Nameable & { readonly node: RunNode }> {
  for (const node of nodes) if (node.within === undefined) yield placed(node);
}

function placed(node: RunNode): Nameable & { readonly node: RunNode } {
  const { name } = node;
  const path = pathOf(name);
  return { name, path, id: path.slice(path.lastIndexOf('/') + 1), node };
}
