/**
 * What the engine and a host say to each other, as lines of JSON on a pipe of their own (descriptor 3 of the host), so that
 * nothing a module prints is taken for an answer.
 */
import type { Json } from '../../machine/index.ts';
import type { ModuleAnswer, ModuleImport, ModuleRequest, PluginImport } from '../../plan/index.ts';

/** To the host. */
export type HostWork =
  /** A module to describe; the next one is sent when this one is answered. */
  | { readonly module: ModuleWork }
  /** A step to do; the next one is sent when this one is done. */
  | { readonly step: StepWork }
  /** The step that is being done is told to end. */
  | { readonly abort: string }
  /** It is told to end: what its services hold is given back first. */
  | { readonly end: true };

export interface ModuleWork {
  readonly id: number;
  readonly request: ModuleRequest;
}

export interface StepWork {
  readonly id: number;
  readonly action: StepAction;
  /** What it may use of services and plugins. */
  readonly uses?: StepUses;
  /** What it reads; steps without a value are left out. */
  readonly args: StepArgs;
  /** Other steps can be asked for. */
  readonly asks: boolean;
  readonly runId: string;
  readonly attempt: number;
  readonly key: string;
  readonly cwd: string;
  /** The folder from which modules are named. */
  readonly folder: string;
}

export type StepAction = CodeAction | HandlerCall | PluginCall | AgentCall;

export interface StepUses {
  readonly services: readonly ModuleImport[];
  readonly plugins: readonly PluginImport[];
}

export interface CodeAction {
  readonly kind: 'run';
  /** An expression whose value is the function. */
  readonly text: string;
  /** The names of its parameters. */
  readonly names: readonly string[];
}

export interface HandlerCall {
  readonly kind: 'handler';
  readonly module: string;
  readonly name: string;
}

/** A node of a plugin. */
export interface PluginCall {
  readonly kind: 'plugin';
  readonly plugin: PluginImport;
  readonly type: string;
  readonly fields: Json;
  /** Whatever it returns is left out. */
  readonly silent: boolean;
}

/** A prompt for an agent of a plugin: what it gives is a text, and what that cost. */
export interface AgentCall {
  readonly kind: 'agent';
  readonly plugin: PluginImport;
  readonly type: string;
  readonly request: Json;
}

export interface StepArgs {
  readonly input: Json;
  readonly steps: Readonly<Record<string, Json>>;
  readonly params?: Json;
  readonly loop?: Json;
  readonly id?: Json;
}

/** From the host. */
export type HostReport =
  /** Once, before it reads: from now on it begins what it reads, so a step costs one report and wakes its owner once. */
  | { readonly kind: 'ready' }
  /** Comes before any code of that module runs, so that what happens next can be laid to it. */
  | { readonly kind: 'begin'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: ModuleAnswer }
  | StepReport
  /** Something was thrown where nobody could catch it. The host begins nothing more, and ends. `id`: of the step that it did. */
  | { readonly kind: 'crash'; readonly id?: number; readonly thrown: Thrown };

/**
 * `left`: the step left something running, or spoiled the host: it is not used again. `holds`: it has services that want to
 * be told of its end.
 */
export type StepReport = {
  readonly kind: 'done';
  readonly id: number;
  readonly left: boolean;
  readonly holds?: true;
} /** `reads`: the names of what it read, where it could read anything. */ & (
  | { readonly ok: Json; readonly reads?: readonly string[] }
  | { readonly thrown: Thrown }
);

/** What was thrown, as data. */
export interface Thrown {
  readonly message: string;
  readonly retryable: boolean;
  /** In the text of `run` code, from 1. */
  readonly place?: CodePlace;
  readonly cause?: Thrown;
  /** Of an error of several. */
  readonly causes?: readonly Thrown[];
}

export interface CodePlace {
  readonly line: number;
  readonly column: number;
}

/** The descriptor of the pipe in the host. */
export const hostPipe = 3;

/** A line longer than this is not an answer; what a step gives is at most half of it. */
const maxLine = 64 * 1024 * 1024;

export function writeWork(work: HostWork): string {
  return `${JSON.stringify(work)}\n`;
}

/** From the host. Users' code can write to its pipes, too: a line that it began is no part of this one. */
export function ownLine(json: string): string {
  return `\n${json}\n`;
}

export function writeReport(report: HostReport): string {
  return ownLine(JSON.stringify(report));
}

/** Cuts what arrives into lines. The given function gets each that is not empty, and `undefined` for one that never ends. */
export function lineReader(onLine: (line: string | undefined) => void, longest = maxLine): (chunk: string) => void {
  let parts: string[] = [];
  let length = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      parts.push(chunk.slice(start, end));
      const line = parts.join('');
      parts = [];
      length = 0;
      start = end + 1;
      if (line !== '') onLine(line);
    }
    if (start < chunk.length) parts.push(start === 0 ? chunk : chunk.slice(start));
    length += chunk.length - start;
    if (length > longest) {
      parts = [];
      length = 0;
      onLine(undefined);
    }
  };
}

/** Undefined for a line that is no report: modules can write to any descriptor, this one too. */
export function readReport(line: string): HostReport | undefined {
  let report: unknown;
  try {
    report = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof report !== 'object' || report === null || !('kind' in report)) return undefined;
  const { kind, id, answer, thrown, reads } = report as Partial<Record<ReportKey, unknown>>;
  if (kind === 'ready') return { kind };
  if (kind === 'crash') {
    if (!isThrown(thrown)) return undefined;
    return typeof id === 'number' ? { kind, id, thrown } : { kind, thrown };
  }
  if (typeof id !== 'number') return undefined;
  if (kind === 'begin') return { kind, id };
  if (kind === 'done') {
    const isGiven = 'ok' in report && (reads === undefined || isNames(reads));
    return isGiven || isThrown(thrown) ? (report as StepReport) : undefined;
  }
  if (kind !== 'answer' || typeof answer !== 'object' || answer === null || !('ok' in answer)) return undefined;
  return { kind, id, answer: answer as ModuleAnswer };
}

type ReportKey = 'kind' | 'id' | 'answer' | 'thrown' | 'reads';

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function isThrown(value: unknown): value is Thrown {
  if (typeof value !== 'object' || value === null) return false;
  const { message, cause, causes = [] } = value as Partial<Record<'message' | 'cause' | 'causes', unknown>>;
  if (typeof message !== 'string' || !Array.isArray(causes)) return false;
  return (cause === undefined || isThrown(cause)) && causes.every(isThrown);
}
