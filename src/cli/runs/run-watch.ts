/**
 * `run FILE --watch`: drives a run, and goes on with what is saved. Only what a save changes is done again.
 * 1. A save is planned at once. With errors it is told and nothing else happens: what runs goes on as it is.
 * 2. Steps that run when a save counts are finished first; then a segment is opened and driven, unasked.
 * 3. A run that has ended is not the end of this: the next save goes on with it.
 */
import type { Change, CreatedRun } from '../../run/index.ts';
import { displayPath } from '../../sys/index.ts';
import { printable } from '../../text/index.ts';
import { changeLine } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context, StopSignal } from '../context.ts';
import { type ExitCode, stopCode } from '../exit.ts';
import { printProblems } from '../report.ts';
import { asStored, type Edit, editOf, hasOtherReplies } from './edit.ts';
import { driveAndTell, storyFromNow } from './follow.ts';
import { changeOf, heldError } from './go-on.ts';
import type { Printer } from './printer.ts';
import { remarkText } from './remark.ts';
import { type Ended, printEnd } from './result.ts';
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
  const watch = watchFiles(runs.engine.clock);
  watch.follow(files, since);
  try {
    for (let epoch = created.epoch; ; ) {
      const round = await driveUntilSaved(watching, epoch, watch, args, context);
      if (round.kind === 'left') return round.code;
      const { change } = round;
      const text = `edited  ${changeLine(changeOf(runs, root, change))}`;
      context.stderr.write(remarkText(text, context.stderr, { word: 'edited' }));
      const opened = await runs.engine.reopen(root, change);
      if (opened.kind === 'held') throw heldError(runs, root, opened.by, context);
      ({ epoch } = opened);
    }
  } finally {
    watch.close();
  }
}

type Round = { readonly kind: 'left'; readonly code: ExitCode } | { readonly kind: 'saved'; readonly change: Change };

async function driveUntilSaved(
  watching: Watching,
  epoch: number,
  watch: FileWatch,
  args: Args,
  context: Context,
): Promise<Round> {
  const { runs, created, file } = watching;
  const { id: root } = created;
  const { stderr } = context;
  const story = storyFromNow({ runs, root, context });
  const leave = new AbortController();
  const over = new AbortController();
  const name = printable(displayPath(file, context.cwd));
  let isDriven = true;
  const saved = nextChange(watching, watch, story.printer, over.signal, args, context).then((change) => {
    const running = story.printer.running();
    if (isDriven && running.length > 0) {
      const steps = running.slice(0, 5).map(printable).join(', ');
      story.printer.remark(
        `saved  goes on with it when ${steps} ${running.length === 1 ? 'has' : 'have'} ended`,
        'saved',
      );
    }
    leave.abort();
    return change;
  });
  // It is looked at below, where the run may have been left meanwhile.
  saved.catch(() => undefined);
  const json = args.switches.json === true;
  const wish = { runs, root, context, json, epoch, wait: true, held: 'refuse', story, leave: leave.signal } as const;
  try {
    const ended = await driveAndTell(wish);
    isDriven = false;
    if (!leave.signal.aborted || isFinal(ended)) {
      const code = printEnd(ended, context);
      if (isFinal(ended)) return { kind: 'left', code };
      stderr.write(
        remarkText(`watching  ${name}; a save goes on, Ctrl-C ends`, stderr, { word: 'watching', color: 'cyan' }),
      );
    }
    const change = await untilSignal(saved, context);
    return typeof change === 'string' ? { kind: 'left', code: stopCode(change) } : { kind: 'saved', change };
  } finally {
    over.abort();
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

async function untilSignal<T>(work: Promise<T>, context: Context): Promise<T | StopSignal> {
  let forget: (() => void) | undefined;
  const stopped = new Promise<StopSignal>((done) => {
    forget = context.onSignal?.(done);
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    forget?.();
  }
}

/** Waits for a save that changes something, and tells of those that cannot be gone on with. */
async function nextChange(
  { runs, created, file }: Watching,
  watch: FileWatch,
  printer: Printer,
  signal: AbortSignal,
  args: Args,
  context: Context,
): Promise<Change> {
  const { engine } = runs;
  const { id: root } = created;
  for (;;) {
    await watch.saved(signal);
    const since = Date.now();
    // What is told stands between the lines of progress.
    printer.pause();
    const edit = await readEdit();
    if (edit === undefined) continue;
    if (edit.workflow) watch.follow(edit.workflow.files, since);
    if (edit.kind === 'edited') return { ...edit.run, why: 'edit' };
    if (edit.kind === 'wrong' || edit.note !== undefined) {
      const why = edit.kind === 'wrong' ? `${displayPath(file, context.cwd)} has errors` : edit.note;
      const text = `saved  ${printable(why ?? '')}: waiting for the next save`;
      context.stderr.write(remarkText(text, context.stderr, { word: 'saved' }));
      continue;
    }
    const hasFailed = engine.store.run(root)?.status === 'failed';
    if (hasFailed && edit.workflow && hasOtherReplies(runs, root, edit.workflow)) {
      return { ...(await asStored(runs, root, context)), why: 'retry' };
    }
  }

  async function readEdit(): Promise<Edit | undefined> {
    try {
      return await editOf(runs, root, args, context);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      printProblems([{ message: error.message, ...(error.help !== undefined && { help: error.help }) }], context);
      return undefined;
    }
  }
}
