/**
 * Who waits for whom. A node starts when its parent has started, when the one before it in a sequence has ended, and
 * when all that it needs or reads beside it has ended. If that goes round in a circle, nothing in it ever starts.
 */
import type { Mark } from './draft.ts';
import { groupsOf } from './groups.ts';
import type { Site } from './site.ts';

/** One node waits for another because of what stands at `at`. */
export interface Wait {
  readonly from: Site;
  readonly to: Site;
  readonly at: Mark;
}

/** More than this many circles are told when the first ones are mended. */
const mostCircles = 20;
/** Each look at a circle takes as long as the circle may be. */
const mostLooks = 200;

/** Circles, each by the waits that make it; a wait is in one of them at most. */
export function findCircles(sites: readonly Site[], waits: readonly Wait[]): Wait[][] {
  if (waits.length === 0) return [];
  const numbers = new Map(sites.map((site, index) => [site, index]));
  // What waits only for what stands before it, and does not hold it, is in no circle.
  if (waits.every(({ from, to }) => (numbers.get(to) ?? 0) < (numbers.get(from) ?? 0))) return [];
  return circlesOf(graphOf(sites, waits, numbers));
}

/** All waits that are part of some circle. */
export function waitsInCircles<W extends Wait>(sites: readonly Site[], waits: readonly W[]): Set<W> {
  const numbers = new Map(sites.map((site, index) => [site, index]));
  const groups = groupsOf(graphOf(sites, waits, numbers));
  const groupOf = (site: Site, shift: number) => groups[(numbers.get(site) ?? 0) + shift];
  return new Set(waits.filter(({ from, to }) => groupOf(from, 0) === groupOf(to, sites.length)));
}

/** What each start and end waits for. The start of site i is i, its end is i + the number of sites. */
type Graph = readonly (readonly { readonly to: number; readonly wait?: Wait }[])[];

function graphOf(sites: readonly Site[], waits: readonly Wait[], numbers: ReadonlyMap<Site, number>): Graph {
  const count = sites.length;
  const next: { readonly to: number; readonly wait?: Wait }[][] = Array.from({ length: 2 * count }, () => []);
  const add = (from: number, to: number | undefined, wait?: Wait) => {
    if (to !== undefined) next[from]?.push(wait ? { to, wait } : { to });
  };
  for (const [site, index] of numbers) {
    add(index + count, index);
    const parent = site.parent && numbers.get(site.parent);
    add(index, parent);
    if (parent !== undefined) add(parent + count, index + count);
  }
  for (const [before, site] of inOrder(sites)) add(numbers.get(site) ?? 0, (numbers.get(before) ?? 0) + count);
  for (const wait of waits) {
    const to = numbers.get(wait.to);
    add(numbers.get(wait.from) ?? 0, to === undefined ? undefined : to + count, wait);
  }
  return next;
}

/** Neighbours in a sequence. */
function inOrder(sites: readonly Site[]): [Site, Site][] {
  const pairs: [Site, Site][] = [];
  const last = new Map<string, Site>();
  const numbers = new Map<Site | undefined, number>();
  for (const site of sites) {
    if (site.parent?.draft.kind === 'parallel') continue;
    let number = numbers.get(site.parent);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(site.parent, number);
    }
    const key = `${number} ${site.arm}`;
    const before = last.get(key);
    if (before) pairs.push([before, site]);
    last.set(key, site);
  }
  return pairs;
}

/** Depth first, without recursion; a way back to a node that is open closes a circle. */
function circlesOf(next: Graph): Wait[][] {
  const circles: Wait[][] = [];
  const told = new Set<Wait>();
  let looks = 0;
  const state = new Uint8Array(next.length);
  for (let start = 0; start < next.length; start++) {
    if (state[start] !== 0) continue;
    const open: { readonly node: number; edge: number; readonly wait: Wait | undefined }[] = [];
    const enter = (node: number, wait: Wait | undefined) => {
      state[node] = 1;
      open.push({ node, edge: 0, wait });
    };
    enter(start, undefined);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const edge = next[top.node]?.[top.edge++];
      if (edge === undefined) {
        state[top.node] = 2;
        open.pop();
      } else if (state[edge.to] === 0) enter(edge.to, edge.wait);
      else if (state[edge.to] === 1 && circles.length < mostCircles && looks++ < mostLooks) {
        const from = open.findIndex(({ node }) => node === edge.to);
        const ring = [...open.slice(from + 1).map(({ wait }) => wait), edge.wait].filter((wait) => wait !== undefined);
        if (ring.some((wait) => told.has(wait))) continue;
        for (const wait of ring) told.add(wait);
        circles.push(ring);
      }
    }
  }
  return circles;
}
