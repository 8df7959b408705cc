/** Reads the header of a thunk: name, parameters, output type. */

import type { Span } from '../text/index.ts';
import { isItemHeader } from './block.ts';
import { endHeader, missingName, readColon, readType, readValueName } from './header.ts';
import {
  backOverBlanks,
  currentLine,
  endLine,
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
} from './reader.ts';
import { readThunkBody } from './thunk-body.ts';
import type { Param, Thunk, TypeNode, Word } from './tree.ts';

const BODY_LINE =
  /^(?:(?:models|tools|skills|services|psyches|hands|handoffs|recall)[ \t\f]*[-+]?=|(?:context|instruct|user|assistant|tool)[ \t\f]*:)/;

/** The cursor stands behind the keyword. */
export function readThunk(r: Reader, start: number, indent: number): Omit<Thunk, 'doc'> {
  const name = readValueName(r, 'name', 'a thunk');
  const list = readParams(r);
  const output = readOutput(r);
  const colon = list?.open ? undefined : readColon(r, 'a thunk');
  const header = { start, end: r.at };
  if (colon) {
    const help = 'Put directives and blocks on the lines below, indented: "  user: …".';
    endHeader(r, 'a thunk', help, (text) => `  ${BODY_LINE.test(text) ? '' : 'user: '}${text}`);
  } else endLine(r, 'the header of a thunk');
  const body = readThunkBody(r, indent);
  const end = Math.max(header.end, body.directives.at(-1)?.span.end ?? 0, body.blocks.at(-1)?.span.end ?? 0);
  return {
    kind: 'thunk',
    span: { start, end },
    header,
    ...(name && { name }),
    ...(list && { params: list.params }),
    ...(output && { output }),
    ...body,
  };
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
  let broken = stepOverLineEnd(r, open.start, false);
  if (takeMark(r, ')')) return { params, open: false };
  for (let more = true; more; ) {
    const param = readParam(r);
    if (param) params.push(param);
    for (let between = true; between; ) {
      broken = stepOverLineEnd(r, open.start, broken);
      const comma = takeMark(r, ',');
      if (comma) {
        broken = stepOverLineEnd(r, open.start, broken);
        if (takeMark(r, ')')) {
          if (param) trailingComma(r, comma);
          return { params, open: false };
        }
        between = false;
      } else if (takeMark(r, ')')) return { params, open: false };
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
    help: 'Parameters are written "(name: Type, other?: Type)".',
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
  const swapped = /^([A-Z][A-Za-z0-9]*(?:\[\])*)[ \t\f]+([a-z](?:[a-z0-9_-]*[a-z0-9_])?)(?=[ \t\f]*[,)])/.exec(
    r.text.slice(start, Math.min(currentLine(r).end, start + 200)),
  );
  if (swapped) return swappedParam(r, swapped[0], swapped[2] ?? '', swapped[1] ?? '');
  const name: Word | undefined = readValueName(r, 'name', 'a parameter');
  if (!name && (code === -1 || code === 35)) return undefined;
  const named = name ?? missingName(r, 'a parameter', 'name: Type');
  const optional = takeMark(r, '?');
  const type = takeMark(r, ':') ? readType(r, `parameter "${named.text}"`, named.span.end) : missingType(r, named);
  return { kind: 'param', span: { start, end: type.span.end }, name: named, ...(optional && { optional }), type };
}

/** `Text path`, as other languages write it. */
function swappedParam(r: Reader, written: string, name: string, type: string): Param {
  const span = take(r, 'unknown', written.length);
  const better = `${name}: ${type}`;
  report(r, 'TOO1610', span, `a parameter is written "name: Type". Did you mean "${better}"?`, {
    fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] },
  });
  return {
    kind: 'param',
    span,
    name: { text: name, span },
    type: { kind: 'type', span, name: { text: '', span }, arrays: [] },
  };
}

function missingType(r: Reader, name: Word): TypeNode {
  const at = { start: r.at, end: r.at };
  if (name.text !== '') {
    report(r, 'TOO1610', name.span, `parameter "${name.text}" needs a type.`, {
      help: `Write "${name.text}: Text", or another type.`,
      fix: { title: 'add ": Text"', edits: [{ span: at, text: ': Text' }] },
    });
  }
  return { kind: 'type', span: at, name: { text: '', span: at }, arrays: [] };
}

function readOutput(r: Reader): TypeNode | undefined {
  if (takeMark(r, '->')) return readType(r, 'the output');
  skipBlanks(r);
  // `thunk a(): Text:` is what other languages would write.
  const wrong = match(r, /=>|-->|→|:(?=[ \t\f]*[A-Z][A-Za-z0-9]*(?:\[\])*[ \t\f]*:[ \t\f]*(?:#|\r?$))/my);
  if (wrong === '') return undefined;
  const span = take(r, 'unknown', wrong.length);
  report(r, 'TOO1611', span, `the output type follows "->", not "${wrong}".`, {
    fix: { title: 'replace with "->"', edits: [{ span, text: wrong === ':' ? ' ->' : '->' }] },
  });
  return readType(r, 'the output');
}

/**
 * Parameters stand on the header line. Where they go on below it, and a closing parenthesis follows before the next
 * item, the lines are read as one header, so that one mistake gives one report.
 */
function stepOverLineEnd(r: Reader, open: number, broken: boolean): boolean {
  for (;;) {
    skipBlanks(r);
    const code = peek(r);
    if ((code !== -1 && code !== 35) || !closesBelow(r)) return broken;
    if (!broken) {
      report(r, 'TOO1610', { start: open, end: open + 1 }, 'the parameters must stand on one line.', {
        help: 'Write the whole header on one line, up to the colon.',
      });
      broken = true;
    }
    if (code === 35) takeComment(r);
    nextLine(r);
  }
}

const LONGEST_HEADER = 40;

function closesBelow(r: Reader): boolean {
  for (let i = r.line + 1; i < Math.min(r.lines.length, r.line + LONGEST_HEADER); i++) {
    const line = r.lines[i] ?? currentLine(r);
    const text = r.text.slice(line.text, Math.min(line.end, line.text + 400));
    if (
      isItemHeader(r, line) ||
      /^(?:models|tools|skills|services|psyches|hands|handoffs|recall)[ \t\f]*[-+]?=/.test(text)
    )
      return false;
    if (
      /^[^:#]*\)/.test(text) ||
      /^[a-z][a-z0-9_-]*[ \t\f]*\??[ \t\f]*:[ \t\f]*[A-Za-z]+(?:\[\])*[ \t\f]*\)/.test(text)
    )
      return true;
    if (
      text !== '' &&
      !/^(?:#|[a-z][a-z0-9_-]*[ \t\f]*\??[ \t\f]*:[ \t\f]*[A-Za-z]+(?:\[\])*[ \t\f]*,?[ \t\f]*(?:#|$)|,)/.test(text)
    )
      return false;
  }
  return false;
}
