/**
 * A host as its owner sees it: a child process in a group of its own, its reports one after the other, and the end of what
 * it printed. Of our environment it sees what it is given, and nothing else.
 */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { StepValues } from '../../machine/index.ts';
import { endGroup, processMark, spawnGroup, systemCode } from '../../sys/index.ts';
import { type HostReport, type HostWork, hostPipe, lineReader, readReport, writeWork } from './protocol.ts';
import { answerValues, valuePipe } from './values.ts';

export interface HostProcess {
  /** It leads a group of this number; undefined if it could not be started. */
  readonly pid: number | undefined;
  /** Resolves when it begins what it is sent, or has ended. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended, by itself or not. */
  readonly over: Promise<void>;
  /** The next report; after `ended` there is none. */
  readonly next: () => Promise<HostEvent>;
  readonly send: (work: HostWork) => void;
  /** What the next step may ask for. */
  readonly serve: (values: StepValues | undefined) => void;
  /**
   * Whether all that was sent has been read, as far as the system tells when a host ends: Linux says what was left. False
   * for one that never was ready.
   */
  readonly hasRead: () => boolean;
  /** Its services hold something, which they give back when it is told to end. */
  readonly holds: () => boolean;
  /** For so long a step is waited for that has to end now, so that its services can do so. */
  readonly hurryMs: number;
  /** The end of what was printed since the last call, for people. */
  readonly printed: () => Promise<string>;
  /**
   * Ends it with everything it started. `thorough`: also what left its group, for which all processes are looked at; where
   * that can be told (`process-mark.ts`).
   */
  readonly end: (thorough?: boolean) => Promise<void>;
}

export type HostEvent = HostReport | { readonly kind: 'ended'; readonly how: string; readonly exit: boolean };

/** Names that programs need to run at all, and that hold no secrets. On Windows letter case does not count. */
const passed = new Set([
  ...['PATH', 'HOME', 'TMPDIR', 'TMP', 'TEMP', 'LANG', 'LANGUAGE', 'TZ', 'NODE_PATH'],
  ...['USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
]);

const graceMs = 200;
const turnsToRead = process.platform === 'win32' ? 2 : 1;

/** For modules that are looked into: a few plain names, because what they do not see they cannot leak. */
export function hostEnvironment(env: NodeJS.ProcessEnv, platform = process.platform): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const known = platform === 'win32' ? name.toUpperCase() : name;
    if (value !== undefined && (passed.has(known) || /^LC_[A-Z]+$/.test(known))) out[name] = value;
  }
  return out;
}

export interface StartOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** How many characters of what was printed are kept. */
  readonly printedChars?: number;
  /** How long its services have to give back what they hold, when it ends. */
  readonly closeMs?: number;
}

export function startHost(options: StartOptions): HostProcess {
  const { closeMs = 2000 } = options;
  const child = spawnGroup(process.execPath, hostArguments(import.meta.url), {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const mark = child.pid === undefined ? undefined : processMark(child.pid);
  const events: HostEvent[] = [];
  let wake: (() => void) | undefined;
  const tell = (event: HostEvent) => {
    events.push(event);
    wake?.();
  };
  const pipe = child.stdio[hostPipe] as Socket;
  let isReady = false;
  let begin = () => {};
  const ready = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let isUnread = false;
  /** The step that was sent last: what is no report comes from its code. */
  let step: number | undefined;
  let isDoing = false;
  /** Its services want to be told of its end. */
  let holds = false;
  let isClosing = false;
  const read = lineReader((line) => {
    const report = line === undefined ? undefined : readReport(line);
    if (report === undefined) tell(noReport(step));
    else if (report.kind === 'ready') {
      isReady = true;
      begin();
    } else {
      if (report.kind === 'done') {
        isDoing = false;
        holds = report.holds === true;
      }
      // Nothing is done any more that could fail of it: whoever runs us is told.
      if (isClosing && report.kind === 'crash') warn(report.thrown.message);
      tell(report);
    }
  });
  pipe.setEncoding('utf8');
  pipe.on('data', read);
  // A host that ends breaks the pipe; how it ended is told by its exit.
  pipe.on('error', (error) => {
    const code = systemCode(error);
    if (code === 'EPIPE' || code === 'ECONNRESET') isUnread = true;
  });
  let values: StepValues | undefined;
  answerValues(child.stdio[valuePipe] as Socket, () => values);
  const output = captured(child, options.printedChars ?? 1200);
  let ended = false;
  let leave = () => {};
  const over = new Promise<void>((resolve) => {
    leave = resolve;
  });
  child.on('error', (error) => {
    ended = true;
    begin();
    leave();
    tell({ kind: 'ended', how: `could not be started: ${error.message}`, exit: false });
  });
  child.on('exit', (code, signal) => {
    ended = true;
    begin();
    leave();
    // Its last reports may still be on their way.
    const last = () =>
      tell({ kind: 'ended', how: signal ? `by ${signal}` : `with code ${code}`, exit: signal === null });
    if (pipe.destroyed || pipe.readableEnded) last();
    else pipe.once('close', last);
  });
  return {
    pid: child.pid,
    ready,
    over,
    async next() {
      while (events.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return events.shift() as HostEvent;
    },
    send(work) {
      if ('step' in work) {
        step = work.step.id;
        isDoing = true;
      }
      pipe.write(writeWork(work));
    },
    serve(next) {
      values = next;
    },
    hasRead: () => isReady && !isUnread,
    holds: () => holds,
    hurryMs: closeMs / 10,
    printed: output,
    async end(thorough = false) {
      // One that is stuck in a step would not hear of it.
      if (holds && !isDoing && !ended) {
        isClosing = true;
        pipe.write(writeWork({ end: true }));
        const late = new AbortController();
        const timer = setTimeout(() => late.abort(), closeMs);
        await Promise.race([over, new Promise((resolve) => late.signal.addEventListener('abort', resolve))]);
        clearTimeout(timer);
      }
      pipe.destroy();
      if (child.pid === undefined) return;
      const exit = ended ? undefined : new Promise((resolve) => child.once('exit', resolve));
      await endGroup(child.pid, { graceMs, mark: thorough ? mark : undefined });
      await exit;
    },
  };
}

/**
 * Built, the entry is `host.js` beside the programs, and this code is in one of them or in `chunks/`. From source only tests
 * of this repository run: they bundle an entry from the same sources, and say where it is (`test/global-setup.ts`).
 */
export function hostArguments(here: string): string[] {
  if (!here.endsWith('.ts'))
    return [fileURLToPath(new URL(/\/chunks\/[^/]+$/.test(here) ? '../host.js' : './host.js', here))];
  const bundled = process.env.TOOLANG_TEST_HOST;
  if (bundled === undefined) throw new Error('hosts run from source in tests only: TOOLANG_TEST_HOST is not set');
  return [bundled];
}

function warn(message: string): void {
  process.emitWarning(`a service could not give back what it holds: ${message}`, 'ToolangWarning');
}

function noReport(id: number | undefined): HostEvent {
  const thrown = { message: 'it wrote to the pipe of its host', retryable: true };
  return id === undefined ? { kind: 'crash', thrown } : { kind: 'crash', id, thrown };
}

/** Keeps the end of both streams, in the order in which it arrives. */
function captured(child: ChildProcess, chars: number): () => Promise<string> {
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (chunk: string) => {
      tail = (tail + chunk.slice(-2 * chars)).slice(-2 * chars);
    });
    stream?.on('error', () => {});
  }
  return async () => {
    // What was printed before a report is with the system, and may not have been read yet. Whoever is told that the report
    // is there is told in the same turn that this is; only Windows reads in an order of its own.
    for (let turn = 0; turn < turnsToRead; turn++) await new Promise((next) => setImmediate(next));
    const text = tail;
    tail = '';
    return text === '' ? '' : presentable(text, chars);
  };
}

function presentable(text: string, chars: number): string {
  const plain = text
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();
  return plain.length > chars ? `…${plain.slice(-chars)}` : plain;
}
