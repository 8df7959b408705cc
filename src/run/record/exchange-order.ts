/**
 * The order of exchanges in a recording: that of the workflow's file, then rounds, attempts and calls by their numbers; never
 * that of time. A conversation stands together; the hands that it called stand behind it.
 */
import type { Exchange } from '../../model/index.ts';
import { nodesOf, type WorkflowPlan } from '../../plan/index.ts';

export type CompareCalls = (a: string, b: string) => number;

/** Of commands: `polish[2]/review#1/model#2`. */
export function callOrder(plan: WorkflowPlan): CompareCalls {
  const places = placesOf(plan);
  const parts = new Map<string, readonly Part[]>();
  const partsOf = (call: string) => {
    const known = parts.get(call) ?? readParts(call, places);
    parts.set(call, known);
    return known;
  };
  return (a, b) => compareParts(partsOf(a), partsOf(b)) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Inputs as they came first, each with its calls in order. Those of one input are together. */
export function ordered(exchanges: Iterable<Exchange>, compare: CompareCalls): Exchange[] {
  const cases = new Map<string, Exchange[]>();
  for (const each of exchanges) {
    const list = cases.get(each.case ?? '');
    if (list) list.push(each);
    else cases.set(each.case ?? '', [each]);
  }
  return [...cases.values()].flatMap((list) => list.sort((a, b) => compare(a.call, b.call)));
}

interface Part {
  /** Where it stands in the file; what is not in it stands behind. */
  readonly place: number;
  readonly name: string;
  readonly round: number;
  readonly attempt: number;
}

/** By the path of a node, without rounds: the place of the first node at it or below. */
function placesOf(plan: WorkflowPlan): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  let at = 0;
  for (const { path } of nodesOf(plan)) {
    at++;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const name = path.slice(0, end);
      if (places.has(name)) break;
      places.set(name, at);
    }
  }
  return places;
}

function readParts(call: string, places: ReadonlyMap<string, number>): readonly Part[] {
  let path = '';
  return call.split('/').map((part) => {
    const [, name = part, round = '0', attempt = '0'] = /^(.*?)(?:\[(\d+)\])?(?:#(\d+))?$/s.exec(part) ?? [];
    path = path === '' ? name : `${path}/${name}`;
    // The calls of a conversation stand before what they have called.
    const place = name === 'model' && attempt !== '0' ? -1 : (places.get(path) ?? Number.MAX_SAFE_INTEGER);
    return { place, name, round: Number(round), attempt: Number(attempt) };
  });
}

function compareParts(a: readonly Part[], b: readonly Part[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]];
    if (x === undefined || y === undefined) break;
    const order =
      x.place - y.place ||
      (x.name < y.name ? -1 : x.name > y.name ? 1 : 0) ||
      x.round - y.round ||
      x.attempt - y.attempt;
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
