/** Reads the body of a thunk: directives, then context and instruct, then messages. Order is reported, not required. */
import { closest, didYouMean, type Span } from '../text/index.ts';
import { atFence, lastDeeper, readFenced, readIndented, readInline, restIsEmpty, startOf } from './block.ts';
import { afterTrivia, skipTrivia, toBodyLine } from './body.ts';
import { readDirective } from './directive.ts';
import type { Line } from './line.ts';
import { noteBodyLine } from './margin.ts';
import { blockKinds, directiveKeys, isOneOf, isValueName, messageKinds, templateKinds } from './names.ts';
import {
  backOverBlanks,
  currentLine,
  endLine,
  match,
  nextLine,
  quote,
  type Reader,
  report,
  skipBlanks,
  skipRest,
  take,
  takeMark,
  takeTo,
  textEnd,
} from './reader.ts';
import type { Block, BlockKind, Directive, Inline } from './tree.ts';

interface Body {
  readonly directives: Directive[];
  readonly blocks: Block[];
  /** The first block of each kind, and the first message. */
  readonly first: Partial<Record<BlockKind | 'message', Block>>;
  /** Where the next directive would stand. */
  insert: number;
}

const HEAD = /([^\s:=+,#`"'(){}[\]-][^\s:=+,#`"'(){}[\]]*?)[ \t\f]*(\+=|-=|==|=|:)/y;

/** The cursor stands at the start of the line below the header. */
export function readThunkBody(r: Reader, indent: number): Pick<Body, 'directives' | 'blocks'> {
  const body: Body = { directives: [], blocks: [], first: {}, insert: r.at };
  while (toBodyLine(r, indent, looksLikeBodyLine)) {
    const line = currentLine(r);
    takeTo(r, 'blank', line.text);
    const head = headOf(r) ?? headWithoutMark(r);
    if (!head) {
      readBareText(r, indent);
      continue;
    }
    noteBodyLine(r, line);
    if (head.op === '') readWithoutMark(r, body, line, head.word);
    else if (head.op === ':' && !isOneOf(head.word, directiveKeys)) readBlock(r, body, line, head.word);
    else if (isOneOf(head.word, blockKinds) && head.word !== 'tool')
      readBlockWithOperator(r, body, line, head.word, head.op);
    else readDirectiveLine(r, body, line, head.word);
  }
  return { directives: body.directives, blocks: body.blocks };
}

/** The word that starts the line and the mark that follows it. */
function headOf(r: Reader): { word: string; op: string } | undefined {
  HEAD.lastIndex = r.at;
  const found = HEAD.exec(r.text);
  if (!found || r.at + found[0].length > currentLine(r).end) return undefined;
  const word = found[1] ?? '';
  // `Note: …` is prose, `notes: …` a block that does not exist.
  return isValueName(word) || closest(word, [...blockKinds, ...directiveKeys])
    ? { word, op: found[2] ?? '' }
    : undefined;
}

/** `user hello` and `tools shell`: the word is right, the mark behind it is missing. */
function headWithoutMark(r: Reader): { word: string; op: '' } | undefined {
  const word = match(r, /[a-z]+(?=[ \t\f])/y);
  if (isOneOf(word, blockKinds)) return { word, op: '' };
  const list = /^[ \t\f]+[A-Za-z0-9_./:@-]+(?:[ \t\f]*,[ \t\f]*[A-Za-z0-9_./:@-]+)*$/;
  return isOneOf(word, directiveKeys) && list.test(r.text.slice(r.at + word.length, textEnd(r)))
    ? { word, op: '' }
    : undefined;
}

function readWithoutMark(r: Reader, body: Body, line: Line, word: string): void {
  const start = r.at;
  const isBlock = isOneOf(word, blockKinds);
  const mark = isBlock ? ':' : ' =';
  const end = start + word.length;
  report(r, 'TOO1611', { start, end }, `"${word}" takes "${mark.trim()}".`, {
    fix: { title: `add "${mark.trim()}"`, edits: [{ span: { start: end, end }, text: mark }] },
  });
  if (isBlock) finishBlock(r, body, line, word, start, take(r, 'key', word.length));
  else {
    skipRest(r);
    nextLine(r);
  }
}

function looksLikeBodyLine(text: string): boolean {
  return (
    /^(?:models|tools|skills|services|psyches|hands|handoffs|recall)[ \t\f]*[-+]?=/.test(text) ||
    /^(?:user|assistant|tool)[ \t\f]*:/.test(text) ||
    /^(?:context|instruct)[ \t\f]*:[ \t\f]*[^\s#`]/.test(text)
  );
}

function readDirectiveLine(r: Reader, body: Body, line: Line, word: string): void {
  const directive = readDirective(r, word);
  const first = body.blocks[0];
  if (!directive) return;
  if (first) {
    const span = { start: line.start, end: line.next };
    report(r, 'TOO1605', directive.span, `directive "${directive.key}" must stand before the blocks.`, {
      related: [{ source: r.source, span: first.key, message: 'the first block is here' }],
      help: 'Directives come first, then context and instruct, then messages.',
      fix: {
        title: 'move it up',
        edits: [
          { span: { start: body.insert, end: body.insert }, text: `${r.text.slice(line.start, line.end)}\n` },
          { span, text: '' },
        ],
      },
    });
  } else body.insert = r.at;
  body.directives.push(directive);
}

function readBlock(r: Reader, body: Body, line: Line, word: string): void {
  const start = r.at;
  if (!isOneOf(word, blockKinds)) {
    readUnknownBlock(r, line, word);
    return;
  }
  const key = take(r, 'key', word.length);
  takeMark(r, ':');
  finishBlock(r, body, line, word, start, key);
}

function finishBlock(r: Reader, body: Body, line: Line, block: BlockKind, start: number, key: Span): void {
  checkOrder(r, body, block, key);
  const value = readBlockValue(r, line, block);
  const end = value?.span.end ?? key.end + 1;
  const node: Block = { kind: 'block', span: { start, end }, block, key, ...(value && { value }) };
  body.blocks.push(node);
  body.first[block] ??= node;
  if (isOneOf(block, messageKinds)) body.first.message ??= node;
}

function readBlockValue(r: Reader, line: Line, block: BlockKind): Block['value'] {
  const deeper = `\n${' '.repeat(line.indent + 2)}`;
  if (restIsEmpty(r)) {
    const comment = { start: r.at, end: currentLine(r).end };
    endLine(r, `"${block}:"`);
    const text = readIndented(r, line.indent);
    if (!text && /^#[A-Za-z0-9]/.test(r.text.slice(comment.start, comment.start + 2)))
      cutText(r, block, comment, deeper);
    return text;
  }
  if (atFence(r)) return readFenced(r, `"${block}:"`, false);
  const inline = readInline(r, `the text of "${block}:"`, (text) => `${deeper}${text}`);
  const below = afterTrivia(r);
  const next = r.lines[below];
  if (next && next.indent > line.indent) refuseDeeper(r, line, block, inline, below);
  const isReference = isOneOf(block, templateKinds) && isValueName(inline.text);
  return isReference ? { kind: 'reference', span: inline.span, text: inline.text } : inline;
}

/** `user: #42`, and nothing else: the text is taken for a comment. */
function cutText(r: Reader, block: BlockKind, comment: Span, deeper: string): void {
  report(r, 'TOO1005', comment, `${quote(r, comment)} is read as a comment: "${block}:" has no text.`, {
    help: 'Put the text on the line below, where "#" is literal, or put a blank after "#" if a comment is meant.',
    fix: {
      title: 'put the text on a line of its own',
      edits: [
        {
          span: { start: backOverBlanks(r, comment.start), end: comment.end },
          text: deeper + r.text.slice(comment.start, comment.end),
        },
      ],
    },
  });
}

/** Deeper lines below a block whose text is on the header line. Those that are lines of the thunk are read as such. */
function refuseDeeper(r: Reader, line: Line, block: BlockKind, inline: Inline, below: number): void {
  const touching = below === r.line;
  while (r.line < below) skipTrivia(r);
  const first = currentLine(r);
  const span = { start: first.text, end: first.end };
  const message = `"${block}:" has its text on the header line; the lines below it may not be deeper.`;
  const help = 'Put all of the text below the header, or end it on the header line.';
  if (looksLikeBodyLine(startOf(r, first))) {
    const lead = { start: first.start, end: first.text };
    const margin = r.text.slice(line.start, line.text);
    report(r, 'TOO1609', span, message, {
      help,
      fix: { title: 'indent it alike', edits: [{ span: lead, text: margin }] },
    });
    r.margin.uneven = true;
    return;
  }
  const at = backOverBlanks(r, inline.span.start);
  report(r, 'TOO1609', span, message, {
    help,
    // With lines between them the two texts would not become one.
    ...(touching && {
      fix: {
        title: 'put all of the text below the header',
        edits: [{ span: { start: at, end: inline.span.start }, text: `\n${r.text.slice(first.start, first.text)}` }],
      },
    }),
  });
  skipLines(r, lastDeeper(r, line.indent) ?? r.line);
}

function checkOrder(r: Reader, body: Body, block: BlockKind, key: Span): void {
  if (!isOneOf(block, templateKinds)) return;
  const same = body.first[block];
  if (same) {
    report(r, 'TOO1606', key, `this thunk has a second "${block}:".`, {
      related: [{ source: r.source, span: same.key, message: 'the first is here' }],
      help: `A thunk has at most one "${block}:".`,
    });
    return;
  }
  const { message } = body.first;
  if (!message) return;
  report(r, 'TOO1605', key, `"${block}:" must stand before the messages.`, {
    related: [{ source: r.source, span: message.key, message: 'the first message is here' }],
    help: 'Directives come first, then context and instruct, then messages.',
  });
}

/** `user = hello`: a block written like a directive. */
function readBlockWithOperator(r: Reader, body: Body, line: Line, block: BlockKind, op: string): void {
  const start = r.at;
  const key = take(r, 'key', block.length);
  skipBlanks(r);
  const span = take(r, 'unknown', op.length);
  report(r, 'TOO1611', span, `"${block}" takes ":", not "${op}".`, {
    fix: { title: 'replace with ":"', edits: [{ span, text: ':' }] },
  });
  finishBlock(r, body, line, block, start, key);
}

function readUnknownBlock(r: Reader, line: Line, word: string): void {
  const span = take(r, 'unknown', word.length);
  const better = word === 'system' || word === 'instructions' ? 'instruct' : closest(word, blockKinds);
  report(r, 'TOO1608', span, `unknown block "${word}".${didYouMean(better)}`, {
    help: 'Blocks of a thunk are context, instruct, user, assistant and tool.',
    ...(better && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
  skipRest(r);
  nextLine(r);
  const last = lastDeeper(r, line.indent);
  if (last !== undefined) skipLines(r, last);
}

/** Lines of prose directly in a thunk: one report for all of them. */
function readBareText(r: Reader, indent: number): void {
  const first = r.line;
  const span = { start: r.at, end: textEnd(r) };
  let last = first;
  for (let i = first + 1; i < r.lines.length; i++) {
    const line = r.lines[i] as Line;
    if (line.text === line.end) continue;
    const own = line.indent > (r.lines[first] as Line).indent;
    if (line.indent <= indent || (!own && (r.text.charCodeAt(line.text) === 35 || startsBodyLine(r, line)))) break;
    last = i;
  }
  const lines = r.lines.slice(first, last + 1).filter((line) => line.text < line.end);
  const margin = r.text.slice((lines[0] as Line).start, (lines[0] as Line).text);
  report(r, 'TOO1607', span, `${quote(r, span)} stands outside a block.`, {
    help: 'A thunk holds directives and blocks; put text for the model under "user:".',
    fix: {
      title: 'put it under "user:"',
      edits: lines.map((line, i) => ({
        span: { start: line.text, end: line.text },
        text: i === 0 ? `user:\n${margin}  ` : '  ',
      })),
    },
  });
  skipLines(r, last);
}

function startsBodyLine(r: Reader, line: Line): boolean {
  HEAD.lastIndex = line.text;
  const found = HEAD.exec(r.text);
  return found !== null && line.text + found[0].length <= line.end && isValueName(found[1] ?? '');
}

/** All up to the end of line `last`, as text that fits nowhere. */
function skipLines(r: Reader, last: number): void {
  takeTo(r, 'unknown', r.lines[last]?.end ?? r.at);
  r.line = last;
  nextLine(r);
}
