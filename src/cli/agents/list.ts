/** `toolang list`: the agents that live in the root, and the guests. */
import { listAgents } from '../../caps/index.ts';
import { findRoot } from '../../config/index.ts';
import { displayWidth, painter, printable } from '../../text/index.ts';
import { hostOf } from '../caps/places.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { homeOptions } from '../home-options.ts';
import { jsonText } from '../json.ts';
import { programName } from '../shell.ts';
import { shownPath } from '../shown-path.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const { residents, guests } = listAgents(findRoot(hostOf(context), homeOptions(args.texts)));
  const { stdout, stderr, env } = context;
  if (args.switches.json) {
    const agents = [
      ...residents.map(({ name, dir, file }) => ({ name, kind: 'resident', home: dir, ...(file && { source: file }) })),
      ...guests.map(({ name, dir }) => ({ name, kind: 'visiting', home: dir })),
    ];
    stdout.write(jsonText({ version: 1, agents }));
    return exit.done;
  }
  if (residents.length + guests.length === 0) {
    stderr.write(`no agents live here yet: ${programName(env)} new --agent NAME makes one\n`);
    return exit.done;
  }
  const rows = [
    ...residents.map(({ name, dir, file }) => [
      name,
      'resident',
      file ? shownPath(file, context) : `${shownPath(dir, context)} (no source)`,
    ]),
    ...guests.map(({ name, dir }) => [name, 'visiting', shownPath(dir, context)]),
  ].map((row) => row.map(printable));
  const widest = Math.max(...rows.map(([name = '']) => displayWidth(name)));
  const paint = painter(stdout.color);
  for (const [name = '', kind = '', at = ''] of rows) {
    stdout.write(
      `${paint.bold(name)}${' '.repeat(widest - displayWidth(name))}  ${kind.padEnd(8)}  ${paint.dim(at)}\n`,
    );
  }
  return exit.done;
}
