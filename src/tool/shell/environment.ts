/**
 * What a command of a model sees of our environment: what programs need to run at all, and what the configuration names
 * (`[tools.shell] env`); nothing else, so no key that happens to be set. What would wait for a person is turned off.
 */

import { isCommonVariable } from '../child-env.ts';

/** There is no terminal: no colours, no pagers, no questions. */
const quiet = { TERM: 'dumb', NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' };

/**
 * A folder that looks like a repository without a work tree, whose settings name programs, may have been written by the model:
 * git takes such a one only where it is named as one (`--git-dir`).
 */
const noBareRepository = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
};

export interface ShellEnvironmentOptions {
  /** More names, of the configuration. */
  readonly names?: readonly string[] | undefined;
  /** Told to the command as `TOOLANG_IDEMPOTENCY_KEY`: the same when it is run again after a crash. */
  readonly idempotencyKey?: string | undefined;
  readonly platform?: NodeJS.Platform;
}

export function shellEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { names = [], idempotencyKey, platform = process.platform }: ShellEnvironmentOptions = {},
): Readonly<Record<string, string>> {
  const windows = platform === 'win32';
  // Names of variables have no letter case on Windows.
  const plain = (name: string) => (windows ? name.toUpperCase() : name);
  const isNamed = new Set(names.map(plain));
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (isNamed.has(plain(name)) || isCommonVariable(name, platform))) out[name] = value;
  }
  const isGiven = new Set(
    Object.keys(out)
      .map(plain)
      .filter((name) => isNamed.has(name)),
  );
  // Who counts settings of git means all of them.
  const fixed = isGiven.has('GIT_CONFIG_COUNT') ? quiet : { ...quiet, ...noBareRepository };
  for (const [name, value] of Object.entries(fixed)) if (!isGiven.has(name)) out[name] = value;
  if (idempotencyKey !== undefined) out.TOOLANG_IDEMPOTENCY_KEY = idempotencyKey;
  return out;
}
