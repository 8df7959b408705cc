/**
 * Checks the names of a template against the types of its values. Inside a section the fields of the item are names
 * too, and hide outer ones. Paths into Json are free, and so is every name inside a section over Json.
 */
import { closest } from '../text/index.ts';
import { printType, type ResolvedType, type StructType, type Type, type TypeTable, tryResolve } from '../type/index.ts';
import type { PathPart, Template, TemplateNode, TemplateProblem, TemplateScope } from './template.ts';
import { printPath } from './template-tag.ts';

/** `type` is undefined where nothing can be said: Json, or a struct whose name is unknown and reported elsewhere. */
interface Known {
  readonly type: ResolvedType | undefined;
}

interface Frame extends Known {
  readonly parent: Frame | undefined;
}

interface Context {
  readonly scope: TemplateScope;
  readonly table: TypeTable;
  readonly problems: TemplateProblem[];
  suggestions: number;
  readonly names: Map<object, readonly string[]>;
}

export function checkTemplate(template: Template, scope: TemplateScope, table: TypeTable): TemplateProblem[] {
  const context: Context = { scope, table, problems: [], suggestions: 0, names: new Map() };
  const todo: { readonly nodes: readonly TemplateNode[]; readonly frame: Frame | undefined }[] = [
    { nodes: template.nodes, frame: undefined },
  ];
  for (let job = todo.pop(); job !== undefined; job = todo.pop()) {
    for (const node of job.nodes) {
      if (node.kind === 'text') continue;
      const before = context.problems.length;
      const found = lookUp(node.path, node.start, node.end, job.frame, context);
      if (node.kind !== 'section') continue;
      // The name stands in two tags; to mend one of them would break the other.
      const named = context.problems.splice(before);
      for (const { replacement: _, ...problem } of named) context.problems.push(problem);
      const inner = node.inverted ? job.frame : { type: itemOf(found.type, context), parent: job.frame };
      todo.push({ nodes: node.nodes, frame: inner });
    }
  }
  return context.problems.sort((a, b) => a.start - b.start);
}

function itemOf(type: ResolvedType | undefined, context: Context): ResolvedType | undefined {
  return type?.kind === 'array' ? open(type.item, context) : type;
}

function lookUp(
  path: readonly PathPart[],
  start: number,
  end: number,
  frame: Frame | undefined,
  context: Context,
): Known {
  const [first] = path;
  if (first === undefined) {
    if (frame !== undefined) return frame;
    context.problems.push({
      code: 'TOO2414',
      start,
      end,
      message: 'there is no current item outside a section.',
      help: 'Write a name, or put the tag into a section such as "{{#items}}{{.}}{{/items}}".',
    });
    return unknown;
  }
  let found = bind(first, frame, context);
  for (let i = 1; i < path.length && found.type !== undefined; i++) {
    const part = path[i];
    if (part !== undefined) found = step(found.type, part, path, i, context);
  }
  return found;
}

function bind(part: PathPart, innermost: Frame | undefined, context: Context): Known {
  for (let frame = innermost; frame !== undefined; frame = frame.parent) {
    if (frame.type === undefined) return unknown;
    const field = fieldOf(frame.type, part.name);
    if (field !== undefined) return { type: open(field, context) };
  }
  const name = context.scope.get(part.name);
  if (name !== undefined) return { type: open(name.type, context) };
  context.problems.push(unknownName(part, innermost, context));
  return unknown;
}

/** The field `part` of what the path has reached; it is the path's part number `index`. */
function step(type: ResolvedType, part: PathPart, whole: readonly PathPart[], index: number, context: Context): Known {
  const field = fieldOf(type, part.name);
  if (field !== undefined) return { type: open(field, context) };
  const { start, end } = part;
  const path = clip(printPath(whole.slice(0, index)));
  if (type.kind === 'struct') {
    const names = type.fields.slice(0, mostCandidates).map((candidate) => candidate.name);
    const meant = suggest(part.name, names, context);
    const what = type.name === undefined ? `"${path}"` : `"${type.name}"`;
    context.problems.push({
      code: 'TOO2412',
      start,
      end,
      message: `${what} has no field "${clip(part.name)}".`,
      help: meant === undefined ? `Its fields are ${list(names)}.` : `Did you mean "${meant}"?`,
      ...(meant !== undefined && { replacement: meant }),
    });
    return unknown;
  }
  context.problems.push({
    code: 'TOO2413',
    start,
    end,
    message: `"${path}" is ${clip(printType(type))}, so it has no field "${clip(part.name)}".`,
    help: type.kind === 'array' ? `Go through its items with "{{#${path}}}…{{/${path}}}".` : `Write "{{${path}}}".`,
  });
  return unknown;
}

function unknownName(part: PathPart, innermost: Frame | undefined, context: Context): TemplateProblem {
  const known = namesAt(innermost, context);
  const meant =
    suggest(part.name, known, context) ??
    (context.suggestions <= mostSuggestions ? fieldSomewhere(part.name, context) : undefined);
  return {
    code: 'TOO2411',
    start: part.start,
    end: part.end,
    message: `"${clip(part.name)}" is not a name that this template knows.`,
    help: meant === undefined ? `It knows ${list(known)}.` : `Did you mean "${meant}"?`,
    ...(meant !== undefined && { replacement: meant }),
  };
}

/** The names that may be used in a section, or outside of all; as many as are ever looked at, found once a section. */
function namesAt(innermost: Frame | undefined, context: Context): readonly string[] {
  const key = innermost ?? context;
  let names = context.names.get(key);
  if (names) return names;
  const found = new Set<string>();
  const add = (name: string) => found.size < mostCandidates && found.add(name);
  for (let frame = innermost; frame !== undefined; frame = frame.parent) {
    if (frame.type?.kind === 'struct') for (const field of frame.type.fields) add(field.name);
  }
  for (const name of context.scope.keys()) add(name);
  names = [...found];
  context.names.set(key, names);
  return names;
}

/** `path` where `input.path` was meant. */
function fieldSomewhere(name: string, context: Context): string | undefined {
  for (const [outer, { type }] of context.scope) {
    const struct = tryResolve(type, context.table);
    if (struct?.kind === 'struct' && fieldOf(struct, name) !== undefined) return `${outer}.${name}`;
  }
  return undefined;
}

const fieldsByName = new WeakMap<StructType, Map<string, Type>>();

function fieldOf(type: ResolvedType, name: string): Type | undefined {
  if (type.kind !== 'struct') return undefined;
  let fields = fieldsByName.get(type);
  if (!fields) {
    fields = new Map(type.fields.map((field) => [field.name, field.type]));
    fieldsByName.set(type, fields);
  }
  return fields.get(name);
}

/** Each search walks all names, so there is an end to them. */
function suggest(word: string, names: readonly string[], context: Context): string | undefined {
  return context.suggestions++ < mostSuggestions ? closest(word, names) : undefined;
}

const mostSuggestions = 50;
const mostCandidates = 1000;

const unknown: Known = { type: undefined };

function open(type: Type, context: Context): ResolvedType | undefined {
  const found = tryResolve(type, context.table);
  return found?.kind === 'json' ? undefined : found;
}

function list(names: readonly string[]): string {
  if (names.length === 0) return 'no names';
  return names.slice(0, 12).join(', ') + (names.length > 12 ? ', …' : '');
}

function clip(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
