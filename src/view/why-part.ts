/** A part of what a step depends on that was changed: the line as it was, and as it is. */
import {
  type AgentSpec,
  type Json,
  type KeyPart,
  type Place,
  type PlacedNode,
  type Stretches,
  shortTypeText,
  type WorkflowNode,
  writtenValue,
} from '../plan/index.ts';
import { oneLine, shorten } from './shorten.ts';

export interface WhyPart {
  readonly part: KeyPart;
  /** Of values: the step or the field of the input that is another. */
  readonly step?: string;
  readonly old?: string;
  readonly new?: string;
  /** Where it is written now, and was. */
  readonly at?: string;
  readonly wasAt?: string;
}

const lineCells = 200;

export function changedPart(part: KeyPart, before: PlacedNode, after: PlacedNode): WhyPart[] {
  const [was, is] = [before.node, after.node];
  const places = { ...placeOf('wasAt', was.at), ...placeOf('at', is.at) };
  switch (part) {
    case 'prompt':
    case 'code':
    case 'request': {
      const [old, now] = [textsOf(was), textsOf(is)];
      return now.flatMap((text, i) => textChange(part, old[i], text, was, is));
    }
    case 'agent':
      return agentChange(agentOf(before), agentOf(after));
    case 'output':
      return [{ part, ...pair(outputOf(was), outputOf(is)), ...places }];
    case 'handler':
      return [{ part, ...pair(handlerOf(was), handlerOf(is)), ...places }];
    case 'fields':
      return [{ part, ...pair(fieldsOf(was), fieldsOf(is)), ...places }];
    default:
      return [{ part, ...places }];
  }
}

interface Written {
  readonly text: string;
  readonly at?: Stretches;
}

/** The texts of a node that its result depends on. */
function textsOf(node: WorkflowNode): Written[] {
  if (node.kind === 'approval') {
    const { title, summary } = node.request;
    return [title, summary ?? { text: '' }];
  }
  if (node.kind !== 'step' || node.action.kind === 'handler') return [];
  const { action } = node;
  if (action.kind === 'prompt') return [action.prompt];
  return [{ text: action.code, ...(action.at !== undefined && { at: action.at }) }];
}

/** The first line that is another. */
function textChange(
  part: KeyPart,
  old: Written = { text: '' },
  now: Written,
  was: WorkflowNode,
  is: WorkflowNode,
): WhyPart[] {
  if (old.text === now.text) return [];
  const [before, after] = [old.text.split('\n'), now.text.split('\n')];
  let line = 0;
  while (line < before.length && line < after.length && before[line] === after[line]) line++;
  return [
    {
      part,
      old: shorten(oneLine(before[line] ?? ''), lineCells),
      new: shorten(oneLine(after[line] ?? ''), lineCells),
      ...placeOf('wasAt', lineOf(old.at, was.at, line)),
      ...placeOf('at', lineOf(now.at, is.at, line)),
    },
  ];
}

/** Of a text: the line where it begins; one that is a file of its own has its name. */
function lineOf(at: Stretches | undefined, node: Place | undefined, index: number): Place | undefined {
  if (typeof at === 'string') return { file: at, line: index + 1, column: 1 };
  const [, line, column] = at ?? [];
  if (node === undefined || line === undefined || column === undefined) return node;
  return { file: node.file, line, column };
}

function placeOf<K extends 'at' | 'wasAt'>(key: K, place: Place | undefined): Partial<Record<K, string>> {
  return place === undefined ? {} : ({ [key]: `${place.file}:${place.line}` } as Partial<Record<K, string>>);
}

function agentOf({ node, plan }: PlacedNode): AgentSpec | undefined {
  return node.kind === 'step' && node.action.kind === 'prompt' ? plan.agents[node.action.agent] : undefined;
}

function agentChange(before: AgentSpec | undefined, after: AgentSpec | undefined): WhyPart[] {
  const fieldsIn = (agent: AgentSpec | undefined): Readonly<Record<string, Json>> =>
    agent === undefined ? {} : { type: agent.type, ...agent.fields };
  const [was, is] = [fieldsIn(before), fieldsIn(after)];
  const places = { ...placeOf('wasAt', before?.at), ...placeOf('at', after?.at) };
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const found = names.flatMap((name): WhyPart[] => {
    const [old, now] = [JSON.stringify(was[name]), JSON.stringify(is[name])];
    if (old === now) return [];
    const words = (text: string | undefined) => (text === undefined ? `no ${name}` : `${name}: ${text}`);
    return [{ part: 'agent', old: shorten(words(old), lineCells), new: shorten(words(now), lineCells), ...places }];
  });
  return found.length > 0 ? found : [{ part: 'agent', ...places }];
}

function outputOf(node: WorkflowNode): string {
  return 'output' in node ? shortTypeText(node.output) : '';
}

function handlerOf(node: WorkflowNode): string {
  if (node.kind !== 'step' || node.action.kind !== 'handler') return '';
  const { module, name } = node.action;
  return name === 'default' ? module : `${module}#${name}`;
}

function fieldsOf(node: WorkflowNode): string {
  return node.kind === 'plugin' ? JSON.stringify(writtenValue(node.fields)) : '';
}

/** Nothing where both are called the same: it is inside that something was changed. */
function pair(old: string, now: string): Pick<WhyPart, 'old' | 'new'> {
  return old === now ? {} : { old: shorten(old, lineCells), new: shorten(now, lineCells) };
}
