/** Names of steps in runs, made of paths in plans and the rounds of loops, and read again. */

/** The rounds in the name of a step, the outermost loop first. */
export function roundsIn(identity: string): number[] {
  return Array.from(identity.matchAll(/\[(\d+)\]/g), ([, round]) => Number(round));
}

/** A node in these rounds. */
export function keyAt(path: string, rounds: readonly number[]): string {
  return `${path}\n${rounds.join(',')}`;
}

/** With the rounds behind the loops, which are those around it, the outermost first. */
export function nameAt(path: string, loops: readonly { readonly path: string }[], rounds: readonly number[]): string {
  let name = path;
  for (let i = loops.length - 1; i >= 0; i--) {
    const at = loops[i]?.path.length ?? 0;
    name = `${name.slice(0, at)}[${rounds[i] ?? 1}]${name.slice(at)}`;
  }
  return name;
}
