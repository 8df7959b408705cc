/** The program of a host itself, in a process of its own; what its owner sees is tested with `pool.ts`. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { type HostReport, hostPipe, lineReader, readReport, type StepWork, writeWork } from './protocol.ts';

test.skipIf(process.platform === 'win32')(
  'a step may take its folder away before all of its host has started',
  async () => {
    const host = JSON.stringify(pathToFileURL(process.env.TOOLANG_TEST_HOST ?? '').href);
    const code = `require('node:fs').rmdirSync(process.cwd()); import(${host})`;
    const cwd = mkdtempSync(join(tmpdir(), 'toolang-host-'));
    const child = spawn(process.execPath, ['-e', code], {
      cwd,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'pipe'],
    });
    const pipe = child.stdio[hostPipe] as Socket;
    const exit = new Promise((ended) => child.once('exit', ended));
    const done = new Promise<HostReport | undefined>((resolve) => {
      pipe.setEncoding('utf8');
      pipe.on(
        'data',
        lineReader((line) => {
          const report = readReport(line ?? '');
          if (report?.kind === 'ready') pipe.write(writeWork({ step: step(cwd) }));
          else resolve(report);
        }),
      );
    });
    // Three threads, one after the other: the one that was started before them has failed by then too.
    expect(await done).toMatchObject({ kind: 'done', ok: 'uv_cwd,uv_cwd,uv_cwd', left: true });
    pipe.destroy();
    await exit;
  },
);

function step(cwd: string): StepWork {
  const text = `(async () => {
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const failed = () => new Promise((done) => new Worker('', { eval: true }).on('error', (error) => done(error.syscall)));
    return [await failed(), await failed(), await failed()].join();
  })`;
  const action = { kind: 'run', text, names: [] } as const;
  return {
    id: 1,
    action,
    args: { steps: {}, input: null },
    asks: false,
    runId: 'r',
    attempt: 1,
    key: 'k',
    cwd,
    folder: cwd,
  };
}
