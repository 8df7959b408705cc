/** Checks what a `config.toml` names and its schema cannot know: tools, files of hands. */
import path from 'node:path';
import { type ConfigLayer, keyText } from '../config/index.ts';
import { quotePath } from '../sys/index.ts';
import {
  byPosition,
  closest,
  type Diagnostic,
  diagnostic,
  didYouMean,
  fitsPattern,
  type Span,
  span,
} from '../text/index.ts';
import { builtinTools, skillTool } from '../tool/index.ts';

export interface ConfigSurroundings {
  /** The home or root, from which paths are read, and as people see it. */
  readonly dir: string;
  readonly shownDir: string;
  /** The services of every scope that the config holds for. */
  readonly services: ReadonlySet<string>;
  readonly isFile: (path: string) => boolean;
}

export function checkConfigNames(layer: ConfigLayer, around: ConfigSurroundings): Diagnostic[] {
  return byPosition([...checkTools(layer, around), ...checkHands(layer, around)]);
}

function checkTools(layer: ConfigLayer, { services }: ConfigSurroundings): Diagnostic[] {
  const { tools, permissions } = layer.config;
  const found: Diagnostic[] = [];
  const check = (key: readonly string[], items: readonly string[] = [], patterns: boolean) => {
    const spans = layer.places.get(keyText(key))?.items ?? [];
    for (const [i, text] of items.entries()) {
      const where = spans[i];
      const name = patterns ? (text.split('(', 1)[0] ?? '') : text;
      if (where && !isKnown(name, services, patterns)) {
        found.push(unknownTool(layer, where, name, found.length < mostSuggestions ? services : undefined));
      }
    }
  };
  check(['tools', 'default'], tools?.default, false);
  for (const key of ['deny', 'allow', 'ask'] as const) check(['permissions', key], permissions?.[key], true);
  return found;
}

/** A set, a service, or one tool of either. The tools of a service are known only once it is connected. */
function isKnown(name: string, services: ReadonlySet<string>, patterns: boolean): boolean {
  const slash = name.indexOf('/');
  const set = slash === -1 ? name : name.slice(0, slash);
  const pattern = patterns && name.includes('*');
  const fits = pattern ? fitsPattern : (a: string, b: string) => a === b;
  if (services.has(set)) return true;
  if (pattern) for (const service of services) if (fitsPattern(set, service)) return true;
  for (const [builtin, tools] of patterns ? [...builtinTools, skillSet] : builtinTools) {
    if (fits(set, builtin) && (slash === -1 || tools.some((tool) => fits(name.slice(slash + 1), tool)))) return true;
  }
  return false;
}

/** No directive names it, but permissions may. */
const skillSet: readonly [string, readonly string[]] = [skillTool, [skillTool]];

/** Each closest name costs a walk over all names, so there is an end to it. */
const mostSuggestions = 200;

function unknownTool(
  layer: ConfigLayer,
  item: Span,
  name: string,
  services: ReadonlySet<string> | undefined,
): Diagnostic {
  const all = [...builtinTools].flatMap(([set, tools]) => [set, ...tools.map((tool) => `${set}/${tool}`)]);
  // `read` is nearer to `filesystem/read` than spelling says.
  const better = all.find((tool) => tool.endsWith(`/${name}`)) ?? (services && closest(name, [...all, ...services]));
  const { where, plain } = inside(layer, item, name);
  return diagnostic('TOO2106', layer.source, where, `unknown tool "${name}".${didYouMean(better)}`, {
    help: `Known: ${[...builtinTools.keys(), ...[...(services ?? [])].slice(0, 12)].join(', ')}.`,
    ...(better !== undefined &&
      plain && { fix: { title: `replace with "${better}"`, edits: [{ span: where, text: better }] } }),
  });
}

/** The place of what a quoted text begins with; the whole of one that is written with escapes. */
function inside(layer: ConfigLayer, item: Span, start: string): { where: Span; plain: boolean } {
  const plain =
    layer.source.text.startsWith(start, item.start + 1) &&
    /^["'](?!["'])/.test(layer.source.text.slice(item.start, item.start + 2));
  return { where: plain ? span(item.start + 1, item.start + 1 + start.length) : item, plain };
}

function checkHands(layer: ConfigLayer, around: ConfigSurroundings): Diagnostic[] {
  return Object.entries(layer.config.hands ?? {}).flatMap(([name, file]) => {
    const where = layer.places.get(keyText(['hands', name]))?.value;
    if (!where || around.isFile(path.resolve(around.dir, file))) return [];
    const help = `The path is relative to ${quotePath(around.shownDir)}.`;
    return [diagnostic('TOO2107', layer.source, where, `there is no workflow file ${quotePath(file)}.`, { help })];
  });
}
