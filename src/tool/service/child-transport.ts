/** The transport of a service that is a command: its program is found, and gets the environment that it may see. */
import { statSync } from 'node:fs';
import nodePath from 'node:path';
import { type Clock, findCommand, isExecutable } from '../../sys/index.ts';
import { childEnv, type Env } from '../child-env.ts';
import type { ServiceLimits, StdioDefinition } from './definition.ts';
import { type StdioTransport, stdioTransport } from './stdio-transport.ts';
import { trouble } from './trouble.ts';

export interface ChildOptions {
  readonly limits: ServiceLimits;
  readonly clock: Clock;
  readonly env: Env;
  readonly cwd: string;
  readonly spawned?: ((pid: number) => void) | undefined;
  readonly ended?: ((pid: number) => void) | undefined;
}

/** Throws a trouble where there is nothing to be started. */
export function childTransport(definition: StdioDefinition, options: ChildOptions): StdioTransport {
  const { env, cwd, limits, clock, spawned, ended } = options;
  return stdioTransport({
    file: programOf(definition, options),
    args: definition.argv.slice(1),
    cwd,
    env: childEnv(env, definition.env),
    messageBytes: limits.messageBytes,
    closeMs: limits.closeMs,
    clock,
    spawned,
    ended,
  });
}

/** The file that the command means. */
export function programOf({ argv }: StdioDefinition, { cwd, env }: Pick<ChildOptions, 'cwd' | 'env'>): string {
  const [command = ''] = argv;
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw trouble('unavailable', `the folder ${JSON.stringify(cwd)} in which it would run is not there`, {
      final: true,
    });
  }
  const file = findCommand(command, { path: nodePath, platform: process.platform, cwd, env, isExecutable });
  if (file !== undefined) return file;
  const isPath = command.includes('/') || (process.platform === 'win32' && /[\\:]/.test(command));
  const where = isPath ? `, looked for from ${JSON.stringify(cwd)}` : ' on the PATH';
  throw trouble('unavailable', `there is no program ${JSON.stringify(command)}${where}`, { final: true });
}
