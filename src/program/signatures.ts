/** What callers of an agent file have to know: the thunks that it has, what each takes and what it gives. */
import { positionAt, type Source } from '../text/index.ts';
import type { Type, TypeTable } from '../type/index.ts';
import { checkSource } from './check.ts';
import type { ParamType } from './program.ts';

export interface Signature {
  readonly params: readonly ParamType[];
  readonly output: Type;
  /** What the names in them mean. */
  readonly types: TypeTable;
}

export type Signatures =
  | { readonly ok: true; readonly thunks: ReadonlyMap<string, Signature> }
  | { readonly ok: false; readonly message: string; readonly help: string };

/** The name of the source is told as the file. Nobody can call a thunk of a file with errors. */
export function signaturesOf(source: Source): Signatures {
  const { program, diagnostics } = checkSource(source);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first) {
    const { line, column } = positionAt(first.source, first.span.start);
    const count = errors.length === 1 ? 'an error' : `${errors.length} errors, the first of them`;
    const what = first.message.replace(/\.$/, '');
    return {
      ok: false,
      message: `"${source.name}" has ${count} at ${source.name}:${line}:${column}: ${what}`,
      help: `Run "toolang check ${source.name}", which shows all that is wrong with it.`,
    };
  }
  const { types } = program;
  const thunks = [...program.thunks.values()].map(
    ({ name, params, output }) => [name, { params, output, types }] as const,
  );
  return { ok: true, thunks: new Map(thunks) };
}
