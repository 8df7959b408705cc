/** Reads what headers are made of: names, types, colons, and the text that should not be there. */
import { closest, didYouMean, type Span } from '../text/index.ts';
import { builtinTypes, foreignType, toTypeName, toValueName } from './names.ts';
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
  skipRest,
  take,
  takeMark,
  takeWord,
  textEnd,
} from './reader.ts';
import type { TokenKind } from './token.ts';
import type { TypeNode, Word } from './tree.ts';

const VALUE_NAME = /[a-z](?:[a-z0-9_-]*[a-z0-9_])?/y;
const TYPE_NAME = /[A-Z][A-Za-z0-9]*/y;
/** Anything a person could have meant as a name. */
const LOOSE_NAME = /(?:(?!->)[^\s:?()[\],=#`+])+/y;

/** A name such as `review-all`. A malformed one is reported and read as it should have been written. */
export function readValueName(r: Reader, kind: TokenKind, what: string): Word | undefined {
  skipBlanks(r);
  const loose = looseName(r);
  if (loose === '') return undefined;
  if (match(r, VALUE_NAME) === loose) return takeWord(r, kind, loose.length);
  const span = take(r, 'unknown', loose.length);
  const better = toValueName(loose);
  report(r, 'TOO1105', span, `${quote(r, span)} cannot be the name of ${what}.`, {
    help: 'Names are lower-case letters, digits, "_" and "-", start with a letter and do not end in "-".',
    ...(better && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
  return { text: better ?? loose, span };
}

/** A name such as `ReviewResult`. */
export function readTypeName(r: Reader, what: string): Word | undefined {
  skipBlanks(r);
  const loose = looseName(r);
  if (loose === '') return undefined;
  if (match(r, TYPE_NAME) === loose) return takeWord(r, 'type', loose.length);
  const span = take(r, 'unknown', loose.length);
  const better = toTypeName(loose);
  report(r, 'TOO1105', span, `${quote(r, span)} cannot be the name of ${what}.`, {
    help: 'Struct names are letters and digits and start with a capital.',
    ...(better && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
  return { text: better ?? loose, span };
}

/** What stands where a name should: with `???` before a colon, that too. */
function looseName(r: Reader): string {
  return (
    match(r, LOOSE_NAME) ||
    (match(r, /[^\s:()#]+[ \t\f]*:/y) && !match(r, /->|\?[ \t\f]*:/y) ? match(r, /[^\s:()#]+/y) : '')
  );
}

export function missingName(r: Reader, what: string, example: string): Word {
  const span = { start: r.at, end: r.at };
  report(r, 'TOO1105', span, `${what} needs a name.`, { help: `Write "${example}".` });
  return { text: '', span };
}

/**
 * A type such as `ReviewFinding[]`. `nameEnd` is where an optional marker belongs.
 * A missing or malformed type is reported and has the name '', which later stages take for any type.
 */
export function readType(r: Reader, of: string, nameEnd?: number): TypeNode {
  skipBlanks(r);
  const start = r.at;
  const name = readTypeWord(r, of);
  const arrays: Span[] = [];
  let mark: Span | undefined;
  for (;;) {
    mark ??= takeMark(r, '?');
    const suffix = takeMark(r, '[]', 'suffix');
    if (suffix) {
      arrays.push(suffix);
      continue;
    }
    const brackets = match(r, /[ \t\f]*\[[^\]\r\n#]*\]/y);
    if (brackets === '') break;
    skipBlanks(r);
    const span = take(r, 'unknown', brackets.trimStart().length);
    report(r, 'TOO1301', span, `${quote(r, span)} is not an array suffix.`, {
      help: 'An array is written "T[]".',
      fix: { title: 'replace with "[]"', edits: [{ span, text: '[]' }] },
    });
    arrays.push(span);
  }
  const end = arrays.at(-1)?.end ?? name.span.end;
  if (mark) misplacedOptional(r, mark, nameEnd);
  return { kind: 'type', span: { start, end: Math.max(start, end) }, name, arrays };
}

function readTypeWord(r: Reader, of: string): Word {
  const loose = match(r, /(?:(?!->)[^\s:;?()[\],=#`])+/y);
  const span = { start: r.at, end: r.at + loose.length };
  const bracketed = /^\[[ \t]*\]?[ \t]*([A-Z][A-Za-z0-9]*)[ \t]*\]?/.exec(
    r.text.slice(r.at, Math.min(currentLine(r).end, r.at + 200)),
  );
  if (bracketed) {
    const whole = take(r, 'unknown', bracketed[0].length);
    const better = `${bracketed[1]}[]`;
    report(r, 'TOO1301', whole, `${quote(r, whole)} is not a type. Did you mean "${better}"?`, {
      help: 'An array is written "T[]".',
      fix: { title: `replace with "${better}"`, edits: [{ span: whole, text: better }] },
    });
    return { text: '', span: whole };
  }
  if (loose === '') {
    report(r, 'TOO1301', { start: r.at, end: r.at }, `${of} needs a type.`, {
      help: 'Types are Text, Number, Boolean, Json, Message, a struct, or any of them with "[]".',
    });
    return { text: '', span };
  }
  if (match(r, TYPE_NAME) === loose) return takeWord(r, 'type', loose.length);
  take(r, 'unknown', loose.length);
  const generic = /^(?:Array|List|list|array)<(\w+)>$/.exec(loose)?.[1];
  const inner = generic === undefined ? loose : generic;
  const builtin =
    foreignType(inner) ?? closest(inner, builtinTypes) ?? (/^[a-z]\w*$/.test(inner) ? toTypeName(inner) : generic);
  const better = builtin === undefined ? undefined : generic === undefined ? builtin : `${builtin}[]`;
  report(r, 'TOO1301', span, `${quote(r, span)} is not a type.${didYouMean(better)}`, {
    help: 'Types are Text, Number, Boolean, Json, Message, a struct (with a capital), or any of them with "[]".',
    ...(better && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
  return { text: '', span };
}

function misplacedOptional(r: Reader, mark: Span, nameEnd: number | undefined): void {
  if (nameEnd === undefined) {
    report(r, 'TOO1302', mark, 'an output type cannot be optional.', {
      help: 'Give the struct an optional field instead.',
      fix: { title: 'remove "?"', edits: [{ span: mark, text: '' }] },
    });
    return;
  }
  report(r, 'TOO1302', mark, 'the optional marker belongs after the name, not after the type.', {
    help: 'Write "name?: Type".',
    fix: {
      title: 'move "?" behind the name',
      edits: [
        { span: { start: nameEnd, end: nameEnd }, text: '?' },
        { span: mark, text: '' },
      ],
    },
  });
}

/** The colon that ends a header; a missing one is reported with the place where it belongs. */
export function readColon(r: Reader, what: string): Span | undefined {
  const colon = takeMark(r, ':');
  if (colon) return colon;
  const rest = { start: r.at, end: textEnd(r) };
  // Text before a later colon is the mistake then, not the colon.
  const colonAt = r.text.slice(rest.start, rest.end).lastIndexOf(':');
  if (colonAt === r.text.slice(rest.start, rest.end).trimEnd().length - 1 && colonAt > 0) {
    skipBlanks(r);
    const span = { start: r.at, end: rest.start + colonAt };
    report(r, 'TOO1107', span, `unexpected ${quote(r, span)} in the header of ${what}.`);
    take(r, 'unknown', span.end - span.start);
    return take(r, 'punctuation', 1);
  }
  const junk = r.text.slice(rest.start, rest.end).trim();
  if (junk !== '') {
    // endLine reports what stands there; with a colon before it, it would be taken for a body.
    return undefined;
  }
  report(r, 'TOO1106', { start: r.at, end: r.at }, `the header of ${what} ends in ":".`, {
    fix: { title: 'add ":"', edits: [{ span: { start: r.at, end: r.at }, text: ':' }] },
  });
  return undefined;
}

/** After the colon of a header that takes no value: end of line, or (false) an error that says where the text goes. */
export function endHeader(r: Reader, what: string, help: string, moved?: (text: string) => string): boolean {
  skipBlanks(r);
  const code = peek(r);
  if (code === -1 || code === 35) {
    endLine(r, what);
    return true;
  }
  const span = { start: r.at, end: textEnd(r) };
  report(r, 'TOO1503', span, `the body of ${what} cannot stand on the header line.`, {
    help,
    ...(moved && {
      fix: {
        title: 'move it below',
        edits: [
          {
            span: { start: backOverBlanks(r, r.at), end: span.end },
            text: `\n${r.text.slice(currentLine(r).start, currentLine(r).text)}${moved(r.text.slice(span.start, span.end))}`,
          },
        ],
      },
    }),
  });
  skipRest(r);
  nextLine(r);
  return false;
}
