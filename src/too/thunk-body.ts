/** Reads the body of a thunk: directives, then context and instruct, then messages. Order is reported, not required. */
import { closest } from '../text/index.ts';
import { readBareText } from './bare-text.ts';
import { toBodyLine } from './body.ts';
import { readDirective, readValuesOnly } from './directive.ts';
import { takeForeignComment } from './habit.ts';
import type { Line } from './line.ts';
import { isLostThunkLine } from './line-kind.ts';
import { noteBodyLine } from './margin.ts';
import { blockKinds, directiveKeys, isOneOf, isValueName } from './names.ts';
import { currentLine, match, nextLine, type Reader, report, skipBlanks, take, takeTo, textEnd } from './reader.ts';
import { type Body, finishBlock, readBlock } from './thunk-block.ts';
import type { BlockKind, Directive } from './tree.ts';

const HEAD = /([^\s:：=+,#`"'(){}[\]-][^\s:：=+,#`"'(){}[\]]*)[ \t\f]*(\+=|-=|==|=|:|：)/y;

export function newBody(r: Reader): Body {
  return { directives: [], blocks: [], first: {}, insert: r.at };
}

/** The cursor stands at the start of the line below the header. */
export function readThunkBody(r: Reader, indent: number, body: Body): void {
  body.insert = r.at;
  while (toBodyLine(r, indent, isLostThunkLine)) {
    const line = currentLine(r);
    takeTo(r, 'blank', line.text);
    readBodyLine(r, body, line, indent);
  }
}

/** One line of the body, and what belongs to it. The cursor stands on its first character. */
export function readBodyLine(r: Reader, body: Body, line: Line, indent: number): void {
  if (takeForeignComment(r)) {
    nextLine(r);
    return;
  }
  const head = headOf(r) ?? headWithoutMark(r);
  if (!head) {
    readBareText(r, body, indent, (text) => startsBodyLine(r, text));
    return;
  }
  noteBodyLine(r, line);
  const { word, op } = head;
  if (op === '') readWithoutMark(r, body, line, word);
  else if (op !== ':') {
    if (isOneOf(word, blockKinds) && word !== 'tool') readBlockWithOperator(r, body, line, word, op);
    else addDirective(r, body, line, readDirective(r, word));
  } else if (isOneOf(word, directiveKeys) || (!isOneOf(word, blockKinds) && isNearDirective(word))) {
    addDirective(r, body, line, readDirective(r, word));
  } else readBlock(r, body, line, word);
}

/** The word that starts the line and the mark that follows it. */
function headOf(r: Reader): { word: string; op: string } | undefined {
  const head = headAt(r, currentLine(r), r.at);
  // `Note: …` is prose, `notes: …` a block that does not exist.
  return head && (isValueName(head.word) || closest(head.word, [...blockKinds, ...directiveKeys])) ? head : undefined;
}

function headAt(r: Reader, line: Line, at: number): { word: string; op: string } | undefined {
  HEAD.lastIndex = at;
  const found = HEAD.exec(r.text);
  if (!found || at + found[0].length > line.end) return undefined;
  const [, word = '', op = ''] = found;
  // A name does not end in `-`: `hands-=x` is `hands -= x`.
  if (word.endsWith('-') && op === '=') return { word: word.slice(0, -1), op: '-=' };
  return { word, op: op === '：' ? ':' : op };
}

/** `model: gpt-5`: nearer to a directive than to a block. */
function isNearDirective(word: string): boolean {
  return closest(word, blockKinds) === undefined && closest(word, directiveKeys) !== undefined;
}

function startsBodyLine(r: Reader, line: Line): boolean {
  const head = headAt(r, line, line.text);
  return head !== undefined && isValueName(head.word);
}

/** `user hello` and `tools shell`: the word is right, the mark behind it is missing. */
function headWithoutMark(r: Reader): { word: string; op: '' } | undefined {
  const word = match(r, /[a-z]+(?=[ \t\f]|\r?$)/my);
  if (isOneOf(word, blockKinds)) return { word, op: '' };
  const list = /^[ \t\f]+[A-Za-z0-9_./:@-]+(?:[ \t\f]*,[ \t\f]*[A-Za-z0-9_./:@-]+)*$/;
  return isOneOf(word, directiveKeys) && list.test(r.text.slice(r.at + word.length, textEnd(r)))
    ? { word, op: '' }
    : undefined;
}

function readWithoutMark(r: Reader, body: Body, line: Line, word: string): void {
  const isBlock = isOneOf(word, blockKinds);
  const mark = isBlock ? ':' : ' =';
  const key = take(r, 'key', word.length);
  report(r, 'TOO1611', key, `"${word}" takes "${mark.trim()}".`, {
    fix: { title: `add "${mark.trim()}"`, edits: [{ span: { start: key.end, end: key.end }, text: mark }] },
  });
  if (isBlock) finishBlock(r, body, line, word, key);
  else if (isOneOf(word, directiveKeys)) addDirective(r, body, line, readValuesOnly(r, word, key));
}

/** `user = hello`: a block written like a directive. */
function readBlockWithOperator(r: Reader, body: Body, line: Line, block: BlockKind, op: string): void {
  const key = take(r, 'key', block.length);
  skipBlanks(r);
  const span = take(r, 'unknown', op.length);
  report(r, 'TOO1611', span, `"${block}" takes ":", not "${op}".`, {
    fix: { title: 'replace with ":"', edits: [{ span, text: ':' }] },
  });
  finishBlock(r, body, line, block, key);
}

function addDirective(r: Reader, body: Body, line: Line, directive: Directive | undefined): void {
  if (!directive) return;
  body.directives.push(directive);
  const first = body.first.any;
  if (!first) {
    body.insert = r.at;
    return;
  }
  const { key, span } = directive;
  const text = r.text.slice(line.start, line.end);
  report(r, 'TOO1605', span, `directive "${key}" must stand before the blocks.`, {
    related: [{ source: r.source, span: first.key, message: 'the first block is here' }],
    help: 'Directives come first, then context and instruct, then messages.',
    fix: {
      title: 'move it up',
      edits: [
        { span: { start: body.insert, end: body.insert }, text: text + r.eol },
        { span: { start: line.start, end: line.next }, text: '' },
      ],
    },
  });
}
