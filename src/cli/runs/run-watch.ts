/**
 * `run FILE --watch`: drives a run, and goes on with what is saved. Only what a save changes is done again.
 * 1. With errors a save is told and nothing else happens: what runs goes on as it is.
 * 2. Steps that run when a save counts are finished first; what is saved meanwhile counts instead. Then a segment is opened
 *    and driven, unasked.
 * 3. A run that has ended is not the end of this: the next save goes on with it.
 */
import type { Change, CreatedRun } from '../../run/index.ts';
import { displayPath } from '../../sys/index.ts';
import { printable, ToolangError } from '../../text/index.ts';
import { changeLine } from '../../view/index.ts';
import type { Args } from '../command.ts';
import type { Context, StopSignal } from '../context.ts';
import { type ExitCode, stopCode } from '../exit.ts';
import { driveAndTell, storyFromNow } from './follow.ts';
import { changeOf } from './go-on.ts';
import { goneError, heldError } from './held.ts';
import { remarkText } from './remark.ts';
import { command, type Ended, printEnd } from './result.ts';
import { listenToSaves, type Save } from './saves.ts';
import type { OpenRuns } from './stores.ts';
import { type FileWatch, watchFiles } from './watch-files.ts';

export interface Watching {
  readonly runs: OpenRuns;
  readonly created: CreatedRun;
  /** The file of the workflow, and all that it is made of. */
  readonly file: string;
  readonly files: readonly string[];
  /** When these were read. */
  readonly since: number;
}

export async function runWatch(watching: Watching, args: Args, context: Context): Promise<ExitCode> {
  const { runs, created, files, since } = watching;
  const { id: root } = created;
  const short = runs.short(root);
  const watch = watchFiles(runs.engine.clock);
  watch.follow(files, since);
  try {
    for (let epoch: number | undefined = created.epoch; ; ) {
      const round = await driveUntilSaved(watching, epoch, watch, args, context);
      if (round.kind === 'left') return round.code;
      epoch = round.kind === 'saved' ? await goOnWith(watching, round.change, context) : undefined;
    }
  } catch (error) {
    // Between two rounds nobody drives it, and others may remove it.
    if (error instanceof ToolangError && error.code === 'TOO6201') throw goneError(short, context);
    throw error;
  } finally {
    watch.close();
  }
}

/** Gives the epoch to drive it with. */
async function goOnWith({ runs, created }: Watching, change: Change, context: Context): Promise<number> {
  const { id: root } = created;
  const { stderr } = context;
  const shown = changeOf(runs, root, change);
  stderr.write(remarkText(`edited  ${changeLine(shown)}`, stderr, { word: 'edited' }));
  if (shown.denied.length > 0) {
    const names = shown.denied.map(printable).join(', ');
    const verb = shown.denied.length === 1 ? 'stays' : 'stay';
    const text = `denied  ${names} ${verb} so. To be asked again, from another terminal:`;
    stderr.write(remarkText(text, stderr, { word: 'denied' }));
    stderr.write(`      ${command(context, 'retry', runs.short(root))}\n`);
  }
  const opened = await runs.engine.reopen(root, change);
  if (opened.kind === 'held') throw heldError(runs, root, opened.by, context);
  return opened.epoch;
}

type Round =
  | { readonly kind: 'left'; readonly code: ExitCode }
  | { readonly kind: 'saved'; readonly change: Change }
  /** What it was left for has been taken back. */
  | { readonly kind: 'as-it-was' };

async function driveUntilSaved(
  watching: Watching,
  epoch: number | undefined,
  watch: FileWatch,
  args: Args,
  context: Context,
): Promise<Round> {
  const { runs, created, file } = watching;
  const { id: root } = created;
  const story = storyFromNow({ runs, root, context, wait: true });
  const { printer } = story;
  const leave = new AbortController();
  const over = new AbortController();
  let isDriven = true;
  const saves = listenToSaves(
    { runs, root, file, watch, printer, signal: over.signal, heard: (save) => isDriven && hear(save) },
    args,
    context,
  );
  try {
    const ended = await driveAndTell({
      runs,
      root,
      context,
      json: args.switches.json === true,
      ...(epoch !== undefined && { epoch }),
      wait: true,
      held: 'refuse',
      story,
      leave: leave.signal,
    });
    isDriven = false;
    if (isFinal(ended)) return { kind: 'left', code: printEnd(ended, context) };
    return await afterwards(ended);
  } finally {
    over.abort();
  }

  function hear({ kind }: Save): void {
    const running = printer.running();
    if (kind === 'change' && running.length > 0) {
      const steps = running.slice(0, 5).map(printable).join(', ');
      printer.remark(`saved  goes on with it when ${steps} ${running.length === 1 ? 'has' : 'have'} ended`, 'saved');
    }
    if (kind === 'change') leave.abort();
  }

  /** It is not driven now: until a save counts, or it is taken back. */
  async function afterwards(ended: Ended): Promise<Round> {
    let isTold = !leave.signal.aborted;
    if (isTold) tellEnd(ended);
    const isLeft = leave.signal.aborted && ended.row.endedAt === undefined;
    for (let wait = saves.quiet; ; wait = saves.next) {
      const stopped = await untilSignal(wait(), context);
      if (stopped !== undefined) return { kind: 'left', code: stopCode(stopped) };
      const save = saves.last();
      if (save?.kind === 'change') return { kind: 'saved', change: save.change };
      if (isLeft && save?.kind === 'same') return { kind: 'as-it-was' };
      if (!isLeft && !isTold) {
        isTold = true;
        tellEnd(ended);
      }
    }
  }

  function tellEnd(ended: Ended): void {
    const { stderr } = context;
    printEnd(ended, context);
    const name = printable(displayPath(file, context.cwd));
    const text = `watching  ${name}; a save goes on, Ctrl-C ends`;
    stderr.write(remarkText(text, stderr, { word: 'watching', color: 'cyan' }));
  }
}

/** Whatever is saved, this does not drive the run any more. */
function isFinal({ end, signal }: Ended): boolean {
  if (signal !== undefined) return true;
  return (
    end === undefined ||
    ['held', 'lost', 'deadly'].includes(end.kind) ||
    ('unsaved' in end && end.unsaved !== undefined)
  );
}

async function untilSignal(work: Promise<void>, context: Context): Promise<StopSignal | undefined> {
  let forget: (() => void) | undefined;
  const stopped = new Promise<StopSignal>((done) => {
    forget = context.onSignal?.(done);
  });
  try {
    return (await Promise.race([work, stopped])) ?? undefined;
  } finally {
    forget?.();
  }
}
