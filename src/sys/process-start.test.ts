import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { bootId, isSameBoot, isSameProcess, type ProcessHost, processStart } from './process-start.ts';

const failing = (code: string) => Object.assign(new Error(code), { code });

function fakeHost(more: Partial<ProcessHost>): ProcessHost {
  return {
    platform: 'linux',
    read: () => {
      throw failing('ENOENT');
    },
    readLink: () => 'pid:[1]',
    output: () => undefined,
    ...more,
  };
}

/** Field 22 is the start. */
const stat = (state: string, start: number, name = 'a b) (c') =>
  `7 (${name}) ${state} ${Array.from({ length: 18 }, (_, i) => i).join(' ')} ${start} 99 99\n`;

const linux = (text: string, boot = 'boot-1') =>
  fakeHost({ read: (file) => (file.endsWith('boot_id') ? `${boot}\n` : text) });

it('knows its own process, and tells it from one that is gone', async () => {
  const mine = processStart(process.pid);
  expect(mine).toBeTypeOf('string');
  expect(isSameProcess(process.pid, mine ?? '')).toBe(true);
  expect(processStart(process.pid)).toBe(mine);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const started = processStart(pid) ?? '';
  expect(started).not.toBe('');
  expect(started).not.toBe(mine);
  expect(isSameProcess(pid, mine ?? '')).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(processStart(pid)).toBeUndefined();
  expect(isSameProcess(pid, started)).toBe(false);
});

it.runIf(process.platform === 'linux')('a dead process that nobody has collected is gone', () => {
  // It is collected by Node only after this function.
  const child = spawn('sh', ['-c', 'exit 0'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  for (const until = Date.now() + 10_000; processStart(pid) !== undefined && Date.now() < until; );
  expect(processStart(pid)).toBeUndefined();
});

it('the boot id stays the same, and is part of the start', () => {
  expect(bootId()).toBe(bootId());
  expect(bootId()).not.toBe('');
  expect(processStart(process.pid)).toContain(bootId());
});

it('takes the start from behind a name that holds anything', () => {
  expect(processStart(7, linux(stat('S', 4711)))).toBe('boot-1 pid:[1] 4711');
  expect(processStart(7, linux(stat('S', 4711, '1 2 3')))).toBe('boot-1 pid:[1] 4711');
});

it('another boot, and another place where pids count, mean another process', () => {
  const started = processStart(7, linux(stat('S', 5))) ?? '';
  expect(isSameProcess(7, started, linux(stat('S', 5)))).toBe(true);
  expect(isSameProcess(7, started, linux(stat('S', 6)))).toBe(false);
  expect(isSameProcess(7, started, linux(stat('S', 5), 'boot-2'))).toBe(false);
  expect(isSameProcess(7, started, { ...linux(stat('S', 5)), readLink: () => 'pid:[2]' })).toBe(false);
});

it('dead and missing processes have no start', () => {
  for (const state of ['Z', 'X']) expect(processStart(7, linux(stat(state, 5)))).toBeUndefined();
  expect(processStart(7, fakeHost({}))).toBeUndefined();
  for (const pid of [0, -1, 1.5, Number.NaN]) expect(processStart(pid, linux(stat('S', 5)))).toBeUndefined();
  const denied = fakeHost({
    read: () => {
      throw failing('EACCES');
    },
  });
  expect(() => processStart(7, denied)).toThrow('EACCES');
});

it('asks ps on macOS', () => {
  const asked: string[] = [];
  const mac = (line: string | undefined) =>
    fakeHost({
      platform: 'darwin',
      output(command, args) {
        asked.push([command, ...args].join(' '));
        return command === 'sysctl' ? 'UUID-1\n' : line;
      },
    });
  expect(processStart(7, mac('Ss   Mon Jan  5 10:00:00 2026\n'))).toBe('UUID-1 Mon Jan  5 10:00:00 2026');
  expect(processStart(7, mac('Z    Mon Jan  5 10:00:00 2026\n'))).toBeUndefined();
  expect(processStart(7, mac(undefined))).toBeUndefined();
  expect(asked.slice(0, 2)).toEqual(['ps -o stat=,lstart= -p 7', 'sysctl -n kern.bootsessionuuid']);
});

it('asks PowerShell on Windows', () => {
  const windows = (text: string | undefined) =>
    fakeHost({
      platform: 'win32',
      output: (_, args) => (args.at(-1)?.includes('LastBootUpTime') ? '638000\r\n' : text),
    });
  expect(processStart(7, windows('639001\r\n'))).toBe('638000 639001');
  expect(processStart(7, windows(undefined))).toBeUndefined();
  expect(() => bootId(fakeHost({ platform: 'win32' }))).toThrow('does not tell when it was started');
});

it('one start of a machine is the same in all its containers', () => {
  expect(isSameBoot('b1 pid:[4026531836]', 'b1 pid:[4026532000]')).toBe(true);
  expect(isSameBoot('b1 pid:[1]', 'b2 pid:[1]')).toBe(false);
  expect(isSameBoot('{ sec = 1 } a', '{ sec = 2 } a')).toBe(false);
});
