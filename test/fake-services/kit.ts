/** What tests of services share: definitions of the fake ones, and a context to call them in. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { realClock } from '../../src/sys/index.ts';
import type { HttpDefinition, StdioDefinition } from '../../src/tool/service/definition.ts';
import { openServices, type ServiceOptions } from '../../src/tool/service/services.ts';
import type { Tool, ToolContext, ToolResult } from '../../src/tool/tool.ts';

export const stdioFile = fileURLToPath(new URL('stdio.mjs', import.meta.url));
export const rudeFile = fileURLToPath(new URL('rude.mjs', import.meta.url));

export function command(name: string, argv: readonly string[], env: readonly string[] = []): StdioDefinition {
  return { name, transport: 'stdio', target: argv.join(' '), argv: [process.execPath, ...argv], env };
}

export function address(name: string, target: string, headers: Record<string, string> = {}): HttpDefinition {
  return { name, transport: 'http', target, headers, env: [] };
}

export function baseEnv(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...more };
}

export interface Harness {
  readonly services: ReturnType<typeof openServices>;
  readonly spawned: number[];
  readonly ended: number[];
  tool(name: string, signal?: AbortSignal): Promise<Tool>;
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult>;
}

export function harness(
  definitions: Parameters<typeof openServices>[0],
  options: Partial<ServiceOptions> = {},
): Harness {
  const spawned: number[] = [];
  const ended: number[] = [];
  const env = options.env ?? baseEnv();
  const services = openServices(definitions, {
    workspace: process.cwd(),
    env,
    spawned: (pid) => spawned.push(pid),
    ended: (pid) => ended.push(pid),
    ...options,
    limits: { closeMs: 300, probeMs: 3000, ...options.limits },
  });
  const tool = async (name: string, signal = new AbortController().signal) => {
    const [service = ''] = name.split('/');
    const listed = await services.tools(service, signal);
    if (!listed.ok) throw new Error(listed.reason);
    const found = listed.tools.find((each) => each.name === name);
    if (!found) throw new Error(`no tool ${name} among ${listed.tools.map((each) => each.name).join(' ')}`);
    return found;
  };
  return {
    services,
    spawned,
    ended,
    tool,
    async call(name, args = {}, signal = new AbortController().signal) {
      const context: ToolContext = {
        workspace: process.cwd(),
        signal,
        clock: realClock,
        env,
        idempotencyKey: 'test',
      };
      return (await tool(name)).run(args, context);
    },
  };
}

/** A dead process that nobody has waited for still has its id, where process 1 waits for none. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
