/** What is said of a word that names no run, or more than one. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { quotePath, shortIds } from '../../sys/index.ts';
import { distance, printable } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { programName, quoteForShell } from '../shell.ts';
import { command } from './result.ts';
import { storeFlag } from './store-files.ts';

/** A run that a word may mean. */
export interface Candidate {
  readonly id: string;
  readonly file: string;
  /** Its workflow and how it is. */
  readonly about: string;
}

export const mostListed = 10;
const mostClose = 3;

export interface Asked {
  /** The command that was asked for, if it is known. */
  readonly verb: string | undefined;
  readonly args: Args;
}

export async function severalRuns(
  word: string,
  candidates: readonly Candidate[],
  { verb, args }: Asked,
  context: Context,
): Promise<UsageError> {
  const ids = new Set(candidates.map(({ id }) => id));
  const short = shortIds(ids);
  const lines: string[] = [];
  for (const { id, file, about } of candidates.slice(0, mostListed)) {
    const isTwice = candidates.some((other) => other.id === id && other.file !== file);
    const words = [short.get(id) ?? id, ...(isTwice ? await storeFlag(file, context) : [])];
    const [first = id, ...places] = words;
    const all = verb === undefined ? words.join(' ') : command(context, verb, first, ...otherWords(args), ...places);
    lines.push(`${all}  ${about}`);
  }
  const more = candidates.length - mostListed;
  if (more > 0) lines.push(`and ${more} more`);
  const isOne = ids.size === 1;
  const what = isOne ? 'is a run in several stores' : 'is the beginning of several runs';
  return new UsageError(`"${word}" ${what}.`, [isOne ? 'Name the one:' : 'Write more of it:', ...lines].join('\n'));
}

/** What was said besides the run, to be said again. Where runs are kept is added to every command. */
function otherWords({ positionals, switches, texts, counts, lists }: Args): readonly string[] {
  const places = new Set(['root', 'home', 'store']);
  const pairs = [
    ...Object.entries(texts),
    ...Object.entries(counts),
    ...Object.entries(lists).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  ];
  return [
    ...positionals.slice(1).map((word) => quoteForShell(word)),
    ...Object.entries(switches).map(([name, isOn]) => `--${isOn ? '' : 'no-'}${name}`),
    // Joined: a value may begin with a dash.
    ...pairs.flatMap(([name, value]) => (places.has(name) ? [] : [`--${name}=${quoteForShell(String(value))}`])),
  ];
}

/** `ids`: the runs that there are, the newest last. */
export function unknownRun(word: string, ids: readonly string[], context: Context): UsageError {
  const lines: string[] = [];
  const file = [word, `${word}.toon`, `${word}.too`].find(
    (name) => name !== '' && existsSync(resolve(context.cwd, name)),
  );
  if (file !== undefined) lines.push(`${quotePath(file)} is a file beside, and runs have ids of their own, as 7f3a.`);
  const near = closestIds(word, ids);
  const [best, ...others] = near.map(({ short }) => short);
  const isLike = near[0]?.isLike === true;
  if (isLike && others.length > 0) lines.push(`Also like it: ${others.join(', ')}`);
  if (!isLike && best !== undefined) lines.push(`The closest: ${[best, ...others].join(', ')}`);
  const name = programName(context.env);
  lines.push(
    ids.length > 0
      ? `All runs: ${name} runs --all`
      : `There are no runs yet: ${name} run ${file?.endsWith('.toon') ? quoteForShell(file) : 'FILE'}`,
  );
  return new UsageError(
    `there is no run "${printable(word)}".${isLike ? ` Did you mean "${best}"?` : ''}`,
    lines.join('\n'),
  );
}

interface Near {
  readonly short: string;
  /** So like what was written that it may have been meant. */
  readonly isLike: boolean;
}

/** Those whose beginnings are most like what was written, the most like first; of equals the newest. */
function closestIds(word: string, ids: readonly string[]): Near[] {
  const wanted = word.toLowerCase().slice(0, 16);
  const best: { readonly id: string; readonly cost: number }[] = [];
  for (let i = ids.length - 1; i >= 0; i--) {
    const id = ids[i] as string;
    const least = best.length < mostClose ? wanted.length : (best.at(-1)?.cost ?? 0) - 1;
    if (least < 0) break;
    // Who writes one character too many, or too few, means the beginning all the same.
    const cost = Math.min(
      ...[-1, 0, 1].map((d) => distance(wanted, id.slice(0, Math.max(1, wanted.length + d)), least)),
    );
    if (cost > least) continue;
    best.push({ id, cost });
    best.sort((a, b) => a.cost - b.cost);
    best.length = Math.min(best.length, mostClose);
  }
  const short = shortIds(ids);
  const like = Math.max(1, Math.floor(wanted.length / 3));
  return best.map(({ id, cost }) => ({ short: short.get(id) ?? id, isLike: wanted.length > 1 && cost <= like }));
}
