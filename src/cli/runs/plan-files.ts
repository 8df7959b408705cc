/**
 * The files that a plan was made of, with a hash of each: where none of them is another, neither is the plan, and nothing has
 * to be planned to know it.
 */
import { type Stats, statSync } from 'node:fs';
import { systemCode } from '../../sys/index.ts';

export type FileHashes = Readonly<Record<string, string>>;

/** The clock of a file system may be so much behind. */
const slackMs = 25;

/** `since`: when the first was read. Where one was changed after that, what was read may be another text: nothing is known. */
export async function hashFiles(files: readonly string[], since: number): Promise<FileHashes | undefined> {
  const { fileHash } = await import('../../run/index.ts');
  const hashes: Record<string, string> = {};
  for (const file of files) {
    const info = look(file);
    // Of its text, its name or its rights, as nobody can set it.
    if (info !== undefined && (!info.isFile() || info.ctimeMs > since - slackMs)) return undefined;
    hashes[file] = fileHash(file);
  }
  return hashes;
}

export async function areUnchanged(hashes: FileHashes): Promise<boolean> {
  const { fileHash } = await import('../../run/index.ts');
  // What is no file any more is not read: a pipe would be waited for.
  return Object.entries(hashes).every(([file, hash]) => look(file)?.isFile() !== false && fileHash(file) === hash);
}

function look(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
