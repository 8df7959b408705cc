/** The caps of a `.too` file itself: those it declares, and those its `use` lines bring. */
import { positionAt, type Source, type Span } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';
import type { CheckedCap } from '../checked-cap.ts';
import type { InlineCap, RemoteCap } from './authored.ts';

/** A `use` line as a checked program has it. */
export interface UseLine {
  readonly kind: CapKind;
  readonly name: string;
  readonly ref: string;
  readonly span: Span;
}

/** In written order. `file` is the absolute path of what `source` shows. */
export function capsOfProgram(
  source: Source,
  inline: readonly CheckedCap[],
  uses: readonly UseLine[],
  file: string = source.name,
): readonly (InlineCap | RemoteCap)[] {
  const declared = inline.map((cap): InlineCap => {
    const { kind, name, nameSpan } = cap;
    return { kind, name, scope: 'here', form: 'inline', file, ...positionAt(source, nameSpan.start), cap };
  });
  const used = uses.map(({ kind, name, ref, span }): RemoteCap => {
    return { kind, name, scope: 'here', form: 'ref', file, ...positionAt(source, span.start), ref };
  });
  return [...declared, ...used].sort((a, b) => a.line - b.line || a.column - b.column);
}
