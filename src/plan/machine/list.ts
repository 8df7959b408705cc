/** Nodes in order: sequences, and the insides of components, loops and arms. */
import type { Json } from '../../machine/index.ts';
import type { SequenceNode } from '../node.ts';
import type { Frame } from './frame.ts';
import type { Spot } from './spot.ts';
import { frameOf, type Kind, type Work } from './work.ts';

export const sequenceKind: Kind<SequenceNode> = {
  begin: (frame, _, work) => {
    if (!startList(frame.spot.children, work)) work.settle(frame, undefined);
  },
  childSettled: (frame, _, child, work) => goOn(frame, child, work),
};

/** False when there is nothing to start. */
export function startList([first]: readonly Spot[], work: Work): boolean {
  if (first === undefined) return false;
  work.start(frameOf(first, work));
  return true;
}

/** Starts the next one in the list of a child, or settles what holds the list. */
export function goOn(frame: Frame, child: Frame, work: Work): void {
  const next = nextInList(frame, child, work);
  if (next) work.settle(frame, next.value);
}

/** Undefined when the next one was started; else the list is at its end, and gives this. */
export function nextInList(
  { spot }: Frame,
  child: Frame,
  work: Work,
): { readonly value: Json | undefined } | undefined {
  // An approval that was denied skips the rest.
  if (child.denied) return { value: undefined };
  const list = child.spot.arm === 'else' ? spot.others : spot.children;
  const next = list[child.spot.index + 1];
  if (next === undefined) return { value: child.value };
  work.start(frameOf(next, work));
  return undefined;
}
