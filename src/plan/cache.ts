/** Caches whose key says nothing of what the step reads. */
import type { DraftText } from './draft.ts';
import type { HandlerAction, PromptAction, Reference, RunAction, Text } from './node.ts';
import type { Reports } from './reports.ts';
import { promptReads } from './walk.ts';

/** A `by` without expressions is the same in every run. That is right for a step that reads nothing. */
export function checkCache(
  drafts: readonly DraftText[],
  by: readonly Text[],
  action: PromptAction | RunAction | HandlerAction,
  reports: Reports,
): void {
  const [first] = drafts;
  if (first === undefined || by.some(({ parts }) => parts.some(({ kind }) => kind === 'hole'))) return;
  if (readsOf(action)?.length === 0) return;
  reports.add('TOO4292', first, 'nothing of a run is in "by", so every run gets what the first one has kept', {
    help: 'Name what the result depends on: by[1]: "{input.topic}".',
  });
}

/** Undefined where it may read anything. */
function readsOf(action: PromptAction | RunAction | HandlerAction): readonly Reference[] | undefined {
  if (action.kind === 'prompt') return promptReads(action);
  return action.kind === 'run' ? action.reads : undefined;
}
