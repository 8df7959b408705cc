/** Services: whether their variables, programs and logins are there; whether they answer, where that is asked. */
import { version } from '../../api/index.ts';
import type { Service } from '../../caps/index.ts';
import { builtinSets } from '../../config/index.ts';
import { isTrouble, listLogins, missingVariables, openServices, programOf } from '../../tool/index.ts';
import type { Context } from '../context.ts';
import { count } from '../report.ts';
import type { ServiceHere, ServicesHere } from '../services/here.ts';
import { shownPath } from '../shown-path.ts';
import { type Check, clause } from './check.ts';

export interface ServiceCheckOptions {
  /** The folder in which commands would run. */
  readonly workspace: string;
  readonly connect: boolean;
  readonly signal: AbortSignal;
}

export async function serviceChecks(
  { services, places, diagnostics }: ServicesHere,
  options: ServiceCheckOptions,
  context: Context,
): Promise<readonly Check[]> {
  const { credentials } = places.root;
  const logins = new Set((await listLogins(credentials)).map(({ service, url }) => `${service} ${url}`));
  const isLoggedIn = ({ name, target }: Service) =>
    URL.canParse(target) && logins.has(`${name} ${new URL(target).href}`);
  const checks = services.map((service) => stillCheck(service, isLoggedIn, options, context));
  const wrong: Check[] = diagnostics.map(({ source, message }) => ({
    area: 'file',
    name: source.name,
    status: 'fail',
    says: clause(message),
    fix: `toolang check ${source.name}`,
  }));
  if (!options.connect) return [...checks, ...wrong];
  const usable = services.flatMap(({ definition }, at) =>
    definition && checks[at]?.status === 'ok' ? [{ definition, at }] : [],
  );
  const { workspace, signal } = options;
  const opened = openServices(
    usable.map(({ definition }) => definition),
    { workspace, env: context.env, credentials, version },
  );
  try {
    await Promise.all(
      usable.map(async ({ definition, at }) => {
        const listed = await opened.tools(definition.name, signal);
        const check = { area: 'service', name: definition.name } as const;
        checks[at] = listed.ok
          ? {
              ...check,
              status: 'ok',
              says: [`answers, ${count(listed.tools.length, 'tool')}`, ...listed.notes].join('; '),
            }
          : { ...check, status: 'fail', says: listed.reason };
      }),
    );
  } finally {
    await opened.close();
  }
  return [...checks, ...wrong];
}

/** Without asking it anything. */
function stillCheck(
  { cap, definition, isSynced, wrong = 'its file is wrong' }: ServiceHere,
  isLoggedIn: (service: Service) => boolean,
  { workspace }: ServiceCheckOptions,
  context: Context,
): Check {
  const check = { area: 'service', name: cap.name } as const;
  if (!isSynced) return { ...check, status: 'warn', says: 'it was not synced yet', fix: 'toolang sync' };
  if (!definition) return { ...check, status: 'fail', says: clause(wrong), fix: 'toolang sync' };
  if (builtinSets.includes(cap.name)) {
    const says = `"${cap.name}" is a built-in set of tools: those of this service are not offered`;
    return { ...check, status: 'warn', says, fix: 'give it another name' };
  }
  const missing = missingVariables(definition, context.env);
  if (missing.length > 0) {
    const says = `${missing.length === 1 ? 'the variable' : 'the variables'} ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`;
    const where = `${shownPath(cap.file, context)}:${cap.line}`;
    return { ...check, status: 'fail', says, fix: `set ${missing.length === 1 ? 'it' : 'them'}; ${where} asks for it` };
  }
  if (definition.transport === 'stdio') {
    try {
      const program = programOf(definition, { cwd: workspace, env: context.env });
      return { ...check, status: 'ok', says: `runs ${shownPath(program, context)}` };
    } catch (error) {
      if (!isTrouble(error)) throw error;
      return { ...check, status: 'fail', says: error.message, fix: 'install it, or correct "target"' };
    }
  }
  const login = isLoggedIn(definition) ? ', logged in' : '';
  return { ...check, status: 'ok', says: `${shownAddress(definition.target)}${login}` };
}

/** Keys stand in queries, too. */
function shownAddress(target: string): string {
  const { origin, pathname, search } = new URL(target);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
