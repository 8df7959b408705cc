/** What the words of a thunk may lead to: files, and standard input. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type BytesResult, decodeText, quotePath, readBytesFile, systemCode } from '../../sys/index.ts';
import type { Context } from '../context.ts';

export interface WordSource {
  /** What is there on standard input, if anything, belongs to the input: it is no terminal. */
  readonly isPiped: boolean;
  readonly stdin: () => Promise<StdinRead>;
  /** The same beside words that are input already: where nothing comes for a while it is not waited for, and that is said. */
  readonly more: () => Promise<StdinRead>;
  /** Messages name it as it is written. */
  readonly file: (name: string, maxBytes: number) => Promise<BytesResult>;
  /** The files that lie in the folder where it should be. */
  readonly beside: (name: string) => Promise<readonly string[]>;
}

export type StdinRead = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/** Programs often start others with an input that nobody writes to or ends. */
const patienceMs = 3000;

export function wordSource({ cwd, stdin, stderr }: Context, waitMs = patienceMs): WordSource {
  return {
    async more() {
      const silence = new AbortController();
      const timer = setTimeout(() => silence.abort(), waitMs);
      const parts: Uint8Array[] = [];
      try {
        for await (const part of stdin.chunks(silence.signal)) {
          clearTimeout(timer);
          parts.push(part);
        }
      } catch (error) {
        if (!silence.signal.aborted) throw error;
        const waited = `nothing came from standard input for ${waitMs / 1000} s`;
        stderr.write(`${waited}, so it is not waited for; with "-" as the only input it is\n`);
        return { ok: true, text: '' };
      } finally {
        clearTimeout(timer);
      }
      const text = decodeText(Buffer.concat(parts), '<stdin>');
      return text.ok ? text : { ok: false, message: text.problem.message };
    },
    isPiped: !stdin.isTTY && !stdin.isNothing,
    async stdin() {
      if (stdin.isTTY) stderr.write('reading what you type; Ctrl-D on a line of its own ends it\n');
      const read = await stdin.read();
      return read.ok ? read : { ok: false, message: read.problem.message };
    },
    async file(name, maxBytes) {
      const full = path.resolve(cwd, name);
      const read = await readBytesFile(full, { maxBytes });
      if (read.ok) return read;
      const message = read.problem.message.replace(quotePath(full), () => quotePath(name));
      return { ok: false, problem: { ...read.problem, message } };
    },
    async beside(name) {
      try {
        const entries = await readdir(path.dirname(path.resolve(cwd, name)), { withFileTypes: true });
        return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
      } catch (error) {
        // The folder is missing too, or closed: then nothing is like it, and what is wrong is told already.
        if (systemCode(error) !== undefined) return [];
        throw error;
      }
    },
  };
}
