/** What services say when they are called: their tools, or why there are none. All at once, and ended after it. */
import { version } from '../../api/index.ts';
import { openServices, type ServiceDefinition, type ServiceTools } from '../../tool/index.ts';
import type { Context } from '../context.ts';

export interface ConnectOptions {
  /** The folder in which commands run. */
  readonly workspace: string;
  /** Of logins. */
  readonly credentials: string;
  readonly signal: AbortSignal;
}

/** By their names. */
export async function connectServices(
  definitions: readonly ServiceDefinition[],
  { workspace, credentials, signal }: ConnectOptions,
  context: Context,
): Promise<ReadonlyMap<string, ServiceTools>> {
  const opened = openServices(definitions, { workspace, env: context.env, credentials, version });
  try {
    const listed = definitions.map(async ({ name }) => [name, await opened.tools(name, signal)] as const);
    return new Map(await Promise.all(listed));
  } finally {
    await opened.close();
  }
}
