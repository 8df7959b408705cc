/** What the system says when a sync cannot write, in words: whose fault it is not, and that nothing is lost. */
import { isFailure, quotePath, systemCode } from '../../sys/index.ts';
import { ToolangError } from '../../text/index.ts';

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file, and must be a directory',
  EISDIR: 'it is a directory, and must be a file',
  ENOTDIR: 'a part of its path is a file, and must be a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'its path is too long',
  EBUSY: 'another program holds it',
};

/** Who may not write there may have another place for it. */
const elsewhere: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** What is not of the system comes back as it is. */
export function writeTrouble(error: unknown): unknown {
  const help = 'What was synced before is still there. Mend that, and run "toolang sync" again.';
  if (isFailure(error)) return new ToolangError('TOO5406', `${error.message} ${help}`, { cause: error });
  const code = systemCode(error) ?? '';
  const reason = reasons[code];
  if (reason === undefined || !(error instanceof Error)) return error;
  const at = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  const isRead = 'syscall' in error && ['scandir', 'stat', 'lstat', 'readlink', 'read'].includes(String(error.syscall));
  const what = `${at === undefined ? 'a file' : quotePath(at)} cannot be ${isRead ? 'read' : 'written'}`;
  const other = elsewhere.has(code) ? ' "--home DIR" keeps runs and caps in a folder of your own.' : '';
  return new ToolangError('TOO5406', `${what}: ${reason}. ${help}${other}`, { cause: error });
}
