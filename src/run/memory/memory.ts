/**
 * What the agents of a home remember: texts that they saved, and the turns of their conversations, in one SQLite file.
 * 1. The file is made by the first write; where there is none, nothing is found.
 * 2. A memory is kept once, however often the call that saves it is made, and however often its agent saves the same text.
 * 3. A turn is kept and given whole: no call ever stands there without its result.
 * 4. What is forgotten is gone from the file, too, as soon as nobody uses it any more.
 */
import { existsSync } from 'node:fs';
import {
  type Access,
  createAccess,
  plain,
  type SqliteOptions,
  type SqlRow,
  StoreFailure,
} from '../../journal/index.ts';
import type { ModelMessage } from '../../model/index.ts';
import { quotePath } from '../../sys/index.ts';
import { memoryKind } from './schema.ts';
import { type MemoryTables, memoryTables } from './tables.ts';
import { saidIn, turnProblem, turnTokens } from './turn.ts';
import { indexedText, wordQuery } from './words.ts';

export interface NewMemory {
  readonly agent: string;
  readonly text: string;
  readonly at: number;
  readonly run: string;
  readonly thunk: string;
  /** Of the call: the same when it is made again. */
  readonly key: string;
}

export interface Remembered extends Omit<NewMemory, 'key'> {
  readonly id: number;
}

export interface Turn {
  readonly agent: string;
  readonly thread: string;
  readonly run: string;
  readonly at: number;
  readonly messages: readonly ModelMessage[];
}

export interface Thread {
  readonly agent: string;
  readonly thread: string;
  /** How many. */
  readonly turns: number;
  /** Of the last one. */
  readonly at: number;
  /** What the person said last, or how that begins. */
  readonly last: string;
}

/** All but `close` throws `StoreFailure`. */
export interface Memory {
  /** `isNew`: by this call, now or when it was made before; otherwise the agent knew it already. Throws for `memoryProblem`. */
  readonly save: (entry: NewMemory) => { readonly id: number; readonly isNew: boolean };
  /** Those with any word of a text, the best first, at most `mostFound`. Without an agent, those of all. */
  readonly search: (agent: string | undefined, query: string, most: number) => readonly Remembered[];
  /** The newest first. */
  readonly list: (agent?: string, most?: number) => readonly Remembered[];
  /** Whether there was one. */
  readonly forget: (id: number) => boolean;
  /** In the place of what was kept of the same run. Throws for what is no turn. */
  readonly addTurn: (turn: Turn) => void;
  /** Whole turns in the order of time: the newest that fit the budget of tokens, up to the first that does not. `except`: a run. */
  readonly turns: (agent: string, thread: string, budget: number, except?: string) => readonly ModelMessage[];
  /** The one that was last used first. */
  readonly threads: (agent?: string) => readonly Thread[];
  readonly close: () => void;
}

/** The most that one search gives. */
export const mostFound = 20;
/** Of one memory, in bytes. */
export const mostMemory = 16 * 1024;

/** Why a text cannot be a memory, for a model; undefined if it can. */
export function memoryProblem(text: string): string | undefined {
  if (text.trim() === '') return 'there is nothing to remember: the text is empty.';
  const bytes = Buffer.byteLength(text.trim());
  if (bytes <= mostMemory) return undefined;
  return `a memory has at most ${mostMemory} bytes, and this text has ${bytes}: save what matters of it, or several memories.`;
}

/** Nothing is opened before it is used. */
export function openMemory(file: string, options: SqliteOptions = {}): Memory {
  let access: Access<MemoryTables> | undefined;
  let isClosed = false;

  function reach(): Access<MemoryTables> {
    if (isClosed) throw new Error(`the memory ${quotePath(file)} was closed`);
    access ??= createAccess(file, memoryKind, options, memoryTables);
    return access;
  }

  function read<T>(work: (tables: MemoryTables) => T, none: T): T {
    const { use } = reach();
    return existsSync(file) ? use(work) : none;
  }

  /** Who deletes the file has all forgotten; what is saved afterwards begins a new one. */
  function write<T>(work: (tables: MemoryTables) => T): T {
    try {
      return reach().write(work);
    } catch (error) {
      if (!(error instanceof StoreFailure) || error.reason !== 'gone') throw error;
      access?.close();
      access = undefined;
      return reach().write(work);
    }
  }

  return {
    save({ agent, text, at, run, thunk, key }) {
      const problem = memoryProblem(text);
      if (problem !== undefined) throw new Error(problem);
      const kept = storable(text.trim());
      const names = [agent, run, thunk, key].map(plain);
      return write(({ byKey, byText, insert, insertWords }) => {
        const before = byKey.get(plain(key));
        if (before) return { id: Number(before.id), isNew: true };
        const same = byText.get(plain(agent), kept);
        if (same) return { id: Number(same.id), isNew: false };
        const [name = '', ...rest] = names;
        const id = Number(insert.get(name, kept, at, ...rest)?.id);
        insertWords.run(id, indexedText(kept));
        return { id, isNew: true };
      });
    },
    search(agent, query, most) {
      const words = wordQuery(query);
      const limit = Math.min(Math.floor(most), mostFound);
      if (words === undefined || !(limit > 0)) return [];
      return read(({ find, findOf }) => {
        const rows = agent === undefined ? find.all(words, limit) : findOf.all(words, plain(agent), limit);
        return rows.map(remembered);
      }, []);
    },
    list(agent, most = -1) {
      return read(({ list, listOf }) => {
        const rows = agent === undefined ? list.all(most) : listOf.all(plain(agent), most);
        return rows.map(remembered);
      }, []);
    },
    forget(id) {
      if (!existsSync(file) || !Number.isSafeInteger(id)) return false;
      return write(({ remove, removeWords, tidyWords }) => {
        if (remove.run(id).changes === 0) return false;
        removeWords.run(id);
        tidyWords.run();
        return true;
      });
    },
    addTurn({ agent, thread, run, at, messages }) {
      const problem = turnProblem(messages);
      if (problem !== undefined) throw new Error(`the turn of the run ${run} cannot be kept: ${problem}`);
      const names = [agent, thread, run].map(plain);
      const values = [JSON.stringify(messages), turnTokens(messages), storable(saidIn(messages))];
      write(({ putTurn }) => putTurn.run(...names, at, ...values));
    },
    turns(agent, thread, budget, except) {
      if (!(budget > 0)) return [];
      return read(({ turns }) => {
        const rows = turns.all(plain(agent), plain(thread), except ?? null, budget);
        return rows.flatMap(({ messages }) => messagesIn(messages, file));
      }, []);
    },
    threads(agent) {
      return read(({ threads, threadsOf }) => {
        const rows = agent === undefined ? threads.all() : threadsOf.all(plain(agent));
        return rows.map(threadOf);
      }, []);
    },
    close() {
      isClosed = true;
      access?.close();
      access = undefined;
    },
  };
}

/** For the library a text ends at a zero character; and half a pair is no text. */
function storable(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\ufffd');
}

function remembered({ id, agent, text, at, run, thunk }: SqlRow): Remembered {
  return {
    id: Number(id),
    agent: String(agent),
    text: String(text),
    at: Number(at),
    run: String(run),
    thunk: String(thunk),
  };
}

function threadOf({ agent, thread, turns, at, said }: SqlRow): Thread {
  return { agent: String(agent), thread: String(thread), turns: Number(turns), at: Number(at), last: String(said) };
}

function messagesIn(text: SqlRow[string] | undefined, file: string): readonly ModelMessage[] {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw new StoreFailure(
      'corrupt',
      `the memory ${quotePath(file)} is damaged: a turn in it cannot be read: move it away or ${memoryKind.another}`,
      error,
    );
  }
}
