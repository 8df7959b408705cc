/**
 * Under what a step with `cache` keeps its result for other runs.
 * 1. The step as it is written is in the key, with its type, its workflow and its path: two steps never share a result,
 *    because what their texts and their code read is not the same.
 * 2. With `by` the values named there stand for all that the step reads; that is the author's word. With an empty `by` the
 *    key holds all that it reads, or can read where that is not known before.
 * 3. Code of which is not known whether it has changed has no slot: functions of a program may use anything around them.
 * 4. Nor has a step in a worktree. Its work is in files, and a result without them would be half of it.
 */
import { type CacheSlot, keyed } from '../../machine/index.ts';
import { isFunctionModule } from '../functions.ts';
import { hashOf } from '../hash.ts';
import { type KeyValues, keyParts, usesOf } from '../key.ts';
import type { StepNode } from '../node.ts';
import type { Frame } from './frame.ts';
import { fillIn } from './scope.ts';
import type { Work } from './work.ts';
import { placeOf } from './work-place.ts';

/** What a step reads: a prompt with its holes filled, or values. Asked for when `by` names nothing. */
export type ReadAll = () => Pick<KeyValues, 'prompt' | 'values'>;

/** The values of `by` are looked at now, so that what is wrong there fails the step; the key is made when it is asked for. */
export function cacheSlot(frame: Frame, node: StepNode, work: Work, all: ReadAll): CacheSlot | undefined {
  const { cache, path: step } = node;
  if (cache === undefined) return undefined;
  const by = cache.by.map((text) => fillIn({ kind: 'text', text }, 'cache.by', frame, work));
  const { plan, modules } = work;
  if (codeOf(node, work).some((module) => modules[module] === undefined || isFunctionModule(module))) return undefined;
  if (placeOf(frame, work).worktree !== undefined) return undefined;
  return keyed<CacheSlot>({ workflow: plan.name, step }, () => {
    const { action } = node;
    const module = action.kind === 'handler' ? modules[action.module] : undefined;
    const known = { modules, ...(module !== undefined && { module }), ...(by.length === 0 && all()) };
    return hashOf([plan.name, step, keyParts(node, plan, known), by, cache.version]);
  });
}

/** The modules that its result depends on. */
function codeOf({ action }: StepNode, { plan }: Work): string[] {
  if (action.kind === 'prompt') {
    const plugin = plan.agents[action.agent]?.plugin;
    return plugin ? [plugin.module] : [];
  }
  const { services, plugins } = usesOf(action, plan);
  const used = [...services, ...plugins].map(({ module }) => module);
  return action.kind === 'handler' ? [action.module, ...used] : used;
}
