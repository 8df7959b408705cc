/** `needs`: what a node waits for by name. */
import { didYouMean } from '../text/index.ts';
import type { Word } from './draft.ts';
import { relate } from './order.ts';
import type { Reports } from './reports.ts';
import type { Site } from './site.ts';
import { suggest } from './suggest.ts';

export interface Need {
  readonly word: Word;
  readonly target: Site;
}

/** The nodes that are needed; what cannot be waited for is reported and left out. */
export function readNeeds(site: Site, needs: readonly Word[], reports: Reports): Need[] {
  const found: Need[] = [];
  for (const word of needs) {
    const target = site.space.ids.get(word.text);
    if (target === undefined) {
      const { hint, help, fix } = suggest(word, othersOf(site), 'steps');
      reports.add('TOO4222', word, `unknown step "${word.text}" in needs.${didYouMean(hint)}`, { help, ...fix });
    } else if (mayWait(site, target, word, reports)) found.push({ word, target });
  }
  return found;
}

function* othersOf({ id, space }: Site): Iterable<string> {
  for (const name of space.ids.keys()) if (name !== id) yield name;
}

function mayWait(site: Site, target: Site, word: Word, reports: Reports): boolean {
  const relation = relate(site, target, false);
  switch (relation.kind) {
    case 'before':
    case 'beside':
      return true;
    case 'self':
      reports.add('TOO4224', word, waitsForItself(site, target), { help: 'Take it out of needs.' });
      return false;
    case 'other-arm':
      reports.add('TOO4223', word, `"${word.text}" stands in the other arm of the branch, so it does not run`, {
        help: 'Take it out of needs.',
      });
      return false;
    default:
      reports.add('TOO4223', word, `"${word.text}" comes later, so it cannot be waited for`, {
        help: `Move this step behind "${word.text}", or put both into kind: parallel.`,
      });
      return false;
  }
}

function waitsForItself(site: Site, target: Site): string {
  if (site === target) return `"${target.id}" needs itself`;
  return `"${target.id}" holds this step, so the step cannot wait for it`;
}
