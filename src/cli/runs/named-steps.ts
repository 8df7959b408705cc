/** The steps of a run that a word on the command line means. */
import { closest, didYouMean } from '../../text/index.ts';
import { pathOf, type RunTree, treeNodes } from '../../view/index.ts';
import { UsageError } from '../command.ts';

/** By the name in the run, by the end of it, by the path in the workflow, or by the id. Throws where there is none. */
export function namedSteps<S extends { readonly name: string }>(
  steps: readonly S[],
  wanted: string,
  tree: RunTree,
  short: string,
): readonly S[] {
  // The ids of steps by their names: in a component one may be `brief-short`, and its name `brief/short`.
  const ids = new Map(Array.from(treeNodes(tree.nodes), ({ name, id }) => [name, id]));
  const path = wanted.replace(/#\d+/g, '');
  const ways: readonly ((name: string) => boolean)[] = [
    (name) => name === path,
    (name) => pathOf(name) === path,
    (name) => name.endsWith(`/${path}`),
    (name) => pathOf(name).endsWith(`/${path}`),
    (name) => ids.get(name) === path,
  ];
  for (const is of ways) {
    const found = steps.filter(({ name }) => is(name));
    if (found.length > 0) return found;
  }
  const names = [...new Set(steps.map(({ name }) => name))];
  const near = closest(wanted, [...names, ...names.map(pathOf)]);
  const listed = names.slice(0, 20).join(', ') + (names.length > 20 ? `, and ${names.length - 20} more` : '');
  throw new UsageError(`the run ${short} has no step "${wanted}".${didYouMean(near)}`, `Its steps: ${listed}`);
}
