/** Opens an address in the browser of whoever sits here: the one that `BROWSER` names, else that of the system. */
import { spawn } from 'node:child_process';
import nodePath from 'node:path';
import { splitCommand } from '../caps/index.ts';
import { commandLine, findCommand, isExecutable } from '../sys/index.ts';
import type { Context } from './context.ts';

const opener: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // Unlike `start`, it reads nothing of the address as a command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** False where there is none. It is not waited for: it may stay open for as long as it likes. */
export async function openBrowser(url: URL, { env, cwd }: Pick<Context, 'env' | 'cwd'>): Promise<boolean> {
  const [name = '', ...args] = browserWords(env.BROWSER);
  const file = findCommand(name, { path: nodePath, platform: process.platform, cwd, env, isExecutable });
  const built = file === undefined ? undefined : commandLine(file, [...args, url.href]);
  if (!built?.ok) return false;
  const child = spawn(built.line.file, built.line.args, {
    stdio: 'ignore',
    detached: true,
    cwd,
    env: env as NodeJS.ProcessEnv,
    windowsVerbatimArguments: built.line.verbatim,
  });
  child.unref();
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
}

function browserWords(named: string | undefined): readonly string[] {
  const split = named ? splitCommand(named) : undefined;
  if (split?.ok) return split.words.map(({ text }) => text);
  return opener[process.platform] ?? ['xdg-open'];
}
