/** `filesystem/grep`: the lines of files that hold a text or fit a regular expression. */
import { booleanType, numberType, textType } from '../../type/index.ts';
import { mostText } from '../bounded-text.ts';
import { defineTool, type OwnTool, ToolFailure } from '../define-tool.ts';
import { binaryKind } from '../file-kind.ts';
import type { ToolContext } from '../tool.ts';
import { createBreather } from './breather.ts';
import { type Area, type Place, placeOf, placeOfParts, subjectsOfPath } from './confine.ts';
import { type GlobState, readGlob } from './glob-pattern.ts';
import { createPruner } from './glob-prune.ts';
import type { Guard } from './off-limits.ts';
import { readWhole } from './open-file.ts';
import type { Row, Scanned } from './scan-text.ts';
import { createScanner, type Scanner } from './scanner.ts';
import { shownName } from './shown-name.ts';
import { type WalkTotals, walk, walkNote } from './walk.ts';

interface GrepArgs {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  readonly context?: number;
  readonly files?: boolean;
  readonly limit?: number;
}

/** For tests. */
export interface GrepOptions {
  readonly regexpMs?: number;
}

const usualLimit = 100;
const mostMs = 30_000;
const mostPattern = 1000;
const mostFile = 16 * 1024 * 1024;
const lineWidth = 300;
/** Kept for the words at the end. */
const endRoom = 1000;

export function grepTool(guard: Guard, options: GrepOptions = {}): OwnTool {
  return defineTool<GrepArgs>({
    name: 'filesystem/grep',
    description:
      'Searches the text files of the workspace, line by line, for a regular expression (JavaScript), or with literal=true for a text. Gives paths and numbered lines. Binary files, .git and node_modules are left out, the latter unless path or glob names them.',
    parameters: [
      { name: 'pattern', type: textType, doc: 'What to look for in each line.' },
      {
        name: 'path',
        type: textType,
        optional: true,
        doc: 'The folder or file to look in, relative to the workspace; the workspace itself if left out.',
      },
      {
        name: 'glob',
        type: textType,
        optional: true,
        doc: 'Only files whose path fits this pattern, as *.ts or src/**/*.md; relative to path.',
      },
      {
        name: 'literal',
        type: booleanType,
        optional: true,
        doc: 'The pattern is a plain text, not a regular expression.',
      },
      { name: 'ignoreCase', type: booleanType, optional: true, doc: 'Upper and lower case are the same.' },
      {
        name: 'context',
        type: numberType,
        optional: true,
        range: [0, 10],
        doc: 'How many lines to show before and after each; 0 if left out.',
      },
      {
        name: 'files',
        type: booleanType,
        optional: true,
        doc: 'Give only the files, with how many lines fit in each.',
      },
      {
        name: 'limit',
        type: numberType,
        optional: true,
        range: [1, 2000],
        doc: `How many lines, or with files how many files, at most; ${usualLimit} if left out.`,
      },
    ],
    readOnly: true,
    subjects: ({ path = '.' }, workspace) => subjectsOfPath(path, { workspace, guard }),
    async run(args, context) {
      const { pattern, literal = false, ignoreCase = false } = args;
      if (pattern === '') throw new ToolFailure('arguments', '"/pattern" is empty: say what to look for.');
      if (pattern.length > mostPattern) {
        throw new ToolFailure(
          'arguments',
          `"/pattern" has ${pattern.length} characters; at most ${mostPattern} are taken.`,
        );
      }
      if (literal && /[\r\n]/.test(pattern)) {
        throw new ToolFailure('arguments', '"/pattern" holds a line end; lines are looked at one by one.');
      }
      const { clock, signal } = context;
      const scanner = createScanner({ pattern, literal, ignoreCase, clock, signal, mostMs: options.regexpMs ?? 5000 });
      try {
        return await search(args, scanner, { workspace: context.workspace, guard }, context);
      } finally {
        await scanner.close();
      }
    },
  });
}

interface Tally {
  readonly lines: string[];
  length: number;
  hits: number;
  files: number;
  /** Why it was ended before all was looked at. */
  ended?: 'limit' | 'length';
  tooLarge: number;
  closed: number;
  unread: number;
}

async function search(args: GrepArgs, scanner: Scanner, area: Area, context: ToolContext): Promise<string> {
  const { path = '.', glob } = args;
  const pattern = glob === undefined ? undefined : readGlob(glob);
  if (pattern?.ok === false) throw new ToolFailure('arguments', `"/glob": ${pattern.problem}`);
  const tally: Tally = { lines: [], length: 0, hits: 0, files: 0, tooLarge: 0, closed: 0, unread: 0 };
  const totals: WalkTotals = { seen: 0, cut: false };
  const start = placeOf(path, area, 'read');
  if (start.stats !== undefined && !start.stats.isDirectory()) await searchFile(start, args, scanner, area, tally);
  else {
    const found = filesBelow(start, pattern, area, context, tally, totals);
    for await (const parts of found) {
      await searchTried(parts, args, scanner, area, tally);
      if (tally.ended !== undefined) break;
    }
  }
  return [...tally.lines, ...endOf(args, tally), ...walkNote(totals)].join('\n');
}

async function* filesBelow(
  start: Place,
  pattern: { readonly start: GlobState; readonly names: ReadonlySet<string> } | undefined,
  area: Area,
  { clock, signal, permission }: ToolContext,
  tally: Tally,
  totals: WalkTotals,
): AsyncGenerator<readonly string[]> {
  const pruner = pattern && createPruner(pattern.start);
  const { breathe } = createBreather(clock, signal, mostMs);
  const found = walk(
    {
      start,
      area,
      // What is not to be read is not to be found either.
      tools: ['filesystem/grep', 'filesystem/read'],
      permission,
      asked: pattern?.names ?? new Set(),
      enter: (below) => pruner === undefined || pruner.mayHold(below),
      breathe,
    },
    totals,
  );
  for await (const each of found) {
    if (each.left === 'closed') tally.closed++;
    if (each.left === 'unread') tally.unread++;
    if (each.kind !== 'file' || (pruner && !pruner.fits(each.below))) continue;
    if (each.closed) tally.closed++;
    else yield each.parts;
  }
}

/** A file of a walk that cannot be read, or has just gone, is counted. */
async function searchTried(
  parts: readonly string[],
  args: GrepArgs,
  scanner: Scanner,
  area: Area,
  tally: Tally,
): Promise<void> {
  let place: Place;
  try {
    place = placeOfParts(parts, area, 'read');
    await searchFile(place, args, scanner, area, tally);
  } catch (error) {
    if (!(error instanceof ToolFailure) || error.code === 'timeout' || error.code === 'arguments') throw error;
    tally.unread++;
  }
}

async function searchFile(place: Place, args: GrepArgs, scanner: Scanner, area: Area, tally: Tally): Promise<void> {
  const { context = 0, files = false, limit = usualLimit } = args;
  const bytes = readWhole(place, area, mostFile);
  if (bytes === undefined) {
    tally.tooLarge++;
    return;
  }
  if (binaryKind(bytes) !== undefined) return;
  const most = files ? 1_000_000 : limit - tally.hits;
  const scanned = await scanner.scan(bytes, { most, context: files ? 0 : context, width: lineWidth });
  if (scanned.hits === 0) return;
  if (most === 0) {
    tally.ended = 'limit';
    return;
  }
  tally.files++;
  tally.hits += Math.min(scanned.hits, most);
  add(tally, files ? [`${shownName(place.asked)}: ${scanned.hits}`] : rowsOf(place.asked, scanned, context > 0));
  if (scanned.hits > most || (files && tally.files >= limit)) tally.ended ??= 'limit';
}

function add(tally: Tally, lines: readonly string[]): void {
  for (const line of lines) {
    if (tally.length + line.length + 1 > mostText - endRoom) {
      tally.ended = 'length';
      return;
    }
    tally.lines.push(line);
    tally.length += line.length + 1;
  }
}

/** `12: a hit`, `13- a line beside it`; `--` between what does not touch. */
function rowsOf(path: string, { rows }: Scanned, withContext: boolean): string[] {
  const lines = [shownName(path)];
  let last: Row | undefined;
  for (const row of rows) {
    if (withContext && last && row.line > last.line + 1) lines.push('--');
    lines.push(`${row.line}${row.hit ? ':' : '-'} ${row.text}`);
    last = row;
  }
  lines.push('');
  return lines;
}

function endOf({ files = false, limit = usualLimit }: GrepArgs, tally: Tally): string[] {
  const found =
    tally.files === 0 ? 'nothing was found' : `${count(tally.hits, 'line')} in ${count(tally.files, 'file')}`;
  const notes = [
    tally.ended === 'limit'
      ? `ended at the limit of ${limit} ${files ? 'files' : 'lines'}: there may be more. Narrow path, glob or pattern, or raise limit`
      : '',
    tally.ended === 'length'
      ? 'ended because the result was full: there is more. Narrow path, glob or pattern, or ask with files=true'
      : '',
    tally.tooLarge > 0 ? `${count(tally.tooLarge, 'file')} of more than 16 MB left out` : '',
    tally.closed > 0 ? `${tally.closed} off limits left out` : '',
    tally.unread > 0 ? `${tally.unread} could not be read` : '',
  ];
  return [`[${[found, ...notes].filter((note) => note !== '').join('; ')}]`];
}

function count(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : `${noun}s`}`;
}
