import { expect, test } from 'vitest';
import { writeTrouble } from './trouble.ts';

const failure = (code: string) =>
  Object.assign(new Error(code), { code, syscall: 'mkdir', path: '/usr/share/x/.toolang' });

test('a folder that may not be written is told with the way round it, a full disk without', () => {
  for (const [code, reason] of [
    ['EACCES', 'permission denied'],
    ['EROFS', 'the file system is read-only'],
  ] as const) {
    expect(writeTrouble(failure(code))).toMatchObject({
      code: 'TOO5406',
      message: `"/usr/share/x/.toolang" cannot be written: ${reason}. What was synced before is still there. Mend that, and run "toolang sync" again. "--home DIR" keeps runs and caps in a folder of your own.`,
    });
  }
  expect(writeTrouble(failure('ENOSPC'))).toMatchObject({ message: expect.not.stringContaining('--home') });
});
