/**
 * Text with `{expression}` in it; `{{` and `}}` are braces of the text. It never throws; what is wrong is reported, and
 * stays as text.
 * 1. From left to right, pairs first: `{{{x}}}` is a brace, a hole and a brace.
 * 2. A hole ends where the tokens of its expression say, not at the next `}`.
 * 3. What looks like a record (`{"a": …`, `{a: …`, which no expression begins with) is text whose braces must be
 *    doubled: one report for the whole, inside of which holes are still holes.
 * 4. A scan for the end of a hole may fail `maxFailures` times; then the rest is text. So the time is linear.
 */
import type { Expression, ExpressionProblem, Interpolated, InterpolatedPart } from './expression.ts';
import { parseScanned } from './expression-parse.ts';
import { scanExpression } from './expression-scan.ts';
import { endsOperand, type Scan, startsOperand } from './expression-token.ts';
import { type HyphenNames, hyphenNames, type Ids } from './hyphen-names.ts';
import { plainHole } from './plain-expression.ts';
import type { Found } from './scan-state.ts';

export interface ParsedText {
  readonly value: Interpolated;
  /** In the order of their places. */
  readonly problems: readonly ExpressionProblem[];
}

interface TextState {
  readonly text: string;
  readonly hyphens: HyphenNames | undefined;
  /** Made when the first hole needs it. */
  found: Map<string, Found> | undefined;
  readonly parts: InterpolatedPart[];
  readonly problems: ExpressionProblem[];
  /** Where the text that is not yet in a part begins. */
  start: number;
  /** What it reads so far, up to `from`. */
  read: string;
  from: number;
  record: OpenRecord | undefined;
  failures: number;
  /** The next braces that were found, behind which no other was looked for. */
  open: number;
  close: number;
}

/** Text that looks like a record, up to the brace that closes it. */
interface OpenRecord {
  readonly start: number;
  /** The braces that are open in it: how many characters each has. */
  readonly braces: (1 | 2)[];
  /** With its braces doubled, up to `from`. */
  mended: string;
  from: number;
}

const maxFailures = 8;
const recordStart = /\{\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\p{ID_Start}$_][\p{ID_Continue}$-]*|\d+)\s*:/uy;
const emptyBraces = /\{\s*\}/y;

export function parseInterpolated(text: string, options: { readonly names?: Ids } = {}): ParsedText {
  const state: TextState = {
    text,
    hyphens: options.names && hyphenNames(options.names),
    found: undefined,
    parts: [],
    problems: [],
    start: 0,
    read: '',
    from: 0,
    record: undefined,
    failures: 0,
    open: -1,
    close: -1,
  };
  for (let at = nextBrace(state, 0); at < text.length && state.failures <= maxFailures; ) {
    at = nextBrace(state, at === state.open ? openBrace(state, at) : closeBrace(state, at));
  }
  if (state.record !== undefined) endRecord(state, state.record, text.length);
  addText(state, text.length);
  if (state.problems.length > 1) state.problems.sort((a, b) => a.start - b.start || a.end - b.end);
  return { value: { text, parts: state.parts }, problems: state.problems };
}

/** Where the next brace is; at the end there is none. */
function nextBrace(state: TextState, from: number): number {
  if (state.open < from) state.open = placeOf('{', state.text, from);
  if (state.close < from) state.close = placeOf('}', state.text, from);
  return Math.min(state.open, state.close);
}

function placeOf(brace: string, text: string, from: number): number {
  const at = text.indexOf(brace, from);
  return at === -1 ? text.length : at;
}

/** Reads what begins with `{`, and says where it ends. */
function openBrace(state: TextState, at: number): number {
  const { text, record } = state;
  if (text[at + 1] === '{') {
    record?.braces.push(2);
    return literal(state, at, at + 2, '{');
  }
  const plain = plainHole(text, at + 1, state.hyphens);
  if (plain !== undefined) return addHole(state, at, plain.end + 1, plain.expression);
  if (matches(recordStart, text, at) || (record !== undefined && matches(emptyBraces, text, at))) {
    state.record ??= { start: at, braces: [], mended: '', from: at };
    state.record.braces.push(1);
    return double(state, state.record, at);
  }
  return hole(state, at);
}

function closeBrace(state: TextState, at: number): number {
  const { text, record } = state;
  const pair = text[at + 1] === '}';
  if (record !== undefined) {
    const closes = record.braces.pop();
    const next = closes === 2 && pair ? literal(state, at, at + 2, '}') : double(state, record, at);
    if (record.braces.length === 0) endRecord(state, record, next);
    return next;
  }
  if (pair) return literal(state, at, at + 2, '}');
  const message = 'this "}" closes nothing';
  const help = 'Write "}}" for a brace that is text.';
  state.problems.push({ code: 'TOO3222', start: at, end: at + 1, message, help, replacement: '}}' });
  return at + 1;
}

function hole(state: TextState, at: number): number {
  const { text, hyphens } = state;
  state.found ??= new Map();
  const { found } = state;
  const scan = scanExpression(text, { start: at + 1, end: text.length, hole: true, hyphens, found });
  if (!scan.closed) return openHole(state, at, scan);
  const end = scan.end + 1;
  const { expression, problems } = parseScanned(text, at + 1, scan, false);
  if (expression === undefined && problems[0]?.code === 'TOO3201') {
    const message = 'there is no expression between these braces';
    const help = 'Write one, such as "{input.name}", or "{{" and "}}" for braces that are text.';
    const replacement = text.slice(at, end).replace(/[{}]/g, '$&$&');
    state.problems.push({ code: 'TOO3201', start: at, end, message, help, replacement });
    return end;
  }
  for (const problem of problems) state.problems.push(orText(problem));
  if (expression !== undefined) addHole(state, at, end, expression);
  return end;
}

function addHole(state: TextState, at: number, end: number, expression: Expression): number {
  addText(state, at);
  state.parts.push({ kind: 'hole', start: at, end, expression });
  state.start = end;
  state.from = end;
  return end;
}

/** A hole without its end. */
function openHole(state: TextState, at: number, scan: Scan): number {
  const { text } = state;
  state.failures++;
  const cut = scan.problems.find((problem) => problem.code === 'TOO3203');
  if (cut !== undefined && !isProse(scan)) {
    state.problems.push(orText(cut));
    const rest = /[}\n]/g;
    rest.lastIndex = cut.end;
    return (rest.exec(text)?.index ?? text.length - 1) + 1;
  }
  const message = 'this "{" is never closed';
  const help = 'Write "}" where the expression ends, or "{{" for a brace that is text.';
  state.problems.push({ code: 'TOO3221', start: at, end: at + 1, message, help, replacement: '{{' });
  return at + 1;
}

/** Two values side by side: that is a sentence. */
function isProse({ tokens }: Scan): boolean {
  return tokens.some(
    (token, i) =>
      token.kind === 'word' && endsOperand(token) && tokens[i + 1]?.kind === 'word' && startsOperand(tokens[i + 1]),
  );
}

/** What is no expression may be meant as text. */
function orText(problem: ExpressionProblem): ExpressionProblem {
  const { code, replacement, help } = problem;
  if (replacement !== undefined || !/TOO32(?:02|03|12|13)/.test(code)) return problem;
  const text = 'Braces that are text are doubled: "{{" and "}}".';
  return { ...problem, help: help === undefined ? text : `${help} ${text}` };
}

function endRecord(state: TextState, record: OpenRecord, end: number): void {
  state.record = undefined;
  state.problems.push({
    code: 'TOO3223',
    start: record.start,
    end,
    message: 'these braces read as an expression, and hold none',
    help: 'Double the braces that are text: "{{" and "}}".',
    replacement: record.mended + state.text.slice(record.from, end),
  });
}

/** A brace of text in a record, which should have been two. */
function double(state: TextState, record: OpenRecord, at: number): number {
  const brace = state.text[at] ?? '';
  record.mended += state.text.slice(record.from, at) + brace + brace;
  record.from = at + 1;
  return at + 1;
}

/** Puts `reads` for what is written from `at` to `end`. */
function literal(state: TextState, at: number, end: number, reads: string): number {
  state.read += state.text.slice(state.from, at) + reads;
  state.from = end;
  return end;
}

/** Puts the text up to `end` into a part. */
function addText(state: TextState, end: number): void {
  const text = state.read + state.text.slice(state.from, end);
  if (end > state.start) state.parts.push({ kind: 'text', start: state.start, end, text });
  state.start = end;
  state.read = '';
  state.from = end;
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
