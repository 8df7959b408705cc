/**
 * What the id of a command says: which node of a run it is about, which attempt, and what within it.
 * 1. A step is `polish[2]/review#1`; what it does inside is `…/model#2`. A hand is `…/summarize[2]#1`, a node of its own: that
 *    its name ends in a number tells it from all else.
 * 2. Where a hand is a workflow, the nodes of that stand behind it as they would in its own run. Only the journal knows which
 *    hands are; without it what sounds like a part of a thunk is taken for one.
 */

export interface NodeId {
  /** `polish[2]/review`, and of a hand `polish[2]/review/summarize[2]`. */
  readonly name: string;
  /** Of what is in a hand: how often all that it stands in was begun anew. */
  readonly attempt?: number;
  /** What stands behind the attempt: `.wait`, `/model#1`. */
  readonly inner: string;
  /** Of hands, and of what is in them: the names of the step and the hands around, outer ones first. */
  readonly within?: readonly string[];
}

const digits = /\d*/y;
const hand = /\/([^/#]*\[\d+\])#/y;
const thunkPart = /\/(?:tools|recall|model|tool|permit|granted)#/y;

/** `polish[2]/review#1/model#2`: a part of the first attempt of `polish[2]/review`. `isWorkflow`: of the names of hands. */
export function readNodeId(id: string, isWorkflow?: (name: string) => boolean): NodeId {
  const hash = id.indexOf('#');
  if (hash === -1) return { name: id, inner: '' };
  let name = id.slice(0, hash);
  let end = hash + 1 + digitsAt(id, hash + 1).length;
  let attempt = Number(id.slice(hash + 1, end));
  // Most stand in no hand.
  if (!id.includes(']#', end)) return { name, attempt, inner: id.slice(end) };
  const within: string[] = [];
  let isHand = false;
  while (id[end] === '/') {
    const called = matchAt(hand, id, end)?.[1];
    if (called === undefined && !(isHand && isPlan(name, end))) break;
    const mark = called === undefined ? id.indexOf('#', end) : end + 1 + called.length;
    const stop = mark === -1 ? id.length : mark;
    const number = mark === -1 ? '' : digitsAt(id, mark + 1);
    within.push(name);
    name = `${name}/${id.slice(end + 1, stop)}`;
    if (number !== '') attempt += Math.max(0, Number(number) - 1);
    end = mark === -1 ? stop : mark + 1 + number.length;
    isHand = called !== undefined;
  }
  return { name, attempt, inner: id.slice(end), ...(within.length > 0 && { within }) };

  /** What follows is a node of the workflow that the hand is. */
  function isPlan(called: string, at: number): boolean {
    return isWorkflow === undefined ? matchAt(thunkPart, id, at) === null : isWorkflow(called);
  }
}

function digitsAt(id: string, at: number): string {
  return matchAt(digits, id, at)?.[0] ?? '';
}

function matchAt(pattern: RegExp, id: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(id);
}

/** What people call it: `review › summarize[2]`; of the first call of a hand the number says nothing. */
export function placeText({ name, within = [] }: Pick<NodeId, 'name' | 'within'>): string {
  const parts: string[] = [];
  let from = 0;
  for (const outer of [...within, name]) {
    const part = outer.slice(from);
    parts.push(from === 0 ? part : handTitle(part));
    from = outer.length + 1;
  }
  return parts.join(' › ');
}

/** `summarize[2]`, and of the first `summarize`. */
export function handTitle(part: string): string {
  return part.replace(/\[1\]$/, '');
}

/** The last round of each loop, from the names of what ran in it: `outer[1]/inner[3]/x`. Hands are no rounds. */
export function roundsOf(nodes: Iterable<Pick<NodeId, 'name' | 'within'>>): Map<string, number> {
  const rounds = new Map<string, number>();
  for (const { name, within } of nodes) {
    if (within) continue;
    for (const { index, 1: number } of name.matchAll(/\[(\d+)\]/g)) {
      const loop = name.slice(0, index);
      rounds.set(loop, Math.max(rounds.get(loop) ?? 0, Number(number)));
    }
  }
  return rounds;
}
