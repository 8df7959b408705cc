/** The file that the name of a program means, and the closest name where there is none. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { findCommand, isExecutable, systemCode } from '../../sys/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { ToolFailure } from '../define-tool.ts';

/** Throws a `ToolFailure` where there is none. */
export function programFile(name: string, cwd: string, env: Readonly<Record<string, string>>): string {
  const { platform } = process;
  const found = findCommand(name, { path, platform, cwd, env, isExecutable });
  if (found !== undefined) return found;
  const isPath = name.includes('/') || (platform === 'win32' && name.includes('\\'));
  const better = isPath ? undefined : closest(name, programNames(env));
  const hint = /\s/.test(name)
    ? ' "argv" is a list of words: write ["git", "log"], or give a script as "command".'
    : '';
  const where = isPath ? 'there is no program' : 'the PATH has no program';
  throw new ToolFailure('missing', `${where} "${name}".${didYouMean(better)}${hint}`);
}

function programNames(env: Readonly<Record<string, string>>): string[] {
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.slice(0, 50).flatMap((folder) => {
    try {
      return readdirSync(folder).map((file) => file.replace(/\.(exe|cmd|bat|com)$/i, ''));
    } catch (error) {
      // A PATH may name what is not there.
      if (['ENOENT', 'EACCES', 'ENOTDIR', 'EPERM'].includes(systemCode(error) ?? '')) return [];
      throw error;
    }
  });
}
