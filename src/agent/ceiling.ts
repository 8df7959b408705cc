/**
 * The most that an activation may use of tools, as the command line says it: names of sets and tools, with `*` or not.
 * Nothing that a file says reaches past it.
 */
import { fitsPattern } from '../text/index.ts';

export interface ToolCeiling {
  /**
   * What is left of a set or of one tool: itself, some of its tools, or nothing. `members`: its tools, where they are known;
   * else there are patterns in what is left.
   */
  readonly within: (name: string, members?: readonly string[]) => readonly string[];
}

export const noCeiling: ToolCeiling = { within: (name) => [name] };

/** A pattern without a slash is a set; `github/*` and `*` are what they say. */
export function toolCeiling(patterns: readonly string[]): ToolCeiling {
  const isSet = (set: string) => patterns.some((each) => !each.includes('/') && fitsPattern(each, set));
  const isTool = (set: string, tool: string) =>
    isSet(set) || patterns.some((each) => fitsPattern(each, `${set}/${tool}`));
  return {
    within(name, members) {
      const [set = '', ...rest] = name.split('/');
      if (rest.length > 0) return isTool(set, rest.join('/')) ? [name] : [];
      if (isSet(set) || patterns.includes(`${set}/*`)) return [name];
      if (members) return members.filter((tool) => isTool(set, tool)).map((tool) => `${set}/${tool}`);
      // What tools a service has is known when it is connected: they are held against the patterns then.
      return patterns.flatMap((each) => {
        const slash = each.indexOf('/');
        return slash !== -1 && fitsPattern(each.slice(0, slash), set) ? [`${set}${each.slice(slash)}`] : [];
      });
    },
  };
}
