/**
 * What is saved while a run is watched, one save after the other.
 * 1. Every save is planned at once and told where it cannot be gone on with. The last one counts, whatever came before it:
 *    a text that is in no file any more is never run.
 * 2. A save that changes nothing is told only to those who would wait otherwise: after errors, or a run that has failed.
 */
import type { Change } from '../../run/index.ts';
import { displayPath } from '../../sys/index.ts';
import { printable } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { printProblems } from '../report.ts';
import { asStored, type Edit, editOf, hasOtherReplies } from './edit.ts';
import type { Printer } from './printer.ts';
import { remarkText } from './remark.ts';
import { command } from './result.ts';
import type { OpenRuns } from './stores.ts';
import type { FileWatch } from './watch-files.ts';

export type Save =
  | { readonly kind: 'change'; readonly change: Change }
  /** As the run is. */
  | { readonly kind: 'same' }
  /** It cannot be gone on with, which was told. */
  | { readonly kind: 'wrong' };

export interface Saves {
  /** The last one that was looked at. */
  readonly last: () => Save | undefined;
  /** Resolves when all that was saved was looked at. */
  readonly quiet: () => Promise<void>;
  /** Resolves with the next one. */
  readonly next: () => Promise<void>;
}

export interface SavesWish {
  readonly runs: OpenRuns;
  readonly root: string;
  /** The file of the workflow. */
  readonly file: string;
  readonly watch: FileWatch;
  readonly printer: Printer;
  /** Ends the listening. */
  readonly signal: AbortSignal;
  readonly heard: (save: Save) => void;
}

export function listenToSaves(wish: SavesWish, args: Args, context: Context): Saves {
  const { runs, root, file, watch, printer, signal } = wish;
  const { stderr } = context;
  const name = printable(displayPath(file, context.cwd));
  let last: Save | undefined;
  let waiters: (() => void)[] = [];
  const listening = listen();
  // Whoever waits is told.
  listening.catch(() => undefined);

  return {
    last: () => last,
    next,
    async quiet() {
      while (!watch.isQuiet()) await next();
    },
  };

  function next(): Promise<void> {
    const heard = new Promise<void>((done) => waiters.push(done));
    return Promise.race([heard, listening]);
  }

  async function listen(): Promise<void> {
    for (;;) {
      await watch.saved(signal);
      const since = Date.now();
      // What is told stands between the lines of progress.
      printer.pause();
      const before = last;
      last = await look(since, before);
      wish.heard(last);
      const heard = waiters;
      waiters = [];
      for (const done of heard) done();
    }
  }

  async function look(since: number, before: Save | undefined): Promise<Save> {
    try {
      const edit = await editOf(runs, root, args, context, 'workflow');
      if (edit.workflow) watch.follow(edit.workflow.files, since);
      if (edit.kind === 'edited') return { kind: 'change', change: { ...edit.run, why: 'edit' } };
      if (edit.kind === 'wrong' || edit.isGone === true) {
        tell(`${name} ${edit.kind === 'wrong' ? 'has errors' : 'is gone'}: waiting for the next save`);
        return { kind: 'wrong' };
      }
      return await sameOrRetry(edit, before);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      printProblems([{ message: error.message, ...(error.help !== undefined && { help: error.help }) }], context);
      tell('waiting for the next save');
      return { kind: 'wrong' };
    }
  }

  async function sameOrRetry({ workflow }: Edit, before: Save | undefined): Promise<Save> {
    const hasFailed = runs.engine.store.run(root)?.status === 'failed';
    if (hasFailed && workflow && hasOtherReplies(runs, root, workflow)) {
      return { kind: 'change', change: { ...(await asStored(runs, root, context)), why: 'retry' } };
    }
    if (hasFailed) {
      tell('nothing was changed. To try again what failed, from another terminal:');
      stderr.write(`      ${command(context, 'retry', runs.short(root))}\n`);
    } else if (before !== undefined && before.kind !== 'same') tell(`${name} is as the run is`);
    return { kind: 'same' };
  }

  function tell(text: string): void {
    stderr.write(remarkText(`saved  ${text}`, stderr, { word: 'saved' }));
  }
}
