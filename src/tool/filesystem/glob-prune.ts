/** Asks a pattern about paths of a walk: the state at each open folder is kept, so that each name is read once. */
import type { GlobState } from './glob-pattern.ts';

export interface Pruner {
  readonly fits: (path: string) => boolean;
  /** Whether something in this folder may fit. */
  readonly mayHold: (folder: string) => boolean;
}

export function createPruner(start: GlobState): Pruner {
  /** The folders on the way to where the walk is; `''` is where it began. */
  const open: { folder: string; state: GlobState | undefined }[] = [{ folder: '', state: start }];
  const stateAt = (folder: string): GlobState | undefined => {
    for (let top = open.at(-1); top; top = open.at(-1)) {
      if (top.folder === folder) return top.state;
      if (folder.startsWith(top.folder)) {
        const state = top.state?.after(folder.slice(top.folder.length));
        open.push({ folder, state });
        return state;
      }
      open.pop();
    }
    return undefined;
  };
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
  return {
    fits: (path) => stateAt(folderOf(path))?.after(path.slice(folderOf(path).length))?.fits === true,
    mayHold: (folder) => stateAt(folderOf(folder))?.after(`${folder.slice(folderOf(folder).length)}/`) !== undefined,
  };
}
