/** A part of what a step depends on that was changed: as it was, and as it is. */
import {
  type AgentSpec,
  type Json,
  type KeyPart,
  type Place,
  type PlacedNode,
  type ResultType,
  shortTypeText,
  typeText,
  type WorkflowNode,
  type WorkflowPlan,
  writtenValue,
} from '../plan/index.ts';
import { type Dated, type Defined, differingLine, lineChange, placeOf, textsOf } from './why-lines.ts';
import { moduleChange, pluginChange, usesChange } from './why-uses.ts';

export interface WhyPart {
  readonly part: KeyPart;
  /** Of values: the step or the field of the input that is another. */
  readonly step?: string;
  /** Of a handler, a service or a plugin: its module. Without `old`: that, or a file that it imports, is another. */
  readonly module?: string;
  /** A line or a value in full, but values of steps in a few words. */
  readonly old?: string;
  readonly new?: string;
  /** Where it is written now, and was. */
  readonly at?: string;
  readonly wasAt?: string;
}

export function changedPart(part: KeyPart, nodes: Dated<PlacedNode>, defined: Dated<Defined>): WhyPart[] {
  const [was, is] = [nodes.was.node, nodes.is.node];
  const places = { ...placeOf('wasAt', was.at), ...placeOf('at', is.at) };
  const found = partChange();
  // What is inside of it that was changed nobody knows.
  return found.length > 0 ? found : [{ part, ...places }];

  function partChange(): WhyPart[] {
    switch (part) {
      case 'prompt':
      case 'code':
      case 'request':
        return textChange(part, { was, is }, defined);
      case 'agent':
        return agentChange(agentOf(nodes.was), agentOf(nodes.is), defined);
      case 'output':
        return outputChange(nodes).map((change) => ({ part, ...change, ...places }));
      case 'handler': {
        const [old, now] = [handlerOf(was), handlerOf(is)];
        if (old !== now) return [{ part, old, new: now, ...places }];
        const module = is.kind === 'step' && is.action.kind === 'handler' ? is.action.module : '';
        return moduleChange(part, module, defined);
      }
      case 'values':
      case 'fields': {
        const [old, now] = [fieldsOf(was), fieldsOf(is)];
        return old === now ? [] : [{ part, old, new: now, ...places }];
      }
      case 'uses':
        return usesChange(nodes, defined);
      default:
        return [];
    }
  }
}

const nothing = { key: '', text: '' };

function textChange(part: KeyPart, nodes: Dated<WorkflowNode>, defined: Dated<Defined>): WhyPart[] {
  const [old, now] = [textsOf(nodes.was, part), textsOf(nodes.is, part)];
  const most = Math.max(old.length, now.length);
  return Array.from({ length: most }, (_, i) => i).flatMap((i): WhyPart[] => {
    const change = lineChange(old[i] ?? nothing, now[i] ?? nothing, nodes, defined);
    if (change === undefined) return [];
    const { wasAt, at } = change;
    return [{ part, old: change.old, new: change.new, ...placeOf('wasAt', wasAt), ...placeOf('at', at) }];
  });
}

function agentOf({ node, plan }: PlacedNode): AgentSpec | undefined {
  return node.kind === 'step' && node.action.kind === 'prompt' ? plan.agents[node.action.agent] : undefined;
}

/** Its fields, or only the plugin that answers for it. */
function agentChange(before: AgentSpec | undefined, after: AgentSpec | undefined, defined: Dated<Defined>): WhyPart[] {
  const [was, is] = [fieldsIn(before), fieldsIn(after)];
  const places = { ...placeOf('wasAt', before?.at), ...placeOf('at', after?.at) };
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const found = names.flatMap((name): WhyPart[] => {
    const change = fieldChange(was[name], is[name]);
    if (change === undefined) return [];
    const words = (text: string | undefined) => (text === undefined ? `no ${name}` : `${name}: ${text}`);
    const wasAt = fieldPlace(before, name, change.index, defined.was);
    const at = fieldPlace(after, name, change.index, defined.is);
    const where = { ...placeOf('wasAt', wasAt), ...placeOf('at', at) };
    return [{ part: 'agent', old: words(change.old), new: words(change.new), ...where }];
  });
  if (before?.plugin && after?.plugin) found.push(...pluginChange('agent', before.plugin, after.plugin, defined));
  return found.length > 0 ? found : [{ part: 'agent', ...places }];
}

/** How long it may take does not count. */
const limits = new Set(['timeoutMs', 'idleTimeoutMs']);

function fieldsIn(agent: AgentSpec | undefined): Readonly<Record<string, Json>> {
  if (agent === undefined) return {};
  const { type, fields, from } = agent;
  const counted = Object.entries(fields).filter(([name]) => !limits.has(name));
  return {
    type,
    ...Object.fromEntries(counted),
    ...(from && { from: from.name === 'default' ? from.module : `${from.module}#${from.name}` }),
  };
}

/** Where a line of a field stands; where that is not known, the agent. */
function fieldPlace(agent: AgentSpec | undefined, name: string, index: number, defined: Defined): Place | undefined {
  const value = agent?.fields[name];
  if (agent?.at === undefined || typeof value !== 'string') return agent?.at;
  const line = defined.findLine(agent.at, name, value, index);
  return line === undefined ? agent.at : { ...agent.at, line };
}

interface FieldChange {
  readonly old: string | undefined;
  readonly new: string | undefined;
  /** Of its lines. */
  readonly index: number;
}

/** Of long texts the first line that is another. */
function fieldChange(was: Json | undefined, is: Json | undefined): FieldChange | undefined {
  const [old, now] = [JSON.stringify(was), JSON.stringify(is)];
  if (old === now) return undefined;
  if (typeof was !== 'string' || typeof is !== 'string') return { old, new: now, index: 0 };
  const line = differingLine(was, is);
  return { old: JSON.stringify(line.old), new: JSON.stringify(line.new), index: line.index };
}

/** As it is written; where that is the same, the first of the named types in it that is another. */
function outputChange({ was, is }: Dated<PlacedNode>): { old: string; new: string }[] {
  if (!('output' in was.node && 'output' in is.node)) return [];
  const [old, now] = [shortTypeText(was.node.output), shortTypeText(is.node.output)];
  if (old !== now) return [{ old, new: now }];
  for (const name of namesIn(is.node.output, is.plan)) {
    const [then, since] = [was.plan.types[name], is.plan.types[name]];
    const [before, after] = [then && typeText(then), since && typeText(since)];
    if (before !== after) return [{ old: `${name}: ${before ?? 'nothing'}`, new: `${name}: ${after ?? 'nothing'}` }];
  }
  return [];
}

/** The named types that a type is made of. */
function namesIn(type: ResultType, { types }: WorkflowPlan): ReadonlySet<string> {
  const found = new Set<string>();
  const open: ResultType[] = [type];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'array') open.push(next.item);
    if (next.kind === 'struct') for (const { type: inner } of next.fields) open.push(inner);
    if (next.kind !== 'ref' || found.has(next.name)) continue;
    found.add(next.name);
    const named = types[next.name];
    if (named) open.push(named);
  }
  return found;
}

function handlerOf(node: WorkflowNode): string {
  if (node.kind !== 'step' || node.action.kind !== 'handler') return '';
  const { module, name } = node.action;
  return name === 'default' ? module : `${module}#${name}`;
}

function fieldsOf(node: WorkflowNode): string {
  if (node.kind === 'plugin') return JSON.stringify(writtenValue(node.fields));
  const given = node.kind === 'step' && node.action.kind === 'prompt' ? node.action.with : undefined;
  return given ? JSON.stringify(writtenValue(given)) : '';
}
