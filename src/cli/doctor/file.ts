/** What one file needs: that it is right, the models it names, and the programs of its agents. */
import { existsSync } from 'node:fs';
import nodePath from 'node:path';
import type { Settings } from '../../config/index.ts';
import type { Choice, Models } from '../../model/index.ts';
import { findCommand, isExecutable, realClock } from '../../sys/index.ts';
import { hasErrors } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { homeOptions } from '../home-options.ts';
import { type InputFile, placeOf, readWord } from '../input.ts';
import { count, totalsOf } from '../report.ts';
import { type Check, clause } from './check.ts';

/** The programs of the types of agents that are programs of others. */
const programs: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  codex: 'codex',
  gemini: 'gemini',
  pi: 'pi',
  kimi: 'kimi',
  forge: 'forge',
};

export async function fileChecks(
  word: string,
  models: Models,
  settings: Settings,
  args: Args,
  context: Context,
): Promise<readonly Check[]> {
  return word.endsWith('.toon')
    ? workflowChecks(word, settings, args, context)
    : agentChecks(word, models, args, context);
}

export function refuseOther(word: string): void {
  if (/\.toon?$/.test(word)) return;
  throw new UsageError(`"${word}" is neither an agent nor a workflow.`, 'Name a .too or a .toon file.');
}

async function workflowChecks(
  word: string,
  settings: Settings,
  args: Args,
  context: Context,
): Promise<readonly Check[]> {
  const { readPlan } = await import('../read-plan.ts');
  const { asksProvider, createAgentModels, scriptBeside } = await import('../../run/index.ts');
  const { plan, diagnostics, problems, file } = await readPlan(word, args, context);
  const checks = [rightCheck(file, diagnostics, problems)];
  const script = scriptBeside(placeOf(file, context.cwd));
  const standIn = existsSync(script) ? nodePath.basename(script) : undefined;
  const models = createAgentModels({ env: context.env, settings, clock: realClock });
  for (const agent of Object.values(plan?.agents ?? {})) {
    const name = `agent ${agent.name}`;
    const program = programs[agent.type];
    if (asksProvider(agent)) checks.push(chosenCheck(name, await models.choose(agent)));
    else if (program !== undefined) checks.push(programCheck(name, agent.type, program, standIn, context));
  }
  return checks;
}

function programCheck(
  name: string,
  type: string,
  program: string,
  standIn: string | undefined,
  { cwd, env }: Context,
): Check {
  const check = { area: 'file', name } as const;
  const found = findCommand(program, { path: nodePath, platform: process.platform, cwd, env, isExecutable });
  if (found !== undefined) return { ...check, status: 'ok', says: `${type}: runs ${program}` };
  const says = `${type}: there is no program "${program}" on the PATH`;
  const fix = `install ${program}`;
  if (standIn === undefined) return { ...check, status: 'fail', says, fix };
  return { ...check, status: 'warn', says: `${says} (${standIn} answers for it until then)`, fix };
}

async function agentChecks(word: string, models: Models, args: Args, context: Context): Promise<Check[]> {
  const read = await readWord(word, context, undefined);
  if (!read.ok) return [rightCheck(read.file, [], [read.problem])];
  const { checkSource, effectiveSets } = await import('../../program/index.ts');
  const { hostFinder } = await import('../host.ts');
  const { host, diagnostics: around } = await hostFinder(context, [], homeOptions(args.texts))(read.file);
  const { program, diagnostics } = checkSource(read.source, host);
  const checks = [rightCheck(read.file, [...around, ...diagnostics], [])];
  if (hasErrors([...around, ...diagnostics])) return checks;
  for (const thunk of program.thunks.values()) {
    const refs = effectiveSets(program, thunk, host).models.items.map(({ name }) => name);
    checks.push(chosenCheck(`thunk ${thunk.name}`, await models.choose(refs)));
  }
  return checks;
}

/** The models of an agent or a thunk, in their order: the first that can be used is asked. */
function chosenCheck(name: string, { candidates, problem }: Choice): Check {
  const check = { area: 'file', name } as const;
  if (problem) {
    const { message, help } = problem;
    return { ...check, status: 'fail', says: clause(message), ...(help !== undefined && { fix: clause(help) }) };
  }
  const usable = candidates.flatMap((each) => (each.ok ? [each.model.ref] : []));
  const passed = candidates.flatMap((each) => (each.ok ? [] : [`${each.ref} is passed over`]));
  const says = [`model ${usable.join(', ')}`, ...passed].join('; ');
  return { ...check, status: passed.length > 0 ? 'warn' : 'ok', says };
}

function rightCheck(
  { name }: InputFile,
  diagnostics: Parameters<typeof totalsOf>[0],
  problems: readonly { readonly message: string }[],
): Check {
  const { errors, warnings } = totalsOf(diagnostics);
  const check = { area: 'file', name } as const;
  if (errors + problems.length === 0) {
    return { ...check, status: 'ok', says: warnings === 0 ? 'no problems' : count(warnings, 'warning') };
  }
  const says = clause(problems[0]?.message ?? count(errors, 'error'));
  return { ...check, status: 'fail', says, fix: `toolang check ${name}` };
}
