/** Reads types. What other languages write for a type is read as what it means here, with one report and the fix. */
import { closest, didYouMean, type Span } from '../text/index.ts';
import { type ForeignType, readForeignType } from './foreign-type.ts';
import { builtinTypes, toTypeName } from './names.ts';
import { currentLine, match, quote, type Reader, report, skipBlanks, take, takeMark, takeWord } from './reader.ts';
import type { TypeNode, Word } from './tree.ts';

export interface ReadType {
  readonly type: TypeNode;
  /** The type says that the value may be missing, which its name should say: reported, and to be heeded. */
  readonly optional?: Span;
}

const TYPE_NAME = /[A-Z][A-Za-z0-9]*/y;
/** A name with suffixes, and perhaps a misplaced optional marker. */
const PLAIN = /^[A-Z][A-Za-z0-9]*(?:\[\])*[?？]?(?:\[\])*$/;
/** Whatever stands where a type should, with its brackets. */
const LOOSE =
  /^(?:\[[^\]\r\n]*\]|<[^>\r\n]*>|[ \t]*\|[ \t]*|"[^"\r\n]*"|'[^'\r\n]*'|(?!->|\/\/)[^\s,():#=;[\]<>|{}，（）：])+/;
const LONGEST_TYPE = 300;

/**
 * `of` says whose type it is, `nameEnd` where an optional marker belongs. A type that cannot be told has the name '',
 * which later stages take for any type.
 */
export function readType(r: Reader, of: string, nameEnd?: number): ReadType {
  skipBlanks(r);
  const { end } = currentLine(r);
  const written = LOOSE.exec(r.text.slice(r.at, Math.min(end, r.at + LONGEST_TYPE)))?.[0].trimEnd() ?? '';
  return PLAIN.test(written) ? readPlain(r, nameEnd) : readLoose(r, written, of, nameEnd);
}

function readPlain(r: Reader, nameEnd: number | undefined): ReadType {
  const name = takeWord(r, 'type', match(r, TYPE_NAME).length);
  const arrays: Span[] = [];
  let optional: Span | undefined;
  for (;;) {
    const suffix = takeMark(r, '[]', 'suffix');
    if (suffix) arrays.push(suffix);
    else {
      const mark = optional ? undefined : takeMark(r, '?');
      if (!mark) break;
      optional = mark;
    }
  }
  if (optional) misplacedOptional(r, optional, nameEnd);
  return { type: node(name, arrays), ...(optional && { optional }) };
}

function readLoose(r: Reader, written: string, of: string, nameEnd: number | undefined): ReadType {
  const span = take(r, 'unknown', written.length);
  if (written === '') {
    report(r, 'TOO1301', span, `${of} needs a type.`, {
      help: 'Types are Text, Number, Boolean, Json, Message, a struct, or any of them with "[]".',
    });
    return { type: node({ text: '', span }, []) };
  }
  const meant = readForeignType(written, (word) => knownType(r, word));
  reportLoose(r, span, meant, nameEnd);
  const name = { text: meant?.name ?? '', span };
  const arrays = Array.from({ length: meant?.arrays ?? 0 }, () => span);
  return { type: node(name, arrays), ...(meant?.optional && { optional: span }) };
}

function reportLoose(r: Reader, span: Span, meant: ForeignType | undefined, nameEnd: number | undefined): void {
  const better = meant && meant.name + '[]'.repeat(meant.arrays);
  const shown = meant?.optional && nameEnd !== undefined ? `name?: ${better}` : better;
  const mark = meant?.optional && nameEnd !== undefined && r.text[nameEnd] !== '?';
  report(r, 'TOO1301', span, `${quote(r, span)} is not a type.${didYouMean(shown)}`, {
    help: 'Types are Text, Number, Boolean, Json, Message, a struct (with a capital), or any of them with "[]".',
    ...(better !== undefined && {
      fix: {
        title: `replace with "${better}"`,
        ...((meant?.lossy || (meant?.optional && nameEnd === undefined)) && { guess: true }),
        edits: [...(mark ? [{ span: { start: nameEnd, end: nameEnd }, text: '?' }] : []), { span, text: better }],
      },
    }),
  });
}

function misplacedOptional(r: Reader, mark: Span, nameEnd: number | undefined): void {
  const removal = { span: mark, text: '' };
  if (nameEnd === undefined) {
    report(r, 'TOO1302', mark, 'an output type cannot be optional.', {
      help: 'Give the struct an optional field instead.',
      fix: { title: 'remove "?"', edits: [removal] },
    });
    return;
  }
  const insert = r.text[nameEnd] === '?' ? [] : [{ span: { start: nameEnd, end: nameEnd }, text: '?' }];
  report(r, 'TOO1302', mark, 'the optional marker belongs after the name, not after the type.', {
    help: 'Write "name?: Type".',
    fix: { title: 'move "?" behind the name', edits: [...insert, removal] },
  });
}

/** The type of this file that a word is meant to be: built in, or a struct that is declared somewhere. */
function knownType(r: Reader, word: string): string | undefined {
  r.structs ??= structNames(r);
  const names = [...builtinTypes, ...r.structs];
  return names.find((name) => name.toLowerCase() === word.toLowerCase().replace(/[-_]/g, '')) ?? closest(word, names);
}

const MOST_STRUCTS = 500;

function structNames(r: Reader): string[] {
  const names: string[] = [];
  for (const line of r.lines) {
    if (names.length >= MOST_STRUCTS) break;
    if (!r.text.startsWith('struct', line.text)) continue;
    const written = /^struct[ \t\f]+([A-Za-z][A-Za-z0-9_-]*)/.exec(r.text.slice(line.text, line.text + 120))?.[1];
    // A malformed name goes by its mended form.
    const name = written && toTypeName(written);
    if (name) names.push(name);
  }
  return names;
}

function node(name: Word, arrays: readonly Span[]): TypeNode {
  const end = Math.max(name.span.end, arrays.at(-1)?.end ?? 0);
  return { kind: 'type', span: { start: name.span.start, end }, name, arrays };
}
