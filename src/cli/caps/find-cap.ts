/** The cap that a command names: by its name, among those of the scopes that it may mean, or by a local reference. */
import { type AuthoredCap, isLocalRef, type Ranked, readLocalRef, readScope, type Scope } from '../../caps/index.ts';
import { closest, didYouMean, hasErrors, printable } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { CapsHere } from './caps-here.ts';

/** `--scope`, by either of its names. */
export function scopeOf({ texts }: Args): Scope | undefined {
  if (texts.scope === undefined) return undefined;
  const read = readScope(texts.scope);
  if (!read.ok) throw new UsageError(read.message, 'Write here, home or root (or agent, shared, global).');
  return read.scope;
}

/** Those of that name, the one that wins first. */
export function capsFound(kind: CapKind, name: string, here: CapsHere, args: Args): readonly Ranked<AuthoredCap>[] {
  const wanted = wantedOf(kind, name, args);
  return here.all.filter(({ cap }) => cap.kind === kind && wanted(cap));
}

/** The same where there must be one. */
export function capsNamed(kind: CapKind, name: string, here: CapsHere, args: Args): readonly Ranked<AuthoredCap>[] {
  const found = capsFound(kind, name, here, args);
  if (found.length > 0) return found;
  const names = here.all.filter(({ cap }) => cap.kind === kind).map(({ cap }) => cap.name);
  const where = args.texts.scope === undefined ? 'here' : `in the scope ${args.texts.scope}`;
  throw new UsageError(
    `there is no ${kind} "${printable(name)}" ${where}.${didYouMean(closest(name, names))}`,
    hasErrors(here.diagnostics)
      ? `toolang ${kind} list shows those that can be read, and what is wrong with others.`
      : `toolang ${kind} list shows those that there are.`,
  );
}

function wantedOf(kind: CapKind, name: string, args: Args): (cap: AuthoredCap) => boolean {
  const scope = scopeOf(args);
  if (!isLocalRef(name)) return (cap) => cap.name === name && (scope === undefined || cap.scope === scope);
  const read = readLocalRef(name);
  if (!read.ok) throw new UsageError(`${read.problem.message} (${read.problem.code})`, read.problem.help);
  const { ref } = read;
  if (ref.kind !== kind)
    throw new UsageError(`"${name}" is a ${ref.kind}, not a ${kind}.`, `toolang ${ref.kind} show ${name}`);
  return (cap) => cap.name === ref.name && cap.scope === ref.scope && cap.form === ref.form;
}
