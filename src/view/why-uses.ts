/** What was changed of modules: of a handler, of services, of plugins and what they are given. */
import {
  type Json,
  type ModuleImport,
  type PlacedNode,
  type PluginImport,
  pluginOf,
  type Uses,
  usesOf,
} from '../plan/index.ts';
import { type Dated, type Defined, placeOf } from './why-lines.ts';
import type { WhyPart } from './why-part.ts';

/** One module of both: it, or a file that it imports, is another. */
export function moduleChange(part: WhyPart['part'], module: string, { was, is }: Dated<Defined>): WhyPart[] {
  return was.modules[module] === is.modules[module] ? [] : [{ part, module }];
}

/** Of the services and plugins that a node may use. */
export function usesChange(nodes: Dated<PlacedNode>, defined: Dated<Defined>): WhyPart[] {
  const [was, is] = [usesIn(nodes.was), usesIn(nodes.is)];
  return [...servicesChange(was.services, is.services, defined), ...pluginsChange(was.plugins, is.plugins, defined)];
}

/** Of a plugin that is used for the same as before. */
export function pluginChange(
  part: WhyPart['part'],
  was: PluginImport,
  is: PluginImport,
  defined: Dated<Defined>,
): WhyPart[] {
  if (nameOf(was) !== nameOf(is)) return [{ part, old: nameOf(was), new: nameOf(is) }];
  return [...configChange(part, was, is, defined), ...moduleChange(part, is.module, defined)];
}

/** Its result depends on a module of the user's. */
export function hasModules(placed: PlacedNode): boolean {
  const { node, plan } = placed;
  if (node.kind === 'step' && node.action.kind === 'handler') return true;
  if (node.kind === 'step' && node.action.kind === 'prompt')
    return plan.agents[node.action.agent]?.plugin !== undefined;
  const { services, plugins } = usesIn(placed);
  return services.length + plugins.length > 0;
}

function usesIn({ node, plan }: PlacedNode): Uses {
  if (node.kind === 'plugin') {
    const plugin = pluginOf(node, plan);
    return { services: [], plugins: plugin ? [plugin] : [] };
  }
  if (node.kind !== 'step' || node.action.kind === 'prompt') return { services: [], plugins: [] };
  return usesOf(node.action, plan);
}

function servicesChange(was: Uses['services'], is: Uses['services'], defined: Dated<Defined>): WhyPart[] {
  const before = new Map(was.map((each) => [each.as, each]));
  const after = new Map(is.map((each) => [each.as, each]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((as): WhyPart[] => {
    const [old, now] = [before.get(as), after.get(as)];
    if (old && now && nameOf(old) === nameOf(now)) return moduleChange('uses', now.module, defined);
    const words = (each: ModuleImport | undefined) => (each ? `${as}: ${nameOf(each)}` : `no ${as}`);
    return [{ part: 'uses', old: words(old), new: words(now) }];
  });
}

function pluginsChange(was: Uses['plugins'], is: Uses['plugins'], defined: Dated<Defined>): WhyPart[] {
  const before = new Map(was.map((each) => [nameOf(each), each]));
  const after = new Map(is.map((each) => [nameOf(each), each]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): WhyPart[] => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old && now) return pluginChange('uses', old, now, defined);
    return [{ part: 'uses', old: old ? name : `no ${name}`, new: now ? name : `no ${name}` }];
  });
}

/** What it is given, field by field. */
function configChange(part: WhyPart['part'], was: PluginImport, is: PluginImport, defined: Dated<Defined>): WhyPart[] {
  const [old, now] = [fieldsIn(was.config), fieldsIn(is.config)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name): WhyPart[] => {
    const [then, since] = [JSON.stringify(old[name]), JSON.stringify(now[name])];
    if (then === since) return [];
    const words = (text: string | undefined) => (text === undefined ? `no ${name}` : `${name}: ${text}`);
    const placeIn = ({ findConfig }: Defined, value: Json | undefined) =>
      findConfig(is.module, name, typeof value === 'string' ? value : JSON.stringify(value ?? null));
    const places = {
      ...placeOf('wasAt', placeIn(defined.was, old[name])),
      ...placeOf('at', placeIn(defined.is, now[name])),
    };
    return [{ part, module: is.module, old: words(then), new: words(since), ...places }];
  });
}

function fieldsIn(config: Json): Readonly<Record<string, Json>> {
  if (config === null) return {};
  return typeof config === 'object' && !Array.isArray(config) ? (config as Record<string, Json>) : { config };
}

function nameOf({ module, name }: Pick<ModuleImport, 'module' | 'name'>): string {
  return name === 'default' ? module : `${module}#${name}`;
}
