/**
 * Finds the script that answers for an agent: `--script FILE` for all of a run, else the own one of a scripted agent, else
 * the one beside the sub-workflow that has the agent, else the one beside the workflow. Who names a model of a
 * provider, is a program, or one of a plugin, is asked itself: only `--script` answers for it.
 * A run keeps the files that it was begun with, so nothing that becomes of them later changes it.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { AgentImage } from '../agent/index.ts';
import { type Recording, readScript, recordingOf, type Script, type TextRead } from '../model/index.ts';
import {
  type AgentSpec,
  nodesOf,
  type Place,
  type PluginImport,
  splitExport,
  type WorkflowPlan,
} from '../plan/index.ts';
import { displayPath, quotePath, readTextFile } from '../sys/index.ts';
import { createSource, type Diagnostic, positionAt } from '../text/index.ts';
import { asksProgram, asksProvider, isScripted, thunkModels } from './agent-type.ts';

/** Of an agent, what a script depends on. */
export interface ScriptAgent {
  readonly name: string;
  readonly type: string;
  readonly fields: { readonly [name: string]: unknown };
  /** Of a sub-workflow: its file, from the folder of the root file. */
  readonly workflow?: string;
  readonly plugin?: PluginImport;
}

export type ScriptFound =
  | {
      readonly kind: 'script';
      readonly script: Script;
      /** Tells the scripts of one run apart, wherever it is resumed from: a path does not. */
      readonly key: string;
      readonly readText: (path: string) => Promise<TextRead>;
    }
  /** It answers what it was asked when it was recorded. */
  | { readonly kind: 'recording'; readonly recording: Recording }
  /** Nothing answers for this agent but itself. */
  | { readonly kind: 'none' }
  | { readonly kind: 'problem'; readonly message: string };

export type ScriptFor = (agent: ScriptAgent, runId: string) => Promise<ScriptFound>;

export interface ScriptsOptions {
  /** Of `--script`: it answers for every model. */
  readonly script?: string;
  /** The workflow file that a run was started from, absolute; programs have none. */
  readonly fileOf: (runId: string) => string | undefined;
  /** From where messages name files. */
  readonly cwd: string;
  /** The texts that the run was begun with, by absolute paths. Without it files are read as they are now. */
  readonly kept?: (path: string) => string | undefined;
  /** `script` is a recording, and answers as one. */
  readonly replay?: boolean;
}

export interface ScriptPlace {
  /** Of `--script`, absolute. */
  readonly script: string | undefined;
  /** Of the workflow, absolute. */
  readonly file: string | undefined;
  /** Where files are of a workflow that is no file. */
  readonly cwd: string;
}

/** A file that answers for an agent, there or not; `isStandIn`: for one that nobody can ask here. */
export interface ScriptPath {
  readonly path: string;
  readonly key: string;
  readonly isStandIn: boolean;
}

/** The files that answer for the models of a plan, and the agents that nobody answers for, in written order. */
export function scriptsOf(plan: WorkflowPlan, place: ScriptPlace): PlanScripts {
  const scripts = new Map<string, ScriptPath>();
  // Also where nobody asks a model: it was meant for something.
  if (place.script !== undefined) scripts.set(place.script, { path: place.script, key: '', isStandIn: true });
  const left: PlacedAgent[] = [];
  const programs: PlacedAgent[] = [];
  const asked: PlacedAgent[] = [];
  const known = new Set<ScriptAgent>();
  for (const { node, plan: own } of nodesOf(plan)) {
    const spec = node.kind === 'step' && node.action.kind === 'prompt' ? own.agents[node.action.agent] : undefined;
    if (spec === undefined || known.has(spec)) continue;
    if (spec.plugin === undefined) known.add(spec);
    const at = spec.at ?? node.at;
    for (const agent of askersOf(spec)) {
      const found = chosen(agent, place, existsSync);
      if (found === undefined && agent.plugin !== undefined) continue;
      known.add(spec);
      if (found === undefined) (asksProvider(agent) ? asked : asksProgram(agent) ? programs : left).push({ agent, at });
      else if (!scripts.get(found.path)?.isStandIn) scripts.set(found.path, found);
    }
  }
  return { scripts: [...scripts.values()], left, asked, programs, isAsked: known.size > 0 };
}

/** Who asks models for an agent: itself, or each of its thunks, those that ask the same ones once. */
export function askersOf(agent: AgentSpec): readonly ScriptAgent[] {
  if (agent.image === undefined) return [agent];
  const { thunks } = agent.image as unknown as AgentImage;
  const askers = new Map<string, ScriptAgent>();
  for (const { models } of Object.values(thunks)) {
    const { image: _, ...rest } = agent;
    askers.set(models.join(), { ...rest, fields: { ...agent.fields, models } });
  }
  return [...askers.values()];
}

export interface PlanScripts {
  readonly scripts: readonly ScriptPath[];
  /** Agents that nobody answers for. */
  readonly left: readonly PlacedAgent[];
  /** Agents that ask a provider. */
  readonly asked: readonly PlacedAgent[];
  /** Agents that are programs of others. */
  readonly programs: readonly PlacedAgent[];
  /** Whether there are models at all. */
  readonly isAsked: boolean;
}

export interface PlacedAgent {
  readonly agent: ScriptAgent;
  readonly at: Place | undefined;
}

/** Undefined where there is none, and the agent does not have to have one or could not say which. */
function chosen(
  agent: ScriptAgent,
  { script, file, cwd }: ScriptPlace,
  exists: (path: string) => boolean,
): ScriptPath | undefined {
  const isStandIn = agent.type !== 'scripted';
  if (script !== undefined) return { path: script, key: '', isStandIn: true };
  if (agent.plugin !== undefined || asksProvider(agent) || asksProgram(agent)) return undefined;
  const ofThunk = besideThunk(agent, file === undefined ? cwd : dirname(file));
  if (ofThunk !== undefined && exists(ofThunk.path)) return ofThunk;
  const own = isStandIn ? undefined : agent.fields.script;
  if (typeof own === 'string') {
    return { path: resolve(file === undefined ? cwd : dirname(file), own), key: own, isStandIn };
  }
  if (file === undefined) return undefined;
  const inner = agent.workflow === undefined ? undefined : scriptBeside(resolve(dirname(file), agent.workflow));
  const of = (path: string): ScriptPath => {
    return { path, key: path === inner ? (agent.workflow ?? '').replace(ending, scriptEnding) : '', isStandIn };
  };
  if (inner !== undefined && exists(inner)) return of(inner);
  const beside = scriptBeside(file);
  if (exists(beside)) return of(beside);
  if (ofThunk !== undefined) return ofThunk;
  return isStandIn ? undefined : of(inner ?? beside);
}

/** `./reviewer.too#review` → `reviewer.script.toon`, where its thunk is scripted. */
function besideThunk({ type, fields }: ScriptAgent, folder: string): ScriptPath | undefined {
  if (type !== 'too' || typeof fields.use !== 'string' || !isScripted(thunkModels(fields))) return undefined;
  const [source] = splitExport(fields.use);
  return { path: scriptBeside(resolve(folder, source)), key: scriptBeside(source), isStandIn: true };
}

/** Each file is read once. */
export function createScripts({ script, fileOf, cwd, kept, replay = false }: ScriptsOptions): ScriptFor {
  const read = new Map<string, Promise<ScriptFound>>();
  /** Every call asks, and agents are many things: by what counts. */
  const choices = new Map<string, ScriptPath | undefined>();
  const exists = kept ? (path: string) => kept(path) !== undefined : existsSync;
  const readFile = kept ? keptReader(kept) : readTextFile;

  function choose(agent: ScriptAgent, file: string | undefined): ScriptPath | undefined {
    const { script: own, use, models } = agent.fields;
    const id = JSON.stringify([file, agent.type, agent.workflow, own, use, models]);
    if (choices.has(id)) return choices.get(id);
    const all = script === undefined ? undefined : resolve(cwd, script);
    const found = chosen(agent, { script: all, file, cwd }, exists);
    choices.set(id, found);
    return found;
  }

  return async (agent, runId) => {
    const found = choose(agent, fileOf(runId));
    if (found === undefined) {
      if (agent.type !== 'scripted') return { kind: 'none' };
      return problem(`the agent "${agent.name}" is scripted, and no file says its replies: give it "script: FILE"`);
    }
    const { path, key } = found;
    const id = `${key}\n${path}`;
    const isOwn = script !== undefined || agent.fields.script !== undefined;
    const missing = isOwn
      ? ''
      : ` The agent "${agent.name}" is scripted: write the file, or name one with --script FILE.`;
    const known = read.get(id) ?? load(path, { cwd, missing, key, readFile, replay });
    read.set(id, known);
    return known;
  };
}

type ReadFile = (path: string) => ReturnType<typeof readTextFile>;

function keptReader(kept: (path: string) => string | undefined): ReadFile {
  return async (path) => {
    const text = kept(path);
    if (text !== undefined) return { ok: true, text };
    const message = `${quotePath(path)} was not there when the run began.`;
    return { ok: false, problem: { kind: 'missing', message } };
  };
}

const ending = /\.[^./\\]*$/;
const scriptEnding = '.script.toon';

/** `release.toon` → `release.script.toon`. */
export function scriptBeside(file: string): string {
  return beside(file, scriptEnding);
}

/** `release.toon` → `release.record.toon`. */
export function recordBeside(file: string): string {
  return beside(file, '.record.toon');
}

function beside(file: string, end: string): string {
  return join(dirname(file), `${basename(file).replace(ending, '')}${end}`);
}

async function load(
  path: string,
  {
    cwd,
    missing,
    key,
    readFile,
    replay,
  }: {
    readonly cwd: string;
    readonly missing: string;
    readonly key: string;
    readonly readFile: ReadFile;
    readonly replay: boolean;
  },
): Promise<ScriptFound> {
  const name = displayPath(path, cwd);
  const what = replay ? 'recording' : 'script';
  const file = await readFile(path);
  if (!file.ok) {
    const reason = file.problem.message.replace(path, name);
    return problem(`the ${what} cannot be read: ${reason}${file.problem.kind === 'missing' ? missing : ''}`);
  }
  const { script, diagnostics } = readScript(createSource(name, file.text));
  if (script === undefined) return problem(`the ${what} has errors:\n${listed(diagnostics)}`);
  if (replay) return { kind: 'recording', recording: recordingOf(script) };
  return {
    kind: 'script',
    script,
    key,
    async readText(other) {
      const from = resolve(dirname(path), other);
      const text = await readFile(from);
      return text.ok
        ? { ok: true, text: text.text }
        : { ok: false, message: text.problem.message.replace(from, displayPath(from, cwd)) };
    },
  };
}

const mostErrors = 5;

function listed(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const lines = errors.slice(0, mostErrors).map(({ source, span, code, message }) => {
    const { line, column } = positionAt(source, span.start);
    return `${source.name}:${line}:${column} ${code} ${message}`;
  });
  const more = errors.length - mostErrors;
  return (more > 0 ? [...lines, `… and ${more} more`] : lines).join('\n');
}

function problem(message: string): ScriptFound {
  return { kind: 'problem', message };
}
