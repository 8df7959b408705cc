/** Drives a run, or follows one that somebody else drives, and tells what happens until there is nothing more to tell. */
import { hostname } from 'node:os';
import type { EventDraft, LeaseOwner, RunRow } from '../../journal/index.ts';
import { nodesOf, type WorkflowPlan } from '../../plan/index.ts';
import type { RunEnd } from '../../run/index.ts';
import { bootId } from '../../sys/index.ts';
import { displayWidth, painter, printable } from '../../text/index.ts';
import { shorten } from '../../view/index.ts';
import type { Context, StopSignal } from '../context.ts';
import { askPermissions } from './ask-permission.ts';
import { goneError } from './held.ts';
import { createPrinter, type Printer } from './printer.ts';
import { recordedText } from './recording.ts';
import { remarkText } from './remark.ts';
import { type Ended, ownerText } from './result.ts';
import { lineColumns } from './shown.ts';
import type { OpenRuns } from './stores.ts';
import { createSpeech, createVoice, type Speech, type Voice } from './voice.ts';

export interface DriveOptions {
  readonly runs: OpenRuns;
  readonly root: string;
  readonly context: Context;
  readonly json: boolean;
  /** Of a run that was just created. */
  readonly epoch?: number;
  readonly wait?: boolean;
  readonly again?: boolean;
  /** Where it is recorded from now on. */
  readonly record?: string | undefined;
  /** Aborted where it is to be left for a while: the steps that run are finished. */
  readonly leave?: AbortSignal;
  /** Where somebody else drives it: `refuse`, or tell what happens there, and take over what is left. */
  readonly held: 'refuse' | 'follow';
  /** Of a step that went well, and is all there is, only what it ends with is told. */
  readonly isTerse?: boolean;
  /** What was known before something was posted to it; otherwise what is known now. */
  readonly story?: Story;
}

/** What is told of a run, and up to where it is known. */
export interface Story {
  readonly printer: Printer;
  /** What is said of the answer itself. */
  readonly speech: Speech;
  readonly seen: Seen;
}

interface StoryOptions extends Pick<DriveOptions, 'runs' | 'root' | 'context' | 'isTerse' | 'wait'> {
  /** The question that is being answered. */
  readonly answered?: string;
}

/** Less of a name says nothing. */
const leastName = 10;
const pollMs = 100;
const watchMs = 500;
/** A run that nobody drives for so long is not just changing hands. */
const lostMs = 1500;

export async function driveAndTell(options: DriveOptions): Promise<Ended> {
  const { runs, root, json } = options;
  const { engine } = runs;
  const { store } = engine;
  const { printer, seen, speech } = options.story ?? storyFromNow(options);
  const stop = stopSignals(options, printer);
  const voice = json ? undefined : voiceOf(options, printer, speech);
  const deafen = voice && runs.listen(voice.hear);
  let { epoch } = options;
  try {
    for (;;) {
      const end = await engine.drive(root, {
        ...(epoch !== undefined && { epoch }),
        ...(options.wait && { wait: true }),
        ...(options.again && { again: true }),
        ...(options.record !== undefined && { record: options.record }),
        soft: options.leave ? AbortSignal.any([stop.soft, options.leave]) : stop.soft,
        hard: stop.hard,
        tell(message) {
          runs.hurry();
          if (message.kind === 'events') seen.told(message.events, message.last);
          else if (message.kind === 'stored') printer.remark('the store can be written again');
          else printer.remark(`nothing new begins: ${printable(message.message)}; tried again every second`);
        },
      });
      epoch = undefined;
      if (end.kind === 'waiting') {
        printer.pause();
        if (await askPermissions({ ...options, signal: stop.soft })) continue;
      }
      if (end.kind !== 'held') return ended(end);
      if (options.held === 'refuse') {
        const watched = isSeen(end.by) ? 'held' : await watchOwner(options, printer, stop.soft);
        if (watched === 'silent') continue;
        return ended(watched === 'held' ? end : { kind: 'stopped' });
      }
      const followed = await follow(options, printer, seen, stop.soft);
      // What was left for the owner that went is ours to do.
      if (followed !== 'left' || store.inbox(root).length === 0) return ended(undefined);
    }
  } finally {
    deafen?.();
    speech.rest();
    printer.pause();
    stop.forget();
  }

  function ended(end: RunEnd | undefined): Ended {
    const row = rowOf(options);
    const signal = stop.signal();
    const driven = end?.kind === 'held' || (end === undefined && engine.driver(root) !== undefined);
    const since = segmentAt(runs, row);
    const said = voice?.said();
    const recorded = runs.recorded();
    if (recorded) printer.remark(recordedText(recorded, options.context.cwd));
    const base = { row, short: runs.short(root), store: store.name, driven, json, ...(said !== undefined && { said }) };
    const unrecorded = recorded?.problem !== undefined && { unrecorded: true };
    return {
      ...base,
      ...unrecorded,
      ...(end && { end }),
      ...(signal && { signal }),
      ...(since !== undefined && { since }),
    };
  }
}

function voiceOf({ runs, root, context }: DriveOptions, printer: Printer, speech: Speech): Voice | undefined {
  const { plan } = runs.engine.read(root);
  return createVoice({ plan, root, stdout: context.stdout, speech, begin: printer.pause });
}

/** An owner on this machine is seen to live or not; of others there are only the heartbeats. */
function isSeen({ host, boot }: LeaseOwner): boolean {
  return host === hostname() && boot === bootId();
}

/** Until an owner that cannot be seen gives a sign of life, or none for so long that it has none. */
async function watchOwner(
  { runs, root }: Pick<DriveOptions, 'runs' | 'root'>,
  printer: Printer,
  stop: AbortSignal,
): Promise<'held' | 'silent' | 'stopped'> {
  const { store, clock, driver } = runs.engine;
  const first = store.lease(root);
  printer.remark(
    `it is driven ${ownerText(first?.owner)}, which cannot be seen from here: taken over when that is silent for a minute`,
  );
  for (;;) {
    if (driver(root) === undefined) return 'silent';
    const { epoch, at } = store.lease(root) ?? {};
    if (epoch !== first?.epoch || at !== first?.at) return 'held';
    if (stop.aborted) return 'stopped';
    await clock.sleep(watchMs, stop).catch(() => printer.pause());
  }
}

/** A story of which all that is in the store is known already. */
export function storyFromNow(options: StoryOptions): Story {
  const speech = createSpeech(options.context.stdout);
  const printer = printerOf(options, speech);
  const seen = createSeen(options, printer);
  seen.skip(options.answered);
  return { printer, seen, speech };
}

/** Only tells: for `watch`. */
export async function watchAndTell(options: Omit<DriveOptions, 'held' | 'wait'>): Promise<Ended> {
  const { runs, root, json } = options;
  const all: DriveOptions = { ...options, held: 'follow', wait: true };
  const printer = printerOf(all);
  const seen = createSeen(all, printer);
  const stop = stopSignals(all, printer, 'watch');
  try {
    await follow(all, printer, seen, stop.soft, 'watch');
  } finally {
    printer.pause();
    stop.forget();
  }
  const signal = stop.signal();
  const row = rowOf(options);
  const driven = runs.engine.driver(root) !== undefined;
  return { row, short: runs.short(root), store: runs.engine.store.name, driven, json, ...(signal && { signal }) };
}

/** Until the run is over, only people are awaited, or nobody drives it any more. */
async function follow(
  options: DriveOptions,
  printer: Printer,
  seen: Seen,
  stop: AbortSignal,
  /** Whether there is somebody to drive it when its owner goes. */
  mode: 'drive' | 'watch' = 'drive',
): Promise<'over' | 'waiting' | 'left' | 'stopped'> {
  const { runs, root, wait } = options;
  const { engine } = runs;
  const { store, clock } = engine;
  let leftAt: number | undefined;
  for (;;) {
    // In this order: what was taken from the inbox is in the row, and what led to the row is told.
    const isAsked = store.inbox(root).length > 0;
    const row = rowOf(options);
    seen.tell();
    if (row.endedAt !== undefined) return 'over';
    const isWaiting = row.status === 'waiting' && (row.waiting ?? []).every(({ kind }) => kind !== 'timer');
    // What was said to it has been heard, and now it asks again.
    if (isWaiting && !isAsked && !wait) return 'waiting';
    if (engine.driver(root) !== undefined) leftAt = undefined;
    else {
      if (isAsked && mode === 'drive') return 'left';
      leftAt ??= clock.now();
      if (!isWaiting && clock.now() - leftAt >= lostMs) return 'left';
    }
    if (stop.aborted) return 'stopped';
    await clock.sleep(pollMs, stop).catch(() => printer.pause());
  }
}

interface Seen {
  /** Tells what is new in the store. */
  readonly tell: () => void;
  /** Tells what the driver has just written, and before it what others wrote since. */
  readonly told: (events: readonly EventDraft[], last: number) => void;
  /** What is in the store needs no telling. */
  readonly skip: (answered?: string) => void;
}

function createSeen({ runs, root }: Pick<DriveOptions, 'runs' | 'root'>, printer: Printer): Seen {
  const { store } = runs.engine;
  let seq = 0;
  function* fresh(before = Number.POSITIVE_INFINITY) {
    for (const event of store.events(root, seq)) {
      if (event.seq >= before) return;
      seq = event.seq;
      yield event;
    }
  }
  return {
    tell: () => printer.tell(fresh()),
    told(events, last) {
      const first = last - events.length + 1;
      if (seq + 1 < first) printer.tell(fresh(first));
      printer.tell(events);
      seq = last;
    },
    skip: (answered) => printer.know(fresh(), answered),
  };
}

/** Ctrl-C once: no step begins any more; twice: what runs is ended. */
function stopSignals({ context }: DriveOptions, printer: Printer, mode: 'drive' | 'watch' = 'drive') {
  const soft = new AbortController();
  const hard = new AbortController();
  let received: StopSignal | undefined;
  const forget = context.onSignal?.((signal) => {
    received = signal;
    if (mode === 'watch') soft.abort();
    else if (!soft.signal.aborted && signal === 'SIGINT') {
      const running = printer.running();
      const after =
        running.length > 0 ? ` after the running steps (${running.slice(0, 5).map(printable).join(', ')})` : '';
      printer.remark(`stopping${after}; Ctrl-C again stops at once`, 'stopping');
      soft.abort();
    } else {
      printer.remark('stopping now', 'stopping now');
      soft.abort();
      hard.abort();
    }
  });
  return { soft: soft.signal, hard: hard.signal, signal: () => received, forget: () => forget?.() };
}

function printerOf({ runs, root, context, isTerse = false, wait = false }: StoryOptions, speech?: Speech): Printer {
  const planOf = () => runs.engine.read(root).plan;
  const now = () => runs.engine.clock.now();
  return createPrinter(context, namesIn(planOf()), now, runs.short(root), planOf, {
    isTerse,
    stays: wait,
    ...(speech && { speech }),
  });
}

/** The column of names is as wide as those of the plan; loops add their rounds. */
function* namesIn(plan: WorkflowPlan): Generator<string> {
  let count = 0;
  for (const { node, path } of nodesOf(plan)) {
    if (count++ > 1000) return;
    if (node.kind === 'step' || node.kind === 'approval') yield path.includes('/') ? `${path}[1]` : path;
  }
}

/** When a run that went on otherwise did so: how long it took before, and lay there, is another matter. */
function segmentAt({ engine }: OpenRuns, { root, segment }: RunRow): number | undefined {
  if (segment === undefined) return undefined;
  for (const { at } of engine.store.events(root, segment - 1)) return at;
  return undefined;
}

function rowOf({ runs, root, context }: Pick<DriveOptions, 'runs' | 'root' | 'context'>): RunRow {
  const row = runs.engine.store.run(root);
  if (row === undefined) throw goneError(root, context);
  return row;
}

/** The first line of a command about a run: `release · run 7f3a`. */
export function headLine(name: string, short: string, about: string, { stderr }: Context): string {
  const paint = painter(stderr.color);
  const cells = lineColumns(stderr);
  const run = ` · run ${short}`;
  const shown = shorten(name, Math.max(leastName, cells - displayWidth(run)));
  const head = `  ${paint.bold(shown)}${run}`;
  const room = cells - displayWidth(shown) - displayWidth(run) - 2;
  return about === '' || room < leastName ? head : `${head}  ${paint.dim(shorten(about, room))}`;
}

export function followNote(runs: OpenRuns, root: string, context: Context): void {
  const driver = runs.engine.driver(root);
  if (driver === undefined) return;
  context.stderr.write(remarkText(`it is driven ${ownerText(driver)}; this shows what happens there`, context.stderr));
}
