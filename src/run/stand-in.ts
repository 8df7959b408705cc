/** What stands in for the world in a test: no service is started, no provider is asked, and tools answer what the test says. */
import type { StepCommand } from '../machine/index.ts';
import type { Tool, ToolArgs, ToolResult, ToolSource } from '../tool/index.ts';
import type { StepResult } from './execute.ts';

export interface StandIn {
  /** The result of a call, in the place of what the tool would do; undefined where the tool is to do it. */
  readonly tool: (name: string, args: ToolArgs, command: StepCommand) => ToolResult | undefined;
  /** The tools that a service is said to have; without any it cannot be used. */
  readonly serviceTools: (service: string) => readonly string[];
  /** Why an agent that no script answers for is not asked. */
  readonly refuseModel: (agent: string) => string;
  /** What a call of a model came to in another run, which is told anew; without it models are asked as usual. */
  readonly retell?: (command: StepCommand) => Retold;
}

/** A result as the journal has it; `ref`: of the model that was asked. */
export interface Retold {
  readonly result: StepResult;
  readonly ref?: string;
}

/** A service of which nothing is known but the names of its tools. */
export function standInSource(name: string, { serviceTools }: StandIn): ToolSource {
  return {
    name,
    async list() {
      const names = serviceTools(name);
      if (names.length > 0) return { ok: true, tools: names.map(standInTool) };
      const message = `the service "${name}" cannot be used: tests start no services. Say in the case what it answers, under "tools", as ${name}/TOOL`;
      return { ok: false, message };
    },
  };
}

function standInTool(name: string): Tool {
  return {
    name,
    description: `${name}, as the test has it`,
    parameters: { type: 'object', additionalProperties: true },
    readOnly: false,
    subjects: () => [],
    run: async () => ({
      ok: false,
      error: { code: 'unavailable', message: `the test has no answer of ${name} for this call` },
    }),
  };
}
