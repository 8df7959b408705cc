/**
 * Looks into users' modules without running them here: they are loaded by a child process (`main.ts`).
 * 1. All requests of one call share one host, so that modules share what they import. A module that ends or blocks its host
 *    takes nothing from the others: they go on in a new one.
 * 2. Blame is fair: a module that seems to have ended a host in which others were loaded before it is tried once more in a
 *    host of its own.
 * 3. Time is limited in all, that of starting hosts aside. While others wait, a module may use half of what is left.
 * 4. No process is left behind: the group of each host has ended before the call returns.
 */
import type { ModuleAnswer, ModuleLoader, ModuleRequest } from '../../plan/index.ts';
import { type Clock, quotePath, realClock } from '../../sys/index.ts';
import { type HostEvent, type HostProcess, hostEnvironment, startHost } from './process.ts';

export interface ModuleHostOptions {
  /** Where hosts start. */
  readonly cwd: string;
  /** For all modules of one call together. */
  readonly timeoutMs?: number;
  /** What hosts see of it is a short list of plain names. */
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
}

export interface ModuleHost extends ModuleLoader {
  /** Ends what is still running; calls that wait get their answers. */
  readonly close: () => Promise<void>;
}

/** To start a process is our affair, and no module's; a machine with much to do takes its time. */
const mostStartMs = 60_000;

interface Call {
  readonly requests: readonly ModuleRequest[];
  readonly answers: (ModuleAnswer | undefined)[];
  /** Moved by the time that hosts take to start. */
  deadline: number;
  readonly limit: string;
}

export function createModuleHost(options: ModuleHostOptions): ModuleHost {
  const { timeoutMs = 10_000, clock = realClock } = options;
  const env = hostEnvironment(options.env ?? process.env);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function describe(requests: readonly ModuleRequest[]): Promise<readonly ModuleAnswer[]> {
    const answers = requests.map(() => undefined);
    const call: Call = { requests, answers, deadline: clock.now() + timeoutMs, limit: seconds(timeoutMs) };
    for (let waiting = open(call); waiting.length > 0; waiting = open(call)) {
      const stop = closing.signal.aborted
        ? 'the check was ended'
        : clock.now() >= call.deadline
          ? `the ${call.limit} for all modules were used up`
          : undefined;
      if (stop !== undefined) for (const id of waiting) fail(call, id, `was not loaded: ${stop}`);
      else await oneHost(waiting, call);
    }
    return call.answers as ModuleAnswer[];
  }

  async function oneHost(ids: readonly number[], call: Call): Promise<void> {
    let host: HostProcess;
    try {
      host = startHost({ cwd: options.cwd, env });
    } catch (error) {
      for (const id of ids) fail(call, id, `could not be loaded: no host starts (${String(error)})`);
      return;
    }
    const started = clock.now();
    try {
      await listen(host, ids, call, started);
    } finally {
      await host.end();
    }
  }

  /** Until every module has its answer, or the host is of no more use. */
  async function listen(host: HostProcess, ids: readonly number[], call: Call, started: number): Promise<void> {
    let isStarting = true;
    // One at a time: what is printed until its answer was read is its own.
    const send = (id: number | undefined) => {
      if (id !== undefined) host.send({ module: { id, request: call.requests[id] as ModuleRequest } });
    };
    send(ids[0]);
    let current: number | undefined;
    let crash: string | undefined;
    let done = 0;
    while (done < ids.length) {
      const left = isStarting ? mostStartMs : call.deadline - clock.now();
      const others = done < ids.length - 1;
      const event = await within(host.next(), current !== undefined && others ? left / 2 : left);
      if (event === 'late') {
        if (current !== undefined && !closing.signal.aborted) await failLate(host, call, current);
        return;
      }
      if (isStarting) call.deadline += clock.now() - started;
      isStarting = false;
      if (event.kind === 'begin') current = event.id;
      else if (event.kind === 'answer') {
        const printed = await host.printed();
        call.answers[event.id] = event.answer.ok ? event.answer : withPrinted(event.answer, printed);
        current = undefined;
        done++;
        send(ids[done]);
      } else if (event.kind === 'crash') crash ??= event.thrown.message;
      else if (event.kind === 'ended') {
        await judge(event, { host, ids, call, done, current, crash });
        return;
      }
    }
  }

  /** A host has ended by itself: whose fault it was, if that can be said. */
  async function judge(
    event: Extract<HostEvent, { kind: 'ended' }>,
    at: {
      host: HostProcess;
      ids: readonly number[];
      call: Call;
      done: number;
      current?: number | undefined;
      crash?: string | undefined;
    },
  ): Promise<void> {
    // Others were loaded before: what they left running may have done it.
    if (at.done > 0) return;
    const printed = await at.host.printed();
    if (at.current === undefined) {
      const why = `could not be loaded: the host ended ${event.how} before it began`;
      for (const id of at.ids) fail(at.call, id, why, undefined, printed);
    } else if (at.crash !== undefined) {
      fail(at.call, at.current, `threw where nothing catches it: ${at.crash}`, undefined, printed);
    } else {
      const help = event.exit
        ? 'A module must not end the process that imports it: move process.exit into a function.'
        : undefined;
      fail(at.call, at.current, `ended its process ${event.how} while it was loaded`, help, printed);
    }
  }

  async function failLate(host: HostProcess, call: Call, id: number): Promise<void> {
    const help =
      call.requests[id]?.as === 'plugin'
        ? 'Look for a loop or an await that never ends, in the function of the plugin and at the top level of the module.'
        : 'Look for a loop or an await at the top level of the module that never ends.';
    fail(
      call,
      id,
      `was not loaded in time (${call.limit} for all modules), and was stopped`,
      help,
      await host.printed(),
    );
  }

  async function within(event: Promise<HostEvent>, ms: number): Promise<HostEvent | 'late'> {
    const timer = new AbortController();
    const signal = AbortSignal.any([timer.signal, closing.signal]);
    const late = clock.sleep(ms, signal).then(
      () => 'late' as const,
      () => 'late' as const,
    );
    try {
      return await Promise.race([event, late]);
    } finally {
      timer.abort();
    }
  }

  return {
    async describe(requests) {
      const call = describe(requests);
      running.add(call);
      try {
        return await call;
      } finally {
        running.delete(call);
      }
    },
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}

function open(call: Call): number[] {
  return call.answers.flatMap((answer, id) => (answer === undefined ? [id] : []));
}

function fail(call: Call, id: number, what: string, help?: string, printed = ''): void {
  const message = `${quotePath(call.requests[id]?.specifier ?? '')} ${what}`;
  call.answers[id] = withPrinted({ ok: false, message, ...(help !== undefined && { help }) }, printed);
}

function withPrinted(answer: Extract<ModuleAnswer, { ok: false }>, printed: string): ModuleAnswer {
  if (printed === '') return answer;
  const help = `${answer.help === undefined ? '' : `${answer.help}\n`}What was printed last:\n${printed}`;
  return { ...answer, help };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}
