/** The CPU time of this process: unlike a clock it does not go on while other work has the machine. */

/** Milliseconds so far. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
