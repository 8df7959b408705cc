/**
 * Patterns of paths: `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, and `**` for any folders. A pattern is a small machine whose states are
 * followed all at once, so that no pattern takes more than its length times that of the path.
 * 1. `*`, `?` and classes never fit a slash; a leading dot is a letter like any other.
 * 2. `**` as a part of its own fits no folder or many; elsewhere it is `*`.
 * 3. A pattern without a slash fits the name in every folder; `./*.md` only those at the top.
 * 4. A path can be given in pieces: a folder that nothing below can fit is known before it is read.
 */

export type GlobPattern =
  | {
      readonly ok: true;
      readonly start: GlobState;
      /** The names that it spells out. */
      readonly names: ReadonlySet<string>;
    }
  | { readonly ok: false; readonly problem: string };

export interface GlobState {
  /** The state behind more of the path; undefined when nothing can fit any more. */
  readonly after: (text: string) => GlobState | undefined;
  /** Whether the path fits as it is. */
  readonly fits: boolean;
}

type Step =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'any' }
  | { readonly kind: 'all' }
  | { readonly kind: 'class'; readonly not: boolean; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly kind: 'fork'; readonly to: number[] }
  | { readonly kind: 'end' };

const mostLength = 1000;
const mostNesting = 16;
const slash = 47;

export function readGlob(text: string): GlobPattern {
  if (text === '') return { ok: false, problem: 'the pattern is empty; "**" fits every file.' };
  if (text.length > mostLength) {
    return { ok: false, problem: `the pattern has ${text.length} characters; at most ${mostLength} are taken.` };
  }
  const plain = text.normalize('NFC').replace(/^(\.\/)+/, '');
  if (plain.startsWith('/'))
    return { ok: false, problem: 'a pattern is relative to the folder that is searched: leave out the "/" in front.' };
  if (/(^|\/)\.\.(\/|$)/.test(plain))
    return { ok: false, problem: 'a pattern cannot lead upward with "..": search another folder, with "path".' };
  const anywhere = plain === text.normalize('NFC') && !plain.includes('/') && plain !== '**';
  const state: Parser = {
    codes: Array.from(anywhere ? `**/${plain}` : plain, (char) => char.codePointAt(0) ?? 0),
    at: 0,
    steps: [],
    depth: 0,
  };
  const problem = readSequence(state, false);
  if (problem !== undefined) return { ok: false, problem };
  state.steps.push({ kind: 'end' });
  const names = new Set(plain.split(/[/,{}]/).filter((name) => name !== '' && !/[*?[\\]/.test(name)));
  const machine: Machine = { steps: state.steps, met: new Uint32Array(state.steps.length), round: 0 };
  return { ok: true, start: stateOf(machine, reached(machine, [0])), names };
}

interface Parser {
  readonly codes: readonly number[];
  at: number;
  readonly steps: Step[];
  depth: number;
}

const signs = {
  star: 42,
  question: 63,
  open: 91,
  close: 93,
  brace: 123,
  comma: 44,
  unbrace: 125,
  backslash: 92,
} as const;
const { star, question, open, close, brace, comma, unbrace, backslash } = signs;

/** Up to the end, or to what ends an alternative. */
function readSequence(parser: Parser, inBraces: boolean): string | undefined {
  const { codes, steps } = parser;
  for (; parser.at < codes.length; parser.at++) {
    const code = codes[parser.at] ?? 0;
    if (inBraces && (code === comma || code === unbrace)) return undefined;
    if (code === star) readStars(parser);
    else if (code === question) steps.push({ kind: 'any' });
    else if (code === open) readClass(parser);
    else if (code === brace && isAlternative(codes, parser.at)) {
      const problem = readBraces(parser);
      if (problem !== undefined) return problem;
    } else if (code === backslash && parser.at + 1 < codes.length)
      steps.push({ kind: 'char', code: codes[++parser.at] ?? 0 });
    else steps.push({ kind: 'char', code });
  }
  return undefined;
}

/** `*`; or `**` as a part of its own, with the slash behind it. */
function readStars(parser: Parser): void {
  const { codes, steps } = parser;
  const from = parser.at;
  while (codes[parser.at + 1] === star) parser.at++;
  const before = codes[from - 1];
  const after = codes[parser.at + 1];
  const starts = from === 0 || before === slash || before === brace || before === comma;
  const own = parser.at > from && starts;
  if (own && after === slash) {
    // Any folders, each with its slash, or none: fork(behind, in); in: a letter, more letters or a slash.
    parser.at++;
    const fork: number[] = [];
    steps.push({ kind: 'fork', to: fork }, { kind: 'any' });
    const more = steps.length;
    steps.push(
      { kind: 'fork', to: [more - 1, more + 1] },
      { kind: 'char', code: slash },
      { kind: 'fork', to: [more - 2] },
    );
    fork.push(more + 3, more - 1);
    return;
  }
  const isLast = after === undefined || after === comma || after === unbrace;
  const kind = own && isLast ? 'all' : 'any';
  const at = steps.length;
  if (kind === 'all') steps.push({ kind }, { kind: 'fork', to: [at, at + 2] });
  else steps.push({ kind: 'fork', to: [at + 1, at + 3] }, { kind }, { kind: 'fork', to: [at] });
}

function readClass(parser: Parser): void {
  const { codes, steps } = parser;
  let at = parser.at + 1;
  const not = codes[at] === 33 || codes[at] === 94;
  if (not) at++;
  const ranges: [number, number][] = [];
  for (let first = true; at < codes.length && (first || codes[at] !== close); first = false) {
    if (codes[at] === backslash) at++;
    const from = codes[at++] ?? 0;
    const isRange = codes[at] === 45 && codes[at + 1] !== close && at + 1 < codes.length;
    const to = isRange ? (codes[at + 1] ?? 0) : from;
    if (isRange) at += 2;
    ranges.push([from, to]);
  }
  // A bracket that nothing closes is a bracket.
  if (at >= codes.length) steps.push({ kind: 'char', code: open });
  else {
    steps.push({ kind: 'class', not, ranges });
    parser.at = at;
  }
}

function readBraces(parser: Parser): string | undefined {
  const { codes, steps } = parser;
  if (++parser.depth > mostNesting) return `braces nest at most ${mostNesting} deep.`;
  const fork: number[] = [];
  const exits: number[][] = [];
  steps.push({ kind: 'fork', to: fork });
  do {
    parser.at++;
    fork.push(steps.length);
    const problem = readSequence(parser, true);
    if (problem !== undefined) return problem;
    const exit: number[] = [];
    exits.push(exit);
    steps.push({ kind: 'fork', to: exit });
  } while (codes[parser.at] === comma);
  for (const exit of exits) exit.push(steps.length);
  parser.depth--;
  return undefined;
}

/** Whether a brace is closed and holds a comma; any other is a letter. */
function isAlternative(codes: readonly number[], from: number): boolean {
  let depth = 0;
  let commas = false;
  for (let at = from; at < codes.length; at++) {
    const code = codes[at];
    if (code === backslash) at++;
    else if (code === brace) depth++;
    else if (code === comma && depth === 1) commas = true;
    else if (code === unbrace && --depth === 0) return commas;
  }
  return false;
}

function stateOf(machine: Machine, at: readonly number[]): GlobState {
  return {
    fits: at.some((index) => machine.steps[index]?.kind === 'end'),
    after(text) {
      let now = at;
      for (const char of text.normalize('NFC')) {
        const code = char.codePointAt(0) ?? 0;
        const next: number[] = [];
        for (const index of now) if (takes(machine.steps[index], code)) next.push(index + 1);
        if (next.length === 0) return undefined;
        now = reached(machine, next);
      }
      return stateOf(machine, now);
    },
  };
}

interface Machine {
  readonly steps: readonly Step[];
  /** Which steps were met in the round of this number. */
  readonly met: Uint32Array;
  round: number;
}

/** The steps that wait for a letter, or end it, and can be reached without one. */
function reached(machine: Machine, from: number[]): number[] {
  const { steps, met } = machine;
  const round = ++machine.round;
  const waiting: number[] = [];
  for (let at = from.pop(); at !== undefined; at = from.pop()) {
    if (met[at] === round) continue;
    met[at] = round;
    const step = steps[at];
    if (step?.kind === 'fork') for (const to of step.to) from.push(to);
    else waiting.push(at);
  }
  return waiting;
}

function takes(step: Step | undefined, code: number): boolean {
  if (step?.kind === 'char') return step.code === code;
  if (step?.kind === 'all') return true;
  if (code === slash) return false;
  if (step?.kind === 'any') return true;
  return step?.kind === 'class' && step.not !== step.ranges.some(([from, to]) => code >= from && code <= to);
}
