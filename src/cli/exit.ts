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
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exit)[keyof typeof exit];
