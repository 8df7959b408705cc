/**
 * Whether a place lies on another machine. There SQLite's locks and its shared memory do not hold, and two machines would
 * write over each other. Known surely on Linux. On macOS the list of mounts tells, and on Windows the real path, which
 * leads a drive letter to its share. Not seen: file systems in user space that are not in the list below.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, statfsSync } from 'node:fs';
import { isInside } from '../sys/index.ts';

/** What is asked of the system; for tests. */
export interface DiskHost {
  readonly platform: NodeJS.Platform;
  /** Of a path that is there. */
  readonly realPath: (path: string) => string;
  readonly fileSystem: (path: string) => number;
  /** `/proc/self/mountinfo`, or what `mount` prints. */
  readonly mounts: () => string;
}

/** The numbers by which Linux knows them. */
const linuxTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb3'],
  [0x01021997, '9p'],
  [0x564c, 'ncp'],
  [0x5346414f, 'afs'],
  [0x6b414653, 'afs'],
  [0x73757245, 'coda'],
  [0x00c36400, 'ceph'],
  [0x0bd00bd0, 'lustre'],
  [0x47504653, 'gpfs'],
  [0x01161970, 'gfs2'],
  [0x7461636f, 'ocfs2'],
  [0x19830326, 'beegfs'],
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
]);
const linuxFuse = 0x65735546;

/** Others in user space are on this machine: encrypted folders, NTFS. */
const remoteFuse =
  /^fuse\.(sshfs|s3fs|s3ql|rclone|gcsfuse|goofys|mount-s3|blobfuse2?|davfs2?|curlftpfs|smbnetfs|ceph|ceph-fuse|glusterfs|juicefs|JuiceFS:.*|mfs|moosefs|lizardfs|seaweedfs|gvfsd-fuse|google-drive-ocamlfuse|onedriver|vmhgfs-fuse|grpcfuse|osxfs)$/;
const remoteMac = /^(nfs|smbfs|afpfs|webdav|ftp|cifs|9p|sshfs|macfuse_sshfs|osxfuse_sshfs)$/;

const realHost: DiskHost = {
  platform: process.platform,
  realPath: (path) => realpathSync.native(path),
  fileSystem: (path) => statfsSync(path).type,
  mounts: () =>
    process.platform === 'darwin'
      ? spawnSync('/sbin/mount', { encoding: 'utf8' }).stdout
      : readFileSync('/proc/self/mountinfo', 'utf8'),
};

/** The kind of network file system on which `path` lies, as its own name has it; undefined if it is none. */
export function networkDisk(path: string, host: DiskHost = realHost): string | undefined {
  switch (host.platform) {
    case 'linux': {
      const type = host.fileSystem(path) >>> 0;
      if (type !== linuxFuse) return linuxTypes.get(type);
      const kind = typeOfMount(host.realPath(path), readMountInfo(host.mounts()));
      return kind !== undefined && remoteFuse.test(kind) ? kind : undefined;
    }
    case 'darwin': {
      const kind = typeOfMount(host.realPath(path), readMounts(host.mounts()));
      return kind !== undefined && remoteMac.test(kind) ? kind : undefined;
    }
    case 'win32':
      // `\\?\C:\` and `\\.\` are local.
      return /^\\\\(\?\\UNC\\|[^?.\\])/i.test(host.realPath(path)) ? 'share' : undefined;
    default:
      return undefined;
  }
}

interface Mount {
  readonly place: string;
  readonly type: string;
}

/** The innermost one; of several at one place the last covers the others. */
function typeOfMount(path: string, mounts: readonly Mount[]): string | undefined {
  let best: Mount | undefined;
  for (const mount of mounts) {
    if (isInside(path, mount.place) && mount.place.length >= (best?.place.length ?? 0)) best = mount;
  }
  return best?.type;
}

function readMountInfo(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [before = '', after] = line.split(' - ');
    const place = before.split(' ')[4];
    if (place === undefined || after === undefined) return [];
    const unescaped = place.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
    return [{ place: unescaped, type: after.split(' ')[0] ?? '' }];
  });
}

function readMounts(text: string): Mount[] {
  return [...text.matchAll(/^.* on (\/.*) \(([^,)]+).*\)$/gm)].map(([, place = '', type = '']) => ({ place, type }));
}
