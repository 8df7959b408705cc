/** Joins the commands to this process: its streams, its signals, its exit code. */
import { type Context, processContext, type StopSignal } from './context.ts';
import { exit, stopCode } from './exit.ts';
import { reportError, runCli } from './run.ts';

export { hasOtherFlags } from './optimize-later.ts';

export async function main(): Promise<void> {
  if (!hasDirectory()) {
    process.stderr.write('toolang: the current directory is not there any more\n');
    process.exitCode = exit.failed;
    return;
  }
  const handlers: ((signal: StopSignal) => void)[] = [];
  const streams = processContext({
    // The reader has seen enough, as in `toolang … | head -1`: the rest goes nowhere, and the exit code stays true.
    stdout: (error) => (isClosedPipe(error) ? undefined : fail(error)),
    // Nobody is left to tell; the exit code still says what happened.
    stderr: () => {},
  });
  const context: Context = {
    ...streams,
    onSignal(handler) {
      handlers.push(handler);
      return () => void handlers.splice(handlers.indexOf(handler), 1);
    },
    async terminal() {
      const { stdin, stdout, stderr, env } = streams;
      if (!stdin.isTTY || !stdout.isTTY || !stderr.isTTY || env.TERM === 'dumb') return undefined;
      return (await import('../chat/index.ts')).processTerminal();
    },
    self: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
  };
  const fail = (error: unknown) => process.exit(reportError(error, context));
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const handler = handlers.at(-1);
      if (handler) handler(signal);
      else process.exit(stopCode(signal));
    });
  }
  // All is written by then. Node would take itself apart piece by piece, which for a short command takes long.
  process.once('beforeExit', () => process.exit());
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    // The code is set, not forced: what is still in the pipe gets written.
    process.exitCode = await runCli(process.argv.slice(2), context);
  } catch (error) {
    process.exitCode = reportError(error, context);
  }
}

/** A terminal that was closed fails with EIO. */
function isClosedPipe(error: NodeJS.ErrnoException): boolean {
  return ['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'].includes(error.code ?? '');
}

/** A directory that was removed under us has no name, and nothing can be resolved from it. */
function hasDirectory(): boolean {
  try {
    return process.cwd() !== '';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
