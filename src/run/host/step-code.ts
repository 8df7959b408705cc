/** The `run` code of a step as a host compiles it, and the way back from a place in it to what was written. */
import { type CodeEdit, originalOffset } from '../../plan/index.ts';
import { compileCode } from '../../plan/machine/index.ts';
import type { CodeAction, CodePlace } from './protocol.ts';

/** In scope of all code, with a value or without. */
const always = ['input', 'steps', 'params', 'loop', 'id', 'attempt', 'runId', 'key', 'cwd', 'signal', 'sh', 'services'];

/** The spec of a step that is `run` code, as the workflow machine makes it. */
export interface RunSpec {
  readonly kind: 'run';
  readonly code: string;
  readonly edits: readonly CodeEdit[];
  /** What it reads by name, whether it has a value or not. */
  readonly names: readonly string[];
}

/** By the text of the code, with its names. */
const prepared = new Map<string, CodeAction>();
const mostPrepared = 1000;

/** Lines and columns stay. */
export async function prepareCode({ code, names: read }: RunSpec): Promise<CodeAction> {
  const id = `${read.join(' ')}\n${code}`;
  const known = prepared.get(id);
  if (known) return known;
  const names = [...new Set([...always, ...read.filter((name) => plainName.test(name))])];
  let load = '$mport';
  for (let number = 0; code.includes(load); number++) load = `$${String(number).padStart(5, '_')}`;
  const text = /\bimport\b/.test(code) ? (await import('./own-import.ts')).ownImport(code, load) : code;
  names.push(load);
  const action: CodeAction = { kind: 'run', text: compileCode(text, names), names };
  if (prepared.size >= mostPrepared) prepared.clear();
  prepared.set(id, action);
  return action;
}

const plainName = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

/** The place in the text as it was written, before ids with hyphens were rewritten. */
export function writtenPlace({ code, edits }: Pick<RunSpec, 'code' | 'edits'>, place: CodePlace): CodePlace {
  let start = 0;
  for (let line = 1; line < place.line; line++) {
    const next = code.indexOf('\n', start);
    if (next === -1) return place;
    start = next + 1;
  }
  const column = originalOffset(edits, start + place.column - 1) - originalOffset(edits, start) + 1;
  return { line: place.line, column };
}
