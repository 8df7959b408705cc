/** The machine and the places: Node, git, the root and the home, and what is wrong with their configuration. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import nodePath from 'node:path';
import {
  findRoot,
  type HomePlaces,
  homeOfDirectory,
  homeOfFile,
  machineHost,
  mergeConfig,
  type RootPlaces,
  readConfig,
  type Settings,
} from '../../config/index.ts';
import { displayPath, isGitFailure, spawnGit, systemCode } from '../../sys/index.ts';
import { sandboxProbe } from '../../tool/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { homeOptions } from '../home-options.ts';
import { count, totalsOf } from '../report.ts';
import { shownPath } from '../shown-path.ts';
import { type Check, clause } from './check.ts';

export interface Surroundings {
  readonly checks: readonly Check[];
  readonly root: RootPlaces;
  readonly home?: HomePlaces;
  readonly settings: Settings;
}

const leastNode = [20, 19] as const;

/** `file`: the one that the rest is about. */
export async function lookAround(args: Args, context: Context, file: string | undefined): Promise<Surroundings> {
  const host = machineHost({ cwd: context.cwd, env: context.env });
  const options = homeOptions(args.texts);
  const root = findRoot(host, options);
  const found = file === undefined ? homeOfDirectory(context.cwd, host, options) : homeOfFile(file, host, options);
  const home = found.ok ? found.places : undefined;
  const checks: Check[] = [nodeCheck(process.versions.node), await gitCheck(context), rootCheck(root, context)];
  if (!found.ok) {
    const { message, help } = found.problem;
    checks.push({
      area: 'place',
      name: 'home',
      status: 'fail',
      says: clause(message),
      ...(help !== undefined && { fix: clause(help) }),
    });
  } else if (home) checks.push(homeCheck(home, context));
  else checks.push({ area: 'place', name: 'home', status: 'off', says: 'none: this folder is in no home' });
  const inRoot = await readConfig(root.config, displayPath(root.config, context.cwd));
  const inHome =
    home && home.config !== root.config
      ? await readConfig(home.config, displayPath(home.config, context.cwd))
      : undefined;
  for (const [name, place, read] of [
    ['root', root.config, inRoot],
    ['home', home?.config, inHome],
  ] as const) {
    if (read && place !== undefined) checks.push(...configChecks(name, place, read.diagnostics, context));
  }
  const { settings } = mergeConfig({ root: inRoot.layer, ...(inHome && { home: inHome.layer }) });
  checks.splice(2, 0, await sandboxCheck(settings, context));
  return { checks, root, ...(home && { home }), settings };
}

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1]);
  const check = { area: 'system', name: 'node', says: version } as const;
  if (!isOld) return { ...check, status: 'ok' };
  return { ...check, status: 'fail', fix: `install Node ${leastNode.join('.')} or later` };
}

async function gitCheck({ cwd, env }: Context): Promise<Check> {
  const check = { area: 'system', name: 'git' } as const;
  const fix = 'install git: references to caps and worktrees need it';
  try {
    const { code, out } = await spawnGit(['--version'], { cwd, env: env as NodeJS.ProcessEnv, limitMs: 10_000 });
    const version = /\d[\d.]*/.exec(out.toString('utf8'))?.[0];
    if (code === 0 && version !== undefined) return { ...check, status: 'ok', says: version };
    return { ...check, status: 'warn', says: `it cannot be run (exit ${code})`, fix };
  } catch (error) {
    if (!isGitFailure(error)) throw error;
    return { ...check, status: 'warn', says: 'it is not there', fix };
  }
}

/** Tried out with the real program. It is broken only for who asks for it. */
async function sandboxCheck({ sandbox }: Settings, { env }: Context): Promise<Check> {
  const check = { area: 'system', name: 'sandbox' } as const;
  const probe = await sandboxProbe({ env });
  if (probe.ok) return { ...check, status: 'ok', says: `${nodePath.basename(probe.program)} ${probe.version}` };
  const status = sandbox.shell === 'os' ? 'fail' : 'off';
  return { ...check, status, says: clause(probe.message), fix: clause(probe.help) };
}

function rootCheck({ dir }: RootPlaces, context: Context): Check {
  const check = { area: 'place', name: 'root' } as const;
  const shown = shownPath(dir, context);
  const stats = statSync(dir, { throwIfNoEntry: false });
  if (!stats) return { ...check, status: 'ok', says: `${shown}, not made yet` };
  if (stats.isDirectory()) return { ...check, status: 'ok', says: shown };
  return { ...check, status: 'fail', says: `${shown} is not a directory`, fix: 'check the spelling of TOOLANG_ROOT' };
}

/** `access`: of the system. Runs and caps are kept in it, so who may not write there runs nothing. */
export function homeCheck(
  { dir, state }: Pick<HomePlaces, 'dir' | 'state'>,
  context: Context,
  access: typeof accessSync = accessSync,
): Check {
  const check = { area: 'place', name: 'home' } as const;
  const shown = shownPath(dir, context);
  try {
    // What is not there yet is made where it is needed.
    const place = [state, dir].find((each) => existsSync(each));
    if (place !== undefined) access(place, constants.W_OK);
    return { ...check, status: 'ok', says: shown };
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')) throw error;
    const fix = 'name a folder of your own with --home DIR: runs and caps are kept there';
    return { ...check, status: 'fail', says: `${shown} may not be written`, fix };
  }
}

function configChecks(
  name: string,
  place: string,
  diagnostics: Parameters<typeof totalsOf>[0],
  context: Context,
): Check[] {
  const { errors, warnings } = totalsOf(diagnostics);
  if (errors + warnings === 0) return [];
  const says = [errors > 0 ? count(errors, 'error') : '', warnings > 0 ? count(warnings, 'warning') : '']
    .filter(Boolean)
    .join(', ');
  const first = diagnostics[0]?.message ?? '';
  const status = errors > 0 ? 'fail' : 'warn';
  return [
    { area: 'config', name, status, says: `${says}: ${clause(first)}`, fix: `edit ${shownPath(place, context)}` },
  ];
}
