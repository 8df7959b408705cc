/**
 * The tools of thunks: of all that there is, those that the image of the agent gives to the thunk, and no other, whatever its
 * model calls. Services are those of the image, and are shared by the thunks of one agent.
 */
import { type AgentImage, memoryTool, skillTool, type ThunkImage } from '../agent/index.ts';
import type { StepCommand } from '../machine/index.ts';
import { closest, didYouMean, fitsPattern } from '../text/index.ts';
import type { ServiceDefinition, Tool, Toolbox, ToolSource } from '../tool/index.ts';
import { isRecord } from '../type/index.ts';
import type { Clean } from './clean.ts';
import type { Memory } from './memory/memory.ts';

export interface OwnTools {
  /** Loads the skills of a thunk. */
  readonly skill: (image: AgentImage, thunk: ThunkImage) => Promise<Tool>;
  /** Saves what the agent remembers. */
  readonly memory: (image: AgentImage, thunk: ThunkImage) => Promise<Tool>;
}

export interface ThunkToolsOptions {
  readonly tool: { readonly createToolbox: (sources: Iterable<ToolSource>) => Toolbox };
  readonly builtIn: readonly ToolSource[];
  readonly serve: (definitions: readonly ServiceDefinition[]) => Promise<readonly ToolSource[]>;
  readonly own: OwnTools;
}

/** What is loaded when a thunk has skills, or remembers. */
export function ownTools(memoryIn: (file: string) => Memory, clean: Clean, run: string): OwnTools {
  return {
    async skill(image, thunk) {
      const [{ skillLoadTool }, { skillDirectory }] = await Promise.all([
        import('../tool/index.ts'),
        import('../caps/index.ts'),
      ]);
      return skillLoadTool(
        thunk.skills.flatMap((name) => {
          const skill = image.skills[name];
          // What is not as it was synced is not used.
          const dir = () => skillDirectory({ kind: 'skill', name, path: skill?.path ?? '', files: skill?.files ?? {} });
          return skill ? [{ name, description: skill.description, dir }] : [];
        }),
      );
    },
    async memory(image, thunk) {
      const { memorySaveTool } = await import('./memory/save-tool.ts');
      return memorySaveTool({ memory: memoryIn(image.memory), agent: image.agent, thunk: thunk.name, run, clean });
    },
  };
}

export function isOfThunk({ spec }: StepCommand): boolean {
  return isRecord(spec.image) && typeof spec.thunk === 'string';
}

/** Of the agent whose step it is. */
export function serviceOf({ spec }: StepCommand, name: string): ServiceDefinition | undefined {
  if (!isRecord(spec.image)) return undefined;
  const { services } = spec.image as unknown as AgentImage;
  return Object.hasOwn(services, name) ? services[name] : undefined;
}

/** Undefined for a step that is of no thunk. */
export function createThunkTools({ tool, builtIn, serve, own }: ThunkToolsOptions) {
  const served = new WeakMap<object, Promise<readonly ToolSource[]>>();

  function servicesOf(image: AgentImage): Promise<readonly ToolSource[]> {
    let sources = served.get(image);
    if (sources === undefined) {
      sources = serve(Object.values(image.services));
      served.set(image, sources);
    }
    return sources;
  }

  return async ({ spec }: StepCommand): Promise<Toolbox | undefined> => {
    if (!isRecord(spec.image) || typeof spec.thunk !== 'string') return undefined;
    const image = spec.image as unknown as AgentImage;
    const thunk = Object.hasOwn(image.thunks, spec.thunk) ? image.thunks[spec.thunk] : undefined;
    if (thunk === undefined) throw new Error(`the agent "${image.agent}" has no thunk "${spec.thunk}"`);
    const sets = new Set(thunk.tools.map(setOf));
    const sources = [...(await servicesOf(image)), ...builtIn]
      .filter(({ name }) => sets.has(name))
      .map((each) => within(each, thunk));
    if (thunk.skills.length > 0) sources.push(single(skillTool, () => own.skill(image, thunk)));
    if (thunk.recall.includes('memory')) sources.push(single(memoryTool, () => own.memory(image, thunk)));
    return tool.createToolbox(sources);
  };
}

/** A set of which the thunk has all, or some of its tools alone. */
function within(source: ToolSource, { tools, without = [] }: ThunkImage): ToolSource {
  const { name } = source;
  const isWhole = tools.includes(name);
  if (isWhole && without.length === 0) return source;
  const wanted = tools.filter((each) => setOf(each) === name);
  const left = new Set(without);
  const isIn = (tool: string) => !left.has(tool) && (isWhole || wanted.some((each) => fitsPattern(each, tool)));
  return {
    name,
    async list(signal) {
      const listed = await source.list(signal);
      if (!listed.ok) return listed;
      const all = listed.tools.map((each) => each.name);
      const unknown = without.find((each) => setOf(each) === name && !all.includes(each));
      if (unknown !== undefined) return { ok: false, message: nothingTaken(unknown, all), isMistake: true };
      return { ok: true, tools: listed.tools.filter((each) => isIn(each.name)), all };
    },
  };
}

/** Whoever takes a tool away and misspells it would have it all the same. */
function nothingTaken(name: string, all: readonly string[]): string {
  return `"tools -= ${name}" takes nothing away: "${setOf(name)}" has no such tool.${didYouMean(closest(name, all))}`;
}

function single(name: string, make: () => Promise<Tool>): ToolSource {
  return { name, list: async () => ({ ok: true, tools: [await make()] }) };
}

function setOf(name: string): string {
  const slash = name.indexOf('/');
  return slash === -1 ? name : name.slice(0, slash);
}
