/** Checks what a `config.toml` names and its schema cannot know: tools, references of wired caps, files of hands. */
import path from 'node:path';
import { checkUseRef } from '../caps/index.ts';
import { type ConfigLayer, keyText, tomlString } from '../config/index.ts';
import { quotePath } from '../sys/index.ts';
import { byPosition, closest, type Diagnostic, diagnostic, didYouMean, type Span, span } from '../text/index.ts';
import { capKinds } from '../too/index.ts';
import { builtinTools } from '../tool/index.ts';

export interface ConfigSurroundings {
  /** The home or root, from which paths are read, and as people see it. */
  readonly dir: string;
  readonly shownDir: string;
  /** The services of every scope that the config holds for. */
  readonly services: ReadonlySet<string>;
  readonly isFile: (path: string) => boolean;
}

export function checkConfigNames(layer: ConfigLayer, around: ConfigSurroundings): Diagnostic[] {
  return byPosition([...checkTools(layer, around), ...checkRefs(layer), ...checkHands(layer, around)]);
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
  const fits = pattern ? matches : (a: string, b: string) => a === b;
  if (services.has(set)) return true;
  if (pattern) for (const service of services) if (matches(set, service)) return true;
  for (const [builtin, tools] of builtinTools) {
    if (fits(set, builtin) && (slash === -1 || tools.some((tool) => fits(name.slice(slash + 1), tool)))) return true;
  }
  return false;
}

/** Whether a text fits a pattern in which `*` stands for anything. Never more than one `*` is tried again. */
function matches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let from = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      from = t;
    } else if (pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star !== -1) {
      p = star + 1;
      t = ++from;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

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

/** Names come from the keys, so that a reference need not give a usable one. */
function checkRefs(layer: ConfigLayer): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const kind of capKinds) {
    for (const [name, { ref }] of Object.entries(layer.config[`${kind}s`] ?? {})) {
      const where = layer.places.get(keyText([`${kind}s`, name, 'ref']))?.value;
      const result = checkUseRef(kind, ref, 'config');
      if (!where || result.ok || result.problem.code === 'TOO5309') continue;
      const { code, message, help, fix } = result.problem;
      found.push(
        diagnostic(code, layer.source, where, message, {
          help,
          ...(fix !== undefined && {
            fix: { title: `replace with "${fix}"`, edits: [{ span: where, text: tomlString(fix) }] },
          }),
        }),
      );
    }
  }
  return found;
}

function checkHands(layer: ConfigLayer, around: ConfigSurroundings): Diagnostic[] {
  return Object.entries(layer.config.hands ?? {}).flatMap(([name, file]) => {
    const where = layer.places.get(keyText(['hands', name]))?.value;
    if (!where || around.isFile(path.resolve(around.dir, file))) return [];
    const help = `The path is relative to ${quotePath(around.shownDir)}.`;
    return [diagnostic('TOO2107', layer.source, where, `there is no workflow file ${quotePath(file)}.`, { help })];
  });
}
