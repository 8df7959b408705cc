/** `toolang <kind> add REF`, `remove NAME` and `update [NAME]`: references, written where they belong, and synced. */
import { type AuthoredCap, checkUseRef, type RemoteCap, type Scope } from '../../caps/index.ts';
import { removeEntry, setEntry } from '../../config/index.ts';
import { displayPath } from '../../sys/index.ts';
import { createSource, hasErrors, printable, type Source } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { printDiagnostics } from '../report.ts';
import { capsHere } from './caps-here.ts';
import { capsNamed, scopeOf } from './find-cap.ts';
import { type CapPlaces, ownPlaces, refusal } from './places.ts';
import { changeLines, requestsOf, type SyncWish, syncHere } from './sync-here.ts';
import { addUse, removeUse } from './use-line.ts';
import { inEdit, textOf, type WrittenText, withWritten } from './written.ts';

export async function addCap(kind: CapKind, args: Args, context: Context): Promise<ExitCode> {
  const [ref = ''] = args.positionals;
  const places = ownPlaces(args, context);
  const scope = scopeFor(args, places);
  const checked = checkUseRef(kind, ref, scope === 'here' ? 'use' : 'config');
  const given = args.texts.name;
  if (!checked.ok && !(checked.problem.code === 'TOO5309' && given !== undefined && scope !== 'here')) {
    const { code, message, help, fix } = checked.problem;
    throw refusal({ code, message, help: fix === undefined ? help : `Write ${fix}. ${help}` });
  }
  if (given !== undefined && scope === 'here') {
    throw new UsageError('a "use" line gives no other name.', 'Leave --name out, or wire it: --scope home');
  }
  const name = given ?? (checked.ok ? checked.ref.name : '');
  return inEdit(syncOf(scope, places), context, () => add({ kind, name, ref, scope }, places, args, context));
}

interface Addition {
  readonly kind: CapKind;
  readonly name: string;
  readonly ref: string;
  readonly scope: Scope;
}

async function add(
  { kind, name, ref, scope }: Addition,
  places: CapPlaces,
  args: Args,
  context: Context,
): Promise<ExitCode> {
  const here = await capsHere(places, args, context);
  const same = here.all
    .map(({ cap }) => cap)
    .find((cap) => cap.kind === kind && cap.name === name && cap.scope === scope && isRemote(cap));
  if (same && isRemote(same)) {
    if (same.ref === ref) return told(`${kind} "${name}" is there already, from ${same.ref}`, context);
    throw new UsageError(
      `there is a ${kind} "${printable(name)}" in this scope already, from ${printable(same.ref)}.`,
      `Take it away first: toolang ${kind} remove ${name} --scope ${scope}${args.texts.agent === undefined ? '' : ` --agent ${args.texts.agent}`}`,
    );
  }
  const file = fileOf(scope, places);
  const before = await textOf(file);
  const after =
    scope === 'here'
      ? addUse(before ?? '', kind, ref)
      : edited(setEntry(sourceOf(file, before, context), [`${kind}s`, name], { ref }), context);
  if (after === undefined) return exit.usage;
  const isDone = await change(file, { before, after }, context, () => syncIt(places, {}, args, context));
  return isDone ? exit.done : exit.usage;
}

export async function removeCap(kind: CapKind, args: Args, context: Context): Promise<ExitCode> {
  const [name = ''] = args.positionals;
  const places = ownPlaces(args, context);
  const here = await capsHere(places, args, context);
  const found = capsNamed(kind, name, here, args).map(({ cap }) => cap);
  const remote = found.find(isRemote);
  if (!remote) {
    const [cap] = found;
    const where = cap === undefined ? '' : `${displayPath(cap.file, context.cwd)}:${cap.line}`;
    throw new UsageError(
      `the ${kind} "${printable(name)}" is no reference: it is written in ${where}.`,
      cap?.form === 'file' ? `To delete its file: toolang ${kind} delete ${name}` : 'Take it out of that file.',
    );
  }
  if (remote.scope === 'root' && places.home && args.texts.scope === undefined) {
    throw new UsageError(
      `the ${kind} "${printable(name)}" is in the root, where all agents have it.`,
      `To take it away from all of them: toolang ${kind} remove ${name} --scope root`,
    );
  }
  return inEdit(syncOf(remote.scope, places), context, () => takeOut(remote, places, args, context));
}

/** Of other references nothing is asked: one that can no longer be fetched must not keep another from being taken out. */
async function takeOut(cap: RemoteCap, places: CapPlaces, args: Args, context: Context): Promise<ExitCode> {
  const { kind, name, form, file, ref } = cap;
  const shown = displayPath(file, context.cwd);
  const before = (await textOf(file)) ?? '';
  const after =
    form === 'ref'
      ? removeUse(before, kind, ref)
      : edited(removeEntry(sourceOf(file, before, context), [`${kind}s`, name]), context);
  if (after === undefined) throw new UsageError(`${shown} has no such line any more.`);
  let isSynced = false;
  const isDone = await change(file, { before, after }, context, async () => {
    const { diagnostics } = await capsHere(places, args, context);
    if (hasErrors(diagnostics)) {
      printDiagnostics(diagnostics, context.stderr);
      return false;
    }
    isSynced = await syncIt(places, {}, args, context);
    if (!isSynced) context.stderr.write(`${shown} names "${printable(ref)}" no more; the rest is not synced\n`);
    return true;
  });
  return isDone && isSynced ? exit.done : exit.usage;
}

/** Moves references of this kind on; all of them, or those of one name. */
export async function updateCaps(kind: CapKind, args: Args, context: Context): Promise<ExitCode> {
  const [name] = args.positionals;
  const places = ownPlaces(args, context);
  if (name !== undefined) {
    const found = capsNamed(kind, name, await capsHere(places, args, context), args);
    if (!found.some(({ cap }) => isRemote(cap))) {
      throw new UsageError(`the ${kind} "${printable(name)}" is written here: nothing can be fetched for it.`);
    }
  }
  const scope = scopeOf(args);
  const isUpdated = (cap: RemoteCap) =>
    cap.kind === kind && (name === undefined || cap.name === name) && (scope === undefined || cap.scope === scope);
  return (await syncIt(places, { isUpdated }, args, context)) ? exit.done : exit.usage;
}

/** Where it is written by default: in the home, where there is one. */
export function scopeFor(args: Args, { home, agent }: CapPlaces): Scope {
  const scope = scopeOf(args) ?? (home ? 'home' : 'root');
  if (scope === 'here' && agent === undefined) {
    throw new UsageError('the scope "here" is that of an agent.', 'Say which: --agent NAME, or --agent file.too');
  }
  if (scope === 'home' && home === undefined) {
    throw new UsageError('there is no home here.', 'Go to the folder of an agent, write --agent NAME, or --scope root');
  }
  return scope;
}

function fileOf(scope: Scope, { root, home, agent }: CapPlaces): string {
  const file = scope === 'here' ? agent?.file : scope === 'home' ? home?.config : root.config;
  if (file === undefined) throw new Error(`the scope ${scope} has no file`);
  return file;
}

function isRemote(cap: AuthoredCap): cap is RemoteCap {
  return 'ref' in cap;
}

function syncOf(scope: Scope, { root, home }: CapPlaces): string {
  return scope === 'root' || home === undefined ? root.sync : home.sync;
}

function sourceOf(file: string, text: string | undefined, { cwd }: Context): Source {
  return createSource(displayPath(file, cwd), text ?? '');
}

/** Undefined, and told, where the file cannot be read. */
function edited(result: ReturnType<typeof setEntry>, { stderr }: Context): string | undefined {
  if (result.ok) return result.text;
  printDiagnostics([result.diagnostic], stderr);
  return undefined;
}

async function change(
  file: string,
  text: Pick<WrittenText, 'before' | 'after'>,
  { cwd, stderr }: Context,
  work: () => Promise<boolean>,
): Promise<boolean> {
  const shown = displayPath(file, cwd);
  let isLeft = false;
  const left = () => {
    isLeft = true;
    stderr.write(`${shown} was changed by somebody else meanwhile, and is left as it is now: look at it\n`);
  };
  const isDone = await withWritten(file, { ...text, left }, work);
  if (!isDone && !isLeft) stderr.write(`${shown} is as it was\n`);
  return isDone;
}

async function syncIt(
  { root, home, agent }: CapPlaces,
  wish: SyncWish,
  args: Args,
  context: Context,
): Promise<boolean> {
  for (const request of requestsOf(agent ? [agent] : [], root, home)) {
    const report = await syncHere(request, wish, args, context);
    printDiagnostics(report.diagnostics, context.stderr);
    context.stdout.write(changeLines(report.changes, context));
    if (report.refused) context.stderr.write('not accepted: nothing was changed\n');
    else if (report.ok && report.changes.length === 0) context.stderr.write('up to date\n');
    if (!report.ok || hasErrors(report.diagnostics)) return false;
  }
  return true;
}

function told(text: string, { stderr }: Context): ExitCode {
  stderr.write(`${printable(text)}\n`);
  return exit.done;
}
