/** What the flags say of the root and the home. By itself, because commands need it that load nothing of a host. */
import type { HomeOptions } from '../config/index.ts';
import type { Args } from './command.ts';

/** `--root` and `--home`. */
export function homeOptions({ root, home }: Args['texts']): HomeOptions {
  return { ...(root !== undefined && { root }), ...(home !== undefined && { home }) };
}
