/**
 * What a call is about, as rules are held against it.
 * 1. `fits` is strict, for `allow`: every unit must fit a rule, and there are no units where something is unclear.
 * 2. `touches` is generous, for `deny` and `ask`: any part that may be meant is enough.
 */
import path from 'node:path/posix';
import { fitsAddress, fitsPath, fitsText, fitsWords, folded } from './pattern.ts';
import { nameParts } from './rule.ts';
import { looseCommands, withoutFolders } from './shell-loose.ts';
import { readShell } from './shell-read.ts';

/** How the subjects of a tool are to be read. */
export type SubjectKind = 'path' | 'command' | 'address' | 'text';

export interface Subject {
  /** Each must fit a rule. */
  readonly units: readonly SubjectUnit[];
  readonly touches: (pattern: string) => boolean;
  /** Why it cannot be told what the call does. */
  readonly unclear?: string;
}

export interface SubjectUnit {
  /** As a rule would name it. */
  readonly text: string;
  readonly fits: (pattern: string) => boolean;
}

const kinds: ReadonlyMap<string, SubjectKind> = new Map([
  ['filesystem', 'path'],
  ['shell', 'command'],
  ['web', 'address'],
]);

export function kindOf(name: string): SubjectKind {
  return kinds.get(nameParts(name)[0]) ?? 'text';
}

export function readSubject(kind: SubjectKind, texts: readonly string[]): Subject {
  const all = texts.map((text) => readers[kind](text));
  const unclear = all.find((each) => each.unclear !== undefined)?.unclear;
  return {
    units: unclear === undefined ? all.flatMap((each) => each.units) : [],
    // Where there is nothing that a pattern could look at, a rule that refuses refuses all; what is ours says what a call is
    // about, unless the call cannot be done at all.
    touches: (pattern) => (all.length === 0 ? kind === 'text' : all.some((each) => each.touches(pattern))),
    ...(unclear !== undefined && { unclear }),
  };
}

const readers: Readonly<Record<SubjectKind, (text: string) => Subject>> = {
  path(text) {
    const clean = isCleanPath(text);
    return {
      units: [{ text, fits: (pattern) => clean && fitsPath(pattern, text) }],
      touches: (pattern) => touchesPath(folded(pattern), folded(path.normalize(text.replaceAll('\\', '/')))),
    };
  },
  command(text) {
    const read = readShell(text);
    const exact = read.ok ? read.commands.map(({ words }) => words.join(' ')) : [];
    const said = [...exact, ...looseCommands(text)].flatMap((each) => [each, withoutFolders(each)]);
    return {
      units: read.ok ? read.commands.map((each) => ({ text: each.text, fits: (p) => fitsText(p, each.text) })) : [],
      touches: (pattern) => [...new Set(said)].some((each) => fitsWords(pattern.replace(/['"\\]/g, ''), each)),
      ...(!read.ok && { unclear: read.reason }),
    };
  },
  address: (text) => ({
    units: [{ text, fits: (pattern) => fitsAddress(pattern, text, true) }],
    touches: (pattern) => fitsAddress(pattern, text, false),
  }),
  text: (text) => ({
    units: [{ text, fits: (pattern) => fitsText(pattern, text) }],
    touches: (pattern) => fitsWords(pattern, text),
  }),
};

/** A path that says plainly where it leads: from the workspace, and not out of it. */
function isCleanPath(text: string): boolean {
  if (text === '.') return true;
  return !/[\\\p{Cc}]/u.test(text) && text.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** The path, a folder that it lies in, or, for a pattern without a slash, any name on the way. */
function touchesPath(pattern: string, text: string): boolean {
  const bare = pattern.replace(/^\.\//, '').replace(/\/$/, '');
  const parts = text.split('/');
  return parts.some((part, at) => {
    return fitsPath(bare, parts.slice(0, at + 1).join('/')) || (!bare.includes('/') && fitsPath(bare, part));
  });
}
