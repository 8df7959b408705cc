/** Models: whose keys are there, what runs on this machine, and whether the configured ones can be used. */
import type { Settings } from '../../config/index.ts';
import { createModels, isPassing, type ModelProblem, type Models } from '../../model/index.ts';
import { realClock } from '../../sys/index.ts';
import type { Context } from '../context.ts';
import { count } from '../report.ts';
import { type Check, clause } from './check.ts';

export function modelsHere(settings: Settings, { env }: Context): Models {
  return createModels({ env, settings, clock: realClock });
}

export async function modelChecks(models: Models, settings: Settings, { env }: Context): Promise<readonly Check[]> {
  const { providers, models: listed } = await models.list();
  const checks: Check[] = providers.map(({ name, status, keyEnv, address, models: known }) => {
    const check = { area: 'model', name } as const;
    if (status === 'usable') {
      const key = keyEnv.find((variable) => (env[variable] ?? '').trim() !== '');
      const says =
        address === undefined ? `key in ${key ?? 'the configuration'}` : `${count(known, 'model')} at ${address}`;
      return { ...check, status: 'ok', says };
    }
    if (status === 'not-running') return { ...check, status: 'off', says: `nothing answers at ${address}` };
    return { ...check, status: 'off', says: 'no key', fix: `set ${keyEnv.join(' or ')}` };
  });
  for (const { alias, problem } of listed) {
    if (alias !== undefined && problem) checks.push(modelCheck(`alias ${alias}`, problem));
  }
  const { default: configured } = settings.models;
  const choice = await models.choose();
  if (choice.problem) {
    const name = configured.length > 0 ? 'default' : 'any';
    const check = modelCheck(name, choice.problem);
    // Nothing is configured: only who asks for a model misses one.
    checks.push(configured.length > 0 ? { ...check, status: 'fail' } : { ...check, status: 'warn' });
  }
  return checks;
}

/** A model that is named and cannot be used. */
export function modelCheck(name: string, problem: ModelProblem): Check {
  const { message, help } = problem;
  const status = isPassing(problem) ? 'warn' : 'fail';
  return { area: 'model', name, status, says: clause(message), ...(help !== undefined && { fix: clause(help) }) };
}
