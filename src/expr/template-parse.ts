/**
 * Text to template. It never throws; what is wrong is reported, and stays in the template as text.
 * 1. A tag opens with `{{` and closes with `}}` on the same line. Single braces and a lone `}}` are text.
 * 2. Backslashes directly before `{{` escape: `\{{` is `{{` as text, `\\{{x}}` a backslash and then a tag.
 * 3. A line that holds one section tag and blanks, nothing else, vanishes with its line end; a value's line stays.
 * 4. Every character is looked at a fixed number of times; sections are kept on a stack of our own.
 */
import { maxSections, type Template, type TemplateNode, type TemplateProblem, type TemplateValue } from './template.ts';
import { printPath, readTag, type Tag } from './template-tag.ts';

export interface ParsedTemplate extends Template {
  readonly problems: readonly TemplateProblem[];
  /** Names in tags that are wrong for another reason, outside of all sections: so that they can be checked too. */
  readonly suspects: readonly TemplateValue[];
}

interface Open {
  readonly tag: Tag;
  readonly start: number;
  readonly openEnd: number;
  /** What closes it; undefined for a broken tag, which any closing tag may close. */
  readonly name: string | undefined;
  readonly nodes: TemplateNode[];
  /** Too deep to be a section: its content goes to the section around it. */
  readonly flat: boolean;
}

interface State {
  readonly text: string;
  readonly problems: TemplateProblem[];
  readonly suspects: TemplateValue[];
  readonly root: TemplateNode[];
  readonly stack: Open[];
  /** How many sections of a name are open. */
  readonly open: Map<string, number>;
  nodes: TemplateNode[];
  /** Where the text that is not yet in a node begins. */
  from: number;
  tooDeep: boolean;
}

export function parseTemplate(text: string): ParsedTemplate {
  const root: TemplateNode[] = [];
  const state: State = {
    text,
    problems: [],
    suspects: [],
    root,
    stack: [],
    open: new Map(),
    nodes: root,
    from: 0,
    tooDeep: false,
  };
  const nextClose = finder(text, '}}');
  const nextLine = finder(text, '\n');
  const nextOpen = finder(text, '{{');
  for (let at = nextOpen(0); at < text.length; ) {
    const guards = backslashes(text, at, state.from);
    if (guards > 0) {
      addText(state, at - guards, '\\'.repeat(guards >> 1));
      state.from = at;
      if (guards % 2 === 1) {
        addText(state, at + 2);
        at = nextOpen(at + 2);
        continue;
      }
    }
    const line = nextLine(at + 2);
    const close = nextClose(at + 2);
    const inner = nextOpen(at + 2);
    if (close >= line || inner < close) {
      unclosed(state, at, Math.min(line, inner));
      // One report for a line is enough.
      at = inner < close && close < line ? inner : nextOpen(line);
      continue;
    }
    addTag(state, at, close + 2);
    at = nextOpen(Math.max(state.from, close + 2));
  }
  addText(state, text.length);
  while (state.stack.length > 0) closeSection(state, text.length, 'missing');
  state.problems.sort((a, b) => a.start - b.start);
  return { nodes: root, problems: state.problems, suspects: state.suspects };
}

function addTag(state: State, start: number, end: number): void {
  const tag = readTag(state.text, start, end);
  if (tag.kind === 'value') {
    addText(state, start);
    state.nodes.push({ kind: 'value', start, end, path: tag.path });
    state.from = end;
    return;
  }
  if (tag.kind === 'broken') {
    state.problems.push(tag.problem);
    if (tag.path && state.stack.length === 0) state.suspects.push({ kind: 'value', start, end, path: tag.path });
    if (!tag.opens) return;
  }
  const line = standalone(state, start, end);
  if (tag.kind !== 'broken') {
    addText(state, line?.start ?? start);
    state.from = line?.end ?? end;
  }
  if (tag.kind === 'close') closeTag(state, printPath(tag.path), start, end);
  else openSection(state, tag, start, end);
}

function openSection(state: State, tag: Tag, start: number, end: number): void {
  const deep = state.stack.length >= maxSections;
  const flat = deep || tag.kind === 'broken';
  if (deep && !state.tooDeep) {
    state.tooDeep = true;
    const message = `sections are nested more than ${maxSections} levels deep.`;
    state.problems.push({ code: 'TOO2407', start, end, message, help: 'Put the inner part into the data instead.' });
  }
  const name = tag.kind === 'broken' ? undefined : printPath(tag.path);
  const nodes: TemplateNode[] = flat ? state.nodes : [];
  state.stack.push({ tag, start, openEnd: end, name, nodes, flat });
  if (name !== undefined) state.open.set(name, (state.open.get(name) ?? 0) + 1);
  state.nodes = nodes;
}

function closeTag(state: State, name: string, start: number, end: number): void {
  const top = state.stack.at(-1);
  if (top === undefined) {
    const help = `Open the section first with "{{#${name}}}", or take this tag out.`;
    state.problems.push({ code: 'TOO2405', start, end, message: `"{{/${name}}}" closes nothing.`, help });
    return;
  }
  if ((state.open.get(name) ?? 0) > 0) {
    // Sections inside the one that is closed here were forgotten.
    while (state.stack.length > 0 && state.stack.at(-1)?.name !== name) closeSection(state, start, 'missing');
  } else if (top.name !== undefined) {
    state.problems.push({
      code: 'TOO2405',
      start,
      end,
      message: `"{{/${name}}}" does not close the section that is open here, "${top.name}".`,
      help: `Write "{{/${top.name}}}".`,
      replacement: `{{/${top.name}}}`,
    });
  }
  closeSection(state, end, 'found');
}

function closeSection(state: State, end: number, closing: 'found' | 'missing'): void {
  const section = state.stack.pop();
  if (section === undefined) return;
  const { tag, start, openEnd, name, nodes, flat } = section;
  state.nodes = state.stack.at(-1)?.nodes ?? state.root;
  if (name !== undefined) {
    state.open.set(name, (state.open.get(name) ?? 1) - 1);
    if (closing === 'missing') {
      const message = `the section "${name}" is never closed.`;
      const help = `Write "{{/${name}}}" where it ends.`;
      state.problems.push({ code: 'TOO2404', start, end: openEnd, message, help });
    }
  }
  if (flat || tag.kind === 'broken') return;
  state.nodes.push({ kind: 'section', start, end, openEnd, inverted: tag.kind === 'inverted', path: tag.path, nodes });
}

function unclosed(state: State, start: number, end: number): void {
  const help = 'Close it with "}}" on the same line, or write "\\{{" for braces that are text.';
  let last = end;
  while (last > start + 2 && /\s/.test(state.text[last - 1] ?? '')) last--;
  state.problems.push({ code: 'TOO2401', start, end: last, message: 'the tag is never closed.', help });
}

/** Puts the text up to `end` into a node, followed by `more`. */
function addText(state: State, end: number, more = ''): void {
  const text = state.text.slice(state.from, end) + more;
  if (text !== '') state.nodes.push({ kind: 'text', start: state.from, end, text });
  state.from = end;
}

/** The line of a section tag that is alone on it. */
function standalone(state: State, start: number, end: number): { start: number; end: number } | undefined {
  const { text } = state;
  let first = start;
  while (first > state.from && isBlank(text[first - 1])) first--;
  if (first > 0 && text[first - 1] !== '\n') return undefined;
  let last = end;
  while (isBlank(text[last])) last++;
  if (text[last] === '\r' && text[last + 1] === '\n') last++;
  if (last < text.length && text[last] !== '\n') return undefined;
  return { start: first, end: Math.min(last + 1, text.length) };
}

function backslashes(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && text[start - 1] === '\\') start--;
  return at - start;
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t';
}

/** The first `needle` at or after an offset, the end of the text if none. Asked in rising order it is linear. */
function finder(text: string, needle: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      found = text.indexOf(needle, from);
      if (found === -1) found = text.length;
    }
    return found;
  };
}
