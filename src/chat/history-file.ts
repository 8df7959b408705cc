/**
 * What was typed, kept from one chat to the next: a line of JSON for each, in a file that only its owner may read.
 * 1. Several chats add to it at once: each adds a line. Only who opens it makes it shorter.
 * 2. A line that cannot be read is no entry; the others are. A file that cannot be used is told of once, and the chat goes on.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quotePath, systemCode, writeFileAtomic } from '../sys/index.ts';
import { isKept, mostKept } from './history.ts';

export interface HistoryFile {
  readonly entries: readonly string[];
  /** Why nothing is kept. */
  readonly problem?: string;
  /** Gives why it is not kept, where it is not. */
  readonly add: (text: string) => Promise<string | undefined>;
}

export async function openHistory(file: string, clean: (text: string) => string): Promise<HistoryFile> {
  const read = await entriesIn(file);
  const entries = read.entries.slice(-mostKept);
  let { problem } = read;
  // Twice as many as are used: it is not written again each time.
  if (problem === undefined && read.entries.length > 2 * mostKept) problem = await rewrite(file, entries);
  return {
    entries,
    ...(problem !== undefined && { problem }),
    async add(text) {
      if (problem !== undefined || !isKept(text)) return undefined;
      try {
        await mkdir(dirname(file), { recursive: true });
        await appendFile(file, lineOf(clean(text)), { mode: 0o600 });
        return undefined;
      } catch (error) {
        problem = reason(file, error);
        return problem;
      }
    },
  };
}

async function entriesIn(file: string): Promise<{ readonly entries: readonly string[]; readonly problem?: string }> {
  try {
    return { entries: readEntries(await readFile(file, 'utf8')) };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { entries: [] };
    return { entries: [], problem: reason(file, error) };
  }
}

export function readEntries(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('"')) return [];
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === 'string' && isKept(entry) ? [entry] : [];
    } catch (error) {
      // Half a line of a process that was killed.
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

async function rewrite(file: string, entries: readonly string[]): Promise<string | undefined> {
  try {
    await writeFileAtomic(file, entries.map(lineOf).join(''), { mode: 0o600 });
    return undefined;
  } catch (error) {
    return reason(file, error);
  }
}

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

function reason(file: string, error: unknown): string {
  const why = systemCode(error) ?? (error instanceof Error ? error.message : String(error));
  return `what is typed is not kept: ${quotePath(file)} cannot be used (${why})`;
}
