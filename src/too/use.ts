/** Reads `use` lines. */
import { closest, didYouMean, type Span } from '../text/index.ts';
import { endLine } from './line-end.ts';
import { capKinds, isOneOf } from './names.ts';
import { match, nextLine, quote, type Reader, report, skipBlanks, skipRest, take, takeWord } from './reader.ts';
import type { CapKind, Use } from './tree.ts';

const URI = /[A-Za-z][A-Za-z0-9+.-]*:\/\/[^ \t\f\r\n#]+/y;
const SHORTHAND = /[A-Za-z0-9_@-][A-Za-z0-9_./:@-]*/y;

/** The cursor stands behind the keyword. */
export function readUse(r: Reader, start: number): Use | undefined {
  skipBlanks(r);
  const word = match(r, /[^ \t\f\r\n#]+/y);
  const kindSpan = { start: r.at, end: r.at + word.length };
  const capKind = readKind(r, word);
  if (!capKind) {
    skipRest(r);
    nextLine(r);
    return undefined;
  }
  skipBlanks(r);
  const written = match(r, /[^ \t\f\r\n#]+/y);
  const ref = match(r, URI) || match(r, SHORTHAND);
  if (ref === '' || ref !== written) {
    const span = badRef(r, capKind, written);
    if (written === '') return undefined;
    return { kind: 'use', span: { start, end: span.end }, capKind, kindSpan, ref: { text: written, span } };
  }
  const node: Use = {
    kind: 'use',
    span: { start, end: r.at + ref.length },
    capKind,
    kindSpan,
    ref: takeWord(r, 'ref', ref.length),
  };
  endLine(r, 'the reference', { hash: 'anywhere' });
  return node;
}

function readKind(r: Reader, word: string): CapKind | undefined {
  if (isOneOf(word, capKinds)) {
    take(r, 'keyword', word.length);
    return word;
  }
  const span = take(r, 'unknown', word.length);
  const plural = word.endsWith('s') ? word.slice(0, -1) : '';
  const better = isOneOf(plural, capKinds) ? plural : closest(word, capKinds);
  const isRef = word.includes('/');
  const message =
    word === '' || isRef
      ? 'a "use" line needs the kind of the cap.'
      : `unknown kind of cap "${word}".${didYouMean(better)}`;
  report(r, 'TOO1401', span, message, {
    help: 'Write "use psyche …", "use skill …", "use service …" or "use prompt …".',
    ...(better && !isRef && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
  return isRef || !better ? undefined : (better as CapKind);
}

function badRef(r: Reader, kind: CapKind, written: string): Span {
  const span = take(r, 'unknown', written.length);
  if (written === '') {
    report(r, 'TOO1402', span, `"use ${kind}" needs a reference.`, { help: `Write "use ${kind} owner/name".` });
  } else if (/^[./]/.test(written)) {
    report(r, 'TOO1402', span, `a reference cannot be a path such as ${quote(r, span)}.`, {
      help: `Write "owner/name" or a URL; a ${kind} of your own goes into the ${kind}s folder and needs no "use".`,
    });
  } else {
    const bare = /^(["'`])(.+)\1$/.exec(written)?.[2];
    report(r, 'TOO1402', span, `${quote(r, span)} is not a reference.`, {
      help: 'References are letters, digits and any of "_ . / : @ -", or a URL.',
      ...(bare && { fix: { title: 'remove the quotes', edits: [{ span, text: bare }] } }),
    });
  }
  skipRest(r);
  nextLine(r);
  return span;
}
