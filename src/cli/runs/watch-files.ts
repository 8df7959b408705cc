/**
 * Tells when one of some files was saved. Editors replace files, and delete and make them again, so what is watched is the
 * folder of each; where that is not there, the nearest one above it that is. Several saves in a moment are told once.
 */
import { type FSWatcher, watch as nodeWatch, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Clock, systemCode } from '../../sys/index.ts';

export interface FileWatch {
  /** Watches these from now on, and no others. `since`: what was saved after that moment counts as saved now. */
  readonly follow: (files: readonly string[], since?: number) => void;
  /** Resolves when something was saved, and nothing more for a moment; rejects when the signal is aborted. */
  readonly saved: (signal: AbortSignal) => Promise<void>;
  /** Whether nothing was saved since `saved` was asked for the last time. */
  readonly isQuiet: () => boolean;
  readonly close: () => void;
}

/** What `fs.watch` does with a folder. */
export type WatchFolder = (folder: string, changed: (name: string | null) => void) => Pick<FSWatcher, 'close'>;

const settleMs = 100;

interface Watched {
  readonly watcher: Pick<FSWatcher, 'close'>;
  /** Of the folder: another one may have taken its place. */
  readonly inode: number | undefined;
}

export function watchFiles(clock: Clock, watchFolder: WatchFolder = systemWatch): FileWatch {
  let files: readonly string[] = [];
  /** By folders: the names in them that count. */
  let names = new Map<string, Set<string>>();
  const watched = new Map<string, Watched>();
  let isSaved = false;
  /** A save was told, or is about to be, and the next one was not asked for yet. */
  let isTold = false;
  let wake: (() => void) | undefined;

  function changed(): void {
    isSaved = true;
    wake?.();
  }

  /** Folders come and go: what is watched is as they are now. */
  function refresh(): void {
    names = namesOf(files);
    for (const [folder, { watcher, inode }] of watched) {
      if (names.has(folder) && inodeOf(folder) === inode) continue;
      watcher.close();
      watched.delete(folder);
    }
    for (const folder of names.keys()) {
      if (watched.has(folder)) continue;
      const watcher = watchFolder(folder, (name) => {
        // Of some systems nobody learns which it was, and a folder that goes away has its own name.
        if (name === null || name === basename(folder) || names.get(folder)?.has(name)) changed();
      });
      watched.set(folder, { watcher, inode: inodeOf(folder) });
    }
  }

  return {
    follow(next, since) {
      files = [...new Set(next.flatMap((file) => [file, realPath(file)]))];
      refresh();
      if (since !== undefined && files.some((file) => savedAt(file) > since)) changed();
    },
    isQuiet: () => !isSaved && !isTold,
    async saved(signal) {
      isTold = false;
      while (!isSaved) {
        signal.throwIfAborted();
        await new Promise<void>((done) => {
          const stop = () => done();
          wake = () => {
            signal.removeEventListener('abort', stop);
            done();
          };
          signal.addEventListener('abort', stop, { once: true });
        });
      }
      isTold = true;
      do {
        isSaved = false;
        try {
          await clock.sleep(settleMs, signal);
        } catch (error) {
          // Who asks next is told.
          isSaved = true;
          throw error;
        }
      } while (isSaved);
      refresh();
    },
    close() {
      for (const { watcher } of watched.values()) watcher.close();
      watched.clear();
    },
  };
}

function namesOf(files: readonly string[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const file of files) {
    let [folder, name] = [dirname(file), basename(file)];
    while (inodeOf(folder) === undefined && dirname(folder) !== folder)
      [folder, name] = [dirname(folder), basename(folder)];
    const known = names.get(folder);
    if (known) known.add(name);
    else names.set(folder, new Set([name]));
  }
  return names;
}

/** What a link leads to is saved where it lies. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return file;
  }
}

function inodeOf(folder: string): number | undefined {
  const info = statSync(folder, { throwIfNoEntry: false });
  return info?.isDirectory() ? info.ino : undefined;
}

function savedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

const systemWatch: WatchFolder = (folder, changed) => {
  const watcher = nodeWatch(folder, (_, name) => changed(name));
  // It is gone, which is told as a change; what is watched then is looked for again.
  watcher.on('error', () => changed(null));
  return watcher;
};
