/**
 * The expressions that most holes hold, `step.field` and `step.field.trim()`, read without tokens and without acorn.
 * Whatever is not surely one of these is left to the whole parser; what is read here is the very tree that it gives.
 */
import type { Expression } from './expression.ts';
import type { HyphenNames } from './hyphen-names.ts';
import { isHiddenMember } from './left-out.ts';

const DOLLAR = 36;
const OPEN = 40;
const CLOSE = 41;
const HYPHEN = 45;
const DOT = 46;
const UNDERSCORE = 95;
const BRACE = 125;

/** Longer paths may be too deep, which the parser tells. */
const mostLinks = 50;

/** Words that are no name, or not everywhere. */
const words: ReadonlySet<string> = new Set(
  `await async break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public
  return static super switch this throw true try typeof var void while with yield arguments not and or is eq AND OR`
    .trim()
    .split(/\s+/),
);

/** The expression from `start` up to a `}`, which is at its end; undefined where it is of another kind. */
export function plainPath(text: string, start: number, hyphens: HyphenNames | undefined): Expression | undefined {
  let at = wordEnd(text, start);
  if (at === start) return undefined;
  if (text.charCodeAt(at) === HYPHEN) {
    const longer = hyphens?.(text, start, text.length);
    if (longer === undefined) return undefined;
    at = longer;
  }
  const name = text.slice(start, at);
  if (words.has(name)) return undefined;
  let path: Expression = { kind: 'name', start, end: at, name };
  for (let links = 0; links < mostLinks; links++) {
    const code = text.charCodeAt(at);
    if (code === BRACE) return path;
    if (code === DOT) {
      const nameStart = at + 1;
      at = wordEnd(text, nameStart);
      const member = text.slice(nameStart, at);
      if (at === nameStart || isHiddenMember(member)) return undefined;
      path = { kind: 'member', start, end: at, object: path, name: member, nameStart, optional: false };
    } else if (code === OPEN && text.charCodeAt(at + 1) === CLOSE) {
      at += 2;
      path = { kind: 'call', start, end: at, callee: path, args: [], optional: false };
    } else return undefined;
  }
  return undefined;
}

/** The end of the plain word at `at`; `at` where there is none. */
function wordEnd(text: string, at: number): number {
  let end = at;
  for (; ; end++) {
    const code = text.charCodeAt(end);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    if (isLetter || code === UNDERSCORE || code === DOLLAR) continue;
    if (end > at && code >= 48 && code <= 57) continue;
    // What follows may belong to the word in a way that only the parser knows.
    return code > 127 || code === 92 ? at : end;
  }
}
