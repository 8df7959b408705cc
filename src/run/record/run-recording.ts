/** The recording of a run, whoever drives it: which case it is, what of its texts counts, and how it is recorded again. */
import { hash } from 'node:crypto';
import type { JournalEvent, Store } from '../../journal/index.ts';
import type { StepCommand } from '../../machine/index.ts';
import { displayPath } from '../../sys/index.ts';
import type { Clean } from '../clean.ts';
import { readRun, type StoredRun } from '../runs.ts';
import { recordBeside } from '../scripts.ts';
import { callOrder } from './exchange-order.ts';
import { openRecordFile } from './record-file.ts';
import { createRecorder, type RecordedCount, type Recorder } from './recorder.ts';
import type { ReplayOptions } from './replay.ts';
import { createStableText, type StableText } from './stable-text.ts';

export interface RecordingOptions {
  readonly store: Store;
  readonly run: StoredRun;
  /** From where messages name files. */
  readonly cwd: string;
  /** Where it works. */
  readonly folders: readonly string[];
  readonly clean: Clean;
}

export interface RunRecorder extends Pick<Recorder, 'wrap'> {
  readonly close: (isDone: boolean) => Promise<RecordedCount>;
}

export function openRecorder(options: RecordingOptions & { readonly path: string }): RunRecorder {
  const { path, cwd, run, store, clean } = options;
  const { wrap, close } = createRecorder({
    file: openRecordFile({ path, cwd, compare: callOrder(run.plan) }),
    input: caseOf(options),
    stable: stableTexts(options),
    clean,
  });
  return { wrap, close: (isDone) => close(isDone ? askedCalls(store.events(run.row.id)) : undefined) };
}

export function replayOptions(options: RecordingOptions): ReplayOptions {
  return { stable: stableTexts(options), input: caseOf(options), again: againText(options) };
}

/** Of the input: what is recorded for one is of no matter to another. In a session each input has its number. */
function caseOf({ store, run, folders }: RecordingOptions): string {
  const { plan, input } = run;
  let turn = 1;
  const seen = new Set<string>();
  for (let after = plan.activation?.after; after !== undefined && !seen.has(after); turn++) {
    seen.add(after);
    after = store.run(after) === undefined ? undefined : readRun(store, after).plan.activation?.after;
  }
  const stable = createStableText({ runs: [run.row.id], folders });
  const parts = [plan.name, plan.activation?.thunk ?? null, turn, stable(JSON.stringify(input))];
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 8);
}

/** By the folder that a command works in: most work in one. */
function stableTexts({ run, folders }: RecordingOptions): (command: StepCommand) => StableText {
  const known = new Map<string | undefined, StableText>();
  return ({ cwd }) => {
    let stable = known.get(cwd);
    if (stable === undefined) {
      stable = createStableText({ runs: [run.row.id], folders: [...folders, cwd] });
      known.set(cwd, stable);
    }
    return stable;
  };
}

function againText({ run, cwd }: RecordingOptions): string {
  const { row, plan, started } = run;
  const { file } = row;
  const { script } = started;
  const isBeside = file !== undefined && script === recordBeside(file);
  const into = isBeside || script === undefined ? '--record' : `--record=${displayPath(script, cwd)}`;
  if (file === undefined) return `To record it again, run it with ${into} and the same input.`;
  const thunk = plan.activation?.thunk;
  const name = displayPath(file, cwd);
  const what = thunk === undefined ? `run ${name}` : `invoke ${name} ${thunk}`;
  return `To record it again, with the same input: toolang ${what} ${into}`;
}

/**
 * The model calls of a run that have come to something. Undefined where results were kept or came from the cache: what was recorded
 * for those is still needed.
 */
function askedCalls(events: Iterable<JournalEvent>): ReadonlySet<string> | undefined {
  const calls = new Set<string>();
  for (const { node, body } of events) {
    if (body.kind !== 'handoff' && 'from' in body && body.from !== undefined) return undefined;
    if (node !== undefined && (body.kind === 'model.answered' || body.kind === 'model.failed')) calls.add(node);
  }
  return calls;
}
