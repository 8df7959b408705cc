/** An agent that a word names, ready to run: found, fetched and accepted where it comes from elsewhere, synced, compiled. */
import { agentKey, findAgent, type Peeked, type SyncState } from '../../caps/index.ts';
import { type AgentKind, findRoot, type HomePlaces, type RootPlaces } from '../../config/index.ts';
import { type AgentProgram, unpackProgram } from '../../program/index.ts';
import { displayPath } from '../../sys/index.ts';
import { hasErrors } from '../../text/index.ts';
import { hostOf, refusal } from '../caps/places.ts';
import { requestsOf, syncHere } from '../caps/sync-here.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { homeOptions } from '../home-options.ts';
import { printDiagnostics, printErrors } from '../report.ts';

export interface OpenAgent {
  readonly kind: AgentKind;
  readonly name: string;
  /** Its source, absolute. */
  readonly file: string;
  readonly home: HomePlaces;
  readonly root: RootPlaces;
  readonly state: SyncState;
  readonly program: AgentProgram;
  /** Of one that is only looked at, and was not synced for it: caps that do not lie where a run would find them. */
  readonly late?: Peeked['late'];
}

export type OpensAgent = (word: string, args: Args, context: Context) => Promise<OpenAgent | undefined>;

/** Undefined where something stands in the way, which is told. */
export async function openAgent(word: string, args: Args, context: Context): Promise<OpenAgent | undefined> {
  const host = hostOf(context);
  const options = homeOptions(args.texts);
  const found = findAgent(word, host, options);
  if (!found.ok) throw refusal(found.problem);
  const { kind, name } = found.agent;
  const offline = args.switches.offline === true && { offline: true };
  const here =
    found.agent.kind === 'visiting'
      ? await (await import('./visit.ts')).visit(found.agent, { ...offline }, args, context)
      : found.agent;
  if (here === undefined) return undefined;
  const root = findRoot(host, options);
  const [request] = requestsOf([here], root);
  if (request === undefined) throw new Error(`nothing to sync for ${word}`);
  const report = await syncHere(request, { ...offline }, args, context);
  if (!report.ok) {
    if (hasErrors(report.diagnostics)) printErrors(report.diagnostics, context);
    else context.stderr.write('not accepted: nothing was run\n');
    return undefined;
  }
  const [own] = request.agents;
  const state = report.states.find((each) => each.agent === own?.name);
  if (state === undefined) throw new Error(`the sync of ${agentKey(here)} left no state`);
  printDiagnostics(report.diagnostics, context.stderr);
  const program = unpackProgram(state.program, displayPath(here.file, context.cwd));
  return { kind, name, file: here.file, home: here.home, root, state, program };
}
