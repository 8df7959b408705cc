/** `toolang sync`: brings the caps of agents into place, locked; says what has changed. */
import { agentFiles, type Change, type RemoteCap, type SyncReport, type VisitingAgent } from '../../caps/index.ts';
import { displayPath } from '../../sys/index.ts';
import { closest, didYouMean, hasErrors, printable, toJson } from '../../text/index.ts';
import { agentsOf, placesHere } from '../caps/places.ts';
import { type AgentHere, changeLines, requestsOf, syncHere } from '../caps/sync-here.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { count, printDiagnostics, printTotals, totalsOf } from '../report.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const { frozen, check, offline } = args.switches;
  const update = updateOf(args);
  const isUpdated = update && (({ name }: RemoteCap) => update.moves(name));
  if (isUpdated && (frozen || check || offline)) {
    throw new UsageError(
      '--update moves references, which --frozen, --check and --offline do not let it do.',
      'Write one of them.',
    );
  }
  const wish = { ...(frozen && { frozen }), ...(check && { check }), ...(offline && { offline }) };
  const [text] = args.positionals;
  const { root, home } = text === undefined ? placesHere(args, context) : { root: placesHere(args, context).root };
  // Where no agent lies here, the home and the root are synced alone.
  const isNone = text === undefined && agentFiles(context.cwd).length === 0;
  const visiting = async (agent: VisitingAgent) => {
    const { visit } = await import('../agents/visit.ts');
    return visit(agent, { ...wish, update: update?.moves(agent.name) ?? false }, args, context);
  };
  const agents: AgentHere[] = [];
  for (const agent of isNone ? [] : agentsOf(text, args, context)) {
    const here = agent.kind === 'visiting' ? await visiting(agent) : agent;
    if (here === undefined) return exit.usage;
    agents.push(here);
  }
  const reports: SyncReport[] = [];
  for (const request of requestsOf(agents, root, home)) {
    const report = await syncHere(request, { ...wish, ...(isUpdated && { isUpdated }) }, args, context);
    reports.push(report);
    if (!report.ok && !check) break;
  }
  const code = tell(reports, agents.length, args, context);
  // A reference that fails is told by itself.
  if (code === exit.done) update?.mustHaveMet();
  return code;
}

/** `--update` moves all references, `--update=NAME` those of that name. */
function updateOf({ switches, texts }: Args): Update | undefined {
  const { update } = texts;
  if (update === undefined) return switches.update ? { moves: () => true, mustHaveMet: () => {} } : undefined;
  const met = new Set<string>();
  return {
    moves: (name) => {
      met.add(name);
      return name === update;
    },
    mustHaveMet: () => {
      if (met.has(update)) return;
      const message = `no reference here has the name "${printable(update)}".${didYouMean(closest(update, met))}`;
      throw new UsageError(message, 'toolang caps list shows those that there are.');
    },
  };
}

interface Update {
  /** Whether references of that name are moved, those of caps and of guests. */
  readonly moves: (name: string) => boolean;
  /** Throws where nobody has the name. */
  readonly mustHaveMet: () => void;
}

function tell(reports: readonly SyncReport[], agents: number, args: Args, context: Context): ExitCode {
  const { stdout, stderr, cwd } = context;
  const ok = reports.every((report) => report.ok);
  const diagnostics = reports.flatMap((report) => report.diagnostics);
  const changes = reports.flatMap((report) => report.changes);
  const unlocked = reports.flatMap((report) => report.unlocked ?? []);
  const code = ok ? exit.done : exit.usage;
  if (args.switches.json) {
    const caps = unlocked.map(({ file, ...cap }) => ({ ...cap, file: displayPath(file, cwd) }));
    const refused = reports
      .flatMap((report) => report.refused ?? [])
      .map(({ kind, name, ref }) => ({ kind, name, ref }));
    stdout.write(jsonText({ version: 1, ok, changes, unlocked: caps, refused, diagnostics: diagnostics.map(toJson) }));
    return code;
  }
  printDiagnostics(diagnostics, stderr);
  const isCheck = args.switches.check === true;
  stdout.write(changeLines(changes, context, isCheck ? 'stale' : undefined));
  for (const { kind, name, ref } of unlocked)
    stdout.write(`? not locked ${kind} ${printable(name)}  ${printable(ref)}\n`);
  stderr.write(
    `${summary(reports, agents, changes, isCheck, hasErrors(diagnostics) ? printTotals(totalsOf(diagnostics)) : '')}\n`,
  );
  return code;
}

function summary(
  reports: readonly SyncReport[],
  agents: number,
  changes: readonly Change[],
  isCheck: boolean,
  errors: string,
): string {
  if (reports.some(({ refused }) => refused !== undefined)) return 'not accepted: nothing was changed';
  if (errors !== '') return `${errors}: nothing was changed`;
  if (reports.some(({ ok }) => !ok)) return 'not up to date: run "toolang sync"';
  const of = agents === 0 ? '' : ` of ${count(agents, 'agent')}`;
  if (isCheck || changes.length === 0) return `up to date${of === '' ? '' : `: the caps${of}`}`;
  return `synced${of === '' ? '' : ` the caps${of}`}: ${count(changes.length, 'change')}`;
}
