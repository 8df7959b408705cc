/**
 * The folder of a call for texts that its program reads: one that only the user can enter, and that goes by the call. So what a
 * call that was killed has left behind is removed when it is begun again.
 */
import { hash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemCode } from '../../sys/index.ts';

/** `key`: the same when the call is begun again. */
export async function makeOwnFolder(key: string, parent: string = tmpdir()): Promise<string> {
  const folder = join(parent, `toolang-agent-${hash('sha256', key).slice(0, 24)}`);
  if (await isMade(folder)) return folder;
  const { uid, isFolder } = await lstat(folder).then(
    (at) => ({ uid: at.uid, isFolder: at.isDirectory() }),
    () => ({ uid: undefined, isFolder: false }),
  );
  // Somebody else may have taken the name, to see what is put there.
  if (isFolder && uid === (process.getuid?.() ?? uid)) {
    await rm(folder, { recursive: true, force: true });
    if (await isMade(folder)) return folder;
  }
  return mkdtemp(join(parent, 'toolang-agent-'));
}

async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}
