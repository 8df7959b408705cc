/** Agents that are programs of others, by their types. */
import { claudeCode } from './claude-code.ts';
import type { CliAgent } from './cli-agent.ts';
import { codex } from './codex.ts';
import { forge } from './forge.ts';
import { gemini } from './gemini.ts';
import { kimi } from './kimi.ts';
import { pi } from './pi.ts';

export type * from './cli-agent.ts';
export { cliEnv } from './cli-env.ts';
export { findProgram } from './probe.ts';

export const cliAgents: ReadonlyMap<string, CliAgent> = new Map(
  [claudeCode, codex, gemini, pi, kimi, forge].map((agent) => [agent.type, agent]),
);
