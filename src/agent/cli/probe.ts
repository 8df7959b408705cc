/** Whether the program of an agent is there, and which version of it. */
import { spawn } from 'node:child_process';
import nodePath from 'node:path';
import { commandLine, findCommand, isExecutable } from '../../sys/index.ts';
import { childEnv } from '../../tool/index.ts';
import type { CliHost, CliProbe } from './cli-agent.ts';

/** Some of them take a while to start. */
const mostMs = 15_000;
const mostBytes = 4096;

/** The file that would be run. */
export function findProgram(program: string, { cwd, env }: CliHost): string | undefined {
  return findCommand(program, { path: nodePath, platform: process.platform, cwd, env, isExecutable });
}

export function probeOf(program: string, install: string): (host: CliHost) => Promise<CliProbe> {
  return async (host) => {
    const found = findProgram(program, host);
    if (found === undefined) return { hint: install };
    const version = await versionOf(found, host);
    return version === undefined
      ? { found, hint: `"${program} --version" says nothing: look whether it runs` }
      : { found, version };
  };
}

/** What `--version` says, as far as it is one. */
function versionOf(file: string, { cwd, env }: CliHost): Promise<string | undefined> {
  const built = commandLine(file, ['--version'], process.platform, env.ComSpec);
  if (!built.ok) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const { line } = built;
    const child = spawn(line.file, line.args, {
      cwd,
      env: childEnv(env),
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: mostMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
      windowsVerbatimArguments: line.verbatim,
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (text.length < mostBytes) text += chunk.toString('utf8');
    });
    child.on('error', () => resolve(undefined));
    child.on('close', () => resolve(/\d+(?:\.\d+)+[\w.+-]*/.exec(text)?.[0]));
  });
}
