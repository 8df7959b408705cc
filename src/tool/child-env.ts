/**
 * What a child process sees of our environment: what programs need to run at all, and the variables that were named for it.
 * Everything else, keys of models above all, stays with us.
 */

export type Env = Readonly<Record<string, string | undefined>>;

/** Who and where one is, how one writes. `LC_*` too. */
const posix = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'];

/** Windows has no program that starts without some of these. Letter case does not matter there. */
const windows = [
  ...['PATH', 'PATHEXT', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'OS', 'TEMP', 'TMP', 'USERNAME', 'PUBLIC'],
  ...['HOMEDRIVE', 'HOMEPATH', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['PROGRAMFILES(X86)', 'PROGRAMW6432', 'COMMONPROGRAMFILES', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
  ...['LANG', 'TZ'],
];

/** Whether a variable is one of those that every child gets. They are no secrets. */
export function isCommonVariable(name: string, platform: NodeJS.Platform = process.platform): boolean {
  const known = platform === 'win32' ? name.toUpperCase() : name;
  return (platform === 'win32' ? windows : posix).includes(known) || /^LC_[A-Z]+$/.test(known);
}

/** `names` are added to the common ones, where they are set. */
export function childEnv(
  env: Env,
  names: readonly string[] = [],
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && isCommonVariable(name, platform)) child[name] = value;
  }
  for (const name of names) {
    const value = variable(env, name, platform);
    if (value !== undefined) child[name] = value;
  }
  return child;
}

/** Names of variables have no letter case on Windows, but a copied environment does. */
export function variable(env: Env, name: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (Object.hasOwn(env, name)) return env[name];
  if (platform !== 'win32') return undefined;
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}
