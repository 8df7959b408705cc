import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type DiskHost, networkDisk } from './network-disk.ts';

const host = (more: Partial<DiskHost>): DiskHost => ({
  platform: 'linux',
  realPath: (path) => path,
  fileSystem: () => 0xef53,
  mounts: () => '',
  ...more,
});

it('a folder of this machine is no network disk', () => {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-disk-'));
  expect(networkDisk(dir)).toBeUndefined();
  rmSync(dir, { recursive: true });
});

it.for([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xff534d42 | 0, 'cifs'],
  [0xfe534d42, 'smb3'],
  [0x01021997, '9p'],
  [0xef53, undefined],
  [0x01021994, undefined],
] as const)('Linux knows %i as %s', ([type, name]) => {
  expect(networkDisk('/x', host({ fileSystem: () => type }))).toBe(name);
});

it('Linux tells what runs in user space by the innermost mount', () => {
  const mounts = `22 1 0:20 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:40 / /home/me/far\\040away rw,nosuid shared:9 - fuse.sshfs me@host:/ rw,user_id=1000
41 22 0:41 / /home/me/vault rw shared:10 - fuse.gocryptfs /home/me/.vault rw
42 40 0:42 / /home/me/far\\040away/near rw - fuseblk /dev/sdb1 rw
`;
  const fuse = host({ fileSystem: () => 0x65735546, mounts: () => mounts });
  expect(networkDisk('/home/me/far away/p', fuse)).toBe('fuse.sshfs');
  expect(networkDisk('/home/me/far away/near/p', fuse)).toBeUndefined();
  expect(networkDisk('/home/me/vault', fuse)).toBeUndefined();
});

it('macOS tells by the list of mounts', () => {
  const mounts = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse)
//me@server/share on /Volumes/My (old) share (smbfs, nodev, nosuid, mounted by me)
`;
  const mac = host({ platform: 'darwin', mounts: () => mounts });
  expect(networkDisk('/Volumes/My (old) share/p', mac)).toBe('smbfs');
  expect(networkDisk('/Users/me/p', mac)).toBeUndefined();
});

it('Windows tells by the real path, which leads a drive to its share', () => {
  const windows = (real: string) => networkDisk('Z:\\p', host({ platform: 'win32', realPath: () => real }));
  expect(windows('\\\\server\\share\\p')).toBe('share');
  expect(windows('\\\\?\\UNC\\server\\share\\p')).toBe('share');
  expect(windows('C:\\p')).toBeUndefined();
  expect(windows('\\\\?\\C:\\p')).toBeUndefined();
});
