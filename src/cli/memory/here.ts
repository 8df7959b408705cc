/** The memory of the home where a command is run. */
import { homeOfDirectory, machineHost } from '../../config/index.ts';
import type { Memory } from '../../run/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { homeOptions } from '../home-options.ts';

export interface MemoryHere {
  readonly file: string;
  readonly memory: Memory;
}

/** Undefined where there is no home. It is closed when the work is done. */
export async function withMemory<T>(
  args: Args,
  { cwd, env }: Context,
  work: (here: MemoryHere | undefined) => T,
): Promise<T> {
  const found = homeOfDirectory(cwd, machineHost({ cwd, env }), homeOptions(args.texts));
  if (!found.ok) throw new UsageError(`${found.problem.message} (${found.problem.code})`, found.problem.help);
  const file = found.places?.memory;
  if (file === undefined) return work(undefined);
  const { openMemory } = await import('../../run/index.ts');
  const memory = openMemory(file);
  try {
    return work({ file, memory });
  } finally {
    memory.close();
  }
}

/** A name that nobody has is a mistake where others have some. */
export function refuseUnknown(agent: string | undefined, { memory }: MemoryHere): void {
  if (agent === undefined) return;
  const known = new Set(memory.list().map((each) => each.agent));
  if (known.size === 0 || known.has(agent)) return;
  const near = didYouMean(closest(agent, known));
  throw new UsageError(`nothing is remembered of an agent "${agent}".${near}`, 'What there is: toolang memory list');
}
