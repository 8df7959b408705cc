/** `skill`: the words of a skill, or one of its files; of those skills alone that it is made for. */
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { closest, didYouMean, ToolangError } from '../../text/index.ts';
import { textType } from '../../type/index.ts';
import { mostText } from '../bounded-text.ts';
import { defineTool, type OwnTool, ToolFailure } from '../define-tool.ts';
import { binaryKind, sizeWords } from '../file-kind.ts';
import { createBreather } from '../filesystem/breather.ts';
import { type Area, placeOf } from '../filesystem/confine.ts';
import { noGuard } from '../filesystem/off-limits.ts';
import { readWhole } from '../filesystem/open-file.ts';
import { shownName } from '../filesystem/shown-name.ts';
import { walk } from '../filesystem/walk.ts';
import { skillTool as name } from '../names.ts';
import type { ToolContext } from '../tool.ts';

export interface LoadableSkill {
  readonly name: string;
  readonly description: string;
  /** Where it was materialized: a folder with a `SKILL.md`. A function says why not, by throwing. */
  readonly dir: string | (() => string);
}

interface LoadArgs {
  readonly name: string;
  readonly file?: string;
}

const body = 'SKILL.md';
const mostBytes = 4 * 1024 * 1024;
const mostFiles = 200;
const mostMs = 10_000;
/** Kept for the list of files and the words around. */
const room = 16 * 1024;

export function skillLoadTool(skills: readonly LoadableSkill[]): OwnTool {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return defineTool<LoadArgs>({
    name,
    description:
      'Loads a skill by its name: what it says, and which files it brings. With file, one of those files instead.',
    parameters: [
      { name: 'name', type: textType, doc: 'The name of a skill.' },
      {
        name: 'file',
        type: textType,
        optional: true,
        doc: 'A file of the skill, relative to it; what the skill says if left out.',
      },
    ],
    readOnly: true,
    subjects: (args) => [isFile(args) ? `${args.name}/${args.file}` : args.name],
    async run(args, context) {
      const skill = byName.get(args.name);
      if (!skill) {
        const known =
          byName.size === 0 ? 'There are none.' : `There are: ${[...byName.keys()].slice(0, 50).join(', ')}.`;
        const near = didYouMean(closest(args.name, byName.keys()));
        throw new ToolFailure(
          'missing',
          `there is no skill ${JSON.stringify(args.name.slice(0, 100))}.${near} ${known}`,
        );
      }
      const area: Area = { workspace: realpathSync(dirOf(skill)), guard: noGuard };
      if (isFile(args)) return readText(args.file, area, skill);
      const text = withoutFrontmatter(readText(body, area, skill)).trim();
      const shown = text.slice(0, mostText - room);
      const cut =
        shown.length < text.length
          ? `\n[${text.length - shown.length} more characters: load it with file="${body}"]`
          : '';
      const files = await filesOf(area, context);
      return [shown + cut, ...files].join('\n');
    },
  });
}

/** Models write nothing where they want to leave it out. */
function isFile(args: LoadArgs): args is Required<LoadArgs> {
  return args.file !== undefined && args.file.trim() !== '';
}

function dirOf({ dir }: LoadableSkill): string {
  if (typeof dir === 'string') return dir;
  try {
    return dir();
  } catch (error) {
    if (error instanceof ToolangError) throw new ToolFailure('unavailable', error.message);
    throw error;
  }
}

function readText(file: string, area: Area, skill: LoadableSkill): string {
  const shown = `${JSON.stringify(file.slice(0, 200))} of the skill "${skill.name}"`;
  const bytes = bytesOf(file, area, shown);
  if (bytes === undefined) throw new ToolFailure('too-large', `${shown} has more than ${sizeWords(mostBytes)}.`);
  const binary = binaryKind(bytes);
  if (binary !== undefined) {
    throw new ToolFailure(
      'failed',
      `${shown} is ${binary} of ${sizeWords(bytes.length)}, not a text; its content is not shown.`,
    );
  }
  return new TextDecoder().decode(bytes);
}

/** A skill is no workspace: whatever a path leads to beside the files of the skill is none of them, in the same words. */
function bytesOf(file: string, area: Area, shown: string): Uint8Array | undefined {
  try {
    return readWhole(placeOf(file, area, 'read'), area, mostBytes);
  } catch (error) {
    if (!(error instanceof ToolFailure) || !notThere.has(error.code)) throw error;
    const how = 'Its files are those that are listed when it is loaded by its name alone.';
    throw new ToolFailure(error.code, `there is no file ${shown}. ${how}`);
  }
}

const notThere: ReadonlySet<string> = new Set(['missing', 'denied', 'arguments']);

/** What stands between the lines `---` at the top is for those who list skills. */
function withoutFrontmatter(text: string): string {
  if (!/^---[ \t]*\r?\n/.test(text)) return text;
  const end = /\r?\n---[ \t]*(\r?\n|$)/g;
  end.lastIndex = text.indexOf('\n') - 1;
  const found = end.exec(text);
  return found ? text.slice(found.index + found[0].length) : text;
}

async function filesOf(area: Area, { clock, signal }: ToolContext): Promise<string[]> {
  const files: string[] = [];
  const found = walk(
    {
      start: placeOf('.', area, 'look'),
      area,
      tools: [],
      permission: undefined,
      asked: new Set(),
      enter: () => true,
      breathe: createBreather(clock, signal, mostMs).breathe,
    },
    { seen: 0, cut: false },
  );
  for await (const each of found) {
    if (each.kind === 'file' && !each.closed && each.below !== body) files.push(shownName(each.below));
  }
  if (files.length === 0) return [];
  const more = files.length > mostFiles ? [`[${files.length - mostFiles} more]`] : [];
  return [
    '',
    `Files of this skill (${basename(area.workspace)}), to be loaded with file:`,
    ...files.slice(0, mostFiles),
    ...more,
  ];
}
