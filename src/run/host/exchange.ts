/**
 * One step on one host, from the owner's side: what is said to it, what it answers, and what that means for the step.
 * 1. It settles when the host has answered or ended, or when the time to end by itself is over; to end the host is the
 *    business of the pool.
 * 2. A host that ended before it read the step has done nothing of it. Where that cannot be told, it has begun: no step is
 *    ever done twice by itself.
 */
import type { Json, Outcome, RunError } from '../../machine/index.ts';
import type { Clock } from '../../sys/index.ts';
import type { StepContext } from '../execute.ts';
import type { HostEvent, HostProcess } from './process.ts';
import type { StepReport, StepWork, Thrown } from './protocol.ts';
import { type RunSpec, writtenPlace } from './step-code.ts';

export type Exchange =
  | { readonly kind: 'done'; readonly report: StepReport }
  /** `begun`: code of the step ran. */
  | { readonly kind: 'ended'; readonly begun: boolean; readonly how: string; readonly crash?: Thrown }
  /** It was told to end; a report that came in time is kept. */
  | { readonly kind: 'stopped'; readonly report?: StepReport };

export interface Stop {
  /** Resolves when the step has to end, with the reason. */
  readonly asked: Promise<string>;
  /** Resolves when that has to be now. */
  readonly now: Promise<void>;
}

/** How long a step may take to end by itself after it was told to. */
export const graceMs = 2000;

export async function exchange(host: HostProcess, work: StepWork, stop: Stop, clock: Clock): Promise<Exchange> {
  host.send({ step: work });
  /** It crashed of something else, and does nothing more. */
  let isRefused = false;
  let crash: Thrown | undefined;
  let stopped: Promise<'over'> | undefined;
  /** Made only for who is stopped: most are not, and every step pays for it. */
  let settled: AbortController | undefined;
  try {
    for (let next: Promise<HostEvent> | undefined; ; ) {
      next ??= host.next();
      const event: HostEvent | 'over' | { readonly stop: string } = await Promise.race([
        next,
        stopped ?? stop.asked.then((reason) => ({ stop: reason })),
      ]);
      if (event === 'over') return { kind: 'stopped' };
      if ('stop' in event) {
        host.send({ abort: event.stop });
        settled = new AbortController();
        const now = host.holds() || mayHold(work) ? stop.now.then(() => hurry(host)) : stop.now;
        stopped = Promise.race([clock.sleep(graceMs, settled.signal).catch(() => undefined), now]).then(() => 'over');
        continue;
      }
      next = undefined;
      if (event.kind === 'ended') {
        if (stopped) return { kind: 'stopped' };
        const begun = host.hasRead() && !isRefused;
        return { kind: 'ended', begun, how: event.how, ...(crash && { crash }) };
      }
      if (event.kind === 'crash') {
        if (event.id === work.id) crash ??= event.thrown;
        else if (event.id === undefined) isRefused = true;
      } else if (event.kind === 'done' && event.id === work.id) {
        return { kind: stopped ? 'stopped' : 'done', report: event };
      }
    }
  } finally {
    settled?.abort();
  }
}

/** Its services may be made for it. */
function mayHold({ action, uses }: StepWork): boolean {
  return uses !== undefined || action.kind === 'plugin' || action.kind === 'agent';
}

/** Only a host that is not busy can give back what its services hold. A matter of processes, whatever the clock says. */
function hurry({ hurryMs }: HostProcess): Promise<void> {
  return new Promise((over) => setTimeout(over, hurryMs));
}

/** How a step learns that it has to end: from its context, or from the end of the pool. */
export interface AskedStop extends Stop {
  /** Without time to end by itself. */
  readonly end: () => void;
  readonly forget: () => void;
}

export function stopOf({ signal, now: atOnce }: StepContext): AskedStop {
  let ask: (reason: string) => void = () => {};
  let hurry: () => void = () => {};
  const asked = new Promise<string>((resolve) => {
    ask = resolve;
  });
  const now = new Promise<void>((resolve) => {
    hurry = resolve;
  });
  // Most steps are never stopped: only those that are look whether there is time.
  const onAbort = () => {
    ask(typeof signal.reason === 'string' ? signal.reason : 'cancelled');
    if (atOnce?.aborted) hurry();
    else atOnce?.addEventListener('abort', hurry, { once: true });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    asked,
    now,
    end() {
      ask('cancelled');
      hurry();
    },
    forget() {
      signal.removeEventListener('abort', onAbort);
      atOnce?.removeEventListener('abort', hurry);
    },
  };
}

export function outcomeOf(report: StepReport, spec: RunSpec | undefined): Outcome {
  return 'thrown' in report ? { err: codeError(report.thrown, spec) } : { ok: report.ok as Json };
}

/** An exception. `spec`: of `run` code, whose places are told. */
export function codeError({ message, retryable, place, cause, causes }: Thrown, spec: RunSpec | undefined): RunError {
  const at = place && spec && writtenPlace(spec, place);
  return {
    code: 'code',
    message: at ? `${message} (line ${at.line}, column ${at.column} of the code)` : message,
    retryable,
    ...(at && { codeAt: at }),
    ...(cause && { cause: codeError(cause, undefined) }),
    ...(causes && { causes: causes.map((each) => codeError(each, undefined)) }),
  };
}

/** The process ended, and nobody threw anything. */
export function exitError(
  { how, begun }: { readonly how: string; readonly begun: boolean },
  printed: string,
): RunError {
  const memory = /^.*heap out of memory.*$/m.exec(printed)?.[0];
  const last = memory ?? printed.split('\n').slice(-5).join('\n');
  const what = how.startsWith('could') ? how : `ended ${how} before it ${begun ? 'was done' : 'began'}`;
  const why = memory === undefined ? '' : ': it ran out of memory';
  const said = last === '' ? '' : `. It printed last:\n${last}`;
  return { code: 'exit', message: `its process ${what}${why}${said}`, retryable: true };
}
