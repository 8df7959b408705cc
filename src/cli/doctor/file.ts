/** What one file needs: that it is right, the models it names, and the programs of its agents. */
import nodePath from 'node:path';
import { isPassing, type Models } from '../../model/index.ts';
import type { AgentSpec } from '../../plan/index.ts';
import { findCommand, isExecutable } from '../../sys/index.ts';
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
  args: Args,
  context: Context,
): Promise<readonly Check[]> {
  return word.endsWith('.toon')
    ? workflowChecks(word, models, args, context)
    : agentChecks(word, models, args, context);
}

export function refuseOther(word: string): void {
  if (/\.toon?$/.test(word)) return;
  throw new UsageError(`"${word}" is neither an agent nor a workflow.`, 'Name a .too or a .toon file.');
}

async function workflowChecks(word: string, models: Models, args: Args, context: Context): Promise<Check[]> {
  const { readPlan } = await import('../read-plan.ts');
  const { plan, diagnostics, problems, file } = await readPlan(word, args, context);
  const checks = [rightCheck(file, diagnostics, problems)];
  const { existsSync } = await import('node:fs');
  const script = placeOf(file, context.cwd).replace(/\.toon$/, '.script.toon');
  const hasScript = existsSync(script);
  for (const agent of Object.values(plan?.agents ?? {})) {
    const check = await workflowAgent(agent, models, context);
    if (!check) continue;
    const isSpared = hasScript && check.status !== 'ok';
    const says = `${check.says} (${nodePath.basename(script)} answers for it until then)`;
    checks.push(isSpared ? { ...check, status: 'warn', says } : check);
  }
  return checks;
}

async function workflowAgent(
  { name, type, fields }: AgentSpec,
  models: Models,
  context: Context,
): Promise<Check | undefined> {
  const check = { area: 'file', name: `agent ${name}` } as const;
  const program = programs[type];
  if (program !== undefined) {
    const { cwd, env } = context;
    const found = findCommand(program, { path: nodePath, platform: process.platform, cwd, env, isExecutable });
    if (found !== undefined) return { ...check, status: 'ok', says: `${type}: runs ${program}` };
    return {
      ...check,
      status: 'fail',
      says: `${type}: there is no program "${program}" on the PATH`,
      fix: `install ${program}`,
    };
  }
  const provider = type === 'api' ? fields.provider : type === 'anthropic' || type === 'openai' ? type : undefined;
  if (typeof provider !== 'string' || typeof fields.model !== 'string') return undefined;
  const ref = fields.model.includes('/') ? fields.model : `${provider}/${fields.model}`;
  return namedModel(check.name, ref, models);
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
    const { candidates, problem } = await models.choose(refs);
    const usable = candidates.find(({ ok }) => ok);
    const check = { area: 'file', name: `thunk ${thunk.name}` } as const;
    if (!problem) checks.push({ ...check, status: 'ok', says: `model ${usable?.ref}` });
    else {
      const { message, help } = problem;
      checks.push({
        ...check,
        status: 'fail',
        says: clause(message),
        ...(help !== undefined && { fix: clause(help) }),
      });
    }
  }
  return checks;
}

async function namedModel(name: string, ref: string, models: Models): Promise<Check> {
  const found = await models.find(ref);
  if (found.ok) return { area: 'file', name, status: 'ok', says: `model ${ref}` };
  const { message, help } = found.problem;
  const fix = help ?? (isPassing(found.problem) ? undefined : 'correct its name');
  return { area: 'file', name, status: 'fail', says: clause(message), ...(fix !== undefined && { fix: clause(fix) }) };
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
