/** `toolang clone REF [NAME]`: an agent from elsewhere becomes one that lives here. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { homeOfResident } from '../../config/index.ts';
import { painter, printable } from '../../text/index.ts';
import { hostOf, refusal } from '../caps/places.ts';
import { requestsOf, syncHere } from '../caps/sync-here.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { homeOptions } from '../home-options.ts';
import { printDiagnostics } from '../report.ts';
import { shownPath } from '../shown-path.ts';
import { acceptAgent, agentName, fetchAgent } from './remote-agent.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [ref = '', given] = args.positionals;
  const name = given ?? agentName(ref);
  const found = homeOfResident(name, hostOf(context), homeOptions(args.texts));
  if (!found.ok) throw refusal(found.problem);
  const home = found.places;
  const shown = shownPath(home.dir, context);
  if (existsSync(home.dir)) {
    const message = `an agent "${printable(name)}" lives here already, in ${shown}.`;
    throw new UsageError(message, `Give it another name: toolang clone ${ref} NAME`);
  }
  const agent = await fetchAgent(ref, home.root, context);
  if (agent === undefined || !(await acceptAgent(agent, args, context))) return exit.usage;
  await settle(home.dir, agent.bytes);
  context.stdout.write(`${painter(context.stdout.color).green('made')} ${shown}\n`);
  // The agent is here, whatever becomes of its caps.
  const [request] = requestsOf([{ name, file: path.join(home.dir, 'agent.too'), home }], home.root);
  const report = request && (await syncHere(request, {}, args, context));
  printDiagnostics(report?.diagnostics ?? [], context.stderr);
  if (report?.ok) return exit.done;
  context.stderr.write(`its caps are not synced yet: toolang sync ${name}\n`);
  return exit.usage;
}

/** All at once: half of a home would be an agent without a source. */
async function settle(dir: string, source: Uint8Array): Promise<void> {
  const fresh = path.join(path.dirname(dir), `.${path.basename(dir)}.${process.pid}.new`);
  try {
    await mkdir(fresh, { recursive: true });
    await writeFile(path.join(fresh, 'agent.too'), source);
    await rename(fresh, dir);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
