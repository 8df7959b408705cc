/** How paths are shown, and which files a command's name may mean; the platform's path rules are an argument. */
import nodePath, { type PlatformPath } from 'node:path';

/** `file` relative to `cwd` when it lies inside, else as an absolute path. */
export function displayPath(file: string, cwd: string, path: PlatformPath = nodePath): string {
  const absolute = path.resolve(cwd, file);
  if (!isInside(absolute, cwd, path)) return absolute;
  return path.relative(cwd, absolute) || '.';
}

/** Whether `file` is `directory` or lies below it, by the text of the paths alone. */
export function isInside(file: string, directory: string, path: PlatformPath = nodePath): boolean {
  const relative = path.relative(directory, file);
  // Absolute: another drive or share, from where nothing leads here.
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Whether two paths name one place, by their text: on Windows letter case and slashes do not matter. */
export function samePath(a: string, b: string, path: PlatformPath = nodePath): boolean {
  return path.relative(a, b) === '';
}

export interface CommandHost {
  readonly path: PlatformPath;
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether there is a file that may be run. */
  readonly isExecutable: (file: string) => boolean;
}

/**
 * The file a command's name means, or undefined. On Windows `npx` is `npx.cmd`: the endings of PATHEXT are tried. Unlike
 * its shell, a name without a slash is never looked for in the current directory, where anybody may have left a file.
 */
export function findCommand(command: string, host: CommandHost): string | undefined {
  if (command === '' || command.includes('\0')) return undefined;
  const { path, cwd } = host;
  const isPath = command.includes('/') || (host.platform === 'win32' && /[\\:]/.test(command));
  const places = isPath ? [path.resolve(cwd, command)] : searchPath(host).map((dir) => path.resolve(cwd, dir, command));
  for (const place of places) {
    for (const ending of endings(command, host)) {
      if (host.isExecutable(place + ending)) return place + ending;
    }
  }
  return undefined;
}

function searchPath(host: CommandHost): string[] {
  return (variable(host, 'PATH') ?? '')
    .split(host.path.delimiter)
    .map((dir) => (host.platform === 'win32' ? dir.replace(/^"(.*)"$/, '$1') : dir))
    .filter((dir) => dir !== '');
}

function endings(command: string, host: CommandHost): string[] {
  if (host.platform !== 'win32') return [''];
  const known = (variable(host, 'PATHEXT') || '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';').filter(Boolean);
  const own = host.path.extname(command).toLowerCase();
  // A file without a known ending is not a program there, even if it lies beside `npx.cmd`.
  return known.includes(own) ? ['', ...known] : known;
}

/** Names of variables have no letter case on Windows, but a copied environment does. */
function variable(host: CommandHost, name: string): string | undefined {
  if (host.platform !== 'win32') return host.env[name];
  const key = Object.keys(host.env).find((candidate) => candidate.toUpperCase() === name);
  return key === undefined ? undefined : host.env[key];
}
