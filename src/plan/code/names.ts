/** Finds what the names in code mean: steps, words of the context, globals, or nothing. */
import type { BlockStatement, Identifier, ObjectPattern, ReturnStatement } from 'acorn';
import { closest, didYouMean } from '../../text/index.ts';
import type { CodeEdit } from './edits.ts';
import { helpForGlobal, isGlobal } from './globals.ts';
import { hyphenWord, partsOf } from './mask.ts';
import type { Member } from './member.ts';
import { type Follower, follow, isPlain, keyOf, type OpenMember, takePattern } from './members.ts';
import type { CodeProblem } from './problem.ts';
import type { CodeRead, CodeReturn } from './reads.ts';
import { type NameUse, type OwnNames, visitScopes } from './scope.ts';
import { testedBy } from './tested.ts';
import { valuesOf } from './values.ts';

export interface NamesRequest {
  readonly text: string;
  readonly body: BlockStatement;
  /** What the offsets of the tree are too high by. */
  readonly shift: number;
  /** Masked ids by the offset where they begin. */
  readonly ids: ReadonlyMap<number, string>;
  readonly names: ReadonlySet<string>;
  readonly context: ReadonlySet<string>;
  /** Names that may be declared in parts of the code that were left out: nothing is known of them. */
  readonly lost: ReadonlySet<string>;
  /** Nobody knows where blocks begin and end: what is declared anywhere may be declared everywhere. */
  readonly isBroken: boolean;
}

export interface NamesFound {
  readonly reads: readonly CodeRead[];
  /** Fields that the code itself adds to a value, or asks for with `in`: it knows what it does. */
  readonly tested: ReadonlySet<string>;
  readonly returns: readonly CodeReturn[];
  /** In order. */
  readonly edits: readonly CodeEdit[];
  readonly problems: readonly CodeProblem[];
}

interface Finder extends NamesRequest, Follower {
  readonly reads: (CodeRead & { readonly members: OpenMember[] })[];
  readonly tested: Set<string>;
  readonly returns: CodeReturn[];
  readonly edits: CodeEdit[];
  readonly problems: CodeProblem[];
  readonly unknown: { readonly name: string; readonly start: number; readonly end: number }[];
}

export function readNames(request: NamesRequest): NamesFound {
  const f: Finder = {
    ...request,
    reads: [],
    tested: new Set(),
    returns: [],
    edits: [],
    problems: [],
    unknown: [],
    variables: new Map(),
  };
  visitScopes(request.body, {
    use: (use, own) => readName(f, use, own),
    other: (node, what) => checkPlain(f, node, what),
    return: (node) => f.returns.push(returnOf(f, node)),
    node: (node, isWritten) => {
      for (const name of testedBy(node, isWritten)) f.tested.add(name);
    },
  });
  reportUnknown(f);
  f.edits.sort((a, b) => a.start - b.start);
  return { ...f, problems: withoutKeyFixes(f) };
}

/** What else may stand as a key of what is returned is a matter of the output: nobody knows here whether a fix mends it. */
function withoutKeyFixes({ problems, returns }: NamesFound): readonly CodeProblem[] {
  if (problems.length === 0) return problems;
  const keys = new Set<number>();
  const todo = returns.map(({ values }) => values);
  for (let values = todo.pop(); values !== undefined; values = todo.pop()) {
    for (const value of values) {
      if (value.kind === 'array') todo.push(value.items);
      if (value.kind !== 'object') continue;
      for (const field of value.fields) {
        keys.add(field.start);
        todo.push(field.values);
      }
    }
  }
  return problems.map((problem) => {
    const { replacement: _, ...rest } = problem;
    return keys.has(problem.start) ? rest : problem;
  });
}

function readName(f: Finder, use: NameUse, own: OwnNames): void {
  const place = placeOf(f, use.node);
  const id = f.ids.get(place.start);
  const { name } = use.node;
  if (id !== undefined) readHyphenated(f, use, id, own);
  else if (own.has(name)) {
    const declared = own.constant(name);
    const members = declared && f.variables.get(declared);
    if (members) follow(f, members, use.path, use.taken);
  } else if (isLost(f, name, own)) return;
  else if (name === 'steps') readSteps(f, use);
  else if (f.names.has(name) || f.context.has(name)) {
    if (use.use === 'write') reportWrite(f, name, place);
    else addRead(f, name, place, use);
  } else if (name === 'require') {
    f.problems.push({
      code: 'TOO3304',
      ...place,
      message: '"require" does not exist in "run" code',
      help: 'Write await import("package"), or move the code into a module and name it with "handler".',
    });
  } else if (use.use !== 'typeof' && !isGlobal(name)) f.unknown.push({ name, ...place });
}

function isLost(f: Finder, name: string, own: OwnNames): boolean {
  return f.lost.has(name) || (f.isBroken && own.isSomewhere(name));
}

function addRead(
  f: Finder,
  name: string,
  place: { start: number; end: number },
  { path, taken }: Pick<NameUse, 'path' | 'taken'>,
): void {
  const members: OpenMember[] = [];
  f.reads.push({ name, path: pathOf(path), ...place, members });
  follow(f, members, path, taken);
}

/** One word of the tree, whose hyphens may be minus signs after all. */
function readHyphenated(f: Finder, use: NameUse, id: string, own: OwnNames): void {
  const place = placeOf(f, use.node);
  const parts = partsOf(id);
  if (parts.every((part) => own.has(part) || isLost(f, part, own))) return;
  if (use.use === 'write') {
    reportWrite(f, id, place);
    return;
  }
  addRead(f, id, place, use);
  const read = `steps[${JSON.stringify(id)}]`;
  f.edits.push({ ...place, text: use.shorthand ? `${JSON.stringify(id)}: ${read}` : read });
  if (own.has('steps')) {
    f.problems.push({
      code: 'TOO3309',
      ...place,
      message: `"${id}" cannot be read here, where "steps" is something else`,
      help: 'Give the variable "steps" another name.',
    });
  }
}

/** `steps.draft`, `steps["research-web"]`, `steps.research-web`; all of them when the member is not written out. */
function readSteps(f: Finder, use: NameUse): void {
  const place = placeOf(f, use.node);
  const member = use.path;
  if (member === undefined || !isStep(f, member)) {
    const pattern = use.taken?.pattern;
    if (use.use === 'write') reportWrite(f, 'steps', place);
    else if (member || pattern?.type !== 'ObjectPattern' || !takeApart(f, pattern)) {
      f.reads.push({ name: 'steps', path: [], ...place, members: [] });
    }
    return;
  }
  const start = member.node.start - f.shift;
  const end = member.node.end - f.shift;
  const isText = member.kind === 'text';
  const id = isText ? undefined : f.ids.get(start);
  const inner = isText ? { start: start + 1, end: end - 1 } : { start, end };
  // The text in brackets was masked with everything else.
  const name = id ?? (isText ? originalText(f, member.name ?? '', inner) : (member.name ?? ''));
  if (id !== undefined) {
    const at = member.objectEnd - f.shift;
    const optional = f.text.startsWith('?.', at) ? '?.' : '';
    f.edits.push({ start: at, end, text: `${optional}[${JSON.stringify(id)}]` });
  }
  const { next: path, taken } = member;
  const rest = member.called ? {} : { ...(path && { path }), ...(taken && { taken }) };
  if (f.names.has(name)) addRead(f, name, inner, rest);
  else reportStep(f, name, inner, (meant) => (isText || !meant.includes('-') ? meant : undefined));
}

/** Not `steps[0]`, `steps.hasOwnProperty` or `(steps as any).draft`. */
function isStep(f: Finder, member: Member): boolean {
  const { name, kind } = member;
  return name !== undefined && (kind === 'name' || kind === 'text') && !(name in {}) && isPlain(f, member);
}

/** `const { draft, "research-web": web } = steps`; false when it takes more than it names. */
function takeApart(f: Finder, { properties }: ObjectPattern): boolean {
  let isWhole = true;
  for (const property of properties) {
    const key = property.type === 'Property' ? keyOf(f, property) : undefined;
    if (key === undefined || property.type !== 'Property') {
      isWhole = false;
      continue;
    }
    const { name, form, start, end } = key;
    if (f.names.has(name)) {
      const members: OpenMember[] = [];
      f.reads.push({ name, path: [], start, end, members });
      takePattern(f, members, property.value);
    } else {
      reportStep(f, name, key, (meant) => {
        const word = form === 'text' || !meant.includes('-') ? meant : JSON.stringify(meant);
        // The variable keeps its name.
        return form === 'shorthand' ? `${word}: ${name}` : word;
      });
    }
  }
  return isWhole;
}

function reportStep(
  f: Finder,
  name: string,
  { start, end }: { start: number; end: number },
  write: (meant: string) => string | undefined,
): void {
  if (f.lost.has(name)) return;
  const meant = closest(name, f.names);
  const replacement = meant === undefined ? undefined : write(meant);
  f.problems.push({
    code: 'TOO3307',
    start,
    end,
    message: `unknown step "${name}".${didYouMean(meant)}`.replace(/\.$/, ''),
    ...(replacement !== undefined && { replacement }),
  });
}

function originalText(f: Finder, value: string, inner: { start: number; end: number }): string {
  const written = f.text.slice(inner.start, inner.end);
  return written.includes('\\') ? value : written;
}

function reportWrite(f: Finder, name: string, place: { start: number; end: number }): void {
  f.problems.push({
    code: 'TOO3308',
    ...place,
    message: `"${name}" cannot be assigned to: ${f.names.has(name) ? 'it is the value of a step' : 'the workflow sets it'}`,
    help: 'Declare a variable of your own with "let".',
  });
}

/** An id with hyphens where only a plain name can stand. */
function checkPlain(f: Finder, node: Identifier, what: 'declare' | 'key' | 'label'): void {
  const place = placeOf(f, node);
  const id = f.ids.get(place.start);
  if (id === undefined) return;
  f.problems.push({
    code: 'TOO3309',
    ...place,
    ...(what === 'key'
      ? {
          message: `the key "${id}" needs quotes`,
          help: 'In code a name has no hyphen.',
          replacement: JSON.stringify(id),
        }
      : { message: `"${id}" cannot be declared: in code a name has no hyphen`, help: 'Choose another name.' }),
  });
}

function reportUnknown(f: Finder): void {
  const known = [...f.names, ...f.context];
  // Each search walks all names, so there is an end to them.
  let searches = 50;
  const nearest = (name: string) => (searches-- > 0 ? closest(name, known) : undefined);
  const told = new Set<string>();
  let covered = -1;
  f.unknown.forEach((use, index) => {
    if (use.start < covered) return;
    const word = hyphenWord(f.text, use.start);
    const next = f.unknown[index + 1];
    const hyphenated = word.length > use.name.length;
    const wordMeant = hyphenated ? nearest(word) : undefined;
    // Of `reserch-web` the two halves are unknown each; it is one word, misspelt once.
    const whole = wordMeant !== undefined || (hyphenated && next !== undefined && next.start < use.start + word.length);
    const name = whole ? word : use.name;
    covered = use.start + name.length;
    if (told.has(name)) return;
    told.add(name);
    const meant = whole ? wordMeant : nearest(name);
    const help = helpForGlobal(name) ?? (meant === undefined ? unknownHelp : undefined);
    f.problems.push({
      code: 'TOO3307',
      start: use.start,
      end: covered,
      message: `unknown name "${name}"${meant === undefined ? '' : `.${didYouMean(meant)}`}`,
      ...(help !== undefined && { help }),
      ...(meant !== undefined && { replacement: meant }),
    });
  });
}

const unknownHelp =
  'It is no step, no word of the context, and no global of Node; write globalThis.NAME if other code sets it.';

function returnOf(f: Finder, node: ReturnStatement): CodeReturn {
  const value = node.argument;
  const { shift } = f;
  if (!value) {
    const start = node.start - shift;
    return { start, end: start + 'return'.length, empty: true, values: [] };
  }
  return { start: value.start - shift, end: value.end - shift, empty: false, values: valuesOf(f, value) };
}

function placeOf(f: Finder, node: Identifier): { start: number; end: number } {
  return { start: node.start - f.shift, end: node.end - f.shift };
}

function pathOf(member: Member | undefined): string[] {
  const path: string[] = [];
  for (let next = member; next?.name !== undefined && next.kind !== 'item'; next = next.next) {
    path.push(next.name);
    if (next.called) break;
  }
  return path;
}
