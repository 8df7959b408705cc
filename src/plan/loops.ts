/** Loops that never end by themselves: what `until` reads does not change inside them. */
import type { DraftText } from './draft.ts';
import type { Condition } from './node.ts';
import type { Reports } from './reports.ts';
import type { Site } from './site.ts';

export function checkLoop(site: Site, draft: DraftText, until: Condition, reports: Reports): void {
  const reads = until.reads.map(({ target }) => target);
  if (reads.length === 0) {
    // `until: "false"` with a number of rounds says what it means.
    if (until.expression.kind !== 'literal' || !isRounds(site)) {
      reports.add('TOO4234', draft, `"until" reads nothing, so it is the same after every iteration`, {
        help: 'Read a step of the loop; for a fixed number of rounds write until: "false" and maxIterations.',
      });
    }
    return;
  }
  const inside = reads.some(
    (target) =>
      (target.kind === 'loop' && target.node === site.path) ||
      (target.kind === 'node' && target.node.startsWith(`${site.path}/`)),
  );
  if (!inside) {
    reports.add('TOO4233', draft, '"until" reads nothing that the loop changes, so the loop never ends by itself', {
      help: `Read a step that stands in the loop${stepsIn(site)}, or loop.iteration.`,
    });
  }
}

function isRounds({ draft }: Site): boolean {
  return draft.kind === 'loop' && draft.maxIterations !== undefined;
}

function stepsIn(site: Site): string {
  const ids = site.children.flatMap(({ id }) => (id === undefined ? [] : [id]));
  return ids.length === 0 ? '' : ` (${ids.slice(0, 6).join(', ')})`;
}
