/** What uses of components and calls of sub-workflows give to steps inside: who, from what, and whether that was edited. */
import { type PlacedNode, type Reference, textsOf, type Value, writtenValue } from '../plan/index.ts';
import { placeOf } from './why-lines.ts';
import type { WhyPart } from './why-part.ts';

export interface Given {
  /** The use, or the call. */
  readonly by: PlacedNode;
  /** What the value is made of. */
  readonly reads: readonly Reference[];
  /** It is written otherwise than it was. */
  readonly part?: WhyPart;
}

export interface WhyGiven {
  /** What a node gets as `input` of its sub-workflow, or as `params` of its component; `field`: one of them. */
  readonly of: (
    kind: 'input' | 'params',
    field: string | undefined,
    to: PlacedNode,
    since: number,
  ) => Given | undefined;
}

type Placed = ReadonlyMap<string, PlacedNode>;

/** `nodes`: those of now, by paths; `nodesAt`: those of an earlier segment. */
export function createWhyGiven(nodes: Placed, nodesAt: (segment: number) => Placed): WhyGiven {
  return {
    of(kind, field, to, since) {
      const by = kind === 'input' ? nodes.get(to.prefix.slice(0, -1)) : componentAround(to, nodes);
      if (by === undefined) return undefined;
      const value = memberOf(givenBy(by), field);
      const was = nodesAt(since).get(by.path);
      const part = was && changeOf(field, { was, is: by });
      const reads = (value ? textsOf(value) : []).flatMap((text) => text.reads);
      return { by, reads, ...(part && { part }) };
    },
  };
}

/** The nearest in its own workflow. */
function componentAround({ path, prefix }: PlacedNode, nodes: Placed): PlacedNode | undefined {
  for (let at = path.lastIndexOf('/'); at > prefix.length; at = path.lastIndexOf('/', at - 1)) {
    const around = nodes.get(path.slice(0, at));
    if (around?.node.kind === 'component') return around;
  }
  return undefined;
}

function changeOf(
  field: string | undefined,
  { was, is }: Readonly<Record<'was' | 'is', PlacedNode>>,
): WhyPart | undefined {
  const [old, now] = [was, is].map((each) => {
    const value = memberOf(givenBy(each), field);
    return value === undefined ? 'nothing' : wordsOf(value);
  });
  if (old === now || old === undefined || now === undefined) return undefined;
  return { part: 'input', old, new: now, ...placeOf('wasAt', was.node.at), ...placeOf('at', is.node.at) };
}

function wordsOf(value: Value): string {
  const written = writtenValue(value);
  return typeof written === 'string' ? written : JSON.stringify(written);
}

function givenBy({ node }: PlacedNode): Value | undefined {
  if (node.kind === 'workflow') return node.input;
  return node.kind === 'component' ? node.params : undefined;
}

/** One that is given as a whole has no fields of its own. */
function memberOf(value: Value | undefined, field: string | undefined): Value | undefined {
  return value?.kind === 'record' && field !== undefined ? value.fields[field] : value;
}
