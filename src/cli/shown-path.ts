/** Paths as people read them: relative below the current directory, with `~` below their own, else whole. */
import path from 'node:path';
import { displayPath, isInside } from '../sys/index.ts';
import type { Context } from './context.ts';

export function shownPath(file: string, { cwd, env }: Pick<Context, 'cwd' | 'env'>): string {
  const shown = displayPath(file, cwd);
  const home = env.HOME;
  // Shells of Windows do not know `~`.
  if (!home || path.sep === '\\' || !path.isAbsolute(shown) || !isInside(shown, home)) return shown;
  return path.join('~', path.relative(home, shown));
}
