/** What results depend on of an agent's image: of a tool its cap, of a hand all that it can reach. */
import type { Json } from '../machine/index.ts';
import { type AgentImage, skillTool, type ThunkImage } from './image.ts';
import { shortHash } from './talk-answer.ts';

/** Undefined of a tool that is no cap's. */
export function capKey(image: AgentImage, thunk: ThunkImage, tool: string): Json | undefined {
  if (tool === skillTool) return skillsOf(image, thunk);
  const [set = ''] = tool.split('/', 1);
  const service = thunk.services.includes(set) ? image.services[set] : undefined;
  return service as unknown as Json | undefined;
}

/** The compiled form of a thunk and of all that it leads to, and the hashes of their caps. */
export function reachKey(image: AgentImage, name: string): string {
  let keys = known.get(image);
  if (keys === undefined) {
    keys = new Map();
    known.set(image, keys);
  }
  let key = keys.get(name);
  if (key === undefined) {
    key = shortHash([image.types, ...reachOf(image, name)]);
    keys.set(name, key);
  }
  return key;
}

/** By images: each is asked for again and again. */
const known = new WeakMap<AgentImage, Map<string, string>>();

function reachOf(image: AgentImage, name: string): readonly unknown[] {
  const found = new Map<string, unknown>();
  const todo = [name];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    const thunk = Object.hasOwn(image.thunks, at) ? image.thunks[at] : undefined;
    // The steps of a workflow have keys of their own.
    if (thunk === undefined || found.has(at)) continue;
    found.set(at, [thunk, skillsOf(image, thunk), thunk.services.map((each) => image.services[each] ?? null)]);
    todo.push(...thunk.hands, ...thunk.handoffs);
  }
  return [...found.values()];
}

/** By what is in their files, wherever those are. */
function skillsOf(image: AgentImage, { skills }: ThunkImage): Json {
  return skills.map((name) => [name, image.skills[name]?.files ?? null]) as unknown as Json;
}
