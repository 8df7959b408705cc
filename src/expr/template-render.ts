/**
 * Template and values to text. A value is printed once and never read again, so braces in it stay braces.
 * With the types of the names, a name means what `checkTemplate` said it means: a field that the current item's struct
 * declares is that item's even where it is absent, and only a Message prints as its text. Without types the values
 * decide: an absent field shows the outer name, and what looks like a Message is one.
 */
import {
  isMessage,
  isRecord,
  jsonType,
  type MessageValue,
  messageText,
  type Type,
  type TypeTable,
  tryResolve,
} from '../type/index.ts';
import type { PathPart, Template, TemplateNode, TemplateScope } from './template.ts';

export type TemplateValues = Readonly<Record<string, unknown>>;

export interface TemplateTypes {
  readonly scope: TemplateScope;
  readonly table: TypeTable;
}

interface Typed {
  readonly value: unknown;
  /** Undefined when nobody knows. */
  readonly type: Type | undefined;
}

interface Frame extends Typed {
  readonly parent: Frame | undefined;
}

/** Nodes to print, once for each item. */
interface Job {
  readonly nodes: readonly TemplateNode[];
  /** Undefined outside every section. */
  frame: Frame | undefined;
  /** The items still to come, if the section goes over a list. */
  readonly items: readonly unknown[];
  item: number;
  node: number;
}

interface State {
  readonly values: TemplateValues;
  readonly types: TemplateTypes | undefined;
}

/**
 * Missing and null print nothing; text, numbers and booleans print plainly; structs, lists and Json as compact JSON.
 * A section prints once per item of a list, once for any other value that is there, and not at all for missing, false,
 * empty text and empty lists (0 is a value); an inverted one prints exactly when the other does not.
 */
export function renderTemplate(template: Template, values: TemplateValues, types?: TemplateTypes): string {
  const state: State = { values, types };
  const out: string[] = [];
  const stack: Job[] = [startJob(template.nodes, undefined)];
  for (let job = stack.at(-1); job !== undefined; job = stack.at(-1)) {
    const node = job.nodes[job.node];
    if (node === undefined) {
      if (!nextItem(job)) stack.pop();
      continue;
    }
    job.node++;
    if (node.kind === 'text') out.push(node.text);
    else {
      const found = lookUp(node.path, job.frame, state);
      if (node.kind === 'value') out.push(printValue(found));
      else {
        const section = openSection(node.nodes, node.inverted, found, job.frame);
        if (section !== undefined) stack.push(section);
      }
    }
  }
  return out.join('');
}

function openSection(
  nodes: readonly TemplateNode[],
  inverted: boolean,
  found: Typed,
  frame: Frame | undefined,
): Job | undefined {
  const there = isThere(found);
  if (nodes.length === 0 || there === inverted) return undefined;
  if (inverted) return startJob(nodes, frame);
  const { value, type } = found;
  if (!Array.isArray(value)) return startJob(nodes, { value, type, parent: frame });
  const item = type?.kind === 'array' ? type.item : type;
  return startJob(nodes, { value: value[0], type: item, parent: frame }, value);
}

function startJob(nodes: readonly TemplateNode[], frame: Frame | undefined, items: readonly unknown[] = []): Job {
  return { nodes, frame, items, item: 0, node: 0 };
}

function nextItem(job: Job): boolean {
  job.item++;
  if (job.frame === undefined || job.item >= job.items.length) return false;
  job.frame = { ...job.frame, value: job.items[job.item] };
  job.node = 0;
  return true;
}

function lookUp(path: readonly PathPart[], frame: Frame | undefined, state: State): Typed {
  const [first] = path;
  if (first === undefined) return frame === undefined ? nothing : resolved(frame, state);
  let found = bind(first.name, frame, state);
  for (let i = 1; i < path.length; i++) {
    const part = path[i];
    if (part !== undefined) found = member(found, part.name) ?? nothing;
    found = resolved(found, state);
  }
  return found;
}

/** What a name means here: the innermost item that has it, else the template's own names. */
function bind(name: string, innermost: Frame | undefined, state: State): Typed {
  for (let frame = innermost; frame !== undefined; frame = frame.parent) {
    const found = member(resolved(frame, state), name);
    if (found !== undefined) return resolved(found, state);
  }
  const value = Object.hasOwn(state.values, name) ? state.values[name] : undefined;
  return resolved({ value, type: state.types?.scope.get(name)?.type }, state);
}

/** A member of a value, or undefined when neither its type nor the value knows it. */
function member({ value, type }: Typed, name: string): Typed | undefined {
  if (type?.kind === 'struct') {
    const field = type.fields.find((candidate) => candidate.name === name);
    return (
      field && { value: isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined, type: field.type }
    );
  }
  if (type !== undefined && type.kind !== 'json') return undefined;
  if (Array.isArray(value)) {
    const index = /^(0|[1-9][0-9]{0,8})$/.test(name) ? Number(name) : value.length;
    return index < value.length ? { value: value[index], type } : undefined;
  }
  return isRecord(value) && Object.hasOwn(value, name) ? { value: value[name], type } : undefined;
}

const nothing: Typed = { value: undefined, type: jsonType };

function resolved<T extends Typed>(typed: T, state: State): Typed {
  const { value, type } = typed;
  if (type?.kind !== 'ref') return typed;
  return { value, type: state.types && tryResolve(type, state.types.table) };
}

function isThere({ value, type }: Typed): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return asMessage(value, type)?.length !== 0;
}

function printValue({ value, type }: Typed): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  return asMessage(value, type) ?? JSON.stringify(value);
}

/** The text of a Message; undefined for anything else. */
function asMessage(value: unknown, type: Type | undefined): string | undefined {
  if (typeof value !== 'object' || (type !== undefined && type.kind !== 'message')) return undefined;
  return isMessage(value) ? messageText(value as MessageValue) : undefined;
}
