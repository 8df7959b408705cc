/** The caps that the `use` lines of an `agents.too` give a home or the root. */
import { fileDiagnostic } from '../../config/index.ts';
import { readTextFile } from '../../sys/index.ts';
import {
  byPosition,
  createSource,
  type Diagnostic,
  diagnostic,
  positionAt,
  type Source,
  type Span,
} from '../../text/index.ts';
import { parse, type Use } from '../../too/index.ts';
import { checkUseRef } from '../ref.ts';
import { checkUsesFile } from '../uses-file.ts';
import type { RemoteCap } from './authored.ts';
import type { NamedCap } from './cap-folder.ts';
import { caseDiagnostics, refDiagnostic } from './ref-problem.ts';

export interface Uses {
  readonly caps: readonly RemoteCap[];
  /** Those whose lines are wrong, by the names that they would give. */
  readonly broken: readonly NamedCap[];
  /** Everything that is wrong with the file. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those of them that are about declarations that are no `use` lines. */
  readonly declarations: readonly Diagnostic[];
}

const none: Uses = { caps: [], broken: [], diagnostics: [], declarations: [] };

/** A file that is not there uses nothing; `shown` is its path as people see it. */
export async function readUses(file: string, scope: 'home' | 'root', shown = file): Promise<Uses> {
  const read = await readTextFile(file);
  if (read.ok) return usesOf(createSource(shown, read.text), scope, file);
  if (read.problem.kind === 'missing') return none;
  return { ...none, diagnostics: [fileDiagnostic(shown, read.problem, file)] };
}

/** `file` is the absolute path of what `source` shows. */
export function usesOf(source: Source, scope: 'home' | 'root', file: string): Uses {
  const parsed = parse(source);
  const declarations = checkUsesFile(parsed.program);
  const syntax = byPosition(parsed.diagnostics.filter((d) => d.severity === 'error'));
  let next = 0;
  const diagnostics: Diagnostic[] = [];
  const broken: NamedCap[] = [];
  const found: Found[] = [];
  for (const node of parsed.program.items) {
    if (node.kind !== 'use') continue;
    const { capKind: kind, ref } = node;
    // What the syntax took away is not wrong for a second reason.
    while ((syntax[next]?.span.start ?? Number.POSITIVE_INFINITY) < ref.span.start) next++;
    const isCut = (syntax[next]?.span.start ?? Number.POSITIVE_INFINITY) <= ref.span.end;
    const result = isCut ? undefined : checkUseRef(kind, ref.text);
    if (result?.ok) found.push({ kind, name: result.ref.name, ref: ref.text, span: ref.span, node });
    else broken.push({ kind, name: likelyName(ref.text) });
    if (result && !result.ok) diagnostics.push(refDiagnostic(source, ref.span, result.problem));
  }
  const { unique, problems } = uniqueOf(source, found);
  const caps = unique.map(({ kind, name, ref, node }): RemoteCap => {
    return { kind, name, scope, form: 'ref', ref, file, ...positionAt(source, node.span.start) };
  });
  return {
    caps,
    broken,
    diagnostics: byPosition([...parsed.diagnostics, ...diagnostics, ...problems, ...declarations]),
    declarations,
  };
}

interface Found {
  readonly kind: RemoteCap['kind'];
  readonly name: string;
  readonly ref: string;
  readonly span: Span;
  readonly node: Use;
}

/** The first of each kind and name. */
function uniqueOf(source: Source, found: readonly Found[]): { unique: Found[]; problems: Diagnostic[] } {
  const first = new Map<string, Found>();
  const problems: Diagnostic[] = [];
  for (const each of found) {
    const key = `${each.kind} ${each.name}`;
    const other = first.get(key);
    if (!other) first.set(key, each);
    else {
      const message = `the use of ${each.kind} "${each.name}" is declared twice.`;
      problems.push(
        diagnostic('TOO2001', source, each.span, message, {
          related: [{ source, span: other.span, message: 'first declared here' }],
          help: 'Remove one of them, or wire one in config.toml under another name.',
        }),
      );
    }
  }
  const unique = [...first.values()];
  return { unique, problems: [...problems, ...caseDiagnostics(source, unique)] };
}

/** A wrong reference still says what the cap is called: who names it makes no second mistake. */
function likelyName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1).replace(/@.*$|\.md$/g, '');
}
