/** What to say of a name that nothing has. */
import { closest, type DiagnosticExtra, isSurelyMeant, type Source } from '../text/index.ts';
import type { Mark, Word } from './draft.ts';
import { replaceWith } from './reports.ts';

export interface Suggestion {
  /** The name that was probably meant. */
  readonly hint: string | undefined;
  readonly help: string;
  readonly fix: DiagnosticExtra;
}

/** `what` names the things in the plural: "steps". `at` is where a fix goes, when it is not the whole word. */
export function suggest(word: Word, names: Iterable<string>, what: string, at: Mark = word): Suggestion {
  const looks = mayLook(word.source);
  const known = firstNames(names, looks ? mostCandidates : most);
  const hint = looks ? (closest(word.text, known) ?? onlyLonger(word.text, known)) : undefined;
  const fix = hint === undefined ? {} : replaceWith(at, hint, isSurelyMeant(word.text, hint));
  if (known.length === 0) return { hint, help: `There are no ${what} here.`, fix };
  return { hint, help: `Known: ${looks ? someOf(known) : firstOf(known)}.`, fix };
}

/** A file in which every name is wrong would take minutes. */
const mostSuggestions = 500;
const suggestions = new WeakMap<Source, number>();

function mayLook(source: Source): boolean {
  const count = suggestions.get(source) ?? 0;
  suggestions.set(source, count + 1);
  return count < mostSuggestions;
}

/** `claude` for `claude-code`: the one name that begins with the word. */
function onlyLonger(word: string, known: readonly string[]): string | undefined {
  const longer = word.length < 3 ? [] : known.filter((name) => name.startsWith(word));
  return longer.length === 1 ? longer[0] : undefined;
}

const most = 12;
/** Every name of a long file may be unknown, and each is compared with all these. */
const mostCandidates = 1000;

/** The first of many names, and how many more there are. */
export function someOf(names: Iterable<string>): string {
  const known = firstNames(names, mostCandidates);
  if (known.length <= most || known.length > mostCandidates) return firstOf(known);
  return `${known.slice(0, most).join(', ')} and ${known.length - most} more`;
}

/** One more than `count` of them, if there are so many. */
function firstNames(names: Iterable<string>, count: number): string[] {
  const unique = new Set<string>();
  for (const name of names) if (unique.add(name).size > count) break;
  return [...unique];
}

function firstOf(names: readonly string[]): string {
  return `${names.slice(0, most).join(', ')}${names.length > most ? ' and many more' : ''}`;
}

/** The name behind the `#` of `./file#name`, where it is written without escapes. */
export function behindHash(word: Word): Mark | undefined {
  const hash = word.text.indexOf('#');
  const { start } = word.span;
  const from = word.source.text[start] === '"' ? start + 1 : start;
  if (hash === -1 || !word.source.text.startsWith(word.text, from)) return undefined;
  return { source: word.source, span: { start: from + hash + 1, end: from + word.text.length } };
}
