/**
 * Reads the `run` code of a step: TypeScript, the body of an async function.
 *
 * 1. Plain JavaScript needs acorn only; the compiler that blanks types is loaded when acorn refuses.
 * 2. Masking ids, blanking types and mending move no offset: every problem stands where its cause was written.
 * 3. Only ids with hyphens are rewritten, so lines stay, and `edits` leads back from a column of `code`.
 */
import type { BlockStatement } from 'acorn';
import { type CodeEdit, editCode, originalOffset, overlay } from './edits.ts';
import { type Masked, maskIds } from './mask.ts';
import { mend } from './mend.ts';
import { missingReturn } from './missing-return.ts';
import { readNames } from './names.ts';
import { type Fault, openText, parseCode } from './parse.ts';
import type { CodeProblem } from './problem.ts';
import type { CodeRead, CodeReturn } from './reads.ts';
import { blank, endOfStatement, leftOut, type Part, wordsOf, wrongParts } from './recover.ts';
import { stripCode } from './strip-types.ts';
import { syntaxProblem } from './syntax-problem.ts';
import { wrapCode } from './wrap.ts';

export interface CodeOptions {
  /** The ids of the steps that may be read. */
  readonly names: ReadonlySet<string>;
  /** The other words in scope: `input`, `steps`, `sh`, services and so on. */
  readonly context: ReadonlySet<string>;
  /** Whether the step has to have a value; left out, it has. */
  readonly needsReturn?: boolean;
}

export interface ReadCode {
  /** JavaScript that `compileCode` takes. Empty when the code could not be parsed. */
  readonly code: string;
  /** What was rewritten, in offsets of the text: `originalOffset(edits, offset)` leads back from `code`. */
  readonly edits: readonly CodeEdit[];
  readonly reads: readonly CodeRead[];
  /** Fields that the code itself adds to values or asks for. */
  readonly tested: ReadonlySet<string>;
  /** Empty when the code could not be parsed. */
  readonly returns: readonly CodeReturn[];
  readonly problems: readonly CodeProblem[];
}

export async function readCode(text: string, options: CodeOptions): Promise<ReadCode> {
  if (text.length > maxLength) return { ...nothing, problems: [tooLong(text)] };
  const masked = maskIds(text, options.names);
  const tree = parseTypeScript(text, masked);
  const shown = tree.isBroken && options.needsReturn !== false ? missingReturn(text, undefined) : undefined;
  const { body, lost, shift } = shown ? readObject(masked) : tree;
  if (body === undefined) return { ...nothing, problems: shown ? [shown] : tree.problems };
  const found = readNames({ ...options, text, body, shift, ids: masked.ids, lost, isBroken: tree.isBroken });
  const problems = [...(shown ? [shown] : tree.problems), ...found.problems];
  const inOrder = () => problems.sort((a, b) => a.start - b.start || a.end - b.end);
  const { reads, tested, returns, edits } = found;
  if (tree.isBroken) return { ...nothing, reads, tested, problems: inOrder() };
  if (options.needsReturn !== false && !returns.some((made) => !made.empty)) {
    const missing = missingReturn(text, body);
    if (missing) problems.push(missing);
  }
  const code = editCode(tree.plain, edits);
  // A masked id that turned out to be a subtraction was parsed as something it is not.
  const again = masked.ids.size > 0 && problems.length === 0 ? parseCode(code) : undefined;
  if (again?.ok === false) {
    const at = originalOffset(edits, again.fault.at);
    problems.push(syntaxProblem(text, { ...again.fault, at, end: at }));
  }
  return { code, edits, reads, tested, returns, problems: inOrder() };
}

const nothing = { code: '', edits: [], reads: [], tested: new Set<string>(), returns: [] };

/** Parsers of JavaScript take more than linear time for many declarations; what is longer belongs in a file anyway. */
const maxLength = 65_536;

function tooLong(text: string): CodeProblem {
  return {
    code: 'TOO3310',
    start: 0,
    end: text.length,
    message: `the code has ${text.length} characters, and ${maxLength} are the limit`,
    help: 'Move it into a module, and name it with "handler".',
  };
}

interface Tree {
  /** Of a broken text, what can be read of it. */
  readonly body?: BlockStatement;
  /** What the offsets of the tree are too high by. */
  readonly shift: number;
  readonly isBroken: boolean;
  /** The text without its types. */
  readonly plain: string;
  readonly problems: readonly CodeProblem[];
  /** Names that may be declared in parts that were left out. */
  readonly lost: ReadonlySet<string>;
}

/** Mending is for a person's mistakes: after so many the rest is not worth a parse each. */
const maxMends = 20;

function parseTypeScript(text: string, masked: Masked): Tree {
  const problems: CodeProblem[] = [];
  const lost = new Set<string>();
  const { shift } = wrapCode('');
  let mended: undefined | { readonly fault: Fault; readonly end: number; readonly before: string };
  for (let current = masked.text; ; ) {
    const parsed = parseOrStrip(current);
    if (parsed.ok) {
      const plain = overlay(text, masked.text, parsed.plain);
      return { body: parsed.body, shift, isBroken: false, plain, problems, lost };
    }
    const last = mended;
    if (last && parsed.seen.some((at) => isNext(text, last.end, at))) {
      // Nothing goes on behind the quote that was found: it opens another text, and the first one is never closed.
      problems.pop();
      return readRest(text, last.before, last.fault, problems, lost);
    }
    const next = problems.length < maxMends ? mend(current, parsed.fault, text) : undefined;
    if (next === undefined) return readRest(text, current, parsed.fault, problems, lost);
    problems.push(next.problem);
    const { start, end } = next.problem;
    if (next.losesNames) for (const word of wordsOf(text.slice(start, end))) lost.add(word);
    if (next.text === current) return { shift, isBroken: true, plain: '', problems, lost };
    mended = next.problem.code === 'TOO3303' ? { fault: parsed.fault, end, before: current } : undefined;
    current = next.text;
  }
}

/** Each attempt is a parse: of long code fewer are made. */
const mostAttempts = 12;
const mostParsed = 400_000;

/** Words of the language that read as names where the code around them is missing. */
const softWords =
  'abstract as async await declare from get implements interface let of satisfies set static type yield';

/** What can be read of a text with a fault that nobody can mend. */
function readRest(text: string, code: string, first: Fault, before: readonly CodeProblem[], lost: Set<string>): Tree {
  const problems = [...before, syntaxProblem(text, first)];
  for (const word of softWords.split(' ')) lost.add(word);
  const broken = { shift: wrapCode('').shift, isBroken: true, plain: '', problems, lost };
  let attempts = first.kind === 'deep' ? 0 : Math.min(mostAttempts, Math.floor(mostParsed / code.length));
  for (let current = code, { at } = first; ; ) {
    let next: { readonly text: string; readonly fault: Fault } | undefined;
    for (const part of wrongParts(current, at)) {
      if (attempts-- <= 0) break;
      const rest = blank(current, part);
      const parsed = parseOrStrip(rest);
      if (!parsed.ok && (parsed.fault.at < part.end || parsed.seen.some((each) => isHole(rest, part, each)))) continue;
      for (const word of wordsOf(text.slice(part.start, part.end))) lost.add(word);
      if (parsed.ok) {
        // Without its body the head of a method reads as a type.
        for (const word of wordsOf(leftOut(rest, parsed.plain))) lost.add(word);
        return { ...broken, body: parsed.body };
      }
      if (isAnother(rest, part.end, endOfStatement(current, at), parsed.fault.at)) {
        problems.push(syntaxProblem(text, parsed.fault));
      }
      next = { text: rest, fault: parsed.fault };
      break;
    }
    if (next === undefined) return broken;
    ({
      text: current,
      fault: { at },
    } = next);
  }
}

/** Whether a parser stopped because a part is missing. */
function isHole(rest: string, { start, end }: Part, at: number): boolean {
  return at >= start && (at < end || isNext(rest, end, at));
}

/** Whether a fault comes from nothing that was left out: neither in the same statement, nor in a block that lost its head. */
function isAnother(rest: string, from: number, end: number, at: number): boolean {
  return at >= end && rest.slice(at).trim() !== '' && !/^\s*\{/.test(rest.slice(from, at));
}

/** `{ a: 1 }` without `return` before it, as if it were there. */
function readObject({ text }: Masked): Pick<Tree, 'body' | 'shift' | 'lost'> {
  const word = 'return ';
  const parsed = parseCode(word + text);
  const shift = wrapCode('').shift + word.length;
  return { ...(parsed.ok && { body: parsed.body }), shift, lost: new Set() };
}

type Attempt =
  | { readonly ok: true; readonly body: BlockStatement; readonly plain: string }
  /** `seen`: where each of the parsers gave up. */
  | { readonly ok: false; readonly fault: Fault; readonly seen: readonly number[] };

function parseOrStrip(text: string): Attempt {
  const first = parseCode(text);
  if (first.ok) return { ...first, plain: text };
  if (first.fault.kind === 'deep') return { ...first, seen: [] };
  const stripped = stripCode(text);
  if (stripped.ok) {
    const second = parseCode(stripped.text);
    return second.ok ? { ...second, plain: stripped.text } : { ...second, seen: [second.fault.at] };
  }
  const seen = [first.fault.at, stripped.fault.at];
  // The one that came further knows more: acorn stops at the first type, the other at what is wrong in either.
  const further = stripped.fault.kind !== 'syntax' || stripped.fault.at > first.fault.at;
  return { ok: false, fault: openText(text) ?? (further ? stripped.fault : first.fault), seen };
}

/** Whether nothing but blanks is between two places. */
function isNext(text: string, from: number, to: number): boolean {
  return to >= from && text.slice(from, to).trim() === '';
}
