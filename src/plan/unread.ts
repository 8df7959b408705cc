/** What was written and is never looked at: denials that nobody reads, braces where nothing is filled in. */

import type { WorkflowNode } from './node.ts';
import type { Reports } from './reports.ts';
import type { Site, SiteTree } from './site.ts';
import type { Unit } from './unit.ts';

export function checkUnread(
  unit: Unit,
  trees: readonly SiteTree[],
  nodes: readonly WorkflowNode[],
  reports: Reports,
): void {
  checkDenials(trees, nodes, reports);
  checkBraces(unit, trees[0], reports);
}

/** `onDeny: continue` goes on after a no: something should look at the answer. */
function checkDenials(trees: readonly SiteTree[], nodes: readonly WorkflowNode[], reports: Reports): void {
  const open = trees.flatMap(({ all }) =>
    all.filter(({ draft }) => draft.kind === 'approval' && draft.onDeny === 'continue'),
  );
  if (open.length === 0) return;
  const read = readPaths(nodes);
  for (const site of open) {
    if (read.has(site.path) || isResult(site)) continue;
    reports.add('TOO4235', site.draft.id ?? site.draft.at, `nothing reads whether "${site.id}" was approved`, {
      help: `With onDeny: continue the workflow goes on after a no. Read {${site.id}.approved} in a condition or skipIf, or write onDeny: fail.`,
    });
  }
}

/** The last node of all gives the result of the workflow: who started it reads that. */
function isResult(site: Site): boolean {
  return site.parent === undefined && site.space.roots.at(-1) === site;
}

/** The paths of all nodes that some expression reads. */
function readPaths(nodes: readonly WorkflowNode[]): Set<string> {
  const paths = new Set<string>();
  const todo: unknown[] = [nodes];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if ('target' in next && typeof next.target === 'object' && next.target !== null && 'node' in next.target) {
      paths.add(String(next.target.node));
    } else for (const value of Object.values(next)) if (typeof value === 'object' && value !== null) todo.push(value);
  }
  return paths;
}

const hole = /\{([A-Za-z][\w-]*)\.[A-Za-z]/g;

/** `{step.field}` in a text that is not filled in, such as the instructions of an agent. */
function checkBraces({ draft }: Unit, tree: SiteTree | undefined, reports: Reports): void {
  const ids = tree?.space.ids;
  for (const { fields } of draft.agents) {
    for (const { key, value, at } of fields) {
      if (typeof value !== 'string') continue;
      for (const [, name = ''] of value.matchAll(hole)) {
        if (!(name === 'input' || ids?.has(name))) continue;
        reports.add('TOO4236', at, `"{${name}.…}" is not filled in here: "${key.text}" of an agent is plain text`, {
          help: 'Put it into the prompt of a step.',
        });
        break;
      }
    }
  }
}
