/** For tests: plans of texts, with the files that they import in memory. */
import { join } from 'node:path';
import { createSource, positionAt } from '../text/index.ts';
import type { ModuleAnswer, ModuleRequest } from './modules.ts';
import type { WorkflowPlan } from './node.ts';
import { type Planned, planWorkflow } from './plan.ts';
import type { ThunkLookup } from './thunks.ts';

export interface TestFiles {
  readonly files?: Readonly<Record<string, string>>;
  /** What modules are said to be, by their specifiers. */
  readonly modules?: Readonly<Record<string, ModuleAnswer>>;
  /** What one is said to be that is asked for with a config. */
  readonly describe?: (request: ModuleRequest) => ModuleAnswer | undefined;
  readonly thunks?: ThunkLookup;
}

const folder = join('/', 'flows');

export function planText(text: string, { files = {}, modules, describe, thunks }: TestFiles = {}): Promise<Planned> {
  return planWorkflow(createSource('flow.toon', text), {
    file: join(folder, 'flow.toon'),
    read: async (path) => {
      const found = Object.entries(files).find(([name]) => join(folder, name) === path);
      return found ? { ok: true, text: found[1] } : { ok: false, message: 'the file is not there' };
    },
    ...(thunks && { thunks }),
    ...(modules && {
      modules: {
        describe: async (requests) =>
          requests.map((request) => {
            const { specifier } = request;
            return describe?.(request) ?? modules[specifier] ?? { ok: false, message: `no module ${specifier}` };
          }),
      },
    }),
  });
}

/** `TOO4201 3:12`, in order. */
export async function problemsOf(text: string, given: TestFiles = {}): Promise<string[]> {
  const { diagnostics } = await planText(text, given);
  return diagnostics.map(({ code, source, span }) => {
    const { line, column } = positionAt(source, span.start);
    return `${code} ${source.name === 'flow.toon' ? '' : `${source.name}:`}${line}:${column}`;
  });
}

export async function planOf(text: string, given: TestFiles = {}): Promise<WorkflowPlan> {
  const { plan, diagnostics } = await planText(text, given);
  if (plan === undefined) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
  return plan;
}

/** A workflow around some steps, which are indented by two blanks; their first line is line 7. */
export function flow(steps: string, count = [...steps.matchAll(/^ {2}- /gm)].length): string {
  return `name: flow\ninput:\n  topic: string\nagents:\n  w:\n    type: scripted\nsteps[${count}]:\n${steps}`;
}

/** A prompt step of one line each key. */
export function prompt(id: string, text: string, more = ''): string {
  return `  - id: ${id}\n    agent: w\n    prompt: ${JSON.stringify(text)}\n    output:\n      text: string\n${more}`;
}
