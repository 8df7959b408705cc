/**
 * Agents of type `too`: thunks of `.too` files, which have to be there. What each takes and gives is looked up before the
 * steps are linked.
 */
import { dirname, resolve } from 'node:path';
import { type DiagnosticExtra, didYouMean } from '../text/index.ts';
import type { Type, TypeTable } from '../type/index.ts';
import type { AgentType } from './agent-types.ts';
import type { DraftAgent, Word } from './draft.ts';
import type { Reports } from './reports.ts';
import { isPath, splitExport } from './specifier.ts';
import { behindHash, suggest } from './suggest.ts';
import { type Known, type Unit, unitsUsed } from './unit.ts';

/** What a thunk takes and gives. */
export interface ThunkSignature {
  readonly params: readonly { readonly name: string; readonly type: Type; readonly optional: boolean }[];
  readonly output: Type;
  /** What the names in them mean. */
  readonly types: TypeTable;
}

/** The thunks of a file by their names; one without a name is `default`. */
export type ThunkLookup = (
  file: string,
) => Promise<
  | { readonly ok: true; readonly thunks: ReadonlyMap<string, ThunkSignature> }
  | { readonly ok: false; readonly message: string; readonly help?: string }
>;

/** What stands behind the agent of a step. */
export type AgentThunk =
  | { readonly kind: 'thunk'; readonly name: string; readonly signature: ThunkSignature }
  /** It is another type of agent; of one that is imported only this stage knows it. */
  | { readonly kind: 'other'; readonly type: string; readonly isImported: boolean }
  /** It is a thunk, or may be one: nothing was looked up, or what was wrong with it is told. */
  | { readonly kind: 'unknown' };

export interface Thunks {
  readonly of: (agent: Word | undefined, unit: Unit) => AgentThunk;
}

const unknown: AgentThunk = { kind: 'unknown' };

interface Found {
  readonly thunk: AgentThunk;
  /** Says what is wrong with it. */
  readonly tell: () => void;
}

/** Those that a file declares are told of at once; those of other files when a step uses them. */
export async function createThunks(
  unit: Unit,
  types: ReadonlyMap<string, AgentType>,
  lookup: ThunkLookup | undefined,
  reports: Reports,
): Promise<Thunks> {
  const found = new Map<object, Found>();
  for (const agent of lookup ? unit.draft.agents : []) {
    const one = await written(agent, unit);
    one?.tell();
  }
  for (const each of lookup ? unitsUsed(unit) : []) {
    for (const known of each.agents.values()) {
      if (known.kind === 'written') await written(known.value, known.unit);
      else if (known.kind === 'module') await exported(known);
    }
  }

  return {
    of(word, from) {
      const known = word && from.agents.get(word.text);
      if (known === undefined || known.kind === 'reported') return unknown;
      const type = known.kind === 'written' ? known.value.type?.text : typeIn(known);
      if (type === undefined || !types.has(type)) return unknown;
      if (type !== 'too') {
        return { kind: 'other', type, isImported: known.kind === 'module' || known.unit !== from };
      }
      const one = found.get(known.kind === 'written' ? known.value : known.export);
      one?.tell();
      return one?.thunk ?? unknown;
    },
  };

  async function written(agent: DraftAgent, from: Unit): Promise<Found | undefined> {
    const use = agent.fields.find(({ key }) => key.text === 'use');
    if (agent.type?.text !== 'too' || use === undefined || typeof use.value !== 'string') return undefined;
    return keep(agent, { ...use.at, text: use.value }, from.folder);
  }

  /** Its fields stand in another file, so what is wrong with them is told at its name. */
  async function exported(known: Extract<Known<DraftAgent>, { kind: 'module' }>): Promise<void> {
    const { specifier, folder, info } = known.export;
    if (info?.kind !== 'agent' || info.type !== 'too' || typeof info.fields.use !== 'string') return;
    const home = isPath(specifier) ? dirname(resolve(folder, specifier)) : folder;
    await keep(known.export, { ...known.word, text: info.fields.use }, home);
  }

  async function keep(key: object, use: Word, folder: string): Promise<Found> {
    let one = found.get(key);
    if (one === undefined) {
      one = await look(use, folder);
      found.set(key, one);
    }
    return one;
  }

  /** `use: ./reviewer.too#review`; without `#name` the thunk that has none. */
  async function look(use: Word, folder: string): Promise<Found> {
    const [file, name] = splitExport(use.text);
    const wrong = (message: string, extra: DiagnosticExtra, at: Pick<Word, 'source' | 'span'> = use): Found => ({
      thunk: unknown,
      tell: () => reports.add('TOO4281', at, message, extra),
    });
    if (!isPath(file)) {
      return wrong(`"${file}" is not a path`, {
        help: 'A thunk is written ./path/to/agent.too or ./path/to/agent.too#name.',
      });
    }
    const answer = await lookup?.(resolve(folder, file));
    if (answer === undefined) return { thunk: unknown, tell: () => undefined };
    if (!answer.ok) return wrong(answer.message, { help: answer.help ?? 'Paths are relative to this file.' });
    const signature = answer.thunks.get(name);
    if (signature) return { thunk: { kind: 'thunk', name, signature }, tell: () => undefined };
    const at = behindHash(use);
    const { hint, help, fix } = suggest({ ...use, text: name }, answer.thunks.keys(), 'thunks', at ?? use);
    return wrong(`"${file}" has no thunk "${name}".${didYouMean(hint)}`, { help, ...(at && fix) }, at ?? use);
  }
}

/** Of an agent that a module exports, where modules are looked into. */
function typeIn(known: Extract<Known<DraftAgent>, { kind: 'module' }>): string | undefined {
  const { info } = known.export;
  return info?.kind === 'agent' ? info.type : undefined;
}
