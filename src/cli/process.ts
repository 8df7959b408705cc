/** Joins the commands to this process: its streams, its signals, its exit code. */
import { type Context, processContext } from './context.ts';
import { exit } from './exit.ts';
import { reportError, runCli } from './run.ts';

export async function main(): Promise<void> {
  if (!hasDirectory()) {
    process.stderr.write('toolang: the current directory is not there any more\n');
    process.exitCode = exit.failed;
    return;
  }
  const context: Context = processContext({
    // The reader has seen enough, as in `toolang … | head -1`: the rest goes nowhere, and the exit code stays true.
    stdout: (error) => (isClosedPipe(error) ? undefined : fail(error)),
    // Nobody is left to tell; the exit code still says what happened.
    stderr: () => {},
  });
  const fail = (error: unknown) => process.exit(reportError(error, context));
  process.on('SIGINT', () => process.exit(exit.interrupted));
  process.on('SIGTERM', () => process.exit(exit.terminated));
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    // The code is set, not forced: what is still in the pipe gets written.
    process.exitCode = await runCli(process.argv.slice(2), context);
  } catch (error) {
    process.exitCode = reportError(error, context);
  }
}

function isClosedPipe(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
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
