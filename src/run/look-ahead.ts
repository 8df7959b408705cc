/**
 * What the first steps of a thunk would come to, looked at without a run: what is offered to it, and what it recalls. By the
 * same parts that do those steps in a run. Nothing is written, and no service is connected unless that is asked for.
 */
import type { AgentImage, Recalled, Unavailable } from '../agent/index.ts';
import type { Settings } from '../config/index.ts';
import type { StepSpec } from '../machine/index.ts';
import type { Services, Tool } from '../tool/index.ts';
import { cleaner } from './clean.ts';
import { type Memory, openMemory } from './memory/memory.ts';
import { recallFrom } from './memory/recall-executor.ts';
import { keyNames, serviceSource } from './run-tools.ts';
import { createThunkTools, ownTools } from './thunk-tools.ts';

export interface LookAheadOptions {
  readonly config: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the tools would work. */
  readonly workspace: string;
  /** Of logins. */
  readonly credentials: string;
  readonly version: string;
  /** Services are started and called. */
  readonly connect: boolean;
  readonly signal: AbortSignal;
}

export interface Offered {
  readonly tools: readonly Tool[];
  /** What a run would go on without. */
  readonly unavailable: readonly Unavailable[];
  /** Services, and tools of them, that are known only when they are connected. */
  readonly pending: readonly string[];
  /** Why a run would stop before it asks a model. */
  readonly problems: readonly string[];
}

/** `spec`: of a step of kind `tools` that a thunk begins with. */
export async function lookAtOffer(spec: StepSpec, options: LookAheadOptions): Promise<Offered> {
  const tool = await import('../tool/index.ts');
  const { config, env, workspace, credentials, version, connect, signal } = options;
  const { services } = spec.image as unknown as AgentImage;
  const names = namesIn(spec.names);
  // One whose variables are missing is known not to answer.
  const isPending = (name: string) => {
    const service = services[name.split('/', 1)[0] ?? ''];
    return !connect && service !== undefined && tool.missingVariables(service, env).length === 0;
  };
  const opened: Services[] = [];
  const memories: Memory[] = [];
  const memoryIn = (file: string) => {
    const memory = openMemory(file);
    memories.push(memory);
    return memory;
  };
  const toolboxOf = createThunkTools({
    tool,
    builtIn: tool.builtInSources({ config, hidden: keyNames(config) }),
    async serve(definitions) {
      const all = tool.openServices(definitions, { workspace, env, credentials, version });
      opened.push(all);
      return all.names.map((name) => serviceSource(all, name));
    },
    own: ownTools(memoryIn, cleaner(undefined), ''),
  });
  try {
    const toolbox = await toolboxOf({ op: 'step', id: 'tools#1', spec, args: null, key: '' });
    if (toolbox === undefined) throw new Error('a step of tools that is of no thunk');
    const optional = new Set(namesIn(spec.optional));
    const known = names.filter((name) => !isPending(name));
    const problems = new Set<string>();
    const there: string[] = [];
    for (const name of known) {
      const one = await toolbox.offer([name], signal, optional);
      if (one.ok) there.push(name);
      else for (const problem of one.problems) problems.add(problem);
    }
    const offer = await toolbox.offer(there, signal, optional);
    if (!offer.ok) throw new Error(offer.problems.join(' '));
    const { tools, unavailable } = offer;
    return { tools, unavailable, pending: names.filter(isPending), problems: [...problems] };
  } finally {
    await Promise.all(opened.map((each) => each.close()));
    for (const memory of memories) memory.close();
  }
}

/** `spec`: of a step of kind `recall`. Throws `StoreFailure` where the memory cannot be read. */
export function lookAtRecall(spec: StepSpec): Recalled {
  const opened: Memory[] = [];
  try {
    return recallFrom({ id: 'recall#1', spec }, (file) => {
      const memory = openMemory(file);
      opened.push(memory);
      return memory;
    });
  } finally {
    for (const memory of opened) memory.close();
  }
}

function namesIn(names: StepSpec[string] | undefined): readonly string[] {
  return Array.isArray(names) ? names.map(String) : [];
}
