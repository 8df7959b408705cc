/** Files and standard input, for `--input`. */
import path from 'node:path';
import { readTextFile } from '../../sys/index.ts';
import type { Context } from '../context.ts';
import type { TextSource } from './run-input.ts';

/** `taken`: what standard input is already. */
export function textSource(taken: string | undefined, context: Context): TextSource {
  return async (name) => {
    if (name === '-' && taken !== undefined) return { ok: false, message: `standard input is the ${taken} already` };
    const full = path.resolve(context.cwd, name);
    const read = name === '-' ? await context.stdin.read() : await readTextFile(full);
    if (read.ok) return read;
    return { ok: false, message: read.problem.message.replace(full, name).replace(/\.$/, '') };
  };
}
