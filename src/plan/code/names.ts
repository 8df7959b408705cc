/** Finds what the names in code mean: steps, words of the context, globals, or nothing. */
import type { BlockStatement, Identifier, ObjectPattern, ReturnStatement } from 'acorn';
import { closest, didYouMean } from '../../text/index.ts';
import type { CodeEdit } from './edits.ts';
import { helpForGlobal, isGlobal } from './globals.ts';
import { hyphenWord, partsOf } from './mask.ts';
import type { CodeProblem } from './problem.ts';
import type { CodeRead, CodeReturn } from './reads.ts';
import { type Member, type NameUse, visitScopes } from './scope.ts';

export interface NamesRequest {
  readonly text: string;
  readonly body: BlockStatement;
  /** What the offsets of the tree are too high by. */
  readonly shift: number;
  /** Masked ids by the offset where they begin. */
  readonly ids: ReadonlyMap<number, string>;
  readonly names: ReadonlySet<string>;
  readonly context: ReadonlySet<string>;
  /** Then unknown names are not reported. */
  readonly someNamesLost: boolean;
}

export interface NamesFound {
  readonly reads: readonly CodeRead[];
  readonly returns: readonly CodeReturn[];
  /** In order. */
  readonly edits: readonly CodeEdit[];
  readonly problems: readonly CodeProblem[];
}

interface Finder extends NamesRequest {
  readonly reads: CodeRead[];
  readonly returns: CodeReturn[];
  readonly edits: CodeEdit[];
  readonly problems: CodeProblem[];
  readonly unknown: { readonly name: string; readonly start: number; readonly end: number }[];
}

export function readNames(request: NamesRequest): NamesFound {
  const f: Finder = { ...request, reads: [], returns: [], edits: [], problems: [], unknown: [] };
  visitScopes(request.body, {
    use: (use, isDeclared) => readName(f, use, isDeclared),
    other: (node, what) => checkPlain(f, node, what),
    return: (node) => f.returns.push(returnOf(f, node)),
  });
  if (!request.someNamesLost) reportUnknown(f);
  f.edits.sort((a, b) => a.start - b.start);
  return f;
}

function readName(f: Finder, use: NameUse, isDeclared: (name: string) => boolean): void {
  const place = placeOf(f, use.node);
  const id = f.ids.get(place.start);
  const { name } = use.node;
  if (id !== undefined) readHyphenated(f, use, id, isDeclared);
  else if (isDeclared(name)) return;
  else if (name === 'steps') readSteps(f, use);
  else if (f.names.has(name) || f.context.has(name)) {
    if (use.use === 'write') reportWrite(f, name, place);
    else f.reads.push({ name, path: pathOf(use.path), ...place });
  } else if (name === 'require') {
    f.problems.push({
      code: 'TOO3304',
      ...place,
      message: '"require" does not exist in "run" code',
      help: 'Write await import("package"), or move the code into a module and name it with "handler".',
    });
  } else if (use.use !== 'typeof' && !isGlobal(name)) f.unknown.push({ name, ...place });
}

/** One word of the tree, whose hyphens may be minus signs after all. */
function readHyphenated(f: Finder, use: NameUse, id: string, isDeclared: (name: string) => boolean): void {
  const place = placeOf(f, use.node);
  const parts = partsOf(id);
  if (parts.every(isDeclared)) return;
  if (use.use === 'write') {
    reportWrite(f, id, place);
    return;
  }
  f.reads.push({ name: id, path: pathOf(use.path), ...place });
  const read = `steps[${JSON.stringify(id)}]`;
  f.edits.push({ ...place, text: use.shorthand ? `${JSON.stringify(id)}: ${read}` : read });
  if (isDeclared('steps')) {
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
  if (member === undefined) {
    if (use.use === 'write') reportWrite(f, 'steps', place);
    else if (use.taken === undefined || !takeApart(f, use.taken)) f.reads.push({ name: 'steps', path: [], ...place });
    return;
  }
  const start = member.node.start - f.shift;
  const end = member.node.end - f.shift;
  const id = member.computed ? undefined : f.ids.get(start);
  const inner = member.computed ? { start: start + 1, end: end - 1 } : { start, end };
  // The text in brackets was masked with everything else.
  const name = id ?? (member.computed ? originalText(f, member, inner) : member.name);
  if (id !== undefined) {
    const at = member.objectEnd - f.shift;
    const optional = f.text.startsWith('?.', at) ? '?.' : '';
    f.edits.push({ start: at, end, text: `${optional}[${JSON.stringify(id)}]` });
  }
  if (f.names.has(name)) f.reads.push({ name, path: pathOf(member.next), ...inner });
  else reportStep(f, name, inner, (meant) => (member.computed || !meant.includes('-') ? meant : undefined));
}

/** `const { draft, "research-web": web } = steps`; false when it takes more than it names. */
function takeApart(f: Finder, { properties }: ObjectPattern): boolean {
  let isWhole = true;
  for (const property of properties) {
    const key = property.type === 'Property' ? property.key : undefined;
    const isText = key?.type === 'Literal' && typeof key.value === 'string';
    if (!key || (!isText && (key.type !== 'Identifier' || (property.type === 'Property' && property.computed)))) {
      isWhole = false;
      continue;
    }
    const start = key.start - f.shift;
    const end = key.end - f.shift;
    const inner = isText ? { start: start + 1, end: end - 1 } : { start, end };
    const written = f.text.slice(inner.start, inner.end);
    const name = f.ids.get(start) ?? (isText && written.includes('\\') ? String(key.value) : written);
    const shorthand = property.type === 'Property' && property.shorthand;
    if (f.names.has(name)) f.reads.push({ name, path: [], ...inner });
    else {
      reportStep(f, name, inner, (meant) => {
        const word = isText || !meant.includes('-') ? meant : JSON.stringify(meant);
        // The variable keeps its name.
        return shorthand ? `${word}: ${name}` : word;
      });
    }
  }
  return isWhole;
}

function reportStep(
  f: Finder,
  name: string,
  place: { start: number; end: number },
  write: (meant: string) => string | undefined,
): void {
  if (f.someNamesLost) return;
  const meant = closest(name, f.names);
  const replacement = meant === undefined ? undefined : write(meant);
  f.problems.push({
    code: 'TOO3307',
    ...place,
    message: `unknown step "${name}".${didYouMean(meant)}`.replace(/\.$/, ''),
    ...(replacement !== undefined && { replacement }),
  });
}

function originalText(f: Finder, member: Member, inner: { start: number; end: number }): string {
  const written = f.text.slice(inner.start, inner.end);
  return written.includes('\\') ? member.name : written;
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
  if (!value) return { start: node.start - f.shift, end: node.start - f.shift + 'return'.length, empty: true };
  const place = { start: value.start - f.shift, end: value.end - f.shift, empty: false };
  if (value.type !== 'ObjectExpression') return place;
  const fields: { name: string; start: number; end: number }[] = [];
  for (const property of value.properties) {
    if (property.type !== 'Property' || property.computed) return place;
    const { key } = property;
    const start = key.start - f.shift;
    const end = key.end - f.shift;
    if (key.type === 'Identifier') fields.push({ name: f.ids.get(start) ?? key.name, start, end });
    else if (key.type === 'Literal') {
      const text = f.text.slice(start + 1, end - 1);
      fields.push({
        name: typeof key.value === 'string' && !text.includes('\\') ? text : String(key.value),
        start,
        end,
      });
    }
  }
  return { ...place, fields };
}

function placeOf(f: Finder, node: Identifier): { start: number; end: number } {
  return { start: node.start - f.shift, end: node.end - f.shift };
}

function pathOf(member: Member | undefined): string[] {
  const path: string[] = [];
  for (let next = member; next !== undefined; next = next.next) path.push(next.name);
  return path;
}
