// How much of what is measured.

export const lengths = {
  few: 200,
  many: 2000,
  resumed: 1000,
  /** Steps of one run that wait for no other. */
  wide: 100,
  /** Runs at once, and the steps of each. */
  runs: 100,
  short: 20,
  /** Steps of warming up in runs of so many, and how long that may take. */
  warm: 1000,
  warmRun: 100,
  warmMs: 10_000,
};
