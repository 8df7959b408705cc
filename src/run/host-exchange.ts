/**
 * One step on one host, from the owner's side: what is said to it, what it answers, and what that means for the step.
 * 1. It settles when the host has answered or ended, or when the time to end by itself is over; to end the host is the
 *    business of the pool.
 * 2. A host that ended before it began has done nothing of the step.
 */
import type { Json, Outcome, RunError } from '../machine/index.ts';
import type { Clock } from '../sys/index.ts';
import type { HostEvent, HostProcess } from './host-process.ts';
import type { StepReport, StepWork, Thrown } from './host-protocol.ts';
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
  let begun = false;
  let crash: Thrown | undefined;
  let stopped: Promise<'over'> | undefined;
  /** Made only for who is stopped: most are not, and every step pays for it. */
  let settled: AbortController | undefined;
  try {
    for (let next = host.next(); ; ) {
      const event: HostEvent | 'over' | { readonly stop: string } = await Promise.race([
        next,
        stopped ?? stop.asked.then((reason) => ({ stop: reason })),
      ]);
      if (event === 'over') return { kind: 'stopped' };
      if ('stop' in event) {
        host.send({ abort: event.stop });
        settled = new AbortController();
        stopped = Promise.race([clock.sleep(graceMs, settled.signal).catch(() => undefined), stop.now]).then(
          () => 'over',
        );
        continue;
      }
      next = host.next();
      if (event.kind === 'ended') {
        if (stopped) return { kind: 'stopped' };
        return { kind: 'ended', begun, how: event.how, ...(crash && { crash }) };
      }
      if (event.kind === 'crash') {
        if (begun) crash ??= event.thrown;
      } else if (event.id !== work.id) continue;
      else if (event.kind === 'begin') begun = true;
      else if (event.kind === 'done') return { kind: stopped ? 'stopped' : 'done', report: event };
    }
  } finally {
    settled?.abort();
  }
}

export function outcomeOf(report: StepReport, spec: RunSpec | undefined): Outcome {
  return 'thrown' in report ? { err: codeError(report.thrown, spec) } : { ok: report.ok as Json };
}

/** An exception. `spec`: of `run` code, whose places are told. */
export function codeError({ message, retryable, place, cause }: Thrown, spec: RunSpec | undefined): RunError {
  const at = place && spec && writtenPlace(spec, place);
  return {
    code: 'code',
    message: at ? `${message} (line ${at.line}, column ${at.column} of the code)` : message,
    retryable,
    ...(at && { codeAt: at }),
    ...(cause && { cause: codeError(cause, undefined) }),
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
