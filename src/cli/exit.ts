/** What the exit codes mean. */
export const exit = {
  done: 0,
  failed: 1,
  /** Wrong usage, or errors found by a check. */
  usage: 2,
  /** A run waits for a person. */
  waiting: 3,
  /** A limit was reached. */
  limit: 4,
  /** Its terminal was closed. */
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exit)[keyof typeof exit];

/** Of who was stopped by a signal. */
export function stopCode(signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM' | undefined): ExitCode {
  if (signal === 'SIGHUP') return exit.hungUp;
  return signal === 'SIGTERM' ? exit.terminated : exit.interrupted;
}
