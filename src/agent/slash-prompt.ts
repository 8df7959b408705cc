/**
 * Prompts as commands: `/rewrite tone=short text…` to the prompt's text with its names filled in.
 * 1. The plain `{{names}}` of a prompt are its arguments; a name that has a section of its own may be left out.
 * 2. `name=value` words, the values quoted or not, stand directly behind the command. Without any, the words fill the names
 *    that must be given, in the order in which they first appear.
 * 3. What is left is `{{input}}`: the rest of the line, and all lines below it. A prompt without `{{input}}` gives it to the
 *    last of those names or, without names, has it below its text.
 * 4. Values are inserted as they are: a prompt is parsed before it gets any.
 */
import { parseTemplate, renderTemplate, type Template, type TemplateNode } from '../expr/index.ts';
import { closest } from '../text/index.ts';

export interface SlashPrompt {
  readonly text: string;
  readonly description?: string;
}

export type Slash =
  /** No command. `text` is what was said: without the first of two slashes. */
  | { readonly kind: 'none'; readonly text: string }
  | { readonly kind: 'unknown'; readonly name: string; readonly closest?: string }
  | { readonly kind: 'expanded'; readonly name: string; readonly text: string }
  | { readonly kind: 'wrong'; readonly message: string };

export function expandSlash(text: string, prompts: ReadonlyMap<string, SlashPrompt>): Slash {
  const literal = command.exec(text.slice(1));
  if (text.startsWith('/') && literal) return { kind: 'none', text: text.slice(1) };
  const name = command.exec(text)?.[1];
  if (name === undefined) return { kind: 'none', text };
  const prompt = prompts.get(name);
  if (prompt === undefined) {
    const near = closest(name, prompts.keys());
    return { kind: 'unknown', name, ...(near !== undefined && { closest: near }) };
  }
  return expand(name, prompt.text, text.slice(name.length + 1));
}

/** `/rewrite tone=… [level=…] text…`: how a prompt is called. */
export function slashUsage(name: string, prompt: SlashPrompt): string {
  return usageLine(name, argumentsOf(parseTemplate(prompt.text)));
}

/** The arguments that it is given by name, beside the rest. */
export function slashNames(prompt: SlashPrompt): ReadonlySet<string> {
  return new Set([...argumentsOf(parseTemplate(prompt.text)).keys()].filter((name) => name !== rest));
}

const command = /^\/([A-Za-z][A-Za-z0-9_-]*)(?=\s|$)/;

/** The name that takes the rest. */
const rest = 'input';

/** Names by their first appearance, and whether they must be given. */
type Arguments = ReadonlyMap<string, 'needed' | 'optional'>;

function expand(name: string, prompt: string, words: string): Slash {
  const template = parseTemplate(prompt);
  // Other problems leave a tag as the text that it is; a section without an end would hide what follows it.
  const broken = template.problems.find(({ code }) => sectionCodes.has(code));
  if (broken) return wrong(`the prompt /${name} is broken: ${broken.message}`);
  const path = dottedPath(template);
  if (path !== undefined)
    return wrong(`the prompt /${name} asks for "{{${path}}}", but its arguments are texts: they have no fields.`);
  const names = argumentsOf(template);
  const usage = usageLine(name, names);
  const given = namedValues(words, names);
  if (!given.ok) return wrong(`/${name}: ${given.message}. Write ${usage}`);
  const { values } = given;
  let left = given.left;
  if (values.size === 0) left = fillByPlace(words, names, values);
  let below = '';
  if (left !== '') {
    if (!names.has(rest)) below = left;
    else if (values.has(rest)) return wrong(`/${name}: "${rest}" is given twice. Write ${usage}`);
    else values.set(rest, left);
  }
  const missing = missingNames(template, values, names);
  if (missing.length > 0) {
    const all = missing.map((each) => (each === rest ? 'text' : each));
    return wrong(`/${name} needs ${listed(all)}. Write ${usage}`);
  }
  const text = renderTemplate(template, Object.fromEntries(values));
  return { kind: 'expanded', name, text: below === '' ? text : `${text.trimEnd()}\n\n${below}` };
}

/** Never closed, closed wrongly, nested too deep. */
const sectionCodes: ReadonlySet<string> = new Set(['TOO2404', 'TOO2405', 'TOO2407']);

function argumentsOf(template: Template): Arguments {
  const names = new Map<string, 'needed' | 'optional'>();
  const sections = new Set<string>();
  const needed = new Set<string>();
  walk(template.nodes, [], (node, around) => {
    const name = node.path[0]?.name;
    if (name === undefined) return;
    if (!names.has(name)) names.set(name, 'optional');
    if (node.kind === 'section') sections.add(name);
    else if (around.length === 0) needed.add(name);
  });
  for (const name of names.keys()) if (needed.has(name) && !sections.has(name)) names.set(name, 'needed');
  return names;
}

/** Of a value: within sections that are not shown it is not missed. */
function missingNames(template: Template, values: ReadonlyMap<string, string>, names: Arguments): readonly string[] {
  const sections = new Set<string>();
  const asked = new Set<string>();
  walk(template.nodes, [], (node, around) => {
    const name = node.path[0]?.name;
    if (name === undefined) return;
    if (node.kind === 'section') sections.add(name);
    else if (around.every((each) => isShown(each, values))) asked.add(name);
  });
  return [...names.keys()].filter((name) => asked.has(name) && !sections.has(name) && !values.has(name));
}

function isShown({ name, inverted }: Around, values: ReadonlyMap<string, string>): boolean {
  const isThere = (values.get(name) ?? '') !== '';
  return isThere !== inverted;
}

interface Around {
  readonly name: string;
  readonly inverted: boolean;
}

/** Sections nest no deeper than `maxSections`. */
function walk(
  nodes: readonly TemplateNode[],
  around: readonly Around[],
  visit: (node: Exclude<TemplateNode, { kind: 'text' }>, around: readonly Around[]) => void,
): void {
  for (const node of nodes) {
    if (node.kind === 'text') continue;
    visit(node, around);
    if (node.kind !== 'section') continue;
    const name = node.path[0]?.name;
    walk(node.nodes, name === undefined ? around : [...around, { name, inverted: node.inverted }], visit);
  }
}

function dottedPath(template: Template): string | undefined {
  let found: string | undefined;
  walk(template.nodes, [], ({ path }) => {
    if (path.length > 1) found ??= path.map((part) => part.name).join('.');
  });
  return found;
}

type Given =
  | { readonly ok: true; readonly values: Map<string, string>; readonly left: string }
  | { readonly ok: false; readonly message: string };

/** The `name=value` words at the beginning, up to the first word that is none. */
function namedValues(words: string, names: Arguments): Given {
  const values = new Map<string, string>();
  let at = 0;
  for (;;) {
    const start = skipBlanks(words, at);
    const name = nameAt(words, start);
    if (name === undefined || !names.has(name)) break;
    const value = valueAt(words, start + name.length + 1);
    if (value === undefined)
      return { ok: false, message: `the value of "${name}" begins with a quotation mark that is not closed` };
    if (values.has(name)) return { ok: false, message: `"${name}" is given twice` };
    values.set(name, value.text);
    at = value.end;
  }
  return { ok: true, values, left: leftFrom(words, at) };
}

/** One word for each name that must be given; what is left of the text. */
function fillByPlace(words: string, names: Arguments, values: Map<string, string>): string {
  const hasRest = names.has(rest);
  const others = [...names].filter(([name]) => name !== rest);
  const needed = others.filter(([, need]) => need === 'needed');
  const places = (needed.length > 0 || hasRest ? needed : others).map(([name]) => name);
  let at = 0;
  for (const [i, name] of places.entries()) {
    if (!hasRest && i === places.length - 1) {
      const left = leftFrom(words, at);
      if (left !== '') values.set(name, unquoted(left));
      return '';
    }
    const start = skipBlanks(words, at);
    const word = valueAt(words, start) ?? plainWord(words, start);
    // The lines below are no words of the command.
    if (word.end === start) break;
    values.set(name, word.text);
    at = word.end;
  }
  return leftFrom(words, at);
}

const pairName = /[\p{L}\p{N}_$][\p{L}\p{N}_$-]*(?==)/uy;

function nameAt(words: string, at: number): string | undefined {
  pairName.lastIndex = at;
  return pairName.exec(words)?.[0];
}

interface Word {
  readonly text: string;
  readonly end: number;
}

/** Up to a blank, or between quotation marks; undefined when those do not end where the word does. */
function valueAt(words: string, at: number): Word | undefined {
  const mark = words[at];
  if (mark !== '"' && mark !== "'") return plainWord(words, at);
  let text = '';
  for (let i = at + 1; i < words.length; i++) {
    const char = words[i] ?? '';
    if (char === mark) {
      return i + 1 === words.length || /\s/.test(words[i + 1] ?? '') ? { text, end: i + 1 } : undefined;
    }
    const next = words[i + 1];
    const isEscape = mark === '"' && char === '\\' && (next === '"' || next === '\\');
    text += isEscape ? next : char;
    if (isEscape) i++;
  }
  return undefined;
}

function plainWord(words: string, at: number): Word {
  let end = at;
  while (end < words.length && !/\s/.test(words[end] ?? '')) end++;
  return { text: words.slice(at, end), end };
}

/** A text that is one quoted value; else as it is. */
function unquoted(text: string): string {
  const value = valueAt(text, 0);
  return value?.end === text.length ? value.text : text;
}

function skipBlanks(words: string, from: number): number {
  let at = from;
  while (words[at] === ' ' || words[at] === '\t') at++;
  return at;
}

/** The lines below keep their indentation. */
function leftFrom(words: string, at: number): string {
  const start = skipBlanks(words, at);
  const line = words.startsWith('\r\n', start) ? 2 : words[start] === '\n' ? 1 : 0;
  return words.slice(start + line).trimEnd();
}

function usageLine(name: string, names: Arguments): string {
  const parts = [...names].filter(([each]) => each !== rest).map(([each, need]) => form(`${each}=…`, need));
  const text = names.get(rest);
  return [`/${name}`, ...parts, ...(text === undefined ? [] : [form('text…', text)])].join(' ');
}

function form(text: string, need: 'needed' | 'optional'): string {
  return need === 'needed' ? text : `[${text}]`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function wrong(message: string): Slash {
  return { kind: 'wrong', message };
}
