/**
 * Pattern to tree, by the grammar of ECMAScript 2024 with its Annex B.
 * 1. With the flag u or v the pattern is read by code points and strictly; without them by code units and leniently.
 * 2. What is refused is what `new RegExp` refuses in V8, and groups that nest too deep, and properties of strings.
 */
import { anyButLineEnd, anyChar, sharedSet } from './char-set.ts';
import { charNode, classEnd, readClass } from './class.ts';
import { RegExpSyntaxError } from './error.ts';
import { readEscape } from './escape.ts';
import type { Flags } from './flags.ts';
import { countGroups, isNamed, readGroupName } from './group-name.ts';
import { type BackNode, canBeEmpty, type Node, unlimited } from './node.ts';

export interface ParsedRegExp {
  readonly node: Node;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
}

interface State {
  readonly pattern: string;
  readonly flags: Flags;
  /** How many groups there will be, and whether one has a name. */
  readonly total: number;
  readonly named: boolean;
  readonly names: Map<string, number>;
  /** By their text: a class that stands in many places is one. */
  readonly classes: Map<string, Node>;
  readonly calls: { readonly node: BackNode; readonly name: string; readonly at: number }[];
  at: number;
  groups: number;
  depth: number;
}

interface Term {
  readonly node: Node;
  /** Edges and most lookarounds cannot be repeated. */
  readonly once: boolean;
}

const maxDepth = 500;
/** As in V8. */
const maxGroups = 65535;

export function parseRegExp(pattern: string, flags: Flags): ParsedRegExp {
  const { total, named } = countGroups(pattern, flags);
  if (total > maxGroups) throw new RegExpSyntaxError(`more than ${maxGroups} groups`, 0);
  const names = new Map<string, number>();
  const state: State = {
    pattern,
    flags,
    total,
    named,
    names,
    classes: new Map(),
    calls: [],
    at: 0,
    groups: 0,
    depth: 0,
  };
  const node = parseChoice(state);
  if (state.at < pattern.length) throw new RegExpSyntaxError('unmatched ")"', state.at);
  for (const call of state.calls) {
    const group = names.get(call.name);
    if (group === undefined) throw new RegExpSyntaxError(`there is no group named "${call.name}"`, call.at);
    call.node.group = group;
  }
  return { node, groups: state.groups, names };
}

/** Up to the end, or a closing bracket. */
function parseChoice(state: State): Node {
  const nodes = [parseSequence(state)];
  while (state.pattern.charAt(state.at) === '|') {
    state.at++;
    nodes.push(parseSequence(state));
  }
  return nodes.length === 1 ? (nodes[0] as Node) : { kind: 'choice', nodes };
}

function parseSequence(state: State): Node {
  const nodes: Node[] = [];
  while (state.at < state.pattern.length) {
    const char = state.pattern.charAt(state.at);
    if (char === '|' || char === ')') break;
    const firstGroup = state.groups + 1;
    const { node, once } = parseTerm(state, char);
    nodes.push(once ? node : parseQuantifier(state, node, firstGroup));
  }
  return nodes.length === 1 ? (nodes[0] as Node) : { kind: 'sequence', nodes };
}

function parseTerm(state: State, char: string): Term {
  const { pattern, flags, at } = state;
  switch (char) {
    case '^':
      state.at++;
      return { node: { kind: flags.multiline ? 'lineStart' : 'start' }, once: true };
    case '$':
      state.at++;
      return { node: { kind: flags.multiline ? 'lineEnd' : 'end' }, once: true };
    case '(':
      return parseGroup(state);
    case '.':
      state.at++;
      return { node: { kind: 'set', set: flags.dotAll ? anyChar : anyButLineEnd }, once: false };
    case '[':
      return { node: parseClass(state), once: false };
    case '\\':
      return parseEscape(state);
    case '*':
    case '+':
    case '?':
      throw new RegExpSyntaxError('nothing to repeat', at);
    case '{':
      if (readBraces(pattern, at) !== undefined) throw new RegExpSyntaxError('nothing to repeat', at);
      break;
  }
  if (flags.unicode && (char === '{' || char === '}' || char === ']'))
    throw new RegExpSyntaxError(`a lone "${char}"; write "\\${char}"`, at);
  const code = flags.unicode ? (pattern.codePointAt(at) as number) : pattern.charCodeAt(at);
  state.at += code > 0xffff ? 2 : 1;
  return { node: charNode(code, flags), once: false };
}

function parseQuantifier(state: State, body: Node, firstGroup: number): Node {
  const { pattern, at } = state;
  let [min, max] = [0, unlimited];
  switch (pattern.charAt(at)) {
    case '*':
      state.at++;
      break;
    case '+':
      min = 1;
      state.at++;
      break;
    case '?':
      max = 1;
      state.at++;
      break;
    case '{': {
      const braces = readBraces(pattern, at);
      if (braces === undefined) {
        if (state.flags.unicode) throw new RegExpSyntaxError('incomplete quantifier', at);
        return body;
      }
      ({ min, max } = braces);
      if (min > max) throw new RegExpSyntaxError('the numbers of the quantifier are out of order', at);
      state.at = braces.end;
      break;
    }
    default:
      return body;
  }
  const lazy = pattern.charAt(state.at) === '?';
  if (lazy) state.at++;
  const empty = canBeEmpty(body);
  return { kind: 'loop', body, empty, min, max, lazy, firstGroup, lastGroup: state.groups };
}

/** `{2}`, `{2,}` or `{2,3}`; undefined when it is none of them. */
function readBraces(pattern: string, at: number): { min: number; max: number; end: number } | undefined {
  const minEnd = digitsEnd(pattern, at + 1);
  if (minEnd === at + 1) return undefined;
  const min = clamped(pattern, at + 1, minEnd);
  if (pattern.charAt(minEnd) === '}') return { min, max: min, end: minEnd + 1 };
  if (pattern.charAt(minEnd) !== ',') return undefined;
  const maxEnd = digitsEnd(pattern, minEnd + 1);
  if (pattern.charAt(maxEnd) !== '}') return undefined;
  return { min, max: maxEnd === minEnd + 1 ? unlimited : clamped(pattern, minEnd + 1, maxEnd), end: maxEnd + 1 };
}

function digitsEnd(pattern: string, at: number): number {
  let end = at;
  while (isDigit(pattern, end)) end++;
  return end;
}

function isDigit(pattern: string, at: number): boolean {
  const char = pattern.charAt(at);
  return char >= '0' && char <= '9';
}

function clamped(pattern: string, at: number, end: number): number {
  return Math.min(Number(pattern.slice(at, end)), unlimited);
}

function parseGroup(state: State): Term {
  const { pattern, at, flags } = state;
  const firstGroup = state.groups + 1;
  if (pattern.charAt(at + 1) !== '?' || isNamed(pattern, at)) {
    state.groups++;
    state.at++;
    if (pattern.charAt(at + 1) === '?') nameGroup(state, at + 3, firstGroup);
    return { node: { kind: 'group', index: firstGroup, body: parseBody(state, at) }, once: false };
  }
  const mark = /^\(\?(?:<?[=!]|:)/.exec(pattern.slice(at, at + 4))?.[0];
  if (mark === undefined) throw new RegExpSyntaxError('invalid group; after "(?" comes ":", "=", "!" or "<"', at);
  state.at += mark.length;
  const body = parseBody(state, at);
  if (mark === '(?:') return { node: body, once: false };
  const behind = mark.includes('<');
  const negative = mark.endsWith('!');
  const node: Node = { kind: 'look', body, behind, negative, firstGroup, lastGroup: state.groups };
  return { node, once: behind || flags.unicode };
}

function nameGroup(state: State, at: number, group: number): void {
  const read = readGroupName(state.pattern, at);
  if (read === undefined) throw new RegExpSyntaxError('invalid group name', at);
  if (state.names.has(read.name)) throw new RegExpSyntaxError(`two groups are named "${read.name}"`, at);
  state.names.set(read.name, group);
  state.at = read.end;
}

function parseBody(state: State, opened: number): Node {
  if (++state.depth > maxDepth) throw new RegExpSyntaxError(`groups nest deeper than ${maxDepth}`, opened);
  const body = parseChoice(state);
  if (state.pattern.charAt(state.at) !== ')') throw new RegExpSyntaxError('unterminated group', opened);
  state.at++;
  state.depth--;
  return body;
}

function parseClass(state: State): Node {
  const { pattern, at, flags } = state;
  const end = classEnd(pattern, at, flags.sets);
  if (end > pattern.length) throw new RegExpSyntaxError('unterminated character class', at);
  if (state.named) {
    for (let next = at; next < end; next++)
      if (pattern.charAt(next) === '\\' && pattern.charAt(++next) === 'k')
        throw new RegExpSyntaxError('invalid escape', next - 1);
  }
  return classNode(state, end);
}

/** The class or property from here to `end`. */
function classNode(state: State, end: number): Node {
  const source = state.pattern.slice(state.at, end);
  const node = state.classes.get(source) ?? readClass(source, state.at, state.flags);
  state.classes.set(source, node);
  state.at = end;
  return node;
}

function parseEscape(state: State): Term {
  const { pattern, at, flags } = state;
  if (at + 1 === pattern.length) throw new RegExpSyntaxError('a lone "\\" at the end', at);
  const char = pattern.charAt(at + 1);
  if (char === 'b' || char === 'B') {
    state.at += 2;
    return { node: { kind: char === 'b' ? 'word' : 'notWord' }, once: true };
  }
  if ('dDsSwW'.includes(char)) {
    state.at += 2;
    return { node: { kind: 'set', set: sharedSet(`\\${char}`, flags.ofClass) }, once: false };
  }
  if (flags.unicode && (char === 'p' || char === 'P')) {
    const close = pattern.charAt(at + 2) === '{' ? pattern.indexOf('}', at) : -1;
    if (close < 0) throw new RegExpSyntaxError('invalid property name', at);
    return { node: classNode(state, close + 1), once: false };
  }
  if (char === 'k' && (flags.unicode || state.named)) return { node: parseNamedCall(state), once: false };
  const node = char >= '1' && char <= '9' ? parseCall(state) : undefined;
  if (node !== undefined) return { node, once: false };
  const escaped = readEscape(pattern, at + 1, flags.unicode);
  if (escaped === undefined) throw new RegExpSyntaxError('invalid escape', at);
  state.at = escaped.end;
  return { node: charNode(escaped.code, flags), once: false };
}

/** `\1`; undefined when there is no such group, and the digits may mean a character. */
function parseCall(state: State): Node | undefined {
  const end = digitsEnd(state.pattern, state.at + 1);
  const group = clamped(state.pattern, state.at + 1, end);
  if (group > state.total) return undefined;
  state.at = end;
  return { kind: 'back', group };
}

function parseNamedCall(state: State): Node {
  const { pattern, at } = state;
  const read = pattern.charAt(at + 2) === '<' ? readGroupName(pattern, at + 3) : undefined;
  if (read === undefined) throw new RegExpSyntaxError('invalid reference; write \\k<name>', at);
  const node: BackNode = { kind: 'back', group: 0 };
  state.calls.push({ node, name: read.name, at });
  state.at = read.end;
  return node;
}
