/** `toolang doctor`: whether all is there that models, tools and services need. */
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type Check, type CheckStatus, checksText } from '../doctor/check.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { stoppable } from '../stoppable.ts';

/** The shape of `--json`, as in `spec/json/doctor.schema.json`. */
interface DoctorJson {
  version: 1;
  checks: readonly Check[];
  /** How many of each there are. */
  counts: Readonly<Record<CheckStatus, number>>;
}

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const checks = await stoppable(context, (signal) => checkAll(args, context, signal));
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const counts = { ok: count('ok'), warn: count('warn'), fail: count('fail'), off: count('off') };
  if (args.switches.json) {
    const shape: DoctorJson = { version: 1, checks, counts };
    context.stdout.write(jsonText(shape));
  } else context.stdout.write(checksText(checks, context.stdout));
  return counts.fail > 0 ? exit.failed : exit.done;
}

async function checkAll(args: Args, context: Context, signal: AbortSignal): Promise<readonly Check[]> {
  const [word] = args.positionals;
  const { fileChecks, fileOf, isWorkflow } = await import('../doctor/file.ts');
  const file = word === undefined ? undefined : await fileOf(word, args, context);
  const { lookAround } = await import('../doctor/surroundings.ts');
  const { modelChecks, modelsHere } = await import('../doctor/models.ts');
  const { serviceChecks } = await import('../doctor/services.ts');
  const around = await lookAround(args, context, file);
  const models = modelsHere(around.settings, context);
  const ofModels = await modelChecks(models, around.settings, context);
  const connect = args.switches.connect ?? false;
  const agent = word === undefined || isWorkflow(word) ? undefined : word;
  const ofServices = await servicesOf(args, context, agent).then((here) =>
    here ? serviceChecks(here, { workspace: context.cwd, connect, signal }, context) : [],
  );
  const { settings } = around;
  const ofFile = word === undefined ? [] : await fileChecks(word, { models, settings, connect, signal }, args, context);
  return [...around.checks, ...ofModels, ...ofServices, ...ofFile];
}

/** Undefined where the places are wrong, which has its own line. */
async function servicesOf(args: Args, context: Context, agent: string | undefined) {
  const { servicesHere } = await import('../services/here.ts');
  try {
    return await servicesHere(args, context, agent);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
