/**
 * Takes out of a text what another machine, another day or another run would change: the folders that a run works in, temporary
 * folders, the home of whoever runs it, the ids of runs, dates and times. Requests are compared without them.
 */
import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, parse } from 'node:path';

export type StableText = (text: string) => string;

export interface StablePlaces {
  /** Ids of the run and of those inside of it. */
  readonly runs: readonly string[];
  /** Absolute; those of worktrees too. */
  readonly folders: readonly (string | undefined)[];
}

/** `2026-04-01`, also with a time behind it. */
const dates = /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)/g;

export function createStableText({ runs, folders }: StablePlaces): StableText {
  const places = [...new Set(folders)].flatMap((folder) => (folder === undefined ? [] : formsOf(folder)));
  const marks: [string, string][] = places.map((folder) => [folder, '<folder>']);
  for (const home of formsOf(homedir())) marks.push([home, '<home>']);
  // The longest first: one folder may lie in another.
  marks.sort(([a], [b]) => b.length - a.length);
  const temporary = formsOf(tmpdir()).map(
    (folder) => new RegExp(`${literal(folder)}[\\\\/]+[^\\s\\\\/"'\`:;,)<>]+`, 'g'),
  );
  return (text) => {
    let stable = text;
    for (const [from, to] of marks) if (stable.includes(from)) stable = stable.replaceAll(from, to);
    for (const place of temporary) stable = stable.replaceAll(place, '<tmp>');
    for (const run of runs) if (stable.includes(run)) stable = stable.replaceAll(run, '<run>');
    return stable.replaceAll(dates, (found) => (found.length === 10 ? '<date>' : '<time>'));
  };
}

/** As it is written, and as JSON and other systems write it. What is no place of its own, such as `/`, is none of them. */
function formsOf(folder: string): string[] {
  if (!isAbsolute(folder) || parse(folder).root === folder || folder.length < 4) return [];
  return [
    ...new Set(
      [folder, realOf(folder)].flatMap((each) => {
        const plain = each.replace(/[\\/]+$/, '');
        return [plain, plain.replaceAll('\\', '/'), plain.replaceAll('\\', '\\\\')];
      }),
    ),
  ];
}

/** Programs tell where a folder really is. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // It is not there any more.
  }
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
