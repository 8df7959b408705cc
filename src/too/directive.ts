/** Reads one directive of a thunk: `key op value, value`. */
import { closest, didYouMean, type Span } from '../text/index.ts';
import { lastDeeper } from './block.ts';
import { directiveKeys, isOneOf } from './names.ts';
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
  takeTo,
  takeWord,
  textEnd,
} from './reader.ts';
import type { Directive, DirectiveOp, Word } from './tree.ts';

const VALUE = /[A-Za-z0-9_./:@-]+/y;
const LOOSE_VALUE = /[^ \t\f\r\n,#]+(?:[ \t\f]+(?!#)[^ \t\f\r\n,#]+)*/y;

/** The cursor stands on the key, which is `word`. An unknown key is reported, and its line is dropped. */
export function readDirective(r: Reader, word: string): Directive | undefined {
  const start = r.at;
  const known = isOneOf(word, directiveKeys);
  const keySpan = take(r, known ? 'key' : 'unknown', word.length);
  if (!known) {
    unknownKey(r, word, keySpan);
    return undefined;
  }
  const { op, opSpan } = readOperator(r, word);
  const values = readValues(r, word, opSpan);
  endLine(r, `the values of "${word}"`);
  const end = values.at(-1)?.span.end ?? opSpan.end;
  return { kind: 'directive', span: { start, end }, key: word, keySpan, op, opSpan, values };
}

function readOperator(r: Reader, key: string): { op: DirectiveOp; opSpan: Span } {
  for (const op of ['+=', '-='] as const) {
    const opSpan = takeMark(r, op, 'operator');
    if (opSpan) return { op, opSpan };
  }
  skipBlanks(r);
  const written = match(r, /:=|==|=\+|[:=]/y);
  if (written === '=') return { op: '=', opSpan: take(r, 'operator', 1) };
  const opSpan = take(r, 'unknown', written.length);
  const op = written === '=+' ? '+=' : '=';
  report(r, 'TOO1611', opSpan, `directive "${key}" takes "=", "+=" or "-=", not "${written}".`, {
    fix: { title: `replace with "${op}"`, edits: [{ span: opSpan, text: written === ':' ? ` ${op}` : op }] },
  });
  return { op, opSpan };
}

function readValues(r: Reader, key: string, op: Span): Word[] {
  const values: Word[] = [];
  if (bracketed(r)) return values;
  let comma: Span | undefined;
  let missing = false;
  for (;;) {
    skipBlanks(r);
    const code = peek(r);
    const atEnd = code === -1 || code === 35;
    if (atEnd && valuesBelow(r, key, op, comma)) return values;
    if (atEnd && !comma) {
      report(r, 'TOO1602', op, `directive "${key}" has no value.`, { help: `Write "${key} = …", or remove the line.` });
      return values;
    }
    // The comma behind a missing item has been reported with it.
    if (atEnd && missing) return values;
    missing = atEnd || code === 44;
    if (missing) emptyItem(r, comma, code === 44, comma === undefined);
    else readValue(r, key, values);
    comma = takeMark(r, ',');
    if (!comma) return values;
  }
}

/** `[a, b]`, as other languages write lists: one report, and the values are not read. */
function bracketed(r: Reader): boolean {
  skipBlanks(r);
  const end = textEnd(r);
  if (r.text[r.at] !== '[' || r.text[end - 1] !== ']') return false;
  const span = takeTo(r, 'unknown', end);
  const inner = r.text.slice(span.start + 1, span.end - 1).trim();
  report(r, 'TOO1604', span, 'a list of values has no brackets.', {
    help: 'Write the values one after the other, separated by commas.',
    ...(inner !== '' && { fix: { title: 'remove the brackets', edits: [{ span, text: inner }] } }),
  });
  return true;
}

/** Values on deeper lines below the directive: one report for all of them. */
function valuesBelow(r: Reader, key: string, op: Span, comma: Span | undefined): boolean {
  const line = currentLine(r);
  const below = r.lines[r.line + 1];
  if (!below || below.text === below.end || below.indent <= line.indent) return false;
  const at = r.line;
  r.line++;
  const last = lastDeeper(r, line.indent) ?? r.line;
  r.line = at;
  const lines = r.lines.slice(at + 1, last + 1).filter((l) => l.text < l.end);
  const simple = lines.every((l) =>
    /^[A-Za-z0-9_./:@-]+(?:[ \t]*,[ \t]*[A-Za-z0-9_./:@-]+)*[ \t]*,?[ \t]*$/.test(r.text.slice(l.text, l.end)),
  );
  const joined = lines.map((l) => r.text.slice(l.text, l.end).replace(/[ \t]*,?[ \t]*$/, '')).join(', ');
  const start = backOverBlanks(r, r.at);
  report(r, comma ? 'TOO1603' : 'TOO1602', comma ?? op, `the values of "${key}" must stand on its own line.`, {
    help: `Write "${key} = a, b".`,
    ...(simple &&
      peek(r) === -1 && {
        fix: {
          title: 'join the lines',
          edits: [{ span: { start, end: lines.at(-1)?.end ?? start }, text: ` ${joined}` }],
        },
      }),
  });
  takeTo(r, 'unknown', r.lines[last]?.end ?? r.at);
  r.line = last;
  return true;
}

function readValue(r: Reader, key: string, values: Word[]): void {
  const loose = match(r, LOOSE_VALUE);
  if (match(r, VALUE) === loose) {
    values.push(takeWord(r, 'value', loose.length));
    return;
  }
  const span = take(r, 'unknown', Math.max(1, loose.length));
  const unquoted = /^(["'`])([A-Za-z0-9_./:@-]+)\1$/.exec(loose)?.[2];
  const listed = /^[A-Za-z0-9_./:@-]+(?:[ \t\f]+[A-Za-z0-9_./:@-]+)+$/.test(loose)
    ? loose.split(/[ \t\f]+/).join(', ')
    : undefined;
  const better = unquoted ?? listed;
  report(r, 'TOO1604', span, `${quote(r, span)} cannot be a value of "${key}".`, {
    help: 'Values are letters, digits and any of "_ . / : @ -", separated by commas, without quotes.',
    ...(better && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
}

function emptyItem(r: Reader, comma: Span | undefined, another: boolean, first: boolean): void {
  const span = comma ?? { start: r.at, end: r.at + 1 };
  const nothingElse = first && r.text.slice(r.at + 1, textEnd(r)).trim() === '';
  report(r, 'TOO1603', span, another ? 'an item is missing between commas.' : 'a comma stands after the last item.', {
    ...(!nothingElse && { fix: { title: 'remove ","', edits: [{ span, text: '' }] } }),
  });
}

function unknownKey(r: Reader, word: string, span: Span): void {
  const better = closest(word, directiveKeys);
  report(r, 'TOO1601', span, `unknown directive "${word}".${didYouMean(better)}`, {
    help: 'Directives are models, tools, skills, services, psyches, hands, handoffs and recall.',
    ...(better && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
  skipRest(r);
  nextLine(r);
}
