/** Reads the header of a thunk: name, parameters, output type. */

import type { Span } from '../text/index.ts';
import { readInline } from './block.ts';
import { endHeader, missingName, movedBelow, passClosingBrace, readColon, readValueName } from './header.ts';
import { endLine } from './line-end.ts';
import { isItemHeader, isThunkLine, parameterLine, startOf } from './line-kind.ts';
import {
  backOverBlanks,
  currentLine,
  match,
  nextLine,
  peek,
  quote,
  type Reader,
  report,
  skipBlanks,
  take,
  takeComment,
  takeMark,
  textEnd,
} from './reader.ts';
import type { Body } from './thunk-block.ts';
import { newBody, readBodyLine, readThunkBody } from './thunk-body.ts';
import type { Param, Thunk, TypeNode, Word } from './tree.ts';
import { type ReadType, readType } from './type.ts';

const SWAPPED = /[A-Z][A-Za-z0-9]*(?:\[\])*[ \t\f]+[a-z](?:[a-z0-9_-]*[a-z0-9_])?(?=[ \t\f]*[,)])/y;
/** The cursor stands behind the keyword. */
export function readThunk(r: Reader, start: number, indent: number): Omit<Thunk, 'doc'> {
  const name = readValueName(r, 'name', 'a thunk', true);
  const list = readParams(r);
  const output = readOutput(r) ?? readForeignOutput(r, list !== undefined);
  const closed = list?.open || output?.closed;
  const colon = closed ? undefined : readColon(r, 'a thunk');
  const header = { start, end: r.at };
  const body = newBody(r);
  if (!colon) endLine(r, 'the header of a thunk');
  else if (!endThunkHeader(r)) readOnHeader(r, body, indent);
  readThunkBody(r, indent, body);
  const { directives, blocks } = body;
  const end = Math.max(header.end, directives.at(-1)?.span.end ?? 0, blocks.at(-1)?.span.end ?? 0);
  return {
    kind: 'thunk',
    span: { start, end },
    header,
    ...(name && { name }),
    ...(list && { params: list.params }),
    ...(output && { output: output.type }),
    directives,
    blocks,
  };
}

function endThunkHeader(r: Reader): boolean {
  const help = 'Put directives and blocks on the lines below, indented: "  user: …".';
  return endHeader(r, 'a thunk', help, (text) =>
    isThunkLine(text) ? movedBelow(text) : { text: `  user: ${text}`, guess: true },
  );
}

/** Text behind the colon, which has been reported: read as the line it would be below. */
function readOnHeader(r: Reader, body: Body, indent: number): void {
  const line = { ...currentLine(r), indent: indent + 2 };
  if (isThunkLine(r.text.slice(r.at, r.at + 40))) {
    // Its place does not count: it has to move.
    const own = newBody(r);
    readBodyLine(r, own, line, indent);
    body.directives.push(...own.directives);
    body.blocks.push(...own.blocks);
  } else {
    const value = readInline(r, 'the text of a thunk');
    body.blocks.push({ kind: 'block', span: value.span, block: 'user', key: value.span, value });
  }
}

interface Params {
  readonly params: readonly Param[];
  /** The parenthesis was left open, and the line is at its end. */
  readonly open: boolean;
}

function readParams(r: Reader): Params | undefined {
  const open = takeMark(r, '(');
  if (!open) return undefined;
  const params: Param[] = [];
  const breaks: Span[] = [];
  stepOverLineEnd(r, breaks);
  if (takeMark(r, ')')) return closeParams(r, open, params, breaks);
  for (let more = true; more; ) {
    const param = readParam(r);
    if (param) params.push(param);
    for (let between = true; between; ) {
      stepOverLineEnd(r, breaks);
      const comma = takeMark(r, ',');
      if (comma) {
        stepOverLineEnd(r, breaks);
        if (takeMark(r, ')')) {
          if (param) trailingComma(r, comma);
          return closeParams(r, open, params, breaks);
        }
        between = false;
      } else if (takeMark(r, ')')) return closeParams(r, open, params, breaks);
      else if (isHeaderEnd(r)) more = between = false;
      else between = !unexpectedInParams(r, param !== undefined);
    }
  }
  const atEnd = peek(r) === -1 || peek(r) === 35;
  const at = backOverBlanks(r, r.at);
  report(r, 'TOO1610', open, 'this parenthesis is never closed.', {
    help: 'End the parameters with ")" on the same line.',
    fix: { title: 'add ")"', edits: [{ span: { start: at, end: at }, text: atEnd ? '):' : ')' }] },
  });
  return { params, open: atEnd };
}

/** Parameters that went over several lines are reported here, where all the line ends are known. */
function closeParams(r: Reader, open: Span, params: readonly Param[], breaks: readonly Span[]): Params {
  if (breaks.length > 0) {
    const commented = breaks.some(({ start, end }) => r.text.slice(start, end).includes('#'));
    const text = ({ start, end }: Span) => (r.text[start - 1] === '(' || r.text[end] === ')' ? '' : ' ');
    report(r, 'TOO1610', open, 'the parameters must stand on one line.', {
      help: 'Write the whole header on one line, up to the colon.',
      ...(!commented && {
        fix: { title: 'join the lines', edits: breaks.map((span) => ({ span, text: text(span) })) },
      }),
    });
  }
  return { params, open: false };
}

/** Where parameters cannot go on: the end of the line, a colon, an arrow. */
function isHeaderEnd(r: Reader): boolean {
  skipBlanks(r);
  const code = peek(r);
  return code === -1 || code === 35 || code === 58 || match(r, /->/y) !== '';
}

function trailingComma(r: Reader, comma: Span): void {
  report(r, 'TOO1603', comma, 'a comma stands before the closing parenthesis.', {
    fix: { title: 'remove ","', edits: [{ span: comma, text: '' }] },
  });
}

/** Text between parameters that is neither a comma nor the end; true when it starts the next parameter. */
function unexpectedInParams(r: Reader, afterParam: boolean): boolean {
  if (afterParam && match(r, /[a-z][a-z0-9_-]*[ \t\f]*\??[ \t\f]*:/y)) {
    const span = { start: r.at, end: r.at };
    report(r, 'TOO1610', span, 'a comma is missing between two parameters.', {
      fix: { title: 'add ","', edits: [{ span: { start: backOverBlanks(r, r.at), end: r.at }, text: ', ' }] },
    });
    return true;
  }
  if (peek(r) === 59) {
    const span = take(r, 'unknown', 1);
    report(r, 'TOO1610', span, 'parameters are separated by ",", not ";".', {
      fix: { title: 'replace with ","', edits: [{ span, text: ',' }] },
    });
    return true;
  }
  const span = take(r, 'unknown', Math.max(1, match(r, /[^,)\r\n#:]+/y).trimEnd().length));
  report(r, 'TOO1610', span, `unexpected ${quote(r, span)} in the parameters.`, {
    help:
      r.text[span.start] === '='
        ? 'There are no default values; a parameter that may be missing is written "name?: Type".'
        : 'Parameters are written "(name: Type, other?: Type)".',
  });
  return false;
}

function readParam(r: Reader): Param | undefined {
  skipBlanks(r);
  const start = r.at;
  const code = peek(r);
  if (code === 44 || code === 41) {
    report(r, 'TOO1603', { start, end: start + 1 }, 'a parameter is missing here.', {
      help: 'Parameters are written "(name: Type, other?: Type)".',
    });
    return undefined;
  }
  if (match(r, SWAPPED)) return swappedParam(r);
  const name: Word | undefined = readValueName(r, 'name', 'a parameter');
  if (!name && (code === -1 || code === 35)) return undefined;
  const named = name ?? missingName(r, 'a parameter', 'name: Type');
  const optional = takeMark(r, '?');
  const colon = takeMark(r, ':') ?? equalsForColon(r) ?? missingColon(r);
  const read = colon ? readType(r, `parameter "${named.text}"`, named.span.end) : missingType(r, named);
  const { type } = read;
  const mark = optional ?? read.optional;
  const span = { start, end: type.span.end };
  return mark ? { kind: 'param', span, name: named, optional: mark, type } : { kind: 'param', span, name: named, type };
}

/** `Text path`, as other languages write it. */
function swappedParam(r: Reader): Param {
  const start = r.at;
  const { type } = readType(r, 'a parameter');
  const name = readValueName(r, 'name', 'a parameter') ?? missingName(r, 'a parameter', 'name: Type');
  const span = { start, end: r.at };
  const better = `${name.text}: ${r.text.slice(type.span.start, type.span.end)}`;
  report(r, 'TOO1610', span, `a parameter is written "name: Type". Did you mean "${better}"?`, {
    fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] },
  });
  return { kind: 'param', span, name, type };
}

/** `path = Text`. */
function equalsForColon(r: Reader): Span | undefined {
  if (!match(r, /[ \t\f]*=[ \t\f]*[A-Z]/y)) return undefined;
  skipBlanks(r);
  const span = take(r, 'unknown', 1);
  report(r, 'TOO1611', span, 'the type of a parameter follows ":", not "=".', {
    fix: {
      title: 'replace with ":"',
      edits: [{ span: { start: backOverBlanks(r, span.start), end: span.end }, text: ':' }],
    },
  });
  return span;
}

/** `path Text`. */
function missingColon(r: Reader): Span | undefined {
  if (!match(r, /[ \t\f]+[A-Z][A-Za-z0-9]*(?:\[\])*(?=[ \t\f]*[,)])/y)) return undefined;
  const span = { start: r.at, end: r.at };
  report(r, 'TOO1610', span, 'a colon is missing between the parameter and its type.', {
    fix: { title: 'add ":"', edits: [{ span, text: ':' }] },
  });
  return span;
}

function missingType(r: Reader, name: Word): ReadType {
  const at = { start: r.at, end: r.at };
  if (name.text !== '') {
    report(r, 'TOO1610', name.span, `parameter "${name.text}" needs a type.`, {
      help: `Write "${name.text}: Text", or another type.`,
      fix: { title: 'add ": Text"', edits: [{ span: at, text: ': Text' }] },
    });
  }
  return { type: { kind: 'type', span: at, name: { text: '', span: at }, arrays: [] } };
}

interface Output {
  readonly type: TypeNode;
  /** The header needs no colon any more. */
  readonly closed: boolean;
}

function readOutput(r: Reader): Output | undefined {
  if (takeMark(r, '->')) return { ...readType(r, 'the output'), closed: false };
  skipBlanks(r);
  const wrong = match(r, /=>|-->|→/y);
  if (wrong === '') return undefined;
  const span = take(r, 'unknown', wrong.length);
  report(r, 'TOO1611', span, `the output type follows "->", not "${wrong}".`, {
    fix: { title: 'replace with "->"', edits: [{ span, text: '->' }] },
  });
  return { ...readType(r, 'the output'), closed: false };
}

/** `thunk a(): Text:` and `thunk a(): Text {`, as other languages would write it. */
function readForeignOutput(r: Reader, hasParams: boolean): Output | undefined {
  const rest = /^:[ \t\f]*[A-Z][A-Za-z0-9]*(?:\[\])*[ \t\f]*([:{]?)$/.exec(r.text.slice(r.at, textEnd(r)));
  const mark = rest?.[1];
  if (!rest || (mark === '' && !hasParams)) return undefined;
  const colon = take(r, 'unknown', 1);
  const { type } = readType(r, 'the output');
  const close = mark === '{' ? takeMark(r, '{', 'unknown') : undefined;
  const end = close ?? { start: r.at, end: r.at };
  const closing = close ? passClosingBrace(r) : [];
  report(r, 'TOO1611', colon, 'the output type follows "->", not ":".', {
    help: 'Write "thunk name(…) -> Type:".',
    fix: {
      title: 'replace with "->"',
      edits: [
        { span: colon, text: ' ->' },
        ...(mark === ':' ? [] : [{ span: { start: backOverBlanks(r, end.start), end: end.end }, text: ':' }]),
        ...closing,
      ],
    },
  });
  return { type, closed: mark !== ':' };
}

/**
 * Parameters stand on the header line. Where they go on below it, and a closing parenthesis follows before the next
 * item, the lines are read as one header, so that one mistake gives one report.
 */
function stepOverLineEnd(r: Reader, breaks: Span[]): void {
  const start = r.at;
  const line = r.line;
  for (;;) {
    skipBlanks(r);
    const code = peek(r);
    if ((code !== -1 && code !== 35) || !closesBelow(r)) break;
    if (code === 35) takeComment(r);
    nextLine(r);
  }
  if (r.line > line) breaks.push({ start, end: r.at });
}

const LONGEST_HEADER = 40;

/** Whether a closing parenthesis follows on the next lines, which until then look like parameters. */
function closesBelow(r: Reader): boolean {
  for (const line of r.lines.slice(r.line + 1, r.line + LONGEST_HEADER)) {
    const kind = isItemHeader(r.text, line) ? 'no' : parameterLine(startOf(r.text, line));
    if (kind !== 'more') return kind === 'last';
  }
  return false;
}
