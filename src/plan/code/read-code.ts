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
import { type Fault, openText, parseCode, wrapCode } from './parse.ts';
import type { CodeProblem } from './problem.ts';
import type { CodeRead, CodeReturn } from './reads.ts';
import { stripCode } from './strip-types.ts';
import { syntaxProblem } from './syntax-problem.ts';

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
  readonly returns: readonly CodeReturn[];
  readonly problems: readonly CodeProblem[];
}

export async function readCode(text: string, options: CodeOptions): Promise<ReadCode> {
  if (text.length > maxLength) return { code: '', edits: [], reads: [], returns: [], problems: [tooLong(text)] };
  const masked = maskIds(text, options.names);
  const tree = parseTypeScript(text, masked);
  if (tree.body === undefined) {
    const shown = options.needsReturn === false ? undefined : missingReturn(text, undefined);
    return { code: '', edits: [], reads: [], returns: [], problems: shown ? [shown] : tree.problems };
  }
  const { shift } = wrapCode('');
  const found = readNames({
    ...options,
    text,
    body: tree.body,
    shift,
    ids: masked.ids,
    someNamesLost: tree.losesNames,
  });
  const problems = [...tree.problems, ...found.problems];
  if (options.needsReturn !== false && !found.returns.some((made) => !made.empty)) {
    const missing = missingReturn(text, tree.body);
    if (missing) problems.push(missing);
  }
  const code = editCode(tree.plain, found.edits);
  // A masked id that turned out to be a subtraction was parsed as something it is not.
  const again = masked.ids.size > 0 && problems.length === 0 ? parseCode(code) : undefined;
  if (again?.ok === false) {
    const at = originalOffset(found.edits, again.fault.at);
    problems.push(syntaxProblem(text, { ...again.fault, at, end: at }));
  }
  problems.sort((a, b) => a.start - b.start || a.end - b.end);
  return { code, edits: found.edits, reads: found.reads, returns: found.returns, problems };
}

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
  readonly body?: BlockStatement;
  /** The text without its types. */
  readonly plain: string;
  readonly problems: readonly CodeProblem[];
  readonly losesNames: boolean;
}

/** Mending is for a person's mistakes: after so many the rest is not worth a parse each. */
const maxMends = 20;

function parseTypeScript(text: string, masked: Masked): Tree {
  const problems: CodeProblem[] = [];
  let losesNames = false;
  let mended: undefined | { readonly fault: Fault; readonly end: number };
  for (let current = masked.text; ; ) {
    const parsed = parseOrStrip(current);
    if (parsed.ok) return { body: parsed.body, plain: overlay(text, masked.text, parsed.plain), problems, losesNames };
    const last = mended;
    if (last && parsed.seen.some((at) => isNext(text, last.end, at))) {
      // Nothing goes on behind the quote that was found: it opens another text, and the first one is never closed.
      problems.pop();
      return { plain: '', problems: [...problems, syntaxProblem(text, last.fault)], losesNames };
    }
    const next = problems.length < maxMends ? mend(current, parsed.fault, text) : undefined;
    if (next === undefined)
      return { plain: '', problems: [...problems, syntaxProblem(text, parsed.fault)], losesNames };
    problems.push(next.problem);
    losesNames ||= next.losesNames;
    if (next.text === current) return { plain: '', problems, losesNames };
    mended = next.problem.code === 'TOO3303' ? { fault: parsed.fault, end: next.problem.end } : undefined;
    current = next.text;
  }
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
