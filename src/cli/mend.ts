/**
 * Applies the fixes of diagnostics to a text, whole fixes only.
 *
 * 1. The result is better than what was given (fewer errors, else fewer warnings, else fewer fixes left), or the same text.
 * 2. So mending twice changes nothing more, and fixes that undo each other end where they began.
 * 3. The number of checks of one text is bounded: the work is linear in its length.
 */
import { applyEdits, createSource, type Diagnostic, type Edit, type Source } from '../text/index.ts';

export interface Mended {
  readonly text: string;
  /** How many fixes were applied. */
  readonly fixes: number;
}

type Check = (source: Source) => Promise<readonly Diagnostic[]>;

/** A text, and of its diagnostics only what matters here: a long text may have very many. */
interface State {
  readonly source: Source;
  readonly counts: Readonly<Record<'errors' | 'warnings' | 'fixable' | 'unfixable', number>>;
  /** The edits of each fix that it still has. */
  readonly fixable: readonly (readonly Edit[])[];
  /** How many were applied so far. */
  readonly fixes: number;
}

const mostRounds = 100;
const mostSplits = 60;

/** `check` gives the diagnostics of a text. */
export async function mend(name: string, text: string, check: Check): Promise<Mended> {
  let state = await stateOf(createSource(name, text), check, 0);
  let best = state;
  const seen = new Set([text]);
  for (let round = 0; round < mostRounds; round++) {
    const next = await applyRound(state, check);
    if (next === state || seen.has(next.source.text)) break;
    seen.add(next.source.text);
    state = next;
    if (isBetter(state, best)) best = state;
  }
  return { text: best.source.text, fixes: best.fixes };
}

/** All fixes that can be made together; those that make it worse are found by halving, and left out. */
async function applyRound(start: State, check: Check): Promise<State> {
  let accepted: (readonly Edit[])[] = [];
  let state = start;
  const todo = [chooseFixes(start)];
  for (let tries = 0; todo.length > 0 && tries < mostSplits; tries++) {
    const part = todo.pop() ?? [];
    if (part.length === 0) continue;
    const trial = [...accepted, ...part];
    const next = await applyAll(start, trial, check);
    if (!isWorse(next, state)) {
      accepted = trial;
      state = next;
    } else if (part.length > 1) {
      const middle = Math.ceil(part.length / 2);
      todo.push(part.slice(middle), part.slice(0, middle));
    }
  }
  return state;
}

async function applyAll(start: State, fixes: readonly (readonly Edit[])[], check: Check): Promise<State> {
  const { name, text } = start.source;
  const source = createSource(name, applyEdits(text, withLineEnds(text, fixes.flat())).text);
  return stateOf(source, check, start.fixes + fixes.length);
}

/** New lines end as those of the file do. */
function withLineEnds(text: string, edits: readonly Edit[]): Edit[] {
  const end = /\r?\n/.exec(text)?.[0] ?? '\n';
  return edits.map((edit) => ({ ...edit, text: edit.text.replace(/\r?\n/g, () => end) }));
}

/** Those whose edits do not meet an edit of another that stands before them. */
function chooseFixes({ fixable }: State): (readonly Edit[])[] {
  const ordered = fixable
    .flatMap((edits) => edits.map((edit) => ({ edit, edits })))
    .sort((a, b) => a.edit.span.start - b.edit.span.start || a.edit.span.end - b.edit.span.end);
  const refused = new Set<readonly Edit[]>();
  let last: (typeof ordered)[number] | undefined;
  for (const next of ordered) {
    if (refused.has(next.edits)) continue;
    if (last && last.edits !== next.edits && meets(last.edit, next.edit)) refused.add(next.edits);
    else if (!last || next.edit.span.end >= last.edit.span.end) last = next;
  }
  return fixable.filter((edits) => !refused.has(edits));
}

/** Two changes side by side get along; an insertion at a place that changes does not, but for whole lines. */
function meets(a: Edit, b: Edit): boolean {
  if (b.span.start !== a.span.end) return b.span.start < a.span.end;
  const insertions = [a, b].filter(({ span }) => span.start === span.end);
  return insertions.length > 0 && !(insertions.length === 2 && a.text !== b.text && isLines(a) && isLines(b));
}

function isLines(edit: Edit): boolean {
  return edit.text.endsWith('\n');
}

/** More errors, unless the new ones can be mended as well: a name that is read at last may be followed by a wrong value. */
function isWorse({ counts: a }: State, { counts: b }: State): boolean {
  return a.errors > b.errors && a.unfixable > b.unfixable;
}

function isBetter({ counts: a }: State, { counts: b }: State): boolean {
  return (a.errors - b.errors || a.warnings - b.warnings || a.fixable - b.fixable) < 0;
}

async function stateOf(source: Source, check: Check, fixes: number): Promise<State> {
  const counts = { errors: 0, warnings: 0, fixable: 0, unfixable: 0 };
  const fixable: (readonly Edit[])[] = [];
  for (const { severity, fix, source: of } of await check(source)) {
    if (severity === 'error') counts.errors++;
    else if (severity === 'warning') counts.warnings++;
    if (fix && !fix.guess && fix.edits.length > 0 && of.name === source.name) fixable.push(fix.edits);
    else if (severity === 'error') counts.unfixable++;
  }
  counts.fixable = fixable.length;
  return { source, counts, fixable, fixes };
}
