/**
 * Text → tokens and tree. It never throws and never stops early.
 *
 * 1. The tokens joined are the text, whatever the text is.
 * 2. Every declaration after an error is read; an error costs at most the line or the block it stands in.
 * 3. Each mistake gives one diagnostic, at the place where it was made.
 * 4. Time and memory are linear in the text: no line is looked at more than a fixed number of times.
 * 5. The tree is that of the Tree-sitter grammar in `grammar/` wherever there is no error.
 */
import { byPosition, closest, type Diagnostic, didYouMean, type Source } from '../text/index.ts';
import { isTrivia, skipTrivia } from './body.ts';
import { readCap, readTemplate } from './cap.ts';
import { docAbove, programDoc } from './doc.ts';
import { takeForeignComment } from './habit.ts';
import { checkCharacters, isForbidden, type Line, splitLines } from './line.ts';
import { isHeaderText, isNamedHeader } from './line-kind.ts';
import { newMargin } from './margin.ts';
import { blockKinds, capKinds, directiveKeys, type ItemKeyword, isOneOf, itemKeywords } from './names.ts';
import {
  currentLine,
  isDone,
  match,
  nextLine,
  quote,
  type Reader,
  report,
  skipBlanks,
  skipRest,
  take,
  takeTo,
  textEnd,
} from './reader.ts';
import { readStruct } from './struct.ts';
import { readThunk } from './thunk.ts';
import { type Token, toTokens } from './token.ts';
import type { Item, Program } from './tree.ts';
import { readUse } from './use.ts';

const DEEPEST = 20;

export interface Parsed {
  readonly program: Program;
  /** Made when first asked for. */
  readonly tokens: readonly Token[];
  readonly diagnostics: readonly Diagnostic[];
}

export function parse(source: Source): Parsed {
  const { text } = source;
  const lines = splitLines(text);
  const diagnostics = checkCharacters(source, lines);
  const r: Reader = {
    source,
    text,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    lines,
    tokens: { kinds: [], ends: [] },
    diagnostics,
    line: 0,
    at: 0,
    closers: undefined,
    nested: false,
    structs: undefined,
    margin: newMargin(),
    readNested,
    ignored: new Set(),
  };
  const items: Item[] = [];
  let depth = 0;
  let nested = false;
  function readNested(line: number): boolean {
    if (depth >= DEEPEST) return false;
    const { margin } = r;
    nested = true;
    depth++;
    r.nested = true;
    while (r.line < line) skipTrivia(r);
    const item = readItem(r, currentLine(r));
    if (item) items.push(item);
    depth--;
    r.nested = depth > 0;
    r.margin = margin;
    return true;
  }
  takeTo(r, 'bom', lines[0]?.start ?? text.length);
  while (!isDone(r)) {
    const line = currentLine(r);
    if (isTrivia(r, line)) {
      skipTrivia(r);
      continue;
    }
    if (r.ignored.has(r.line)) {
      nextLine(r);
      continue;
    }
    const item = readItem(r, line);
    if (item) items.push(item);
  }
  const doc = programDoc(r);
  const program: Program = {
    kind: 'program',
    source,
    span: { start: 0, end: text.length },
    items: nested ? items.sort((a, b) => a.span.start - b.span.start) : items,
    ...(doc !== undefined && { doc }),
  };
  let tokens: readonly Token[] | undefined;
  return {
    program,
    get tokens() {
      tokens ??= toTokens(r.tokens);
      return tokens;
    },
    diagnostics: byPosition(r.diagnostics),
  };
}

function readItem(r: Reader, found: Line): Item | undefined {
  const doc = docAbove(r);
  r.margin = newMargin();
  takeTo(r, 'blank', found.text);
  if (r.text[found.text] === '\ufeff') passInnerMark(r);
  if (takeForeignComment(r)) {
    nextLine(r);
    return undefined;
  }
  const line = r.at === found.text ? found : cutLine(r, found);
  const word = match(r, /[A-Za-z][A-Za-z0-9_]*/y);
  const keyword = itemKeyword(r, line, word);
  if (!keyword) {
    skipStray(r, line, word);
    return undefined;
  }
  const start = r.at;
  take(r, keyword === word ? 'keyword' : 'unknown', word.length);
  const item = readAs(r, keyword, start, line.indent);
  return item && doc !== undefined ? { ...item, doc } : item;
}

function readAs(r: Reader, keyword: ItemKeyword, start: number, indent: number): Item | undefined {
  if (keyword === 'use') return readUse(r, start);
  if (keyword === 'struct') return readStruct(r, start, indent);
  if (keyword === 'thunk') return readThunk(r, start, indent);
  if (isOneOf(keyword, capKinds)) return readCap(r, keyword, start, indent);
  return readTemplate(r, keyword, start, indent);
}

/** What declarations start with elsewhere. */
const otherKeywords: Readonly<Record<string, ItemKeyword>> = {
  class: 'struct',
  interface: 'struct',
  record: 'struct',
  model: 'struct',
  schema: 'struct',
  agent: 'thunk',
  def: 'thunk',
  fn: 'thunk',
  function: 'thunk',
  func: 'thunk',
  task: 'thunk',
  mcp: 'service',
  server: 'service',
  persona: 'psyche',
  system: 'instruct',
  import: 'use',
};

/** The item that a line declares. An indented or misspelt one is reported here and read all the same. */
function itemKeyword(r: Reader, line: Line, word: string): ItemKeyword | undefined {
  const after = r.text[line.text + word.length] ?? ' ';
  const ends = /[\s:(#-]/.test(after) || isForbidden(r.text, line.text + word.length);
  const known = isOneOf(word, itemKeywords) && ends ? word : undefined;
  if (known) {
    if (line.text === line.start) return known;
    if (!isHeaderText(r.text, line)) return undefined;
    const span = { start: line.start, end: line.text };
    report(r, 'TOO1102', { start: line.text, end: textEnd(r) }, `"${word}" must start in the first column.`, {
      // Inside another item its body would stay behind.
      fix: { title: 'remove the blanks before it', ...(r.nested && { guess: true }), edits: [{ span, text: '' }] },
    });
    return known;
  }
  if (
    line.text !== line.start ||
    !/^[ \t\f]+[A-Za-z]|^[ \t\f]*[:(]/.test(r.text.slice(line.text + word.length, line.end))
  )
    return undefined;
  const habit = Object.hasOwn(otherKeywords, word) ? otherKeywords[word] : undefined;
  const meant = habit ?? (isBodyWord(word) ? undefined : closest(word, itemKeywords));
  if (!meant) return undefined;
  const span = { start: line.text, end: line.text + word.length };
  report(r, 'TOO1101', span, `unknown declaration "${word}".${didYouMean(meant)}`, {
    fix: { title: `replace with "${meant}"`, ...(habit && { guess: true }), edits: [{ span, text: meant }] },
  });
  return meant as ItemKeyword;
}

/** Lines that are no item: one report for an indented run, one for a line in the first column and what is below it. */
function skipStray(r: Reader, line: Line, word: string): void {
  const span = { start: line.text, end: textEnd(r) };
  const head = { start: span.start, end: word === '' ? span.end : span.start + word.length };
  if (line.text > line.start && line.indent > 0) {
    report(r, 'TOO1104', span, `${quote(r, span)} belongs to nothing above it.`, {
      help: 'Indented lines stand below the header they belong to; remove the blanks, or the line.',
    });
  } else if (isBodyWord(word)) {
    report(r, 'TOO1101', head, `"${word}" belongs in a thunk.`, { help: 'Put it below a "thunk:" header, indented.' });
  } else {
    report(r, 'TOO1101', head, `${quote(r, head)} does not start a declaration.`, {
      help: `Declarations start with ${itemKeywords.slice(0, -1).join(', ')} or thunk; a comment starts with "#".`,
    });
  }
  skipRest(r);
  nextLine(r);
  while (!isDone(r)) {
    const next = currentLine(r);
    if (isTrivia(r, next) || next.indent === 0 || isNamedHeader(r.text, next)) return;
    takeTo(r, 'blank', next.text);
    takeTo(r, 'unknown', next.end);
    nextLine(r);
  }
}

/** A byte order mark inside the file, as joined files have: reported, and the line is read without it. */
function passInnerMark(r: Reader): void {
  const mark = take(r, 'unknown', 1);
  report(r, 'TOO1101', mark, 'a byte order mark may stand only at the start of the file.', {
    fix: { title: 'remove it', edits: [{ span: mark, text: '' }] },
  });
  skipBlanks(r);
}

/** The rest of a line whose beginning has been reported, as a line that begins at the cursor. */
function cutLine(r: Reader, line: Line): Line {
  const rest: Line = { ...line, start: r.at, text: r.at, indent: line.indent };
  r.lines[r.line] = rest;
  return rest;
}

/** A word that starts lines of thunks. */
function isBodyWord(word: string): boolean {
  return isOneOf(word, blockKinds) || isOneOf(word, directiveKeys);
}
