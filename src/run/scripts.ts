/**
 * Finds the script that answers for an agent: `--script FILE` for all of a run, else the own one of a scripted agent, else
 * the one beside the workflow, which also stands in for agents that cannot be asked here.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readScript, type Script, type TextRead } from '../model/index.ts';
import { displayPath, readTextFile } from '../sys/index.ts';
import { createSource, type Diagnostic, positionAt } from '../text/index.ts';

/** Of an agent, what a script depends on. */
export interface ScriptAgent {
  readonly name: string;
  readonly type: string;
  readonly fields: { readonly [name: string]: unknown };
}

export type ScriptFound =
  | {
      readonly kind: 'script';
      readonly script: Script;
      /** Tells the scripts of one run apart, wherever it is resumed from: a path does not. */
      readonly key: string;
      readonly readText: (path: string) => Promise<TextRead>;
    }
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
}

/** Each file is read once. */
export function createScripts({ script, fileOf, cwd }: ScriptsOptions): ScriptFor {
  const read = new Map<string, Promise<ScriptFound>>();
  const at = (path: string, missing: string, key = '') => {
    const known = read.get(path) ?? load(path, { cwd, missing, key });
    read.set(path, known);
    return known;
  };
  return async (agent, runId) => {
    if (script !== undefined) return at(resolve(cwd, script), '');
    const file = fileOf(runId);
    if (agent.type !== 'scripted') {
      const beside = file === undefined ? undefined : scriptBeside(file);
      return beside !== undefined && existsSync(beside) ? at(beside, '') : { kind: 'none' };
    }
    const own = agent.fields.script;
    if (typeof own === 'string') return at(resolve(file === undefined ? cwd : dirname(file), own), '', own);
    if (file === undefined) {
      return problem(`the agent "${agent.name}" is scripted, and no file says its replies: give it "script: FILE"`);
    }
    return at(
      scriptBeside(file),
      ` The agent "${agent.name}" is scripted: write the file, or name one with --script FILE.`,
    );
  };
}

/** `release.toon` → `release.script.toon`. */
export function scriptBeside(file: string): string {
  return join(dirname(file), `${basename(file).replace(/\.[^.]*$/, '')}.script.toon`);
}

async function load(
  path: string,
  { cwd, missing, key }: { readonly cwd: string; readonly missing: string; readonly key: string },
): Promise<ScriptFound> {
  const name = displayPath(path, cwd);
  const file = await readTextFile(path);
  if (!file.ok) {
    const reason = file.problem.message.replace(path, name);
    return problem(`the script cannot be read: ${reason}${file.problem.kind === 'missing' ? missing : ''}`);
  }
  const { script, diagnostics } = readScript(createSource(name, file.text));
  if (script === undefined) return problem(`the script has errors:\n${listed(diagnostics)}`);
  return {
    kind: 'script',
    script,
    key,
    async readText(other) {
      const from = resolve(dirname(path), other);
      const text = await readTextFile(from);
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
