/** What the words of a thunk may lead to: files, and standard input. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type BytesResult, quotePath, readBytesFile, systemCode } from '../../sys/index.ts';
import type { Context } from '../context.ts';

export interface WordSource {
  /** Standard input is no terminal: what is there, if anything, belongs to the input. */
  readonly isPiped: boolean;
  readonly stdin: () => Promise<{ ok: true; text: string } | { ok: false; message: string }>;
  /** Messages name it as it is written. */
  readonly file: (name: string, maxBytes: number) => Promise<BytesResult>;
  /** The files that lie in the folder where it should be. */
  readonly beside: (name: string) => Promise<readonly string[]>;
}

export function wordSource({ cwd, stdin, stderr }: Context): WordSource {
  return {
    isPiped: !stdin.isTTY,
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
