/** An `agents.too`: `use` lines of a home or of the root, and nothing else. */
import { type Diagnostic, diagnostic, span } from '../text/index.ts';
import type { Program } from '../too/index.ts';

/** Reports each declaration that is no `use` line. */
export function checkUsesFile(program: Program): Diagnostic[] {
  return program.items.flatMap((item) => {
    if (item.kind === 'use') return [];
    const { kind, name } = item;
    const { start } = item.span;
    const what = name ? `${kind} "${name.text}"` : `this ${kind}`;
    const where = span(start, Math.max(start + kind.length, name?.span.end ?? 0));
    return [
      diagnostic('TOO5310', program.source, where, `${what} stands in an agents.too, which is no agent.`, {
        help: 'An agents.too holds "use" lines only: put it in another .too file.',
      }),
    ];
  });
}
