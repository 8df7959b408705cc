/**
 * The file of a recording while runs are recorded.
 * 1. It is whole at every moment, and what was added is in it when `add` resolves.
 * 2. Whoever else records into it is not undone: it is read again when it was changed, in turn.
 * 3. One exchange takes the place of the one of the same command and case; all others stay.
 * 4. A file that cannot be read as a recording is left as it is, and said to be wrong.
 */
import { basename, dirname, join } from 'node:path';
import { type Exchange, readScript, recordingOf, writeRecording } from '../../model/index.ts';
import { displayPath, inTurn, readTextFile, writeFileAtomic } from '../../sys/index.ts';
import { createSource, positionAt } from '../../text/index.ts';
import { type CompareCalls, ordered } from './exchange-order.ts';

export interface RecordFile {
  /** Those that come while it is written are written together. */
  readonly add: (exchange: Exchange) => Promise<void>;
  /** Leaves only these of a case; gives how many are gone. */
  readonly keep: (input: string, isKept: (exchange: Exchange) => boolean) => Promise<number>;
}

export interface RecordFileOptions {
  readonly path: string;
  readonly cwd: string;
  readonly compare: CompareCalls;
}

type Change = (exchanges: readonly Exchange[]) => readonly Exchange[];

export function openRecordFile({ path, cwd, compare }: RecordFileOptions): RecordFile {
  const name = displayPath(path, cwd);
  /** What the file held when it was looked at last, and what that is. */
  let text: string | undefined;
  let exchanges: readonly Exchange[] = [];
  let changes: Change[] = [];
  let writing: Promise<void> = Promise.resolve();

  async function read(): Promise<void> {
    const file = await readTextFile(path);
    if (!file.ok && file.problem.kind === 'missing') [text, exchanges] = [undefined, []];
    else if (!file.ok) throw wrong(file.problem.message);
    else if (file.text !== text) {
      exchanges = exchangesIn(file.text);
      text = file.text;
    }
  }

  function exchangesIn(now: string): readonly Exchange[] {
    const source = createSource(name, now);
    const { script, diagnostics } = readScript(source);
    if (script !== undefined) return recordingOf(script).exchanges;
    const first = diagnostics.find(({ severity }) => severity === 'error');
    const { line, column } = positionAt(source, first?.span.start ?? 0);
    throw wrong(`${name}:${line}:${column} ${first?.message ?? 'it is no recording'}`);
  }

  function wrong(why: string): Error {
    return new Error(`${name} cannot be recorded into: ${why}`);
  }

  async function write(): Promise<void> {
    if (changes.length === 0) return;
    await inTurn(join(dirname(path), `.${basename(path)}.turn`), async () => {
      await read();
      const some = changes;
      let now = exchanges;
      for (const change of some) now = change(now);
      now = ordered(now, compare);
      const next = writeRecording(now);
      if (next !== text) await writeFileAtomic(path, next, { name });
      [text, exchanges] = [next, now];
      // What could not be written is tried again with the next.
      changes = changes.slice(some.length);
    });
  }

  function change(made: Change): Promise<void> {
    changes = [...changes, made];
    const next = writing.then(write, write);
    writing = next.catch(() => undefined); // Told to whoever asked.
    return next;
  }

  return {
    add: (exchange) => change((all) => [...all.filter((each) => !isSame(each, exchange)), exchange]),
    async keep(input, isKept) {
      let gone = 0;
      await change((all) => {
        const left = all.filter((each) => each.case !== input || isKept(each));
        gone = all.length - left.length;
        return left;
      });
      return gone;
    },
  };
}

function isSame(a: Exchange, b: Exchange): boolean {
  return a.call === b.call && a.case === b.case;
}
